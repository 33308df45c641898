"""What linking says of imports, parents, references and calls that lead nowhere."""

import pytest
from link_cases import link_texts, name_place, python_facts

from drift.scan.link import FileLinks, Place


def only_call(texts: dict[str, str], path: str = "main.py"):
    (said,) = link_texts(texts)[path].calls
    return said


def reference_names(texts: dict[str, str], path: str = "main.py") -> list[list[str]]:
    facts = python_facts(texts)
    linked = link_texts(texts)[path]
    return [[name_place(facts, target.place) for target in found.targets] for found in linked.references]


def test_an_imported_name_leads_to_its_file_and_symbol():
    linked = link_texts({"main.py": "from a.b import f\n", "a/__init__.py": "", "a/b.py": "def f(): pass\n"})

    (found,) = linked["main.py"].imports
    assert found.file == "a/b.py"
    assert found.symbols == (Place("a/b.py", 1),)


def test_a_name_that_a_package_passes_on_leads_to_where_it_is_defined():
    texts = {"main.py": "from a import f\n", "a/__init__.py": "from .b import f\n", "a/b.py": "f = 1\n"}

    (found,) = link_texts(texts)["main.py"].imports
    assert found.file == "a/__init__.py"
    assert found.symbols == (Place("a/b.py", 1),)


def test_an_imported_submodule_leads_to_its_file():
    (found,) = link_texts({"main.py": "from a import b\n", "a/b.py": ""})["main.py"].imports

    assert found.file == "a/b.py"
    assert found.symbols == ()


def test_what_is_not_in_the_project_is_external_by_its_package():
    linked = link_texts({"main.py": "import os.path\nfrom yaml.nodes import Node\n"})["main.py"]

    assert [found.external_package for found in linked.imports] == ["os", "os", "yaml"]


def test_a_missing_module_of_the_project_is_a_problem_and_not_external():
    texts = {
        "pkg/__init__.py": "",
        "pkg/a.py": "from pkg.gone import x\nfrom .also import y\nfrom ...up import z\n",
    }
    linked = link_texts(texts)["pkg/a.py"]

    assert [found.external_package for found in linked.imports] == [None, None, None]
    assert [found.problem for found in linked.imports] == [
        "the project has no module pkg.gone",
        "the project has no module .also",
        "the import leads out of the project",
    ]


def test_of_two_modules_with_one_name_the_nearest_is_meant():
    texts = {
        "one/helper.py": "def f(): pass\n",
        "one/main.py": "from helper import f\nf()\n",
        "two/helper.py": "def f(): pass\n",
        "two/main.py": "from helper import f\nf()\n",
    }
    linked = link_texts(texts)

    for folder in ("one", "two"):
        (said,) = linked[f"{folder}/main.py"].calls
        assert [target.place.path for target in said.targets] == [f"{folder}/helper.py"]


def test_parents_lead_to_classes_or_outside():
    texts = {"main.py": "import abc\nclass A: pass\nclass B(A, abc.ABC, missing.C): pass\n"}
    inside, outside, unknown = link_texts(texts)["main.py"].bases

    assert inside.targets == (Place("main.py", 1),)
    assert outside.external_name == "abc.ABC"
    assert (unknown.targets, unknown.external_name) == ((), None)


def test_candidates_share_the_confidence_of_an_ambiguous_call():
    said = only_call({"main.py": "if x:\n    def f(): pass\nelse:\n    def f(): pass\nf()\n"})

    assert said.outcome == "ambiguous"
    assert [target.confidence for target in said.targets] == [0.5, 0.5]


