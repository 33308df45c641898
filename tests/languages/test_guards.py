"""What stands before handlers, as `tests/projects/guards` states it: one probe for each family of frameworks."""

from pathlib import Path

import pytest
from extraction_checks import compare_with_expected, expectations

from drift.languages.facts import FileFacts
from drift.languages.frameworks import load_frameworks
from drift.languages.guards.words import guard_words
from drift.languages.syntax import GRAMMARS
from drift.languages.table import LANGUAGES
from drift.scan.extractors import extractor_of

PROJECT = Path(__file__).parents[1] / "projects" / "guards"


@pytest.mark.parametrize(("path", "kind", "lines"), expectations(PROJECT))
def test_a_probe_gives_the_guards_stated_for_it(path, kind, lines):
    def extract(source: bytes, path: str) -> FileFacts:
        language = next(each.name for each in LANGUAGES if Path(path).suffix in each.extensions)
        return extractor_of(language)(source, path)

    compare_with_expected(extract, PROJECT, path=path, kind=kind, lines=lines)


@pytest.mark.parametrize("grammar", sorted(GRAMMARS))
def test_every_language_with_routes_has_words_for_guards(grammar):
    words = guard_words(grammar)
    assert (words is None) == (grammar in {"c", "cpp"})


@pytest.mark.parametrize("file", ["csharp", "go", "java", "php", "python", "ruby", "rust", "typescript"])
def test_names_that_are_told_twice_are_told_alike(file):
    guards = load_frameworks(file).words["guards"]
    assert set(guards.get("unordered", ())) <= set(guards.get("uses", ()))
