"""What repositories give that Spring Data makes, and what optionals and streams of it hold."""

import pytest
from typed_cases import Linked

DOMAIN = """package shop;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.repository.CrudRepository;
class User { void lock() {} Address address() { return null; } }
class Address { void print() {} }
class Other { void lock() {} void print() {} }
class Row { Row(User user) {} void print() {} }
interface Keep<T> extends JpaRepository<T, Long> {}
interface Users extends Keep<User> { java.util.Optional<User> findByMail(String mail); }
interface Others extends CrudRepository<Other, Long> {}
"""
SERVICE = "package shop;\nclass Service { Users users; Others others; void go() { %s; } }\n"


@pytest.mark.parametrize(
    ("statement", "target"),
    [
        ("users.findById(1).get().lock()", "User.lock"),
        ("others.findById(1).orElseThrow().lock()", "Other.lock"),
        ("users.findByMail(null).orElseThrow(() -> null).lock()", "User.lock"),
        ("users.findAll().stream().filter(u -> true).findFirst().get().lock()", "User.lock"),
        ("users.save(null).lock()", "User.lock"),
        ("users.findById(1).map(User::address).orElse(null).print()", "Address.print"),
        ("users.findAll().stream().map(Row::new).toList().get(0).print()", "Row.print"),
    ],
)
def test_what_a_repository_gives_is_of_the_class_that_its_interface_names(statement, target):
    files = {"shop/Domain.java": DOMAIN, "shop/Service.java": SERVICE % statement}

    found = Linked("java", (".java",), files).targets("shop/Service.java", statement.rpartition("(")[0])

    assert found == [f"shop/Domain.java:{target}"]


def test_a_function_that_goes_through_what_a_repository_holds_is_given_its_objects():
    statement = "users.findById(1).ifPresent(u -> u.lock())"
    files = {"shop/Domain.java": DOMAIN, "shop/Service.java": SERVICE % statement}

    assert Linked("java", (".java",), files).targets("shop/Service.java", "u.lock") == [
        "shop/Domain.java:User.lock"
    ]
