"""Python objects whose class is certain, so that nothing of a class below runs in the place of their methods."""

import pytest
from link_cases import link_texts, name_place, python_facts
from relink_cases import KeptLinks

BOXES = """
class Box:
    def open(self): pass
    def __call__(self): pass
    def __len__(self): return 0

class Crate(Box):
    def open(self): super().open()
    def __call__(self): pass
    def __len__(self): return 1
"""


def said(texts: dict[str, str], text: str) -> tuple[set[str], set[str]]:
    """What the calls written so run, and what may run instead."""
    facts, links = python_facts(texts), link_texts(texts)
    found = [
        link
        for path, linked in links.items()
        for call, link in zip(facts[path].calls, linked.calls, strict=True)
        if call.text == text
    ]
    targets = {name_place(facts, one.place) for link in found for one in link.targets}
    return targets, {name_place(facts, one.place) for link in found for one in link.overriders}


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("    Box().open()", "Box().open"),
        ("    box = Box()\n    box.open()", "box.open"),
        ("    first = Box()\n    box = first\n    box.open()", "box.open"),
    ],
)
def test_of_an_object_that_is_made_in_plain_sight_no_method_of_a_class_below_runs(body, text):
    targets, below = said({"m.py": f"{BOXES}\ndef use():\n{body}\n"}, text)

    assert targets == {"m.Box.open"}
    assert below == set()


def test_an_object_that_is_called_where_it_is_made_is_of_that_class():
    assert said({"m.py": f"{BOXES}\ndef use():\n    Box()()\n"}, "Box()") == ({"m.Box.__call__"}, set())


def test_an_object_made_of_an_imported_class_is_of_that_class():
    texts = {"boxes.py": BOXES, "m.py": "import boxes\ndef use():\n    boxes.Box().open()\n"}

    assert said(texts, "boxes.Box().open") == ({"boxes.Box.open"}, set())


@pytest.mark.parametrize(
    "body",
    [
        "def use(box: Box):\n    box.open()",
        "def use(kind: type[Box]):\n    box = kind()\n    box.open()",
        "def use(box: Box, other):\n    box = Box() if other else box\n    box.open()",
        "def make() -> Box: ...\ndef use():\n    box = make()\n    box.open()",
    ],
)
def test_an_object_that_came_from_elsewhere_may_be_of_a_class_below(body):
    targets, below = said({"m.py": f"{BOXES}\n{body}\n"}, "box.open")

    assert targets == {"m.Box.open"}
    assert below == {"m.Crate.open"}


def test_a_class_that_makes_objects_by_a_method_of_its_own_may_make_those_of_a_class_below():
    text = """
class Shape:
    def __new__(cls, sides): return object.__new__(Square if sides == 4 else Shape)
    def draw(self): pass
class Square(Shape):
    def draw(self): pass
def use():
    Shape(4).draw()
"""

    assert said({"m.py": text}, "Shape(4).draw") == ({"m.Shape.draw"}, {"m.Square.draw"})


def test_what_super_finds_is_of_the_parents_and_not_of_classes_below_them():
    assert said({"m.py": BOXES}, "super().open") == ({"m.Box.open"}, set())


def test_an_operator_on_an_object_made_in_plain_sight_runs_nothing_of_a_class_below():
    texts = {"m.py": f"{BOXES}\ndef use():\n    len(Box())\ndef ask(box: Box):\n    len(box)\n"}
    facts, links = python_facts(texts), link_texts(texts)["m.py"]

    made, given = [link for _, link in links.implicit]

    assert [name_place(facts, one.place) for one in made.targets] == ["m.Box.__len__"]
    assert made.overriders == ()
    assert [name_place(facts, one.place) for one in given.overriders] == ["m.Crate.__len__"]


def test_links_follow_a_class_that_comes_to_make_its_objects_by_a_method_of_its_own():
    use = "from boxes import Box\ndef use():\n    Box().open()\n"
    made_otherwise = BOXES.replace(
        "class Box:\n", "class Box:\n    def __new__(cls): return object.__new__(Crate)\n"
    )
    kept = KeptLinks({"boxes.py": BOXES, "m.py": use})

    kept.change_to({"boxes.py": made_otherwise, "m.py": use})

    assert kept.links == KeptLinks({"boxes.py": made_otherwise, "m.py": use}).links
    assert "m.py" in kept.linked
