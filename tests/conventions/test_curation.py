import asyncio
import os
from datetime import UTC, datetime, timedelta

import pytest

from drift.conventions.auditing import audit
from drift.conventions.curating import CurationWish, curate
from drift.conventions.curation import Evidence, verify
from drift.conventions.examples import find_examples
from drift.conventions.feedback import feedback_stats, rate_example, read_likings
from drift.conventions.genes import profile
from drift.conventions.places import describe_file, require_place
from drift.conventions.rows import require_convention
from drift.conventions.rulebook import read_rulebook, write_decisions
from drift.conventions.trends import find_trends, keep_day
from drift.kernel.errors import DriftError
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import Reply, ServerName, SilentClient, Surface
from drift.tools import tools_of

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
SUFFIX = "errors/exception-suffix:python"
GOOD = Evidence(
    ("shop/cart.py", "shop/orders.py"),
    ("class CartError(Exception): ...",),
    "All errors of the shop are caught by their names at the border, and the ending tells them from other classes. "
    "Whoever adds one looks at those that are there.",
)


def wish(action, evidence=GOOD, pattern=SUFFIX, *, is_dry=True):
    return CurationWish(action, pattern, evidence, 0.0, is_dry=is_dry, most=20)


@pytest.mark.parametrize(
    ("evidence", "missing"),
    [
        (Evidence(("shop/cart.py",)), "a piece of code"),
        (Evidence(("shop/no.py", "shop/none.py", "shop/nil.py"), GOOD.snippets, GOOD.reasoning), "0 found"),
        (Evidence(GOOD.files, ("class Invented(Exception): ...",), GOOD.reasoning), "a piece of code"),
    ],
)
def test_what_is_claimed_and_not_there_is_not_approved(shop, seen, evidence, missing):
    picture = seen(shop)

    found = verify(picture, require_convention(picture, SUFFIX), shop.root, evidence)

    assert not found.can_approve
    assert missing in " ".join(found.missing)
    with pytest.raises(DriftError, match="is not approved"):
        curate(shop, None, picture, wish=wish("approve", evidence), by="agent", now=NOW)
    assert SUFFIX not in read_rulebook(shop.state).decisions


def test_an_approval_is_a_file_and_leaves_a_trail(shop, seen):
    picture = seen(shop)

    try:
        done = curate(shop, None, picture, wish=wish("ignore"), by="agent", now=NOW)

        assert done.data.done[0].status == "ignored"
        assert read_rulebook(shop.state).decisions[SUFFIX].by == "agent"
        assert seen(shop).status_of(require_convention(seen(shop), SUFFIX)) == "ignored"
        assert (
            "ignore errors/exception-suffix:python by agent"
            in curate(shop, None, picture, wish=wish("audit"), by="agent", now=NOW).data.trail[0]
        )
    finally:
        write_decisions(shop.state, [], [SUFFIX])


def test_a_bulk_approval_first_only_tells(shop, seen):
    picture = seen(shop)

    done = curate(shop, None, picture, wish=wish("bulk_approve"), by="agent", now=NOW)

    assert {row.status for row in done.data.done} == {"would be approved"}
    assert read_rulebook(shop.state).decisions == {}


def test_bad_examples_sink_and_are_shown_no_more(shop, seen):
    picture = seen(shop)
    convention = require_convention(picture, SUFFIX)

    def shown():
        likings = read_likings(shop, NOW + timedelta(hours=1))
        found = find_examples(picture, shop.root, [convention], likings, most=5, context=4)
        return [row.file for row in found.examples]

    assert shown()[0] == "shop/cart.py"
    for _ in range(5):
        rate_example(
            shop, pattern=SUFFIX, file="shop/cart.py", line=1, rating="bad", reason=None, client="a", now=NOW
        )
    assert shown() == ["shop/orders.py"]
    assert feedback_stats(shop, NOW + timedelta(hours=1)).excluded_files == ("shop/cart.py",)


def test_a_file_is_told_what_it_follows_and_where_it_does_otherwise(shop, seen):
    picture = seen(shop)

    rows = {row.id: row for row in describe_file(picture, require_place(picture, "shop/orders.py")).patterns}

    assert (rows[SUFFIX].compliance, rows[SUFFIX].followed) == ("partial", 2)
    assert [row.line for row in rows[SUFFIX].outliers] == [5]
    with pytest.raises(DriftError, match="not among the files"):
        require_place(picture, "vendor/lib.py")


def test_genes_and_audit_come_from_counts(shop, seen):
    picture = seen(shop)

    found, checked = profile(picture), audit(picture)

    assert {each.gene for each in found.genes} >= {"errors", "testing"}
    assert sum(each.mutations for each in found.genes) == sum(row.outliers for row in checked.advice)
    assert checked.cross_validation is None
    assert 0 < checked.audit_score <= 100


def test_what_got_worse_since_a_day_is_told(shop, seen):
    picture = seen(shop)
    before = NOW - timedelta(days=400)
    without = picture._replace(
        mined=picture.mined._replace(
            conventions=tuple(
                each._replace(sites=tuple(one for one in each.sites if one.variant == each.variant))
                for each in picture.mined.conventions
            )
        ),
        sightings={},
    )
    keep_day(shop, without, before)

    found = find_trends(shop, picture, days=90, now=NOW - timedelta(days=300))

    assert found.since == before.date().isoformat()
    assert ("regression", "compliance") in {
        (row.type, row.measure) for row in found.trends if row.id == SUFFIX
    }


def test_a_person_is_asked_for_the_evidence_that_is_missing(shop, tmp_path):
    class Person(SilentClient):
        can_answer = True
        asked = ()

        async def ask(self, question):
            self.asked = (*self.asked, question.message)
            return Reply(
                accepted=True,
                content={
                    "files": ", ".join((*GOOD.files, "shop/legacy.py")),
                    "code": "class Gone(Exception): ...",
                    "reasoning": GOOD.reasoning,
                },
            )

    registry = ProjectRegistry(tmp_path / "projects.json", lambda: NOW)
    at = Environment(shop.root, registry, dict(os.environ), today=NOW.date)
    runtime = ServerRuntime(ServerName.ANALYSIS, tools_of(ServerName.ANALYSIS), Surface("full"), at=at)
    arguments = {"action": "approve", "patternId": SUFFIX}
    try:
        alone = asyncio.run(runtime.call("drift_curate", arguments))
        person = Person()
        done = asyncio.run(runtime.call("drift_curate", arguments, client=person))

        assert "is not approved" in str(alone.body)
        assert len(person.asked) == 1
        assert "there must be shown" in person.asked[0]
        assert done.body["data"]["done"][0]["status"] == "approved", done.body
    finally:
        runtime.close()
        write_decisions(shop.state, [], dropped=[SUFFIX])
