"""What runs when a class is made or used as an object: its metaclass and the hook of its parents."""

import pytest
from link_cases import edges_of, name_place, python_facts
from relink_cases import KeptLinks

from drift.scan.link import FileLinks, MemorySources, Place
from drift.scan.link.link import link

MODELS = """
class Meta(type):
    def __new__(cls, name, bases, attributes):
        return super().__new__(cls, name, bases, attributes)
    def __init__(cls, name, bases, attributes):
        pass
    def __getitem__(cls, key):
        pass
    def find(cls):
        pass

class Model(metaclass=Meta):
    pass

class Registered:
    def __init_subclass__(cls):
        pass
"""


def linked(texts: dict[str, str]) -> tuple[dict[str, FileLinks], set[str], set[str]]:
    facts = python_facts(texts)
    links = link(MemorySources(facts, texts))
    implicit = {
        f"{name_place(facts, Place(path, facts[path].accesses[number].scope))} -> {name_place(facts, one.place)}"
        for path, found in links.items()
        for number, said in found.implicit
        for one in said.targets
    }
    return links, implicit, {" -> ".join(edge) for edge in edges_of(facts, links)}


def test_making_a_class_runs_the_inherited_metaclass_from_where_the_class_stands():
    _, implicit, _ = linked(
        {
            "models.py": MODELS,
            "main.py": "from models import Model\ndef make():\n    class User(Model):\n        pass\n    return User\n",
        }
    )

    assert {"main.make -> models.Meta.__new__", "main.make -> models.Meta.__init__"} <= implicit
    assert "models -> models.Meta.__new__" in implicit


def test_making_a_class_runs_the_hook_of_its_parents_not_its_own():
    _, implicit, _ = linked(
        {
            "models.py": MODELS,
            "main.py": "from models import Registered\n"
            "class First(Registered):\n    def __init_subclass__(cls):\n        pass\n"
            "class Second(First):\n    pass\n",
        }
    )

    assert {edge for edge in implicit if edge.startswith("main")} == {
        "main -> models.Registered.__init_subclass__",
        "main -> main.First.__init_subclass__",
    }


def test_a_class_without_a_metaclass_of_the_project_runs_nothing():
    _, implicit, _ = linked(
        {"main.py": "class Plain:\n    def __init__(self): pass\nclass Other(Plain, key=1):\n    pass\n"}
    )

    assert implicit == set()


def test_a_class_has_the_methods_and_operators_of_its_metaclass_after_its_own():
    _, implicit, calls = linked(
        {
            "models.py": MODELS,
            "main.py": "from models import Model\n"
            "class User(Model):\n    pass\n"
            "class Found(Model):\n    @classmethod\n    def find(cls): pass\n"
            "def main():\n    User.find()\n    Found.find()\n    User[1]\n    User.find\n",
        }
    )

    assert {edge for edge in calls if edge.startswith("main.main")} == {
        "main.main -> models.Meta.find",
        "main.main -> main.Found.find",
    }
    assert "main.main -> models.Meta.__getitem__" in implicit


CALLED = """
class Meta(type):
    def __call__(cls, *given):
        return {call}(*given)

class Model(metaclass=Meta):
    def __init__(self): pass
    def save(self): pass
"""


@pytest.mark.parametrize("call", ["super().__call__", "type.__call__"])
def test_calling_a_class_runs_its_metaclass_which_runs_the_constructor(call):
    texts = {
        "models.py": CALLED.format(call=call),
        "m.py": "from models import Model\ndef use():\n    Model().save()\n",
    }

    found = edges_of(python_facts(texts), link(MemorySources(python_facts(texts), texts)))

    assert ("m.use", "models.Meta.__call__") in found
    assert ("models.Meta.__call__", "models.Model.__init__") in found
    assert ("m.use", "models.Model.__init__") not in found
    assert ("m.use", "models.Model.save") in found


def test_a_metaclass_of_another_file_than_the_constructor_leaves_the_edge_to_it():
    texts = {
        "meta.py": "class Once(type):\n    def __call__(cls):\n        return super().__call__()\n",
        "m.py": "from meta import Once\nclass Model(metaclass=Once):\n    def __init__(self): pass\n"
        "def use():\n    Model()\n",
    }

    found = edges_of(python_facts(texts), link(MemorySources(python_facts(texts), texts)))

    assert {("m.use", "meta.Once.__call__"), ("m.use", "m.Model.__init__")} <= found


def test_links_follow_a_metaclass_that_comes_to_say_what_calling_its_classes_does():
    before = {"models.py": MODELS, "m.py": "from models import Model\ndef use():\n    Model()\n"}
    after = {**before, "models.py": MODELS.replace("    def find(cls)", "    def __call__(cls)")}
    kept = KeptLinks(before)

    kept.change_to(after)

    assert kept.links == KeptLinks(after).links
    assert "m.py" in kept.linked


def test_a_class_made_of_one_parent_has_its_members_unless_it_is_given_code():
    text = """
class Form:
    def check(self): pass
def make(**fields): return type("Made", (Form,), fields)
def make_other():
    def check(self): pass
    return type("Other", (Form,), {"check": check})
def use():
    make(a=1)().check()
def use_other():
    make_other()().check()
"""

    found = edges_of(python_facts({"m.py": text}), link(MemorySources(python_facts({"m.py": text}), {})))

    assert ("m.use", "m.Form.check") in found
    assert ("m.use_other", "m.Form.check") not in found
