from hypothesis import given
from hypothesis import strategies as st

from drift.memory.work.disclosure import Level
from drift.memory.work.packing import Offer, pack


@st.composite
def offers(draw):
    """Offers whose levels cost more the more they tell."""
    count = draw(st.integers(0, 25))
    made = []
    for number in range(count):
        steps = draw(st.lists(st.integers(0, 300), min_size=4, max_size=4))
        costs = tuple(5 + sum(steps[: place + 1]) for place in range(4))
        least = draw(st.sampled_from([None, None, None, Level.LINE]))
        most = draw(st.sampled_from([Level.LINE, Level.GIST, Level.FULL]))
        made.append(Offer(f"m{number}", draw(st.floats(0, 2)), costs, least, most))
    return made


@given(offers(), st.integers(0, 4_000))
def test_only_what_must_be_told_goes_over_the_budget(given_offers, budget):
    packed = pack(given_offers, budget_tokens=budget)

    needed = sum(one.costs[one.least] for one in given_offers if one.least is not None)
    assert packed.tokens <= max(budget, needed)
    assert packed.tokens == sum(
        one.costs[packed.levels[one.id]] for one in given_offers if one.id in packed.levels
    )


@given(offers(), st.integers(0, 4_000))
def test_every_memory_is_told_within_its_bounds_or_named_as_dropped(given_offers, budget):
    packed = pack(given_offers, budget_tokens=budget)

    assert {*packed.levels, *packed.dropped} == {one.id for one in given_offers}
    for one in given_offers:
        if one.least is not None:
            assert packed.levels[one.id] >= one.least
        if one.id in packed.levels:
            assert packed.levels[one.id] <= one.most


@given(offers())
def test_with_room_for_all_everything_is_told_at_its_most(given_offers):
    packed = pack(given_offers, budget_tokens=10**6)

    assert all(one.costs[packed.levels[one.id]] == one.costs[one.most] for one in given_offers)


def test_all_get_a_line_before_one_gets_all_its_text():
    some = [Offer(f"m{number}", 1.0, (10, 30, 150, 500)) for number in range(5)]

    packed = pack(some, budget_tokens=200)

    assert set(packed.levels.values()) == {Level.LINE}
    assert packed.dropped == ()


def test_what_is_worth_more_is_told_in_more_detail():
    packed = pack(
        [Offer("low", 0.2, (10, 30, 150, 500)), Offer("high", 1.0, (10, 30, 150, 500))], budget_tokens=200
    )

    assert packed.levels == {"high": Level.GIST, "low": Level.LINE}
