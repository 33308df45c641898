"""Overloads: what is asked about a function is answered for the one that has the code."""

import pytest

from drift.analyses.dead_code.finding import find_dead_code
from drift.analyses.definitions import define_all, find_definitions
from drift.analyses.lookup import find_symbols
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

PYTHON = """from typing import overload


class Map:
    @overload
    def match(self, path: str) -> str: ...
    @overload
    def match(self, path: bytes) -> bytes: ...
    def match(self, path):
        return path


@overload
def _lost(x: int) -> int: ...
@overload
def _lost(x: str) -> str: ...
def _lost(x):
    return x


def use(given: Map):
    return given.match("/")
"""
STUB = "from typing import overload\n@overload\ndef only(x: int) -> int: ...\n@overload\ndef only(x: str) -> str: ...\n"
SCRIPT = """export function pick(x: string): string
export function pick(x: number): number
export function pick(x: unknown): unknown {
  return x
}
"""


@pytest.fixture
def reader(tmp_path):
    (tmp_path / "routes.py").write_text(PYTHON)
    (tmp_path / "stub.pyi").write_text(STUB)
    (tmp_path / "pick.ts").write_text(SCRIPT)
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as found:
        yield found


@pytest.mark.parametrize(("name", "line"), [("Map.match", 9), ("_lost", 17), ("pick", 3), ("only", 3)])
def test_a_name_with_overloads_means_one_function(reader, name, line):
    found = define_all(reader, find_symbols(reader, name).symbols)

    assert [one.line for one in found] == [line]


def test_the_place_of_an_overload_means_the_function_with_the_code(reader):
    overload = find_symbols(reader, "routes.py:6").symbols[0]

    assert [one.line for one in find_definitions(reader, overload)] == [9]


def test_an_overloaded_function_without_users_is_told_once(reader):
    found = find_dead_code(reader, ())

    assert [(one.symbol.qualname, one.symbol.line) for one in found.found if one.symbol.name == "_lost"] == [
        ("_lost", 17)
    ]
