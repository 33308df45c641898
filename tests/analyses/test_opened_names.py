"""What is defined under `using namespace`: one function with its declaration in the namespace."""

import pytest

from drift.analyses.definitions import define_all, find_definitions, find_header_place
from drift.analyses.lookup import find_symbols
from drift.analyses.usages.family import find_family
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

KEYS = """namespace store { class Keys {
public:
  Keys();
  void clear();
  int find(int key);
}; }
"""
DEFINED = """#include "keys.h"
#include "other.h"
using namespace store;
Keys::Keys() {}
void Keys::clear() {}
"""
ONE_NAME = """#include "keys.h"
using store::Keys;
int Keys::find(int key) { return key; }
"""
OTHER = "namespace other { class Keys {\npublic:\n  void clear();\n}; }\n"
NOT_OPENED = '#include "other.h"\nnamespace other { void Keys::clear() {} }\n'


@pytest.fixture
def reader(tmp_path):
    texts = {"keys.h": KEYS, "keys.cpp": DEFINED, "find.cpp": ONE_NAME, "other.h": OTHER, "o.cpp": NOT_OPENED}
    for path, text in texts.items():
        (tmp_path / path).write_text(text)
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as found:
        yield found


def _the(reader, name):
    return find_symbols(reader, name).symbols


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("store.Keys.clear", "keys.cpp:5"),
        ("store.Keys.find", "find.cpp:3"),
        ("store.Keys.Keys", "keys.cpp:4"),
    ],
)
def test_a_declaration_leads_to_what_is_defined_under_using(reader, name, place):
    found = define_all(reader, _the(reader, name))

    assert [f"{one.path}:{one.line}" for one in found] == [place]


def test_a_namesake_in_a_namespace_that_is_not_opened_is_another_function(reader):
    declared = next(one for one in _the(reader, "other.Keys.clear") if one.path == "other.h")

    assert [one.path for one in find_definitions(reader, declared)] == ["o.cpp"]


def test_a_definition_under_using_is_offered_by_the_header(reader):
    defined = next(one for one in _the(reader, "Keys.clear") if one.path == "keys.cpp")

    place = find_header_place(reader, defined)

    assert place is not None
    assert (place.path, place.line) == ("keys.h", 4)


def test_a_definition_under_using_and_its_declaration_are_renamed_together(reader):
    defined = next(one for one in _the(reader, "Keys.clear") if one.path == "keys.cpp")

    family = find_family(reader, defined)

    assert {one.path for one in family.same} == {"keys.h", "keys.cpp"}
    assert {one.path for one in family.others} == {"other.h", "o.cpp"}
