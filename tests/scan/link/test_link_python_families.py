"""Python calls that mean one of a family: abstract results, mixins, names put together, what fixtures lend."""

import pytest
from link_cases import edges_of, link_texts, name_place, python_facts
from relink_cases import KeptLinks

from drift.scan.link import CallLink

CONFTEST = """
import pytest
from app import Parser
@pytest.fixture
def settings(request):
    request.cls.settings = Parser()
@pytest.fixture(scope="class")
def parser(request, settings):
    request.cls.parser = Parser()
"""
APP = "class Parser:\n    def parse_all(self): pass\nclass Other:\n    def parse_all(self): pass\n"
USER = """
import pytest
@pytest.mark.usefixtures("parser")
class TestParser:
    def test_it(self):
        self.parser.parse_all()
        self.settings.parse_all()
class TestWithout:
    def test_it(self):
        self.parser.parse_all()
"""


def said_of(text: str, called: str) -> tuple[CallLink, set[str], set[str]]:
    """What is said of the one call of that text, its targets, and what may run in their place."""
    facts, links = python_facts({"m.py": text}), link_texts({"m.py": text})["m.py"]
    calls = zip(facts["m.py"].calls, links.calls, strict=True)
    (link,) = [link for call, link in calls if call.text == called]
    targets = {name_place(facts, one.place) for one in link.targets}
    return link, targets, {name_place(facts, one.place) for one in link.overriders}


def test_what_a_fixture_puts_on_the_class_is_a_member_of_the_classes_that_use_it():
    texts = {"app.py": APP, "tests/conftest.py": CONFTEST, "tests/test_app.py": USER}

    found = edges_of(python_facts(texts), link_texts(texts))

    assert ("tests.test_app.TestParser.test_it", "app.Parser.parse_all") in found
    assert ("tests.test_app.TestWithout.test_it", "app.Parser.parse_all") not in found


@pytest.mark.parametrize(
    "change",
    [
        {
            "tests/conftest.py": CONFTEST.replace("= Parser()", "= Other()").replace(
                "import Parser", "import Other"
            )
        },
        {"tests/test_app.py": USER.replace('usefixtures("parser")', 'usefixtures("settings")')},
        {"tests/conftest.py": CONFTEST.replace("request, settings", "request")},
        {"tests/conftest.py": ""},
    ],
)
def test_a_change_of_a_fixture_is_linked_as_a_full_scan_would(change):
    texts = {"app.py": APP, "tests/conftest.py": CONFTEST, "tests/test_app.py": USER}
    kept = KeptLinks(texts)
    before = dict(kept.links)

    kept.change_to({**texts, **change})

    assert kept.links == KeptLinks({**texts, **change}).links
    assert kept.links["tests/test_app.py"] != before["tests/test_app.py"]


ABSTRACT = """
from abc import ABC, abstractmethod
class Marker(ABC):
    @abstractmethod
    def join(self): ...
class Empty(Marker):
    def join(self): pass
    def __str__(self): return ""
class Full(Marker):
    def join(self): pass
    def __str__(self): return "full"
def read(text) -> Marker:
    if text:
        return Full()
    return {other}
def use(text): read(text).join()
def show(text): return str(read(text))
"""


def test_a_result_declared_as_an_abstract_class_is_of_that_class_where_several_are_given_back():
    link, targets, below = said_of(ABSTRACT.format(other="Empty()"), "read(text).join")

    assert (link.outcome, targets) == ("resolved", {"m.Marker.join"})
    assert below == {"m.Empty.join", "m.Full.join"}
    assert {one.reason for one in link.overriders} == {"override"}


def test_a_result_declared_as_an_abstract_class_is_of_the_only_class_that_is_given_back():
    _, targets, _ = said_of(ABSTRACT.format(other="Full()"), "read(text).join")

    assert targets == {"m.Full.join"}


def test_an_operator_on_an_abstract_class_that_leaves_it_to_others_may_run_those_below():
    text = ABSTRACT.format(other="Empty()")
    facts, links = python_facts({"m.py": text}), link_texts({"m.py": text})["m.py"]

    below = {name_place(facts, one.place) for _, link in links.implicit for one in link.overriders}

    assert {"m.Empty.__str__", "m.Full.__str__"} <= below


