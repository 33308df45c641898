"""What reviewed answers cost a model: the text is never longer than its JSON, and lists are well below it."""

import asyncio

import orjson
import pytest
from golden_answers import CASES, PROJECTS, Shop, read_case, write_project
from splintr import Tokenizer

from drift.kernel.render import render_value

COUNT = Tokenizer.from_pretrained("cl100k_base").encode_ordinary
OTHERS = [
    ("drift_status", {}),
    ("drift_status", {"metrics": True}),
    ("drift_capabilities", {}),
    ("drift_discover", {}),
    ("drift_discover", {"tool": "drift_test_topology"}),
    ("drift_discover", {"tool": "drift_test_topology", "schema": True}),
    ("drift_projects", {}),
    ("drift_pack", {"action": "list"}),
]
# Rows of these shops hold a path or a sentence each, which no format makes shorter: five such rows take four fifths of
# their JSON. All lists together take what is promised of lists.
MOST_OF_ONE_LIST = 0.85
MOST_OF_ALL_LISTS = 0.7


@pytest.fixture(scope="module", params=PROJECTS)
def bodies(request, tmp_path_factory):
    home = tmp_path_factory.mktemp(request.param)
    shop = Shop(write_project(request.param, home / request.param), home)
    cases = [read_case(path) for path in CASES if path.parent.name == request.param]
    asked = [(case.tool, case.arguments) for case in cases] + OTHERS
    found = [(tool, asyncio.run(shop.runtime.call(tool, arguments))) for tool, arguments in asked]
    shop.close()
    return [(tool, outcome) for tool, outcome in found if not outcome.is_error]


def cost(value):
    return len(COUNT(orjson.dumps(value).decode()))


def lists_of(value, key="data"):
    """Every list of five like objects or more whose rows hold no rows of their own."""
    if isinstance(value, list):
        is_flat = all(isinstance(row, dict) and not has_rows(row) for row in value)
        if len(value) >= 5 and is_flat and len({tuple(row) for row in value}) == 1:
            yield key, value
    members = (
        value.items()
        if isinstance(value, dict)
        else ((key, item) for item in value)
        if isinstance(value, list)
        else ()
    )
    for name, item in members:
        yield from lists_of(item, name)


def has_rows(row):
    return any(isinstance(item, list) and item and isinstance(item[0], dict) for item in row.values())


def test_no_text_is_longer_than_the_json_a_model_would_get_instead(bodies):
    counted = [
        (f"{tool}: {outcome.body['summary']}", len(COUNT(outcome.full_text)), cost(outcome.structured()))
        for tool, outcome in bodies
    ]

    assert [each for each in counted if each[1] > each[2]] == []


def test_lists_take_less_than_their_json(bodies):
    found = [
        (f"{tool} {key}", len(COUNT(render_value({key: rows}))), cost({key: rows}))
        for tool, outcome in bodies
        if tool not in dict(OTHERS)  # lists of sentences
        for key, rows in lists_of(outcome.body["data"])
    ]

    assert {name: text / json for name, text, json in found if text / json > MOST_OF_ONE_LIST} == {}
    assert sum(text for _, text, _ in found) <= MOST_OF_ALL_LISTS * sum(json for _, _, json in found)
