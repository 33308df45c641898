"""Calls of which only the name is known are told of a function that can be called so."""

import json

import pytest

from drift.analyses.arity import may_take
from drift.analyses.unresolved import find_open_names
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

SELF = ["self", "receiver", None, None]
ONE = ["x", "plain", None, None]
MORE = ["y", "plain", None, "1"]
REST = ["args", "rest", None, None]


@pytest.mark.parametrize(
    ("language", "parameters", "arguments", "fits"),
    [
        ("python", [SELF], 0, True),
        ("python", [SELF], 1, False),
        ("python", [SELF, ONE], 0, False),
        ("python", [SELF, ONE, MORE], 1, True),
        ("python", [SELF, ONE, MORE], 3, False),
        ("python", [SELF, REST], 5, True),
        ("ruby", [], 1, False),
        ("ruby", [ONE], 0, False),
        ("ruby", [ONE], 3, True),  # keywords are one value
        ("ruby", [["&block", "plain", None, None]], 0, True),
        ("php", [ONE], 0, False),
        ("php", [ONE], 2, True),
        ("javascript", [ONE], 0, True),
    ],
)
def test_a_function_takes_as_many_arguments_as_its_language_lets_it(language, parameters, arguments, fits):
    assert may_take(language, json.dumps(parameters), arguments) is fits


def test_a_method_is_not_told_to_be_called_with_arguments_that_it_does_not_take(tmp_path):
    texts = ["class View:", "    def get(self): pass", "    def put(self, one): pass"]
    texts += ["class Other:", "    def get(self, one): pass", "    def put(self): pass"]
    texts += ["def use(config, x):", "    config.get('a')", "    x.put(1)", "    x.put(1, 2)"]
    (tmp_path / "main.py").write_text("\n".join(texts), encoding="utf-8")
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        methods = {one.qualname: one for one in reader.symbols.of_kind("method")}
        told = {
            name: find_open_names(reader, [methods[name]]) for name in ("View.get", "View.put", "Other.put")
        }

    assert told["View.get"] == []
    assert [(one.calls.times, [each.line for each in one.calls.examples]) for one in told["View.put"]] == [
        (1, [9])
    ]
    assert told["Other.put"] == []
