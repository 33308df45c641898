"""The grammar of expressions: what extraction makes is what the types say, and linking evaluates all of it."""

from pathlib import Path
from typing import Any, get_args

import pytest
from grammar import faults

from drift.languages.expressions import Expression, Known, Tag
from drift.languages.facts import FileFacts
from drift.languages.table import LANGUAGES
from drift.scan.extractors import READABLE, extractor_of
from drift.scan.link.evaluation import EVALUATORS
from drift.scan.link.values import Form

_PROJECTS = Path(__file__).parents[1] / "projects"
_UNEVALUATED = {"through"}  # linking asks a macro for it by name


def _sources() -> list[tuple[str, Path]]:
    languages = {suffix: each.name for each in LANGUAGES for suffix in each.extensions}
    files = sorted(path for path in _PROJECTS.rglob("*") if path.is_file())
    found = [(languages.get(path.suffix, ""), path) for path in files]
    return [(language, path) for language, path in found if language in READABLE]


def _tags(*forms: Any) -> set[str]:
    return {tag for form in forms if form is not type(None) for tag in get_args(get_args(form)[0])}


@pytest.mark.parametrize("language", sorted(READABLE))
def test_all_facts_of_the_sample_projects_are_of_their_types(language: str) -> None:
    paths = [path for each, path in _sources() if each == language]

    found = [
        f"{path}: {fault}"
        for path in paths
        for fault in faults(extractor_of(language)(path.read_bytes(), path.name), FileFacts)
    ]

    assert paths
    assert not found, "\n".join(found[:20])


@pytest.mark.parametrize(
    "value",
    [
        ("membr", ("name", "a"), "b"),
        ("member", ("name", "a")),
        ("member", "a", "b"),
        ("list", ("name", "a"), ("nome", "b")),
        ("dict", (1, None)),
        ("rest", None),
        ("of", 4, "b"),
        ["name", "a"],
        (),
    ],
)
def test_a_form_that_nobody_wrote_down_is_found(value: Any) -> None:
    assert faults(value, Expression)


def test_the_tags_are_those_of_the_forms() -> None:
    assert set(get_args(Tag)) == _tags(*get_args(Known))


def test_every_form_is_evaluated() -> None:
    assert _tags(*get_args(Form)) - _UNEVALUATED == set(EVALUATORS)
