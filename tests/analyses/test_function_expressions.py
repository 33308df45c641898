"""Functions that are named where they are handed on are not dead because nobody calls them by name."""

import pytest

from drift.analyses.dead_code.finding import find_dead_code
from drift.analyses.function_expressions import is_expression
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("later(", True),
        ("later(1, ", True),
        ("const kept = ", True),
        ("return ", True),
        ("x = { run: ", True),
        ("later(async () => 1,\n  ", True),
        ("", False),
        ("f();\n", False),
        ("{\n  ", False),
        ("}\n\n", False),
        ("export default ", False),
        ("newreturn\n", False),
    ],
)
@pytest.mark.parametrize("written", ["function tick() {}", "async function tick() {}", "function* tick() {}"])
def test_an_expression_is_told_by_what_stands_before_it(before, written, expected):
    text = (before + written).encode()

    assert is_expression(text, len(before.encode()), "tick") is expected


def test_a_function_without_the_name_is_left_to_others():
    assert not is_expression(b"const tick = function () {}", 13, "tick")
    assert not is_expression(b"", 5, "tick")


def test_only_the_function_that_is_declared_and_never_used_is_dead(tmp_path):
    text = (
        "function forgotten() { return 1 }\n"
        "function main() {\n  process.nextTick(function tick() { return 2 })\n}\n"
        "main()\n"
    )
    (tmp_path / "a.js").write_text(text)
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        found = find_dead_code(reader, [("a.js", text.encode())]).found

    assert [one.symbol.name for one in found] == ["forgotten"]
