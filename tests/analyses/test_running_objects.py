"""Methods that stand in for others run for the tests that have objects of their classes."""

import pytest

from drift.analyses.running.walks import walk_runs
from drift.analyses.testing.affected import find_neighbourhood, reach_functions
from drift.analyses.testing.reach import find_covered
from drift.analyses.testing.suites import suites_of
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

_MANY = "".join(
    f"class Kind{number}(Field):\n    def write(self, value):\n        return value + {number}\n"
    for number in range(11)
)
FILES = {
    "forms.py": (
        "class Field:\n"
        "    def serialize(self, value):\n        return self.write(value)\n"
        "    def write(self, value):\n        return value\n"
        f"{_MANY}"
        "class Plain(Kind1):\n    pass\n"
        "Short = Kind2\n"
        "KINDS = [Kind3, Kind4]\n"
        "shared = Kind5()\n"
        "def check(value):\n    return isinstance(value, Kind6)\n"
    ),
    "shapes.py": ("from forms import Field\ndef serialize(field: Field):\n    return field.serialize(1)\n"),
    "sending.py": (
        "import outside\n"
        "class Adapter:\n    def get_header(self):\n        return 1\n"
        "class Offered:\n    def get_footer(self):\n        return 1\n"
        "def send():\n    outside.post(Adapter())\n"
        "WAYS = {'up': lambda: 1}\n"
        "def go_up():\n    return 1\n"
        "def go_down():\n    return 2\n"
        "TURNS = {\n    'up': go_up,\n    'down': go_down,\n}\n"
        "def turn(way):\n    found = dict(TURNS, left=3)\n    return found[way]()\n"
        "class Rules:\n    def transform(self):\n        return 1\n"
        "class Strict(Rules):\n    def transform(self):\n        return 2\n"
        "def judge(found):\n    for one in outside.sorted(found):\n        one.transform()\n"
    ),
    "wires.py": (
        "class Wire:\n    def request(self):\n        return self.handle()\n    def handle(self):\n        raise NotImplementedError\n"
        "class Old(Wire):\n    def handle(self):\n        return 1\n"
        "class New(Wire):\n    def handle(self):\n        return 2\n"
        "class Choice(Wire):\n    def handle(self):\n        wire = New() if self else Old()\n        return wire.handle()\n"
    ),
    "test_wires.py": (
        "from wires import Choice, Old\n"
        "def test_old():\n    Old().request()\n"
        "def test_choice():\n    Choice().request()\n"
    ),
    "test_sending.py": (
        "from sending import Offered, Strict, judge, send, turn\n"
        "def test_turn():\n    assert turn('up')\n"
        "def test_send():\n    send()\n"
        "def test_offered():\n    assert Offered()\n"
        "def test_judge():\n    judge([Strict()])\n"
    ),
    "test_forms.py": (
        "import forms\nimport pytest\nfrom forms import Kind0, Kind7, Short, shared, check\n"
        "from shapes import serialize\n"
        "class Held:\n    field = Kind7()\n"
        "def test_only_made():\n    assert Kind0() and forms.Plain()\n"
        "def test_made():\n    assert serialize(Kind0())\n"
        "def test_inherited():\n    assert serialize(forms.Plain())\n"
        "def test_by_another_name():\n    assert serialize(Short())\n"
        "def test_in_a_variable():\n    assert serialize(shared)\n"
        "def test_in_a_class():\n    assert serialize(Held.field)\n"
        "def test_checked():\n    assert serialize(check(1))\n"
        "def test_of_all():\n    assert [serialize(kind()) for kind in forms.KINDS]\n"
    ),
}


SEARCHES = "".join(
    f"public class Search{number} : ISearch {{ public int Run() {{ return {number}; }} public int Count() {{ return 1; }} }}\n"
    for number in range(4)
)
COMPILED = {
    "Search.cs": (
        "namespace Shop;\npublic interface ISearch { int Run(); int Count(); }\n"
        f"{SEARCHES}"
        "public static class Searches {\n"
        "  public static ISearch Make() { return new Search0(); }\n"
        "  public static ISearch Small() { return new Search1(); }\n"
        "  public static int Ask(ISearch search) { return search.Run(); }\n"
        "  public static int Sum(ISearch search) { return search.Count(); }\n}\n"
    ),
    "SearchTests.cs": (
        "using Xunit;\nnamespace Shop.Tests;\npublic class SearchTests {\n"
        "  [Fact] public void Asks() { Searches.Ask(Searches.Make()); }\n"
        "  [Fact] public void Sums() { Searches.Sum(Searches.Make()); }\n"
        "  [Fact] public void AsksSmall() { Searches.Ask(Searches.Small()); }\n}\n"
    ),
}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    root = tmp_path_factory.mktemp("compiled")
    for path, text in COMPILED.items():
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as found:
        yield found


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    root = tmp_path_factory.mktemp("forms")
    for path, text in FILES.items():
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as found:
        yield found


