"""Pages of a list, as a tool gives them and a caller follows them through the whole pipeline."""

import asyncio
import os
import time

import pytest
from pipeline_samples import Rows, make_tool

from drift.kernel.answer import Answer
from drift.kernel.cursors import encode_cursor
from drift.registry import Call, Page, page_info, page_position

WORDS = tuple(f"word {number:02}" for number in range(25))


def drift_sample(call: Call, prefix: str = "", page: Page = Page()) -> Answer[Rows]:
    """Words, a page at a time."""
    last = page_position(call, page) or ""
    rest = [word for word in WORDS if word.startswith(prefix) and word > last]
    shown = tuple(rest[: page.limit])
    last_key = shown[-1] if len(rest) > len(shown) else None
    return Answer("words", Rows(shown), page_info(call, page, total=len(WORDS), last_key=last_key))


@pytest.fixture
def ask(runtime_with):
    def run(**arguments):
        return asyncio.run(runtime_with(make_tool(drift_sample)).call("drift_sample", arguments))

    return run


def next_cursor(outcome):
    return outcome.body["pagination"]["nextCursor"]


def test_following_the_cursors_gives_every_entry_once_even_over_restarts(ask):
    page, seen = ask(limit=10), []
    while True:
        seen += page.body["data"]["rows"]
        if not page.body["pagination"]["hasMore"]:
            break
        page = ask(limit=7, cursor=next_cursor(page))

    assert seen == list(WORDS)
    assert next_cursor(page) is None


def test_a_cursor_of_another_question_is_refused(ask):
    cursor = next_cursor(ask(limit=10))

    assert ask(cursor=cursor, prefix="word").code == "INVALID_CURSOR"


def test_a_cursor_of_another_project_is_refused(runtime_with, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    runtime = runtime_with(make_tool(drift_sample))
    runtime.projects.add(other, "other")
    first = asyncio.run(runtime.call("drift_sample", {"limit": 10}))

    moved = asyncio.run(runtime.call("drift_sample", {"cursor": next_cursor(first), "project": "other"}))

    assert moved.code == "INVALID_CURSOR"


@pytest.mark.parametrize("cursor", ["", ".", "x", "é.é", "AAAA.BBBB", os.urandom(64).hex()])
def test_what_is_no_cursor_is_refused(ask, cursor):
    assert ask(cursor=cursor).code == "INVALID_CURSOR"


def test_a_key_that_came_with_the_repository_signs_nothing(runtime_with):
    runtime = runtime_with(make_tool(drift_sample))
    (runtime.project.root / ".drift").mkdir()
    (runtime.project.root / ".drift/key").write_bytes(bytes(32))
    given = {"tool": "drift_sample", "project": runtime.project.id}
    forged = encode_cursor(bytes(32), WORDS[5], given, now=time.time())

    assert asyncio.run(runtime.call("drift_sample", {"cursor": forged})).code == "INVALID_CURSOR"
