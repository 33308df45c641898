"""Search in the texts of a project: what fits, in which order, and what hostile patterns may cost."""

import pytest

from drift.analyses.usages.search import Wish, find_text
from drift.index import IndexReader
from drift.kernel.linear_patterns import LinearPattern, PatternError, escape_text
from drift.scan import ScanOptions, scan

FILES = {
    "shop/cart.py": 'def fetchUserProfile(key):\n    # refused politely\n    return "Payment refused"\n',
    "shop/user.py": "user_profile = 1\nPAYMENT = user_profile\n",
    "tests/test_cart.py": "def test_it():\n    assert 'refused'\n",
    "shop/order.py": "class BigOrder:\n    def grand_total(self): ...\n",
    "README.md": "Payment refused: call us.\n",
    "templates/pay.html": "<p>Payment refused</p>\r\n<p>ok</p>\r\n",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    root = tmp_path_factory.mktemp("searched")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    scan(root, ScanOptions(jobs=0))
    return root


@pytest.fixture
def lines(project):
    def find(query, **wish):
        with IndexReader(project / ".drift/drift.db") as reader:
            return [f"{hit.path}:{hit.line}" for hit in find_text(reader, project, Wish(query, **wish)).hits]

    return find


def test_product_comes_before_tests_and_code_before_other_texts(lines):
    assert lines("refused") == [
        "shop/cart.py:2",
        "shop/cart.py:3",
        "tests/test_cart.py:2",
        "templates/pay.html:1",
        "README.md:1",
    ]


def test_the_file_that_declares_a_name_comes_first(lines):
    assert lines("user_profile")[0] == "shop/user.py:1"


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        ({"language": "python", "role": "source"}, ["shop/cart.py:2", "shop/cart.py:3"]),
        ({"role": "test"}, ["tests/test_cart.py:2"]),
        ({"path": "templates/"}, ["templates/pay.html:1"]),
        ({"kind": "comment"}, ["shop/cart.py:2"]),
        ({"kind": "doc"}, ["README.md:1"]),
        ({"kind": "string"}, ["shop/cart.py:3", "tests/test_cart.py:2"]),
    ],
    ids=str,
)
def test_filters_narrow_it(lines, wish, expected):
    assert lines("refused", **wish) == expected


def test_case_counts_where_the_query_has_capitals_or_it_is_asked_for(lines):
    assert sorted(lines("payment", path="shop/")) == ["shop/cart.py:3", "shop/user.py:2"]
    assert lines("PAYMENT", path="shop/") == ["shop/user.py:2"]
    assert lines("payment", path="shop/", matches_case=True) == []
    assert sorted(lines("PAYMENT", path="shop/", matches_case=False)) == ["shop/cart.py:3", "shop/user.py:2"]


def test_a_pattern_is_matched_line_by_line(lines):
    assert lines(r"^def \w+", mode="regex") == ["shop/cart.py:1", "tests/test_cart.py:1"]
    assert lines(r"</p>$", mode="regex") == ["templates/pay.html:1", "templates/pay.html:2"]
    assert lines(r"politely\s+return", mode="regex") == []


def test_words_of_a_name_are_found_however_they_are_joined(lines):
    found = lines("user profile", mode="identifier")

    assert set(found) == {"shop/cart.py:1", "shop/user.py:1", "shop/user.py:2"}
    assert lines("profile user", mode="identifier") == found
    assert found[0] == "shop/user.py:1"


def test_words_of_a_member_and_of_what_it_is_of_find_where_it_is_declared(lines):
    assert lines("big order grand total", mode="identifier") == ["shop/order.py:2"]
    assert lines("small order grand total", mode="identifier") == []


@pytest.mark.parametrize("pattern", ["(a)\\1", "(?=a)b", "(", ")(", "a{900}{900}{900}"])
def test_a_pattern_that_no_automaton_takes_is_refused(pattern):
    with pytest.raises(PatternError):
        LinearPattern(pattern)


def test_a_hostile_pattern_takes_time_with_the_text_alone():
    # Python's own engine would take longer than the universe is old.
    assert not LinearPattern("^(a+)+$").is_in("a" * 200_000 + "!")


@pytest.mark.parametrize("text", ["a.b(c)[d]{e}^$|?*+\\", "x-y & #z ~ / ü", "(?i)"])
def test_an_escaped_text_is_found_as_it_is(text):
    assert LinearPattern(escape_text(text)).is_in(f"before {text} after")
    assert not LinearPattern(escape_text(text)).is_in("before after")


def test_a_search_that_takes_too_long_says_so(project):
    now = iter(range(0, 10_000, 100))

    with IndexReader(project / ".drift/drift.db") as reader:
        found = find_text(reader, project, Wish("refused"), clock=lambda: next(now))

    assert found.is_cut
