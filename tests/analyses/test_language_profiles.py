"""Answers about one language, on a project with a probe of each: `tests/projects/profiles`."""

import shutil
from pathlib import Path

import pytest

from drift.analyses.language_profiles import Asked, actions_of, find_in_language
from drift.index import IndexReader
from drift.languages.profiles import PROFILED, load_profile
from drift.languages.table import LANGUAGES
from drift.project import StateDir
from drift.scan import ScanOptions, scan

PROJECT = Path(__file__).parents[1] / "projects" / "profiles"


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    root = tmp_path_factory.mktemp("profiles") / "shop"
    shutil.copytree(PROJECT, root)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as opened:
        yield opened


def ask(reader, language, action, **asked):
    """The data of the whole answer, and its summary."""
    found = find_in_language(reader, language, action, Asked(**asked))
    order = found.rows.usual()
    return found.data(tuple(sorted(found.rows.rows, key=order.key))), found.summary


@pytest.mark.parametrize("name", PROFILED)
def test_every_profile_is_well_formed(name):
    profile = load_profile(name)

    assert set(profile.languages) <= {one.name for one in LANGUAGES}
    assert len({each.name for each in profile.frameworks}) == len(profile.frameworks)


@pytest.mark.parametrize("language", PROFILED)
def test_every_action_of_every_language_answers_with_rows_that_have_a_place_and_a_key_of_their_own(
    reader, language
):
    for action in actions_of(language):
        found = find_in_language(reader, language, action, Asked())
        keys = [found.rows.usual().key(row) for row in found.rows.rows]

        assert found.summary
        assert len(set(keys)) == len(keys)
        found.data(tuple(found.rows.rows))


def test_a_status_counts_code_and_frameworks(reader):
    data, summary = ask(reader, "typescript", "status")

    assert summary.endswith("React, NestJS, Express")
    assert data.counts["files"] == 5
    assert [(row.framework, row.routes) for row in data.frameworks] == [
        ("React", None),
        ("NestJS", 2),
        ("Express", 1),
    ]


def test_a_language_that_is_absent_or_elsewhere_is_told_apart_from_nothing_found(reader):
    data, summary = ask(reader, "python", "errors", path="web")

    assert summary == "There is Python in the project, but none below web outside tests (includeTests)"
    assert data.issues is None
    assert data.reason


@pytest.mark.parametrize(
    ("language", "routes"),
    [
        ("typescript", ["GET /orders/:id NestJS", "POST /orders NestJS", "GET /health Express"]),
        ("python", ["GET /orders/{order_id} FastAPI", "POST /orders/ FastAPI", "ANY /pages/<name> Flask"]),
        ("java", ["GET /orders/{id} Spring"]),
    ],
)
def test_routes_are_told_with_their_frameworks(reader, language, routes):
    data, _ = ask(reader, language, "routes")

    assert [f"{row.method} {row.path} {row.framework}" for row in data.routes] == routes


def test_what_stands_before_a_route_is_told_without_what_makes_it(reader):
    data, _ = ask(reader, "typescript", "routes", framework="nestjs")

    assert [row.guards for row in data.routes] == [("@UseGuards(AuthGuard)",), None]


@pytest.mark.parametrize(
    ("language", "issues"),
    [
        ("typescript", ["swallowed 23", "floating-promise 28"]),
        ("python", ["swallowed 30", "swallowed 34"]),
        ("java", ["swallowed 23", "broad 15"]),
    ],
)
def test_the_rules_of_a_language_find_what_hides_errors(reader, language, issues):
    data, _ = ask(reader, language, "errors")

    assert [f"{row.rule} {row.line}" for row in data.issues] == issues


def test_hooks_against_their_rules_come_first_with_the_reason(reader):
    data, _ = ask(reader, "typescript", "hooks")

    assert [(row.hook, row.line, row.problem) for row in data.hooks if row.kind == "misuse"] == [
        ("useTotal", 10, "under a condition or behind an early return"),
        ("useEffect", 12, "in a loop"),
        ("useState", 19, "under a condition or behind an early return"),
        ("useState", 20, "in a callback: onClick of span"),
        ("useState", 30, "in a function that is neither a component nor a hook"),
    ]
    assert [(row.hook, row.kind) for row in data.hooks if row.kind in {"custom", "package"}] == [
        ("useTotal", "custom"),
        ("useQuery", "package"),
    ]


def test_components_are_told_with_their_hooks(reader):
    data, _ = ask(reader, "typescript", "components")

    assert [(row.component, row.form, row.hooks, row.users) for row in data.components] == [
        ("Cart", "function", ("useState", "useTotal", "useEffect"), 1),
        ("Line", "function", ("useQuery", "useState"), 1),
        ("Basket", "class", (), 0),
    ]


def test_blocking_calls_are_told_where_a_loop_waits_for_them(reader):
    data, _ = ask(reader, "python", "async")

    blocking = {row.function: row.blocking for row in data.functions}
    assert blocking == {
        "read_order": (
            "time.sleep:13 (asyncio.sleep)",
            "load:15 runs requests.get at py/api.py:19",
        ),
        "write_order": (),  # what it hands to a thread blocks nobody
    }
