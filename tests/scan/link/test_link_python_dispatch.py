"""Python calls whose target depends on the object: typed receivers, operators, mixins, methods left to others."""

import pytest
from link_cases import edges_of, link_texts, name_place, python_facts

from drift.languages.facts import FileFacts
from drift.scan.link import FileLinks


def edges(text: str) -> set[tuple[str, str]]:
    return edges_of(python_facts({"m.py": text}), link_texts({"m.py": text}))


def both(texts: dict[str, str]) -> tuple[dict[str, FileFacts], dict[str, FileLinks]]:
    return python_facts(texts), link_texts(texts)


def implicit(text: str) -> tuple[set[str], set[str]]:
    """What accesses in `m.use` run, and what may run instead."""
    facts, links = python_facts({"m.py": text}), link_texts({"m.py": text})["m.py"]
    said = [link for _, link in links.implicit]
    targets = {name_place(facts, one.place) for link in said for one in link.targets}
    return targets, {name_place(facts, one.place) for link in said for one in link.overriders}


@pytest.mark.parametrize(
    "head",
    [
        "cls: type[T], text) -> T",
        "cls: typing.Type[T], text) -> T",
        "cls: 'type[T]', text) -> 'T'",
    ],
)
def test_a_class_method_typed_by_its_receiver_gives_an_object_of_the_class_it_is_called_on(head):
    found = edges(f"""
import typing
T = typing.TypeVar("T", bound="Base")
class Base:
    @classmethod
    def parse({head}: return make(text, cls)
class Version(Base):
    def allows(self): pass
def use(): Version.parse("1").allows()
""")

    assert ("m.use", "m.Version.allows") in found


def test_another_type_variable_than_the_receivers_says_nothing_of_the_class():
    found = edges("""
class Box:
    def convert(self: T, to: type[U]) -> U: return to()
    def open(self): pass
def use(): Box().convert(str).open()
""")

    assert ("m.use", "m.Box.open") not in found


OPERANDS = """
class Size:
    def total(self): pass
class Box:
    def __add__(self, other): return Size()
    def __rmul__(self, other): return Size()
    def __truediv__(self, other): return self
    def open(self): pass
"""


@pytest.mark.parametrize(
    ("expression", "target"),
    [
        ("(Box() + 1).total()", "m.Size.total"),
        ("(2 * Box()).total()", "m.Size.total"),
        ("(Box() / 'a' / 'b').open()", "m.Box.open"),
        ("([Box()] + [])[0].open()", "m.Box.open"),
        ("([] + [Box()])[0].open()", "m.Box.open"),
    ],
)
def test_an_operator_gives_what_its_method_gives(expression, target):
    assert ("m.use", target) in edges(f"{OPERANDS}\ndef use(): {expression}\n")


@pytest.mark.parametrize(
    "expression", ["(Box() - 1).total()", "(1 + 2).total()", "(unknown + other).total()"]
)
def test_an_operator_no_operand_has_gives_nothing(expression):
    found = edges(f"{OPERANDS}\ndef use(): {expression}\n")

    assert not {target for source, target in found if source == "m.use" and target.startswith("m.Size.")}


def test_what_an_operator_makes_of_something_outside_is_outside():
    text = "from pathlib import Path\ndef use(place: Path): (place / 'a').read_text()\n"

    call = link_texts({"m.py": text})["m.py"].calls[-1]

    assert call.outcome == "external"


def test_a_sum_of_a_thousand_operands_is_linked():
    text = f"{OPERANDS}\ndef use():\n    x = {' + '.join(['Box()'] * 1000)}\n    x.open()\n"

    assert ("m.use", "m.Box.__init__") not in edges(text)


def test_a_lambda_in_a_table_of_a_class_works_on_its_objects():
    found = edges("""
class Writer:
    TABLE = {"a": lambda self, e: self.write(e), "b": lambda other: other.write()}
    def write(self, e=None): pass
""")

    assert ("m.Writer.<lambda>", "m.Writer.write") in found


def test_a_lambda_outside_a_class_has_no_receiver():
    found = edges(
        "class Writer:\n    def write(self): pass\n    def close(self): pass\nf = lambda self: self.write()\n"
    )

    assert found == set()


