"""Calls that tests write on mocks: on what verifies them, in the functions they are given, and on the object they stand for."""

import pytest
from typed_cases import Linked

CSHARP = """using Moq;
using System.Collections.Generic;
namespace A;
public interface IStore {{ string Load(int id); void Save(string text); }}
public interface IOther {{ string Load(int id); void Save(string text); }}
public class Tests {{
  private readonly Mock<IStore> _store = new Mock<IStore>();
  private readonly Lazy<IStore> _late;
  private readonly IOptions<IStore> _options;
  void F() {{ {body}; }}
}}
"""
EXPECTED = {
    "_store.Setup(x => x.Load(1))": ("x.Load", "IStore.Load"),
    "_store.Verify(x => x.Save(null), Times.Once())": ("x.Save", "IStore.Save"),
    "_store.Object.Load(1)": ("_store.Object.Load", "IStore.Load"),
    "var mock = new Mock<IOther>(); mock.Setup(x => x.Load(1))": ("x.Load", "IOther.Load"),
    "var other = Substitute.For<IOther>(); other.Received().Save(null)": (
        "other.Received().Save",
        "IOther.Save",
    ),
    "_late.Value.Load(1)": ("_late.Value.Load", "IStore.Load"),
    "_options.Value.Load(1)": ("_options.Value.Load", "IStore.Load"),
    "var list = new List<IOther>(); list[0].Save(null)": ("list[0].Save", "IOther.Save"),
    "var map = new Dictionary<string, IStore>(); map[null].Save(null)": ("map[null].Save", "IStore.Save"),
}


@pytest.mark.parametrize(("body", "call", "target"), [(body, *one) for body, one in EXPECTED.items()])
def test_what_csharp_holds_one_of_gives_it_to_calls(body, call, target):
    found = Linked("csharp", (".cs",), {"A.cs": CSHARP.format(body=body)})

    assert found.targets("A.cs", call) == [f"A.cs:{target}"]


def test_a_collection_of_the_project_is_no_library_s():
    text = CSHARP.format(body="var stack = new Stack<IOther>(); stack.Push(1); stack.Peek().Save(null)")
    own = "public class Stack<T> { public IStore Peek() => null; public void Push(int i) {} }"
    found = Linked("csharp", (".cs",), {"A.cs": text + own})

    assert found.targets("A.cs", "stack.Peek().Save") == ["A.cs:IStore.Save"]


JAVA = """package a;
import static org.mockito.Mockito.*;
import java.util.*;
class Store {{ void save(String text) {{}} }}
class Other {{ void save(String text) {{}} }}
class Tests {{
  Store store = mock(Store.class);
  void f() {{ {body}; }}
}}
"""
JAVA_EXPECTED = {
    'verify(store).save("a")': "Store.save",
    'verify(store, never()).save("a")': "Store.save",
    'doReturn(1).when(store).save("a")': "Store.save",
    'Objects.requireNonNull(store).save("a")': "Store.save",
    'var others = new ArrayList<Other>(); others.get(0).save("a")': "Other.save",
}


@pytest.mark.parametrize(("body", "target"), JAVA_EXPECTED.items())
def test_java_calls_on_what_is_handed_on(body, target):
    found = Linked("java", (".java",), {"a/A.java": JAVA.format(body=body)})

    call = body.rpartition("; ")[2].removesuffix('("a")')
    assert found.targets("a/A.java", call) == [f"a/A.java:{target}"]


def test_what_is_said_when_it_is_called_is_no_object_of_the_mock():
    found = Linked("java", (".java",), {"a/A.java": JAVA.format(body="when(store).save(null)")})

    assert found.targets("a/A.java", "when(store).save") == []


@pytest.mark.parametrize(
    ("body", "call", "confidence"),
    [
        ("_store.Setup(x => x.Load(1)).Returns(null)", "x.Load", 0.1),
        ("_store.Verify(x => x.Save(null), Times.Once())", "x.Save", 0.1),
        ("var other = Substitute.For<IOther>(); other.Received(2).Save(null)", "other.Received(2).Save", 0.1),
        (
            "var other = A.Fake<IOther>(); A.CallTo(() => other.Save(null)).MustHaveHappened()",
            "other.Save",
            0.1,
        ),
        ("_store.Object.Load(1)", "_store.Object.Load", 1.0),
        ("Run(x => _store.Object.Load(1))", "_store.Object.Load", 1.0),
        ("_late.Value.Load(1)", "_late.Value.Load", 1.0),
    ],
)
def test_a_call_that_a_mock_is_told_of_does_not_run(body, call, confidence):
    found = Linked("csharp", (".cs",), {"A.cs": CSHARP.format(body=body)})
    (target,) = found.call("A.cs", call).targets

    assert (target.confidence, target.reason == "mocked") == (confidence, confidence < 1)


def test_a_function_of_the_project_that_verifies_runs_what_it_is_given():
    own = (
        "namespace A;\nclass Rule { public void Check() {} }\n"
        "class Rules { void Verify(Action<Rule> one) {} void F() { Verify(x => x.Check()); } }\n"
    )
    found = Linked("csharp", (".cs",), {"A.cs": own})

    assert [one.reason != "mocked" for one in found.call("A.cs", "x.Check").targets] == [True]


def test_a_property_that_a_mock_is_told_of_is_named_and_not_run():
    own = (
        "using Moq;\nnamespace A;\nclass User { public virtual string Id => null; }\n"
        "class Tests { Mock<User> _user; void F() { _user.Setup(x => x.Id).Returns(null);\n var id = _user.Object.Id; } }\n"
    )
    found = Linked("csharp", (".cs",), {"A.cs": own})
    facts, links = found.facts["A.cs"], found.links["A.cs"]

    assert [facts.accesses[number].line for number, _ in links.implicit] == [5]
    assert (
        sum(
            bool(one.targets)
            for one in links.references
            if one.targets and found.name(one.targets[0].place).endswith(".Id")
        )
        == 2
    )