@pytest.mark.parametrize(
    ("text", "outcome", "name", "reason"),
    [
        ("print(1)\n", "external", "builtins.print", "builtin"),
        ("import os\nos.getcwd()\n", "external", "os.getcwd", "import"),
        ("'a'.split()\n", "external", "builtins.str.split", "builtin"),
        ("nobody()\n", "unknown", None, "undefined name"),
        ("def f(x):\n    x.run()\n", "unknown", None, "object not known"),
        ("class A: pass\nA.gone()\n", "unknown", None, "no such member"),
    ],
)
def test_a_call_that_leads_nowhere_in_the_project_says_why(text, outcome, name, reason):
    said = only_call({"main.py": text})

    assert (said.outcome, said.external_name, said.reason) == (outcome, name, reason)
    assert said.targets == ()


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("def f(): pass\nf()\n", ["scope"]),
        ("class A:\n def f(self): self.g()\n def g(self): pass\n", ["self"]),
        ("class B:\n def g(self): pass\nclass A(B):\n def f(self): self.g()\n", ["inherited"]),
        ("class B:\n def g(self): pass\nclass A(B):\n def g(self): super().g()\n", ["", "super"]),
        ("class A: pass\nA()\n", ["constructor"]),
        ("class A:\n def f(self): pass\ndef g(a: A): a.f()\n", ["annotation"]),
        ("class A:\n def f(self): pass\na = A()\na.f()\n", ["constructor", "assigned"]),
        ("class A:\n def f(self): pass\nA().f()\n", ["constructor", "returned"]),
        ("def f(): pass\ndef g(x): x()\ng(f)\n", ["parameter", "scope"]),
        ("def f(): pass\n[f][0]()\n", ["element"]),
    ],
)
def test_a_target_says_how_it_was_found(text, reasons):
    calls = link_texts({"main.py": text})["main.py"].calls

    found = [said.reason if said.targets else "" for said in calls]
    assert found == reasons


def test_a_method_that_only_one_class_has_settles_a_call_on_an_unknown_object():
    said = only_call(
        {"main.py": "def f(x):\n    x.very_special()\n", "a.py": "class A:\n def very_special(self): pass\n"}
    )

    assert (said.outcome, said.reason) == ("resolved", "unique-name")
    assert said.targets[0].confidence < 1


@pytest.mark.parametrize("name", ["split", "append", "read"])
def test_a_name_that_built_in_values_have_settles_nothing(name):
    said = only_call(
        {"main.py": f"def f(x):\n    x.{name}()\n", "a.py": f"class A:\n def {name}(self): pass\n"}
    )

    assert said.outcome == "unknown"


def test_a_function_given_away_is_a_callback():
    linked = link_texts({"main.py": "import signal\ndef stop(): pass\nsignal.signal(1, stop)\n"})["main.py"]

    reasons = [target.reason for found in linked.references for target in found.targets]
    assert reasons == ["callback"]


def test_references_lead_to_constants_fields_and_classes_by_their_place():
    texts = {
        "main.py": "from a import LIMIT, Box\nprint(LIMIT)\ndef f(b: Box): return b.size\n",
        "a.py": "LIMIT = 3\nclass Box:\n    def __init__(self):\n        self.size = LIMIT\n",
    }

    assert [names for names in reference_names(texts) if names] == [["a.LIMIT"], ["a.Box"], ["a.Box.size"]]


