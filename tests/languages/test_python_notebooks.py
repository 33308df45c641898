"""Code cells of notebooks are read as Python, at the lines of the notebook's file."""

import json

import pytest

from drift.languages.detect import language_of
from drift.languages.python import extract

CELLS = [
    {"cell_type": "markdown", "metadata": {}, "source": ["def told():\n", "    pass"]},
    {
        "cell_type": "code",
        "metadata": {},
        "outputs": [{"data": {"text/plain": ["def shown(): pass"]}}],
        "source": ["%matplotlib inline\n", "def load(path):\n", "    !ls\n", "    return read(path)"],
    },
    {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["%%bash\n", "make(1)"]},
    {"cell_type": "code", "metadata": {}, "outputs": [], "source": "first = load(1)\nsecond = load(2)"},
]


def notebook(language: str = "python", indent: int | None = 1) -> bytes:
    metadata = {"kernelspec": {"language": language, "name": "own"}}
    return json.dumps({"cells": CELLS, "metadata": metadata, "nbformat": 4}, indent=indent).encode()


def test_code_stands_at_the_lines_of_the_file():
    source = notebook()
    lines = source.decode().splitlines()

    facts = extract(source, "work/report.ipynb")

    assert {symbol.name for symbol in facts.symbols[1:]} == {"load", "first", "second"}
    places = {call.text: lines[call.line - 1].strip() for call in facts.calls if call.text == "read"}
    assert places == {"read": '"    return read(path)"'}
    load = next(symbol for symbol in facts.symbols if symbol.name == "load")
    assert lines[load.line - 1].strip() == '"def load(path):\\n",'
    assert not facts.problems


def test_lines_that_share_one_of_the_file_follow_each_other():
    facts = extract(notebook(indent=None), "report.ipynb")

    calls = [(call.text, call.line) for call in facts.calls]
    assert calls == [("read", 4), ("load", 5), ("load", 6)]


def test_a_notebook_of_another_language_has_no_python():
    facts = extract(notebook("R"), "report.ipynb")

    assert len(facts.symbols) == 1
    assert not facts.problems


@pytest.mark.parametrize(
    "source",
    [b"", b"[]", b'{"cells": 3}', b"{" * 100_000, b'{"cells": [' * 1_000, b'{"' + b'\\"' * 100_000],
)
def test_what_is_no_notebook_is_said_to_be_none(source):
    facts = extract(source, "report.ipynb")

    assert [problem.message for problem in facts.problems] == ["this is no notebook"]
    assert not facts.calls


def test_notebooks_are_files_of_python():
    assert language_of("work/report.ipynb") == "python"
