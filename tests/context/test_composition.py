"""Steps as data: references, order, and one budget for many sections."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.context.composition import Step, check_steps, order_calls
from drift.context.composition_budget import Portion, cut_to, measure, share_tokens
from drift.context.composition_paths import fill, find_references, look_up, parse_reference
from drift.context.packs import Taken, complete_steps

SCOPE = {
    "input": {"target": "Cart.add", "file": None, "count": 0},
    "places": {"files": [{"file": "shop/cart.py"}], "symbols": []},
}
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$input.target", "Cart.add"),
        ("$places.files[0].file", "shop/cart.py"),
        ("$input.file | $places.files[0].file", "shop/cart.py"),
        ("$input.count", 0),
        ("$places.files[7].file", None),
        ("$places.symbols[0].at", None),
        ("$input.target.real", None),
        ("$input.target[0]", None),
        ("$nowhere.at.all", None),
        ("$input.__class__", None),
    ],
)
def test_a_reference_finds_the_first_value_that_is_there_and_nothing_else(text, value):
    assert look_up(parse_reference(text), SCOPE) == value


@pytest.mark.parametrize(
    "text",
    ["$", "$Input", "$input.", "$input..a", "$input[x]", "$input[-1]", "$a | b", "$a b", "$a()", "$a?|$b"],
)
def test_what_is_no_path_is_refused_with_an_example_of_one(text):
    with pytest.raises(ValueError, match=r"no path such as \$input\.target"):
        parse_reference(text)


def test_arguments_are_filled_at_every_depth_and_literals_stay():
    filled = fill(
        {"symbols": ["$input.target"], "deep": {"in": "$places.files[0].file"}, "price": "$$5", "n": 3}, SCOPE
    )

    assert filled.arguments == {
        "symbols": ["Cart.add"],
        "deep": {"in": "shop/cart.py"},
        "price": "$5",
        "n": 3,
    }
    assert filled.missing == ()


def test_a_missing_optional_reference_leaves_its_argument_out_and_a_needed_one_is_named():
    filled = fill({"file": "$input.file?", "symbol": "$places.symbols[0].at"}, SCOPE)

    assert filled.arguments == {}
    assert [(name, str(reference)) for name, reference in filled.missing] == [
        ("symbol", "$places.symbols[0].at")
    ]


@given(json_values)
def test_filling_any_arguments_either_works_or_says_what_is_no_reference(value):
    try:
        references = list(find_references(value))
    except ValueError:
        return

    filled = fill({"value": value}, {})

    assert bool(filled.arguments) is not bool(references)


@pytest.mark.parametrize(
    ("when", "is_wanted"),
    [(None, True), ("$input.target", True), ("!$input.target", False), ("$input.file", False), ("!$input.file", True),
     ("$places.symbols", False), ("$places.files", True), ("$input.count", False)],
)  # fmt: skip
def test_a_condition_asks_whether_there_is_something(when, is_wanted):
    assert Step("a", "drift_status", when=when).is_wanted(SCOPE) is is_wanted


@pytest.mark.parametrize(
    ("steps", "problem"),
    [
        ([Step("input", "t")], "steps.0.id: 'input' is what references call"),
        ([Step("a", "t"), Step("a", "t")], "steps.1.id: a step above is called 'a', too"),
        ([Step("a", "t", {"symbol": "$b.x"})], "steps.0.args.symbol: there is no step 'b'; there are a"),
        ([Step("a", "t", {"symbol": "$b..x"})], "steps.0.args.symbol: '$b..x' is no path"),
        ([Step("a", "t", {"x": [{"y": "$?"}]})], "steps.0.args.x: '$' is no path"),
        ([Step("a", "t", when="input.target")], "steps.0.when: expected a reference"),
        ([Step("a", "t", when="!$gone.x")], "steps.0.when: there is no step 'gone'"),
        ([Step("a", "t", {"project": "other"})], "steps.0.args.project: is set for the whole pack"),
        ([Step("a", "t", {"maxTokens": 9})], "steps.0.args.maxTokens: is set for the whole pack"),
        ([Step("a", "t", {"x": "$b.x"}), Step("b", "t", {"x": "$a.x"})], "a, b wait for each other"),
        ([Step("a", "t", {"x": "$a.x"})], "a wait for each other"),
    ],
)  # fmt: skip
def test_steps_that_cannot_be_run_are_refused_with_the_place(steps, problem):
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the message is compared below
        check_steps(steps)

    assert str(refused.value).startswith(problem)


@given(
    st.dictionaries(st.integers(0, 8).map(str), st.sets(st.integers(0, 8).map(str), max_size=3), max_size=8)
)
def test_an_order_has_everything_behind_what_it_waits_for(wanted):
    earlier = {
        name: {other for other in others if other in wanted and other < name}
        for name, others in wanted.items()
    }

    ordered = order_calls(earlier)

    assert sorted(ordered) == sorted(earlier)
    assert all(ordered.index(other) < ordered.index(name) for name in earlier for other in earlier[name])


portions = st.lists(st.builds(Portion, st.integers(0, 5_000), st.floats(0.1, 10)), min_size=1, max_size=8)


@given(portions, st.integers(-100, 20_000))
def test_sections_share_one_budget_and_leave_nothing_that_another_needs(wanted, total):
    allotted = share_tokens(wanted, total)

    assert sum(allotted) <= max(total, 0)
    assert all(got <= portion.needed_tokens for got, portion in zip(allotted, wanted, strict=True))
    hungry = [portion for got, portion in zip(allotted, wanted, strict=True) if got < portion.needed_tokens]
    # Whole tokens are shared, so that each section may miss one.
    assert not hungry or sum(allotted) >= total - len(wanted)
    assert not (hungry and sum(portion.needed_tokens for portion in wanted) <= total)


def test_what_a_small_section_leaves_goes_to_the_others_by_their_shares():
    assert share_tokens([Portion(100, 1), Portion(5_000, 1), Portion(5_000, 3)], 4_100) == (100, 1_000, 3_000)


def test_a_cut_says_how_many_rows_of_which_list_are_left():
    data = {
        "callers": [{"symbol": f"caller_{number}", "file": "shop/cart.py"} for number in range(200)],
        "total": 200,
    }

    cut = cut_to(data, 400)

    assert measure(cut.data) == cut.tokens <= 400
    left = len(cut.data["callers"])
    assert 10 < left < 200
    assert cut.taken == (f"callers: {left} of 200",)
    assert cut.data["total"] == 200
    assert len(data["callers"]) == 200


def test_long_texts_are_cut_when_there_are_no_lists_to_shorten():
    cut = cut_to({"body": "word " * 2_000}, 200)

    assert cut.tokens <= 200
    assert cut.data["body"].endswith("…")
    assert cut.taken == ("long texts",)


def test_data_that_fits_no_budget_goes_as_a_whole():
    assert cut_to({f"key_{number}": number for number in range(50)}, 5) == (
        None,
        0,
        ("everything but the summary",),
    )


@given(json_values, st.integers(0, 60))
def test_data_cut_to_a_budget_is_within_it_and_what_fits_is_untouched(value, most):
    cut = cut_to(value, most)

    if measure(value) <= most:
        assert (cut.data, cut.taken) == (value, ())
    else:
        assert cut.taken
        assert cut.data is None or measure(cut.data) <= most


def test_tools_without_a_step_get_one_with_what_the_pack_is_given():
    places = Step("where", "drift_context", {"focus": "$input.focus"})
    taken = {"drift_callers": [Taken("symbol", is_required=True), Taken("file", is_required=False)],
             "drift_recent": [Taken("area", is_required=False), Taken("days", is_required=False)]}  # fmt: skip

    steps = complete_steps([places], ["drift_context", "drift_callers", "drift_recent", "drift_later"], taken)

    check_steps(steps)
    assert [(step.id, step.tool, dict(step.args)) for step in steps[1:]] == [
        ("callers", "drift_callers", {"symbol": "$input.target | $where.symbols[0].at"}),
        ("recent", "drift_recent", {"area": "$input.file | $where.files[0].file?"}),
        ("later", "drift_later", {}),
    ]


def test_steps_made_for_tools_never_share_a_name():
    steps = complete_steps([Step("callers", "drift_context")], ["drift_callers", "callers", "callers-2"], {})

    assert len({step.id for step in steps}) == len(steps) == 4
