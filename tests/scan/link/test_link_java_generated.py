"""Members that Lombok writes: those of a field are uses of it, others are outside by name."""

import pytest
from typed_cases import Linked

DOMAIN = """package a.domain;
import java.io.Serializable;
public class Base implements Serializable { @Getter @Setter private Dept dept; private Dept hidden; }
class Dept { void open() {} }
class Other { void open() {} }
@Data class User extends Base { private Dept home; private boolean active; private String name; }
@Value @Builder class Fixed { Dept dept; }
"""
USER = """package a.domain;
import org.springframework.http.HttpStatus;
import static org.springframework.http.HttpStatus.*;
@Slf4j
class Service { void go(User user, Fixed fixed) { %s; } }
"""


def linked(statement: str) -> Linked:
    return Linked(
        "java", (".java",), {"a/domain/Base.java": DOMAIN, "a/domain/Service.java": USER % statement}
    )


@pytest.mark.parametrize("read", ["user.getHome()", "user.getDept()", "fixed.getDept()"])
def test_what_a_generated_getter_gives_is_what_the_field_holds(read):
    found = linked(f"{read}.open()")

    assert found.targets("a/domain/Service.java", f"{read}.open") == ["a/domain/Base.java:Dept.open"]


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("Fixed.builder()", "lombok.Builder.builder"),
        ("log.info(null)", "org.slf4j.Logger.info"),
    ],
)
def test_a_generated_member_of_no_field_is_outside_by_the_name_of_its_annotation(call, name):
    said = linked(call).call("a/domain/Service.java", call.partition("(")[0])

    assert (said.outcome, said.external_name) == ("external", name)


@pytest.mark.parametrize(
    ("call", "field"),
    [
        ("user.getName()", "User.name"),
        ("user.isActive()", "User.active"),
        ("user.setName(null)", "User.name"),
        ("user.setDept(null)", "Base.dept"),
    ],
)
def test_what_reads_and_writes_a_field_is_a_use_of_it(call, field):
    found = linked(call).targets("a/domain/Service.java", call.partition("(")[0])

    assert found == [f"a/domain/Base.java:{field}"]


@pytest.mark.parametrize("call", ["user.getHidden()", "fixed.setDept(null)"])
def test_what_no_annotation_asks_for_is_not_generated(call):
    said = linked(call).call("a/domain/Service.java", call.partition("(")[0])

    assert "lombok" not in (said.external_name or "")


def test_a_getter_that_is_written_goes_before_a_generated_one():
    own = "package a;\n@Data class User { private String name; public String getName() { return name; } void f() { getName(); getAge(); } int age; }\n"
    found = Linked("java", (".java",), {"User.java": own})

    assert found.targets("User.java", "getName") == ["User.java:User.getName"]
    assert found.targets("User.java", "getAge") == ["User.java:User.age"]


def test_the_components_of_a_record_are_read_by_calls_that_nothing_is_written_for():
    own = """package shop;
record Price(int cents) { String text() { return cents + ""; } }
record Order(String id, Price price, java.util.List<Price> others) { public String id() { return "#" + id; } }
class Shop {
  void show(Order order, Order last) {
    order.id();
    order.price().text();
    last.price().cents();
    for (Price other : order.others()) other.text();
  }
}
"""
    said = Linked("java", (".java",), {"Shop.java": own})

    assert said.targets("Shop.java", "order.price") == ["Shop.java:Order.price"]
    assert said.targets("Shop.java", "order.price().text") == ["Shop.java:Price.text"]
    assert said.targets("Shop.java", "last.price().cents") == ["Shop.java:Price.cents"]
    assert said.targets("Shop.java", "other.text") == ["Shop.java:Price.text"]
    assert said.targets("Shop.java", "order.id") == ["Shop.java:Order.id"]
