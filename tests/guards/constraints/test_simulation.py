"""A task tried on paper in the layered shop."""

from drift.guards.simulation.simulating import SimulationWish, simulate
from drift.guards.simulation.task import read_task, read_wishes


def tried(reader, project, task, target=None, *constraints):
    return simulate(reader, project, SimulationWish(task, None, target, constraints, 5))


def test_approaches_are_built_on_what_the_project_has(reader, layered):
    found = tried(reader, layered, "Require a login for the cart page", "cart")

    by_strategy = {each.strategy: each for each in found.data.approaches}
    guard = by_strategy["guard"]
    assert guard.name == "Put login_required before it"
    assert guard.evidence[0].startswith("shop/web/page0.py:6 ")
    assert guard.keeps == ("routes/auth",)
    assert [(each.file, each.symbol) for each in guard.places] == [("shop/web/open.py", "cart")]
    assert found.data.approaches[0] == guard
    assert by_strategy["in-place"].caller_count == 0


def test_a_score_is_the_sum_of_the_parts_that_are_shown(reader, layered):
    found = tried(reader, layered, "Retry http requests that fail", "fetch")

    assert {each.strategy for each in found.data.approaches} >= {"in-place", "wrapper"}
    for approach in found.data.approaches:
        measured = [each for each in approach.parts if each.value is not None]
        whole = sum(each.weight for each in measured)
        assert approach.score == round(sum(each.weight * each.value for each in measured) / whole)
    change = next(each for each in found.data.approaches if each.strategy == "in-place")
    assert change.caller_count == 30


def test_where_nothing_speaks_of_a_task_nothing_is_guessed(reader, layered):
    found = tried(reader, layered, "Teleport zebras by quantum")

    assert found.data.approaches == ()
    assert "not guessed" in found.summary


def test_wishes_that_are_broken_are_said_and_rank_last(reader, layered):
    found = tried(
        reader, layered, "Require a login for the cart page", "cart", "avoid-changing: shop/web", "sing"
    )

    broken = [each.breaks for each in found.data.approaches]
    assert broken[0] is None
    assert broken[-1] == ("changes shop/web/open.py, which is to stay",)
    assert broken == sorted(broken, key=bool)
    unlooked, unread = found.warnings
    assert unlooked.startswith("Earlier changes were not looked at")
    assert unread.startswith("not understood: sing")
    assert read_wishes(("max-files: 3",)).most_files == 3


def test_a_task_is_about_what_most_of_its_words_say():
    assert read_task("Throttle the search api by user quota", None).category == "rate-limiting"
    assert read_task("Cache the list of the search api", None).category == "caching"
    assert read_task("Paint it blue", None).category == "generic"
    assert read_task("Paint it blue", "caching").category == "caching"
