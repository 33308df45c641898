"""Methods that are looked up by names put together, and families of methods that are called by name alone."""

import pytest

from drift.analyses.testing.affected import find_neighbourhood, reach_functions
from drift.analyses.testing.suites import suites_of
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

_STEPS = "".join(
    f"class Step{number}(Step):\n    def transmogrify(self, text):\n        return text + '{number}'\n"
    for number in range(6)
)
FILES = {
    "rules.py": (
        "class Rules:\n"
        "    def check(self, kind, value):\n"
        "        name = '_{0}_{1}'.format('judge', kind)\n"
        "        return getattr(self, name)(value)\n"
        "    def _judge_length(self, value):\n        return len(value)\n"
        "    def _judge_type(self, value):\n        return type(value)\n"
        "    def get_footer(self):\n        return 1\n"
        "class Stricter(Rules):\n"
        "    def _judge_order(self, value):\n        return sorted(value)\n"
        "class Fixed:\n"
        "    def check(self, value):\n        return getattr(value, 'judge_all')\n"
        "    def judge_one(self):\n        return 1\n"
        "    def judge_two(self):\n        return 2\n"
        "    def judge_three(self):\n        return 3\n"
    ),
    "steps.py": (
        "from typing import Generic, TypeVar\n"
        "T = TypeVar('T')\n"
        "class Shelf(Generic[T]):\n"
        "    def __init__(self, held):\n        self._held = held\n"
        "    def __getitem__(self, key) -> 'T | Shelf[T]':\n        return self._held[key]\n"
        "class Step:\n    def transmogrify(self, text):\n        return text\n"
        f"{_STEPS}"
        "def convert(text, shelf: Shelf):\n"
        "    for step in shelf:\n        text = step.transmogrify(text)\n    return text\n"
    ),
    "test_rules.py": (
        "from rules import Fixed, Rules\n"
        "def test_rules():\n    assert Rules().check('length', 'a')\n"
        "def test_fixed():\n    assert Fixed().check('a')\n"
    ),
    "test_steps.py": "from steps import convert\ndef test_convert():\n    assert convert('a', [])\n",
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    root = tmp_path_factory.mktemp("project")
    for name, text in FILES.items():
        (root / name).write_text(text, "utf-8")
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as found:
        yield found


def find_tests(reader, qualname):
    (one,) = [each for each in reader.symbols.named(qualname.rpartition(".")[2]) if each.qualname == qualname]
    suites = suites_of(reader)
    found = reach_functions(find_neighbourhood(reader, suites, [one.id]), suites)[one.id]
    return {suites.cases[case].title: reach.is_faint for case, reach in found.items()}


@pytest.mark.parametrize("method", ["Rules._judge_length", "Rules._judge_type", "Stricter._judge_order"])
def test_methods_named_alike_run_faintly_where_a_name_is_put_together(reader, method):
    assert find_tests(reader, method) == {"test_rules": True}


def test_a_method_that_is_named_like_no_others_is_not_looked_up(reader):
    assert find_tests(reader, "Rules.get_footer") == {}


def test_a_constant_name_looks_up_no_others(reader):
    assert find_tests(reader, "Fixed.judge_one") == {}


def test_a_large_family_of_methods_is_found_by_the_name_that_it_alone_has(reader):
    assert find_tests(reader, "Step3.transmogrify") == {"test_convert": False}