def find_titles(reader, qualname, *, is_alike=True):
    (one,) = [each for each in reader.symbols.named(qualname.rpartition(".")[2]) if each.qualname == qualname]
    suites = suites_of(reader)
    found = reach_functions(find_neighbourhood(reader, suites, [one.id]), suites)[one.id]
    assert not is_alike or (one.id in find_covered(reader, suites)) == bool(found)
    return {suites.cases[case].title: reach.is_faint for case, reach in found.items()}


def titles_running(reader, qualname):
    return set(find_titles(reader, qualname))


@pytest.mark.parametrize(
    ("method", "title"),
    [
        ("Kind0.write", "test_made"),
        ("Kind1.write", "test_inherited"),
        ("Kind2.write", "test_by_another_name"),
        ("Kind5.write", "test_in_a_variable"),
        ("Kind7.write", "test_in_a_class"),
    ],
)
def test_of_many_that_may_run_those_do_whose_objects_a_test_has(reader, method, title):
    assert titles_running(reader, method) == {title}


def test_where_nobody_is_seen_to_have_an_object_any_test_may_run_it(reader):
    # What all tests run together is walked from the tests, where nobody has an object of the class to walk through.
    assert "test_checked" in find_titles(reader, "Kind6.write", is_alike=False)


def test_a_method_in_whose_place_others_run_is_run_by_all(reader):
    assert {"test_made", "test_checked", "test_of_all"} <= titles_running(reader, "Field.write")


def test_an_object_that_the_product_alone_makes_may_be_called_by_what_it_is_handed_to(reader):
    assert find_titles(reader, "Adapter.get_header") == {"test_send": True}
    assert find_titles(reader, "Offered.get_footer") == {}


def test_a_call_of_a_name_that_one_family_of_methods_has_is_likely_theirs(reader):
    assert find_titles(reader, "Rules.transform") == {"test_judge": False}
    assert find_titles(reader, "Strict.transform") == {"test_judge": False}


def test_a_function_in_a_table_of_a_file_may_run_for_who_imports_the_file(reader):
    assert find_titles(reader, "<lambda>") == dict.fromkeys(
        ("test_send", "test_offered", "test_judge", "test_turn"), True
    )


def test_a_function_in_a_table_runs_for_who_reads_the_table(reader):
    assert find_titles(reader, "go_down") == {"test_turn": False}


def test_an_object_that_a_stand_in_makes_is_had_by_who_has_the_stand_in(reader):
    assert titles_running(reader, "New.handle") == {"test_choice"}
    assert titles_running(reader, "Old.handle") == {"test_old", "test_choice"}


def test_a_test_that_has_an_object_runs_those_of_its_methods_that_are_called(compiled):
    assert find_titles(compiled, "Search0.Run") == {"SearchTests.Asks": False}
    assert find_titles(compiled, "Search0.Count") == {"SearchTests.Sums": False}
    assert find_titles(compiled, "Search1.Run") == {"SearchTests.AsksSmall": False}


def test_who_calls_what_a_method_stands_in_for_comes_to_run_it(reader):
    (write,) = [one for one in reader.symbols.named("write") if one.qualname == "Kind3.write"]

    found = walk_runs(reader, [write.id], "users", max_depth=5, max_symbols=1_000).reached

    names = {one.qualname for one in reader.symbols.many(one.symbol_id for one in found)}
    assert {"Field.serialize", "serialize"} <= names


CONTAINED = {
    "Shop.cs": (
        "namespace Shop;\npublic interface IStore { int Load(); }\n"
        "public class Store : IStore { public Store(int size) { } public int Load() { return 1; } public static int Most() { return 2; } }\n"
        "public class Made { public Made(int size) { } public int Load() { return 1; } }\n"
        "public class Twice { public Twice() { } public Twice(int size) { } public int Load() { return 1; } }\n"
        "public static class Makers { public static Made Make() { return new Made(1); } }\n"
    ),
    "ShopTests.cs": (
        "using Xunit;\nnamespace Shop.Tests;\npublic class ShopTests {\n"
        "  [Fact] public void Loads(Store store) { store.Load(); }\n"
        "  [Fact] public void Most() { Store.Most(); }\n"
        "  [Fact] public void LoadsMade(Made made, Twice twice) { made.Load(); twice.Load(); }\n}\n"
    ),
}


def test_the_constructor_of_what_only_a_container_makes_has_run_where_a_method_runs(tmp_path):
    for path, text in CONTAINED.items():
        (tmp_path / path).write_text(text)
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as reader:
        assert find_titles(reader, "Store.Store") == {"ShopTests.Loads": False}
        assert find_titles(reader, "Made.Made") == {}
        assert not any(
            one.id in find_covered(reader, suites_of(reader))
            for one in reader.symbols.named("Twice")
            if one.kind == "constructor"
        )
