"""Small projects, one for each way in which Python code comes to call something.

A case is a folder: sources, and `calls.toml` with one sentence and every edge that running it can show.
"""

import sys
import tomllib
from pathlib import Path

import pytest
from link_cases import Edge, edges_of, python_facts, read_project

from drift.scan.link import MemorySources
from drift.scan.link.link import link

CASES = Path(__file__).parents[2] / "projects" / "python_calls"
NAMES = sorted(path.parent.relative_to(CASES).as_posix() for path in CASES.rglob("calls.toml"))

KNOWN_EXTRA = {
    # A method may always be called on an object of its own class, even where none is made here.
    "mro/cooperative": {"main.Left.greet -> main.Top.greet"},
    # What a call names is told beside what runs in its place.
    "mro/template": {"main.Parent.run -> main.Parent.step"},
}

KNOWN_MISSED = {
    # What overrides the target is told apart from it.
    "mro/template": {"main.Parent.run -> main.Child.step"},
    # A parent asked for by `super()` is that of the class at hand; classes below may put another in between.
    "mro/cooperative": {"main.Left.greet -> main.Right.greet"},
}


def compare(name: str) -> tuple[set[Edge], set[Edge]]:
    folder = CASES / name
    stated = tomllib.loads((folder / "calls.toml").read_text(encoding="utf-8"))
    texts = read_project(folder)
    facts = python_facts(texts)
    found = edges_of(facts, link(MemorySources(facts, texts)))
    expected = {tuple(edge.split(" -> ")) for edge in stated["edges"]}
    return found, expected


@pytest.mark.parametrize("name", NAMES)
def test_a_small_project_has_exactly_its_edges(name):
    found, expected = compare(name)

    extra = {" -> ".join(edge) for edge in found - expected}
    missed = {" -> ".join(edge) for edge in expected - found}
    assert extra == KNOWN_EXTRA.get(name, set())
    assert missed == KNOWN_MISSED.get(name, set())


def test_precision_and_recall_over_all_cases_stay_high(capsys):
    right = found_count = expected_count = 0
    for name in NAMES:
        found, expected = compare(name)
        right += len(found & expected)
        found_count += len(found)
        expected_count += len(expected)

    precision, recall = right / found_count, right / expected_count
    with capsys.disabled():
        sys.stdout.write(
            f"\n{len(NAMES)} cases, {expected_count} edges: precision {precision:.3f}, recall {recall:.3f}\n"
        )
    assert len(NAMES) >= 40
    assert precision >= 0.97
    assert recall >= 0.985