def test_a_path_whose_end_nobody_declares_names_what_begins_it():
    texts = {
        "main.py": "import a\nfrom a import Box, LIMITS, build\nBox.objects.filter(x=1)\nprint(Box.query)\n"
        "print(LIMITS.most)\nprint(a.gone)\nprint(build.name)\nbox = Box()\nprint(box.gone)\n",
        "a.py": "from lib import Model, table\nclass Box(Model): ...\nLIMITS = table()\ndef build(): ...\n",
    }

    found = [names for names in reference_names(texts) if names]

    assert found == [["a.Box"], ["a.Box"], ["a.LIMITS"], ["main.box"]]


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("shop.middleware.Headers", ["shop.middleware.Headers"]),
        ("shop.middleware.Headers.apply", ["shop.middleware.Headers.apply"]),
        ("shop.Headers", ["shop.middleware.Headers"]),  # by a re-export
        ("shop.asgi:application", ["shop.asgi.application"]),
        ("shop.asgi", ["shop.asgi"]),
        ("orders.Order", ["orders.models.Order"]),  # an application's model
        ("shop.middleware.Missing", []),
        ("shop.middleware.Headers.missing", []),
        ("shopping.middleware.Headers", []),
        ("Headers", []),
        ("shop.middleware.Headers is told here", []),
    ],
)
def test_a_text_that_names_something_in_full_refers_to_it(text, means):
    texts = {
        "settings.py": f"CHOSEN = [{text!r}]\n",
        "shop/__init__.py": "from shop.middleware import Headers\n",
        "shop/middleware.py": "class Headers:\n    def apply(self): pass\n",
        "shop/asgi.py": "application = object()\n",
        "orders/__init__.py": "",
        "orders/models.py": "class Order: pass\n",
        "other/models.py": "class Order: pass\n",
    }
    facts = python_facts(texts)
    found = [each for one in link_texts(texts)["settings.py"].references for each in one.targets]

    assert [name_place(facts, one.place) for one in found] == means
    assert {one.reason for one in found} <= {"named"}


def test_a_pytest_fixture_is_what_its_function_gives():
    texts = {
        "tests/conftest.py": "import pytest\nclass Client:\n def get(self): pass\n@pytest.fixture\ndef client():\n    yield Client()\n",
        "tests/test_a.py": "def test_it(client):\n    client.get()\n",
    }
    said = only_call(texts, "tests/test_a.py")

    assert [target.place for target in said.targets] == [Place("tests/conftest.py", 2)]
    assert said.reason == "parameter"


def test_a_described_overload_is_not_what_runs():
    text = (
        "from typing import overload\n@overload\ndef f(x: int) -> int: ...\n@overload\ndef f(x: str) -> str: ...\n"
        "def f(x): return x\nf(1)\n"
    )
    said = link_texts({"main.py": text})["main.py"].calls[-1]

    assert said.outcome == "resolved"
    assert len(said.targets) == 1


def test_a_project_without_files_has_no_links():
    assert link_texts({}) == {}


def test_an_empty_file_has_empty_links():
    assert link_texts({"a.py": ""}) == {"a.py": FileLinks()}


@pytest.mark.parametrize(
    "text",
    [
        "from dataclasses import dataclass\n@dataclass\nclass Rule:\n    name: str\n    check: Callable\n",
        "from typing import NamedTuple\nclass Rule(NamedTuple):\n    name: str\n    check: Callable\n",
    ],
)
def test_what_is_given_to_a_data_class_is_held_in_its_fields(text):
    text += "def test(): pass\nrule = Rule('a', test)\nother = Rule(name='b', check=test)\nrule.check()\n"
    facts = python_facts({"main.py": text})

    said = link_texts({"main.py": text})["main.py"].calls[-1]

    assert [name_place(facts, target.place) for target in said.targets] == ["main.test"]


def test_a_function_held_in_a_member_is_no_inherited_method():
    text = "def f(): pass\nclass A:\n def __init__(self): self.hook = f\n def run(self): self.hook()\n"

    assert only_call({"main.py": text}).reason == "attribute"


def test_fixtures_of_a_class_and_renamed_ones_are_found_and_others_are_not():
    text = (
        "import pytest\nclass A:\n def go(self): pass\nclass B:\n def go(self): pass\n"
        "@pytest.fixture(name='thing')\ndef make(): return A()\n"
        "class TestIt:\n    @pytest.fixture\n    def own(self): return B()\n"
        "    def test_it(self, thing, own): thing.go(); own.go()\n"
        "def test_other(own): own.go()\n"
    )
    facts = python_facts({"test_a.py": text})

    calls = link_texts({"test_a.py": text})["test_a.py"].calls

    found = [[name_place(facts, target.place) for target in said.targets] for said in calls[-3:]]
    assert found == [["test_a.A.go"], ["test_a.B.go"], []]
