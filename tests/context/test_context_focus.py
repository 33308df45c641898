"""What is read out of a task in plain words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.context.focus import Place, find_places, read_focus, stems_in
from drift.kernel.words import stem, undouble


@pytest.mark.parametrize(
    ("one", "other"),
    [("serializer", "serializers"), ("caching", "cached"), ("queries", "query"), ("validation", "validate")],
)
def test_forms_of_a_word_share_a_stem(one, other):
    shared = min(stem(one), stem(other), key=len)

    assert stem(one).startswith(shared)
    assert stem(other).startswith(shared)


def test_a_short_word_is_not_cut_to_nothing():
    assert stem("class") == "class"
    assert stem("bus") == "bus"
    assert stem("logs") == "log"


@pytest.mark.parametrize(
    ("word", "root"),
    [("logging", "log"), ("mapped", "map"), ("caller", "call"), ("passing", "pass"), ("log", "log")],
)
def test_a_consonant_that_an_ending_doubled_is_taken_once(word, root):
    assert undouble(stem(word)) == root


def test_names_are_words_whole_and_in_parts_and_filler_is_left_out():
    assert set(stems_in("Fix the parseHTTPRequest of user_accounts")) == {
        "parsehttprequest", "pars", "http", "request", "user", "account",
    }  # fmt: skip


def test_the_first_line_counts_more_than_the_rest():
    focus = read_focus("Login fails\n\nThe session cookie expires")

    assert focus.terms["login"] > focus.terms["cooki"]
    assert focus.spellings["cooki"] == "cookie"


def test_names_are_told_from_prose_by_their_form_or_by_quotes():
    focus = read_focus("Cart.add_item() breaks when `total` is empty, see OrderLine")

    assert {"Cart", "add_item", "total", "OrderLine"} <= set(focus.names)
    assert "breaks" not in focus.names


def test_a_word_written_as_a_call_is_a_name_and_a_plural_in_brackets_is_none():
    focus = read_focus("reply() is sent twice, so is send(...) for the header(s)")

    assert {"reply", "send"} <= set(focus.names)
    assert "header" not in focus.names


def test_words_side_by_side_are_pairs_in_prose_and_in_names_and_filler_parts_them():
    focus = read_focus("Decode the query strings\n\nof parseBody and form_data")

    assert set(focus.pairs) == {("query", "string"), ("parse", "body"), ("form", "data")}
    assert focus.pairs["query", "string"] > focus.pairs["form", "data"]


@pytest.mark.parametrize(
    ("title", "scope"),
    [
        ("fix(router): keep the slash", {"rout"}),
        ("feat(core, common)!: more", {"core", "common"}),
        ("[forms] label is lost", {"form"}),
        ("net/http: do not wait", {"net", "http"}),
        ("feat: label is lost", set()),
        ("the label is lost (router): often", set()),
        ("time 12:30 is wrong", set()),
        (": [] ()", set()),
    ],
)
def test_the_part_of_the_project_is_read_from_before_the_task(title, scope):
    assert read_focus(title).scope == scope


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('File "/srv/app/shop/cart.py", line 12, in add', Place("/srv/app/shop/cart.py", 12)),
        ("at shop/cart.ts:40:7", Place("shop/cart.ts", 40)),
        ("see ./shop/cart.py please", Place("shop/cart.py", None)),
        (r"in shop\cart.cs:9", Place("shop/cart.cs", 9)),
    ],
)
def test_paths_and_lines_of_stack_traces_are_found(text, place):
    assert place in find_places(text)


@given(st.text(max_size=500))
def test_any_text_is_read_and_its_terms_have_weights(text):
    focus = read_focus(text)

    assert all(weight > 0 and term == term.lower() for term, weight in focus.terms.items())
    assert set(focus.terms) <= set(focus.spellings)
    assert all(weight > 0 and one and other for (one, other), weight in focus.pairs.items())


def test_a_long_hostile_text_is_read_in_linear_time():
    for text in (
        "@" * 50_000,
        "a/" * 50_000,
        "a.b" * 50_000,
        "`" * 50_000,
        "\\" * 50_000,
        "a(" * 50_000,
        "aB" * 50_000,
    ):
        assert len(read_focus(text).terms) < 100


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("login form", {"LoginForm", "login_form", "loginForm"}),
        ("permissions", {"Permissions", "permissions"}),
        ("the", set()),
        ("fix the login form of guests", set()),
        ("login form.", set()),
        (
            "order list is set",
            {"OrderList", "OrderListIs", "isSet", "is_set", "listIsSet", "list_is_set"},
        ),
    ],
)
def test_a_few_words_may_be_the_parts_of_a_name(text, names):
    assert set(read_focus(text).names) == names
