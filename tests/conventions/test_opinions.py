"""What is of no use: how often that was said, and what is switched off for it."""

from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from drift.conventions.curating import FeedbackWish, take_feedback
from drift.conventions.opinions import Opinion, opinions
from drift.conventions.rulebook import read_whole_rulebook
from drift.kernel.errors import DriftError
from drift.state import Feedback, StateStore

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
SUFFIX = "errors/exception-suffix"


def say(shop, days, *, bad, good, about="convention", subject=SUFFIX):
    with closing(StateStore(shop.stores.state_db)) as store:
        for back in days:
            for rating, times in (("not_useful", bad), ("useful", good)):
                for _ in range(times):
                    store.add_feedback(Feedback(NOW - timedelta(days=back), about, subject, rating))


def rate(shop, **opinion):
    return take_feedback(
        shop, FeedbackWish("rate"), Opinion(**opinion), client="agent", is_person=False, now=NOW
    )


def restore(shop, *, is_person):
    wish = FeedbackWish("restore", SUFFIX)
    return take_feedback(shop, wish, None, client="person", is_person=is_person, now=NOW)


def test_a_dimension_of_no_use_for_thirty_days_is_off_until_a_person_switches_it_on(shop, seen):
    say(shop, range(0, 62, 2), bad=1, good=2)
    assert any(each.dimension.id == SUFFIX for each in seen(shop).mined.conventions)
    try:
        said = rate(shop, rating="not_useful", pattern=f"{SUFFIX}:python@shop", reason="wrong_data")

        assert said.data.switched_off == (SUFFIX,)
        assert read_whole_rulebook(shop).off == {SUFFIX}
        assert not any(each.dimension.id == SUFFIX for each in seen(shop).mined.conventions)
        assert [one.standing for one in opinions(shop, NOW).rates if one.subject == SUFFIX] == ["off"]
        with pytest.raises(DriftError, match="by a person"):
            restore(shop, is_person=False)
    finally:
        restore(shop, is_person=True)
    assert any(each.dimension.id == SUFFIX for each in seen(shop).mined.conventions)


def test_what_was_harmful_for_some_days_only_and_what_few_rated_stays_on(shop):
    say(shop, range(3), bad=10, good=0, subject="errors/swallowing")
    say(shop, range(0, 62, 10), bad=1, good=0, subject="errors/cause-kept")

    assert rate(shop, rating="bad", pattern="errors/swallowing").data.switched_off is None
    found = {one.subject: one for one in opinions(shop, NOW).rates}
    assert (found["errors/swallowing"].standing, found["errors/swallowing"].rate) == ("alert", 1.0)
    assert (found["errors/cause-kept"].standing, found["errors/cause-kept"].rate) == ("few", None)


def test_a_tool_is_flagged_and_never_switched_off(shop):
    say(shop, range(62), bad=1, good=0, about="tool", subject="drift_callers")

    assert rate(shop, rating="not_useful", tool="drift_callers").data.switched_off is None
    (found,) = [one for one in opinions(shop, NOW).rates if one.subject == "drift_callers"]
    assert found.standing == "alert"


def test_a_rating_of_nothing_that_is_known_is_refused(shop):
    with pytest.raises(DriftError, match="any more"):
        rate(shop, rating="useful", request="r-1")
