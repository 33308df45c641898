"""Files of libraries are read strictly; those of a project come from strangers."""

import tomllib
from pathlib import Path

import pytest

from drift.libraries import (
    LibraryError,
    kinds,
    read_library,
    read_own_libraries,
    shipped_libraries,
    used_libraries,
)
from drift.libraries.reading import LANGUAGES
from drift.project import StateDir


def test_every_file_that_drift_brings_can_be_read_and_knows_its_kinds():
    told = {language: shipped_libraries(language) for language in LANGUAGES}

    assert {library.name for library in told["python"]} >= {"Flask", "Python's standard library"}
    assert all(library.language == language for language, found in told.items() for library in found)
    used = {sink.kind for found in told.values() for library in found for sink in library.sinks}
    assert used <= {name for name, kind in kinds().items() if kind.has_flow}


def test_a_library_is_used_where_its_package_or_a_part_of_it_is_imported():
    always = {library.name for library in used_libraries("python", ["requests"])}
    with_flask = {library.name for library in used_libraries("python", ["flask.views"])}

    assert "Flask" not in always
    assert "Flask" in with_flask


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('language = "cobol"', "language: must be one of"),
        ('language = "python"\nsurprise = 1', "unknown keys: surprise"),
        ('language = "python"\n[[sinks]]\nkind = "magic"\nnames = ["a.b"]', "sinks 1: kind: must be one of"),
        ('language = "python"\n[[sinks]]\nkind = "weak-hash"\nnames = ["a.b"]', "sinks 1: kind"),
        ('language = "python"\n[[sinks]]\nkind = "sql"', "at least one is needed"),
        ('language = "python"\n[[sinks]]\nkind = "sql"\nnames = ["a.*.b"]', "only as what stands before"),
        ('language = "python"\n[[sinks]]\nkind = "sql"\nnames = ["a.b"]\nwhen = {}', "when: must be a table"),
        ('language = "python"\n[[sources]]\nlabel = "x"', "needs names, decorators"),
        ('language = "python"\n[[sources]]\nlabel = 5\nnames = ["a"]', "label: must be a text"),
        ('language = "python"\n[[checks]]\nkind = "debug"', "either names or keys"),
        ('language = "python"\nsinks = 5', "sinks: must be a list"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_place(text, words):
    with pytest.raises(LibraryError, match=words):
        read_library(tomllib.loads(text), name="own")


def test_a_file_of_the_project_adds_a_library_and_a_broken_one_is_named(tmp_path: Path):
    rules = tmp_path / ".drift" / "rules"
    rules.mkdir(parents=True)
    (rules / "shop.toml").write_text(
        'language = "python"\n[[sinks]]\nkind = "sql"\nnames = ["shop.database.run"]\n[[data]]\nanything = 1\n'
    )
    (rules / "broken.toml").write_text('language = "python"\n[[sinks]]\nkind = "sql"\n')
    (rules / "conventions.toml").write_text("[[approved]]\nid = 'x'\n")

    found = read_own_libraries(StateDir(tmp_path))

    assert [(library.name, library.is_own, library.data) for library in found.libraries] == [
        ("shop", True, ({"anything": 1},))
    ]
    assert found.problems == (".drift/rules/broken.toml: sinks 1: names: at least one is needed",)
