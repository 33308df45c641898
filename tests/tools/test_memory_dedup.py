"""A session is not told twice over a real connection: two searches that overlap, and what that saves."""

import json

import pytest
from memory_stdio import serving

from drift.kernel.tokens import count_tokens

pytestmark = pytest.mark.slow
NOTES = [
    f"The payment gateway of region {name} closes its connections {rule}, so callers must {duty} before they retry."
    for name, rule, duty in (
        ("north", "after ninety seconds", "open a new socket"),
        ("south", "when a certificate rotates", "read the certificate again"),
        ("east", "at midnight UTC", "wait for the nightly report"),
        ("west", "without a reason", "write an alert to the desk"),
    )
]


@pytest.fixture
def server(tmp_path):
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    with serving(tmp_path / "shop", tmp_path) as opened:
        for note in NOTES:
            opened.save(note)
        yield opened


def search(server, query, **arguments):
    """The data of a search, and the tokens that a model reads of its answer."""
    arguments = {"query": query, "detail": "snippets", **arguments}
    result = server.request("tools/call", name="drift_memory_search", arguments=arguments)
    text = "".join(part["text"] for part in result["content"])
    return result["structuredContent"]["data"], count_tokens(text)


def cost(row):
    """The tokens of what a row says."""
    said = (row["id"], row["type"], row["title"], row.get("snippet"))
    return count_tokens(" ".join(text for text in said if text))


def test_a_search_that_overlaps_an_earlier_one_costs_less_and_says_how_much(server):
    first, _ = search(server, "gateway certificate rotates", sessionId="s1", limit=2)
    whole, whole_tokens = search(server, "gateway closes connections")
    second, second_tokens = search(server, "gateway closes connections", sessionId="s1")

    known = {row["id"] for row in first["results"]}
    assert len(known) == 2
    assert [row["id"] for row in second["results"]] == [row["id"] for row in whole["results"]]
    assert {row["id"] for row in second["results"] if row.get("alreadySent")} == known
    for row in second["results"]:
        assert ("snippet" in row) == (row["id"] not in known)
    assert "tokensSaved" not in first
    told = {row["id"]: cost(row) for row in second["results"]}
    assert second["tokensSaved"] == sum(cost(row) - told[row["id"]] for row in whole["results"])
    assert second["tokensSaved"] > 0
    assert second_tokens < whole_tokens


def test_what_is_left_out_on_request_is_counted_in_tokens(server):
    whole, whole_tokens = search(server, "gateway closes connections", sessionId="s1", limit=3)
    rest, rest_tokens = search(
        server, "gateway closes connections", sessionId="s1", limit=3, excludeAlreadySent=True
    )

    known = {row["id"] for row in whole["results"]}
    assert (len(known), len(rest["results"]), rest["deduplicated"]) == (3, 1, 3)
    assert known.isdisjoint(row["id"] for row in rest["results"])
    assert rest["tokensSaved"] == sum(map(cost, whole["results"]))
    assert rest_tokens < whole_tokens


def test_a_memory_that_changed_is_told_anew(server):
    first, _ = search(server, "gateway certificate", sessionId="s1")
    changed = first["results"][0]["id"]
    server.call(
        "drift_memory_update", {"id": changed, "text": "The payment gateway keeps its certificate now."}
    )

    again, _ = search(server, "gateway certificate", sessionId="s1")

    assert {row["id"]: row.get("alreadySent") for row in again["results"]}[changed] is None
    assert "certificate now" in json.dumps(again)


def test_sessions_do_not_share_what_they_were_told(server):
    search(server, "gateway", sessionId="s1")

    other, _ = search(server, "gateway", sessionId="s2")

    assert not any(row.get("alreadySent") for row in other["results"])
    assert "tokensSaved" not in other
