"""The core of linking names no language: what one means is in `scan/link/languages`."""

import ast
from pathlib import Path

import pytest

import drift.scan.link
from drift.languages.table import LANGUAGES
from drift.scan.link import MemorySources
from drift.scan.link.languages.table import semantics_for
from drift.scan.link.sources import WatchedSources

_ROOM = Path(drift.scan.link.__file__).parent
_NAMES = frozenset(language.name for language in LANGUAGES)


def named_languages(source: str) -> list[str]:
    """The names of languages that stand in code as they are, in order."""
    constants = (node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    return [value for value in constants if isinstance(value, str) and value in _NAMES]


def test_the_core_names_no_language():
    found = {path.name: named_languages(path.read_text("utf-8")) for path in _ROOM.glob("*.py")}

    assert len(found) > 40
    assert {name: languages for name, languages in found.items() if languages} == {}


@pytest.mark.parametrize(
    ("source", "languages"),
    [
        ('if language == "php": pass', ["php"]),
        ('_SCRIPTS = frozenset({"javascript", "typescript"})', ["javascript", "typescript"]),
        ('"""What php means."""', []),
    ],
)
def test_names_of_languages_are_found(source, languages):
    assert named_languages(source) == languages


def test_what_a_language_means_is_known_by_its_name():
    sources = WatchedSources(MemorySources({}), lambda _: None)

    assert {semantics_for(name, sources).language for name in _NAMES} == _NAMES
