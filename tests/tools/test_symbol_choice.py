"""Which symbol a text means, the same to every tool that takes one."""

import pytest

from drift.analyses.symbol_choice import choose_symbol, choose_symbols
from drift.analyses.targets import find_file_meant, require_file
from drift.index import IndexReader
from drift.kernel.errors import DriftError, ErrorCode
from drift.project import StateDir
from drift.scan import ScanOptions, scan

FILES = {
    "url.py": "def get_path(x):\n    return x\n\n\ndef twice():\n    pass\n",
    "event.py": "class Event:\n    def get_path(self):\n        return 1\n\n\ndef twice():\n    pass\n",
    "shop/cart.py": "LIMIT = 3\n\n\ndef total(cart):\n    return cart\n",
    "tests/test_cart.py": "def total(cart):\n    return 0\n",
    "examples/cart.py": "def total(cart):\n    return 1\n\n\ndef shown():\n    return total(2)\n",
    "Pay.cs": "public record Pay(int Id, string Name);\n",
    "Box.java": "class Box {\n  Box() {}\n  int size() { return 1; }\n  int size(int unit) { return unit; }\n}\n",
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    root = tmp_path_factory.mktemp("project")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as found:
        yield found


@pytest.mark.parametrize(
    ("wanted", "place"),
    [
        ("get_path()", "url.py:1"),
        ("Event.get_path", "event.py:2"),
        ("Event::get_path", "event.py:2"),
        ("event.py::get_path", "event.py:2"),
        ("event.py::Event::get_path", "event.py:2"),
        ("event.py:Event.get_path", "event.py:2"),
        ("event.py#Event.get_path", "event.py:2"),
        ("event.py:3", "event.py:2"),
        ("event.py:3:9", "event.py:2"),
        ("./event.py:3", "event.py:2"),
        ("test_cart.py:1", "tests/test_cart.py:1"),
        ("shop/cart.py::total", "shop/cart.py:4"),
        ("total", "shop/cart.py:4"),
        ("examples/cart.py::total", "examples/cart.py:1"),
        ("shown", "examples/cart.py:5"),
        ("LIMIT", "shop/cart.py:1"),
        ("Box", "Box.java:1"),
    ],
)
def test_every_way_to_name_a_symbol_means_one(reader, wanted, place):
    symbol, _ = choose_symbol(reader, wanted)

    assert f"{symbol.path}:{symbol.line}" == place


def test_a_line_on_which_a_type_begins_with_its_members_means_the_type(reader):
    assert choose_symbol(reader, "Pay.cs:1")[0].qualname == "Pay"


def test_a_bare_name_means_what_has_no_longer_one_and_tells_of_the_others(reader):
    symbol, warnings = choose_symbol(reader, "get_path()")

    assert symbol.path == "url.py"
    assert warnings == ("1 more of this name in the product: Event.get_path event.py:2",)


def test_the_product_is_meant_rather_than_tests_and_examples_which_are_told(reader):
    symbol, warnings = choose_symbol(reader, "total")

    assert symbol.path == "shop/cart.py"
    assert warnings == (
        "2 more of this name in tests, examples or others' code: total tests/test_cart.py:1, total examples/cart.py:1",
    )


def test_a_name_that_two_functions_have_is_refused_with_both_places(reader):
    with pytest.raises(DriftError, match="means 2 symbols") as caught:
        choose_symbol(reader, "twice")

    assert caught.value.recovery.similar == ("event.py:6 function twice", "url.py:5 function twice")
    assert "file::name" in caught.value.recovery.hint


def test_of_overloads_one_is_chosen_and_the_others_are_named(reader):
    chosen, warnings = choose_symbol(reader, "Box.size")

    assert chosen.line == 3
    assert warnings == ("1 more of this name with other parameters: Box.size Box.java:4",)


def test_a_question_about_a_name_is_answered_for_all_that_have_it(reader):
    found, warnings = choose_symbols(reader, "Box.size")

    assert [one.line for one in found] == [3, 4]
    assert warnings == (
        "'Box.size' means 2 symbols, and all are answered for: Box.size Box.java:3, Box.size Box.java:4",
    )


def test_a_symbol_of_another_kind_is_not_said_to_be_missing(reader):
    with pytest.raises(
        DriftError, match=r"'total' is the function total at shop/cart\.py:4; wanted is a class"
    ) as caught:
        choose_symbol(reader, "total", kinds={"class"})

    assert caught.value.code is ErrorCode.INVALID_ARGUMENT


def test_a_place_in_a_file_that_is_not_there_is_a_missing_file(reader):
    with pytest.raises(DriftError) as caught:
        choose_symbol(reader, "evnt.py:3")

    assert caught.value.code is ErrorCode.FILE_NOT_FOUND
    assert "event.py" in caught.value.recovery.similar


def test_the_end_of_two_paths_is_refused_with_both(reader):
    with pytest.raises(DriftError, match=r"'cart\.py' means 2 files") as caught:
        require_file(reader, "cart.py")

    assert set(caught.value.recovery.similar) == {"shop/cart.py", "examples/cart.py"}
    with pytest.raises(DriftError, match="means 2 files"):
        find_file_meant(reader, "cart.py")


def test_a_dotted_name_is_no_file(reader):
    assert find_file_meant(reader, "Event.get_path") is None
    assert find_file_meant(reader, "event.py").path == "event.py"


@pytest.mark.parametrize(
    ("wanted", "code", "said", "instead"),
    [
        ("", ErrorCode.INVALID_ARGUMENT, "empty", ()),
        ("shop/cart.py", ErrorCode.INVALID_ARGUMENT, "shop/cart.py is a file", ("drift_explain",)),
        ("event.py:999", ErrorCode.INVALID_ARGUMENT, "event.py has no line 999", ()),
        ("examples", ErrorCode.INVALID_ARGUMENT, "'examples' is a folder", ("drift_files_list",)),
        ("README.md", ErrorCode.FILE_NOT_FOUND, "README.md", ()),
        ("shop/nothing.py", ErrorCode.FILE_NOT_FOUND, "shop/nothing.py", ()),
    ],
)
def test_what_is_no_symbol_is_said_to_be_what_it_is(reader, wanted, code, said, instead):
    with pytest.raises(DriftError) as caught:
        choose_symbol(reader, wanted)

    assert caught.value.code is code
    assert said in str(caught.value)
    assert caught.value.recovery.alternative_tools == instead


def test_who_writes_capitals_means_what_has_that_very_name(tmp_path):
    (tmp_path / "a.py").write_text(
        "class Context:\n    pass\n\n\ndef context():\n    pass\n\n\nclass Cart:\n    pass\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as found:
        with pytest.raises(DriftError, match="is the class Context"):
            choose_symbol(found, "Context", kinds={"function"})
        symbol, _ = choose_symbol(found, "context", kinds={"class"})

    assert symbol.name == "Context"


def test_a_name_of_many_symbols_is_said_to_be_a_folder_too(tmp_path):
    for path in ("src/a.py", "src/b.py"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("def src():\n    pass\n")
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as found, pytest.raises(DriftError, match="a folder, too"):
        choose_symbol(found, "src")
