"""Members of Python's classes that no text of the class gives: asked for, told, expected, or of a parent beside."""

import pytest
from link_cases import edges_of, link_texts, name_place, python_facts
from relink_cases import KeptLinks

from drift.scan.link import Place


def implicit(text: str) -> set[tuple[str, str]]:
    """Which function runs which without a call in the text."""
    facts, links = python_facts({"m.py": text}), link_texts({"m.py": text})["m.py"]
    accesses = facts["m.py"].accesses
    return {
        (name_place(facts, Place("m.py", accesses[number].scope)), name_place(facts, one.place))
        for number, link in links.implicit
        for one in link.targets
    }


def edges(text: str) -> set[tuple[str, str]]:
    return edges_of(python_facts({"m.py": text}), link_texts({"m.py": text}))


SETTINGS = """
{imports}
class Settings{parents}:
    kind = 1
    declared: int
    def __init__(self, given): self.given = given
    def __getattr__(self, name): return 1
def read(settings: Settings): return settings.{name}
"""
ANSWERED = ("m.read", "m.Settings.__getattr__")


def test_a_member_that_nothing_declares_is_asked_of_getattr():
    found = implicit(SETTINGS.format(imports="", parents="", name="workers"))

    assert found == {ANSWERED}


@pytest.mark.parametrize("name", ["kind", "declared", "given", "__class__"])
def test_a_member_that_the_class_has_is_not_asked_of_getattr(name: str):
    assert ANSWERED not in implicit(SETTINGS.format(imports="", parents="", name=name))


def test_a_parent_outside_may_have_the_member_so_getattr_is_not_named():
    text = SETTINGS.format(imports="from flask import Flask", parents="(Flask)", name="workers")

    assert ANSWERED not in implicit(text)


def test_a_member_given_from_outside_and_one_that_is_set_are_not_asked_of_getattr():
    text = SETTINGS.format(imports="", parents="", name="workers")

    assert ANSWERED not in implicit(text + "Settings.workers = 2\n")
    assert not implicit(text.replace("return settings.workers", "settings.workers = 2"))


OPTION = """
class Option:
    def __init__(self, function=None): pass
    def __set_name__(self, owner, name): pass
"""
TOLD = "m.Option.__set_name__"


@pytest.mark.parametrize(
    "body",
    [
        "name = Option()",
        "name: str = Option()",
        "@Option\n        def name(self): pass",
    ],
)
def test_an_object_in_the_body_of_a_class_is_told_its_name_where_the_class_is_made(body: str):
    found = implicit(f"{OPTION}\ndef make():\n    class Form:\n        {body}\n    return Form\n")

    assert ("m.make", TOLD) in found


def test_an_object_made_in_a_method_is_told_no_name():
    text = (
        f"{OPTION}\ndef make():\n    class Form:\n        size = 1\n        def go(self): self.x = Option()\n"
    )

    assert not [edge for edge in implicit(text) if edge[1] == TOLD]


RAISING = """
import pytest, unittest
class Fault(Exception):
    def __str__(self): return ""
    def explain(self): return ""
class Other(Exception):
    def explain(self): return ""
def test_fault():
    with pytest.raises(Fault) as caught: pass
    caught.value.explain()
    str(caught.value)
    caught.match("x")
class Case(unittest.TestCase):
    def test_fault(self):
        with self.assertRaises(Fault) as caught: pass
        caught.exception.explain()
def test_outside():
    with pytest.raises(ValueError) as caught: pass
    caught.value.explain()
"""


def test_the_error_that_a_test_expects_is_of_the_class_it_names():
    found = edges(RAISING)

    assert ("m.test_fault", "m.Fault.explain") in found
    assert ("m.Case.test_fault", "m.Fault.explain") in found
    assert not [edge for edge in found if edge[1] == "m.Other.explain"]
    assert ("m.test_fault", "m.Fault.__str__") in implicit(RAISING)


def test_what_an_expected_error_comes_in_is_outside():
    facts, links = python_facts({"m.py": RAISING}), link_texts({"m.py": RAISING})["m.py"]
    outcomes = {call.text: said.outcome for call, said in zip(facts["m.py"].calls, links.calls, strict=True)}

    assert outcomes["caught.match"] == outcomes["__enter__"] == outcomes["pytest.raises"] == "external"


MIXINS = """
class Create:
    def create(self): return self.get_serializer()
    def setup(self): super().setup()
class View:
    def get_serializer(self): pass
    def setup(self): pass
class Unrelated:
    def get_serializer(self): pass
    def setup(self): pass
class CreateView(Create, View): pass
"""


def test_a_mixin_calls_what_another_parent_of_the_class_that_uses_it_has():
    found = edges(MIXINS)

    assert ("m.Create.create", "m.View.get_serializer") in found
    assert ("m.Create.setup", "m.View.setup") in found
    assert not [edge for edge in found if edge[1].startswith("m.Unrelated")]


def test_super_leads_to_no_parent_that_stands_before_the_mixin():
    found = edges(MIXINS.replace("(Create, View)", "(View, Create)"))

    assert ("m.Create.create", "m.View.get_serializer") in found
    assert ("m.Create.setup", "m.View.setup") not in found


MIXED = {
    "a.py": "class Create:\n    def create(self): return self.get_serializer()\n",
    "b.py": "class View:\n    def get_serializer(self): pass\nclass Other:\n    def get_serializer(self): pass\n",
    "c.py": "from a import Create\nfrom b import View, Other\nclass CreateView(View): pass\n",
}


@pytest.mark.parametrize(("before", "after"), [("View", "Create, View"), ("Create, View", "Create, Other")])
def test_a_mixin_is_linked_again_where_a_class_of_another_file_uses_it_otherwise(before: str, after: str):
    states = [{**MIXED, "c.py": MIXED["c.py"].replace("(View)", f"({one})")} for one in (before, after)]
    kept = KeptLinks(states[0])
    old = kept.links["a.py"]

    kept.change_to(states[1])

    assert kept.links == KeptLinks(states[1]).links
    assert kept.links["a.py"] != old


@pytest.mark.parametrize("method", ["__set_name__", "__getattr__"])
def test_a_file_is_linked_again_where_a_class_of_another_comes_to_be_told_or_asked(method: str):
    states = [
        {
            "a.py": f"class Option:\n    def {one}(self, owner, name=None): pass\n",
            "b.py": (
                "from a import Option\nclass Form:\n    name = Option()\n"
                "def read(option: Option): return option.size\n"
            ),
        }
        for one in ("run", method)
    ]
    kept = KeptLinks(states[0])
    old = kept.links["b.py"]

    kept.change_to(states[1])

    assert kept.links == KeptLinks(states[1]).links
    assert kept.links["b.py"] != old