MIXIN = """
class Mixin{parents}:
    def run(self): self.step()
class First(Mixin):
    def step(self): pass
class Second(Mixin):
    def step(self): pass
class Deeper(Second):
    def step(self): pass
class Stranger:
    def step(self): pass
"""


def test_a_method_that_only_classes_below_have_is_asked_of_those():
    targets = {target for source, target in edges(MIXIN.format(parents="")) if source == "m.Mixin.run"}

    assert targets == {"m.First.step", "m.Second.step"}


def test_a_parent_outside_may_have_the_method_so_that_none_below_is_meant():
    text = "from elsewhere import Base\n" + MIXIN.format(parents="(Base)")

    assert not {target for source, target in edges(text) if source == "m.Mixin.run"}


PROPERTIES = """
class Tree:
    @property
    def name(self): {body}
class Leaf(Tree):
    @property
    def name(self): return "leaf"
def use(tree: Tree): return tree.name
"""


def test_a_property_that_is_overridden_below_may_run_there():
    targets, overriders = implicit(PROPERTIES.format(body="return 1"))

    assert targets == {"m.Tree.name"}
    assert overriders == {"m.Leaf.name"}


def test_a_property_left_to_others_gives_way_to_one_that_is_written():
    text = PROPERTIES.format(body="raise NotImplementedError('below')")

    targets, _ = implicit(text.replace("tree: Tree)", "tree: Tree | Leaf)"))

    assert targets == {"m.Leaf.name"}


@pytest.mark.parametrize(
    ("body", "is_abstract"),
    [
        ("raise NotImplementedError", True),
        ("'''Say why.'''\n        raise NotImplementedError('x')", True),
        ("raise NotImplementedErrorOfOurs", False),
        ("raise ValueError", False),
        ("print()\n        raise NotImplementedError", False),
    ],
)
def test_a_method_that_only_raises_not_implemented_is_abstract(body, is_abstract):
    facts = python_facts({"m.py": f"class A:\n    def f(self):\n        {body}\n"})["m.py"]

    assert ("abstract" in facts.symbols[2].modifiers) is is_abstract


def test_a_wrapper_is_told_beside_the_function_it_passes_on_to_and_leaves_no_doubt_of_it():
    texts = {
        "main.py": "def logged(function):\n"
        "    def wrapper(*arguments):\n"
        "        return function(*arguments)\n"
        "    return wrapper\n"
        "@logged\n"
        "def greet():\n    pass\n"
        "def other():\n    pass\n"
        "greet()\n"
        "chosen = greet if greet else other\n"
        "chosen()\n"
    }
    facts = python_facts(texts)
    said = {
        call.text: link
        for call, link in zip(facts["main.py"].calls, link_texts(texts)["main.py"].calls, strict=True)
    }

    assert said["greet"].outcome == "resolved"
    assert {name_place(facts, one.place): one.confidence for one in said["greet"].targets} == {
        "main.greet": 1.0,
        "main.logged.wrapper": 1.0,
    }
    assert said["chosen"].outcome == "ambiguous"
    assert {one.confidence for one in said["chosen"].targets} == {0.5}


LEFT_TO_OTHERS = """
class Lid:
    def open(self): pass
class Case:
    def make(self): raise NotImplementedError("below")
    @property
    def lid(self): raise NotImplementedError
    def run(self): self.make().open()
    def look(self): self.lid.open()
class Own({parent}):
    def make(self): return Lid()
    @property
    def lid(self): return Lid()
"""


def test_what_is_left_to_others_gives_what_those_below_give():
    found = edges(LEFT_TO_OTHERS.format(parent="Case"))

    assert {("m.Case.run", "m.Lid.open"), ("m.Case.look", "m.Lid.open")} <= found


def test_what_is_left_to_others_gives_nothing_of_classes_elsewhere():
    found = edges(LEFT_TO_OTHERS.format(parent="object"))

    assert ("m.Case.run", "m.Lid.open") not in found