MIXED = """
class Named:
    def alias(self): pass
class Tokens:
    def alias(self): pass
class Identifier(Named, Tokens): pass
def use(tokens: Tokens): tokens.alias()
def guess(thing): thing.unheard().alias()
"""


def test_a_mixin_overrides_what_the_parent_it_is_put_before_has():
    _, targets, below = said_of(MIXED, "tokens.alias")

    assert (targets, below) == ({"m.Tokens.alias"}, {"m.Named.alias"})


def test_a_mixin_put_behind_a_parent_overrides_nothing_of_it():
    _, targets, below = said_of(MIXED.replace("(Named, Tokens)", "(Tokens, Named)"), "tokens.alias")

    assert (targets, below) == ({"m.Tokens.alias"}, set())


def test_a_name_that_only_methods_of_one_family_have_means_the_one_that_all_others_override():
    link, targets, below = said_of(MIXED, "thing.unheard().alias")

    assert (link.reason, targets, below) == ("unique-name", {"m.Tokens.alias"}, {"m.Named.alias"})
    assert link.targets[0].confidence == 0.5


def test_a_name_that_unrelated_classes_have_means_none_of_them():
    link, _, _ = said_of(MIXED.replace("class Identifier(Named, Tokens): pass", ""), "thing.unheard().alias")

    assert link.outcome == "unknown"


@pytest.mark.parametrize(
    "name",
    [
        'f"visit_{kind}"',
        '"visit_" + kind',
        '"visit_%s" % kind',
        '"visit_{}".format(kind)',
        "held",
        "held.lower()",
    ],
)
def test_a_member_by_a_name_put_together_is_one_of_those_that_begin_so(name):
    _, targets, _ = said_of(
        f"""
class Visitor:
    def visit_one(self): pass
    def visit_two(self): pass
    def default(self): pass
    def other(self): pass
    def run(self, kind):
        held = f"visit_{{kind}}"
        method = getattr(self, {name}, self.default)
        method()
""",
        "method",
    )

    assert targets == {"m.Visitor.visit_one", "m.Visitor.visit_two", "m.Visitor.default"}


@pytest.mark.parametrize("name", ["kind", 'f"{kind}_visit"', '"v" + kind', 'f"__{kind}"', "unknown"])
def test_a_name_whose_beginning_says_nothing_means_no_member(name):
    _, targets, _ = said_of(
        f"""
class Visitor:
    def visit_one(self): pass
    def __len__(self): return 1
    def run(self, kind):
        method = getattr(self, {name})
        method()
""",
        "method",
    )

    assert targets == set()


def test_what_a_protocol_leaves_empty_is_abstract_and_what_it_writes_is_not():
    text = '''
from typing import Protocol
class Shape(Protocol):
    def draw(self) -> None:
        """Draw it."""
    def fill(self): ...
    def wipe(self): pass
    def show(self): self.draw()
class Plain:
    def draw(self): ...
'''
    symbols = python_facts({"m.py": text})["m.py"].symbols

    abstract = [one.name for one in symbols if "abstract" in one.modifiers]

    assert abstract == ["draw", "fill", "wipe"]


def test_a_function_declared_to_give_a_protocol_itself_gives_the_class_it_makes():
    text = """
from typing import Protocol
class Shape(Protocol):
    def draw(self): ...
def create() -> type[Shape]:
    class Made:
        def draw(self): pass
    return Made
Square = create()
def use():
    Square().draw()
"""

    assert ("m.use", "m.create.Made.draw") in edges_of(
        python_facts({"m.py": text}), link_texts({"m.py": text})
    )


def test_the_class_of_an_object_is_called_by_the_name_that_all_objects_have_for_it():
    text = """
class State:
    def __init__(self, parent=None): pass
    def process(self): pass
    def child(self):
        made = self.__class__(self)
        made.process()
"""

    found = edges_of(python_facts({"m.py": text}), link_texts({"m.py": text}))

    assert {("m.State.child", "m.State.__init__"), ("m.State.child", "m.State.process")} <= found
