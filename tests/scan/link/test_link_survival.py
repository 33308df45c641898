"""Whatever is in a file, linking says something of every call in it."""

import random
from pathlib import Path

import pytest

from drift.scan.extractors import extractor_of
from drift.scan.link import MemorySources
from drift.scan.link.link import link

PROJECTS = Path(__file__).parents[2] / "projects"
SUFFIXES = {
    "cpp": (".c", ".cpp", ".h", ".hpp"),
    "go": (".go",),
    "rust": (".rs",),
}


def spoil(source: bytes, chance: random.Random) -> bytes:
    """The source with a piece moved, doubled or lost."""
    start, end = sorted(chance.randrange(len(source) + 1) for _ in range(2))
    piece = source[start : min(end, start + 200)]
    rest = source[:start] + source[start + len(piece) :]
    place = chance.randrange(len(rest) + 1)
    return chance.choice([rest, rest[:place] + piece + rest[place:], source[:place] + piece + source[place:]])


@pytest.mark.parametrize("language", SUFFIXES)
def test_spoiled_files_are_linked_like_any_other(language):
    sources = {
        path.relative_to(PROJECTS / language).as_posix(): path.read_bytes()
        for path in sorted((PROJECTS / language).rglob("*"))
        if path.suffix in SUFFIXES[language]
    }
    extract = extractor_of(language)
    for seed in range(25):
        chance = random.Random(seed)
        facts = {path: extract(spoil(text, chance), path) for path, text in sources.items()}

        links = link(MemorySources(facts, {}))

        assert {path: len(said.calls) for path, said in links.items()} == {
            path: len(found.calls) for path, found in facts.items()
        }