NAMED_ALIKE = """
class Node:
    def walk(self): pass
class Box:
    {body}
    def use(self): self.{member}().walk()
"""


@pytest.mark.parametrize(
    ("body", "member"),
    [
        ("Node = Node", "Node"),
        ("kind = Node\n    def Node(self): return 1", "kind"),
        ("class Inner:\n        Node = Node\n    Node = 1", "Inner.Node"),
    ],
)
def test_the_body_of_a_class_takes_from_outside_what_it_has_not_named_yet(body, member):
    assert ("m.Box.use", "m.Node.walk") in edges(NAMED_ALIKE.format(body=body, member=member))


def test_the_body_of_a_class_takes_what_it_has_named_before():
    body = "class Node:\n        def walk(self): pass\n    kind = Node"

    found = edges(NAMED_ALIKE.format(body=body, member="kind"))

    assert ("m.Box.use", "m.Box.Node.walk") in found
    assert ("m.Box.use", "m.Node.walk") not in found


def test_a_test_in_a_class_of_any_name_takes_fixtures():
    found = edges_of(
        *both(
            {
                "test_x.py": """
import pytest
class Box:
    def open(self): pass
class box_case:
    @pytest.fixture
    def box(self): return Box()
    def test_opening(self, box): box.open()
    def opening(self, box): box.open()
"""
            }
        )
    )

    assert ("test_x.box_case.test_opening", "test_x.Box.open") in found
    assert ("test_x.box_case.opening", "test_x.Box.open") not in found


MAKING = """
class Pool:
    def __new__(cls): return object.__new__(cls)
    def __init__(self): pass
class Own(Pool):
    def __init__(self): pass
class Other:
    def __init__(self): pass
def use(): return Own()
def choose(flag): return (Own if flag else Other)()
"""


def test_making_an_object_runs_the_method_that_makes_it_and_the_one_that_fills_it():
    facts, links = both({"m.py": MAKING})
    made = next(
        said
        for call, said in zip(facts["m.py"].calls, links["m.py"].calls, strict=True)
        if call.text == "Own"
    )

    assert {name_place(facts, one.place) for one in made.targets} == {"m.Own.__init__", "m.Pool.__new__"}
    assert made.outcome == "resolved"
    assert [one.confidence for one in made.targets] == [1.0, 1.0]


def test_one_of_two_classes_stays_ambiguous_where_one_has_a_second_method_to_make_it():
    facts, links = both({"m.py": MAKING})
    chosen = next(
        said
        for call, said in zip(facts["m.py"].calls, links["m.py"].calls, strict=True)
        if call.text.startswith("(Own")
    )

    assert chosen.outcome == "ambiguous"
    assert {name_place(facts, one.place): one.confidence for one in chosen.targets} == {
        "m.Own.__init__": 0.5,
        "m.Pool.__new__": 0.5,
        "m.Other.__init__": 0.5,
    }


GENERATORS = """
from collections.abc import Iterator
def numbers():
    yield 1
def wrapped() -> Iterator[int]: return numbers()
def loop():
    for one in wrapped(): print(one)
def step(): return next(held)
def call():
    for one in numbers(): print(one)
held = numbers()
"""


def test_going_through_a_generator_made_elsewhere_runs_it():
    facts, links = both({"m.py": GENERATORS})
    found = {
        (facts["m.py"].symbols[facts["m.py"].accesses[number].scope].name, name_place(facts, one.place))
        for number, said in links["m.py"].implicit
        for one in said.targets
    }

    # In `call` the call itself leads to the generator: it is no second edge.
    assert found == {("loop", "m.numbers"), ("step", "m.numbers")}


@pytest.mark.parametrize(
    "alias",
    ["typing.Union[Base, typing.Callable[[], int]]", "Base | typing.Callable[[], int]", "Base | None"],
)
def test_a_name_for_one_of_several_types_is_that_of_its_classes(alias):
    found = edges(f"""
import typing
class Base:
    def go(self): pass
class Other:
    def go(self): pass
Way = {alias}
def run(way: Way): way.go()
""")

    assert ("m.run", "m.Base.go") in found
    assert ("m.run", "m.Other.go") not in found
