"""What runs in the place of what a field or a table is said to hold."""

import pytest

from drift.analyses.testing.affected import find_neighbourhood, reach_functions
from drift.analyses.testing.suites import suites_of
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

FILES = {
    "filters.py": (
        "import outside\n"
        "class Plain:\n    def __init__(self):\n        self.value = 1\n"
        "class Choice:\n    def __init__(self):\n        self.value = 2\n"
        "class Below(Choice):\n    pass\n"
        "class Filter:\n    field_class = outside.Field\n    def field(self):\n        return self.field_class()\n"
        "class PlainFilter(Filter):\n    field_class = Plain\n"
        "class ChoiceFilter(Filter):\n    field_class = Below\n"
    ),
    "sending.py": (
        "class Way:\n    def send(self):\n        raise NotImplementedError\n"
        "class Mail(Way):\n    def __init__(self):\n        self.to = 1\n    def send(self):\n        return 1\n"
        "class Call(Way):\n    def __init__(self):\n        self.to = 2\n    def send(self):\n        return 2\n"
        "WAYS: dict[str, type[Way]] = {\n    'mail': Mail,\n    'call': Call,\n}\n"
        "def find(kind) -> Way:\n    return WAYS[kind]()\n"
        "def notify(kind):\n    return find(kind).send()\n"
        "PLUGINS = {\n    'wide': 'sending.widen',\n    'long': 'sending.lengthen',\n}\n"
        "def widen(value):\n    return value\n"
        "def lengthen(value):\n    return value\n"
        "def load(name):\n    return import_string(PLUGINS[name])()\n"
        "def as_day(value):\n    return value\n"
        "def as_hour(value):\n    return value\n"
        "def as_year(value):\n    return value\n"
        "class Clock:\n    FORMS = {\n        'day': as_day,\n        'hour': as_hour,\n        'year': as_year,\n    }\n"
        "    def show(self, form):\n        return self.FORMS[form](1)\n"
    ),
    "test_all.py": (
        "from filters import ChoiceFilter, PlainFilter\nfrom sending import Clock, load, notify\n"
        "def test_plain():\n    assert PlainFilter().field()\n"
        "def test_choice():\n    assert ChoiceFilter().field()\n"
        "def test_mail():\n    assert notify('mail')\n"
        "def test_call():\n    assert notify('call')\n"
        "def test_day():\n    assert Clock().show('day')\n"
        "def test_hour():\n    assert Clock().show('hour')\n"
        "def test_wide():\n    assert load('wide')\n"
        "def test_long():\n    assert load('long')\n"
    ),
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    root = tmp_path_factory.mktemp("replaced")
    for path, text in FILES.items():
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as found:
        yield found


def titles_running(reader, qualname):
    suites = suites_of(reader)
    (one,) = [each for each in reader.symbols.named(qualname.rpartition(".")[2]) if each.qualname == qualname]
    found = reach_functions(find_neighbourhood(reader, suites, [one.id]), suites)[one.id]
    return {suites.cases[case].title for case in found if not found[case].is_faint}


@pytest.mark.parametrize(
    ("function", "tests"), [("Plain.__init__", "test_plain"), ("Choice.__init__", "test_choice")]
)
def test_what_a_class_gives_a_field_that_a_class_above_calls_runs_for_who_has_one(reader, function, tests):
    assert titles_running(reader, function) == {tests}


@pytest.mark.parametrize("function", ["Mail.__init__", "Mail.send"])
def test_a_class_of_a_table_runs_for_who_says_its_key(reader, function):
    assert titles_running(reader, function) == {"test_mail"}


def test_a_function_of_a_table_runs_for_who_says_its_key(reader):
    assert titles_running(reader, "as_hour") == {"test_hour"}


def test_what_a_text_of_a_table_names_in_full_runs_for_who_says_its_key(reader):
    assert titles_running(reader, "lengthen") == {"test_long"}
