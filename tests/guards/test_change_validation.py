"""Changes of a file: what they are responsible for, what they break, and diffs that fit or are refused."""

import difflib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shop_texts import SHOP

from drift.conventions.picture import Picture
from drift.guards.diffs import apply_diff, changed_lines
from drift.guards.validation import Change, ValidationData, read_change, validate_change, validation_summary
from drift.index import IndexReader
from drift.kernel.errors import DriftError
from drift.project import Project

CART, MONEY = "shop/cart.py", "shop/money.py"
LINES = st.lists(st.sampled_from(["a", "b", "", "c d", "-x", "+y"]), max_size=12)


@pytest.fixture
def validate(reader: IndexReader, shop_project: Project, picture: Picture):  # type: ignore[no-untyped-def] # a closure
    def run(path: str, after: str | None, *, strict: bool = False) -> ValidationData:
        change = Change(path, SHOP.get(path), after)
        return validate_change(reader, shop_project, picture, change, strict=strict)

    return run


def test_a_changed_signature_names_the_callers_it_breaks(validate) -> None:  # type: ignore[no-untyped-def] # the fixture
    after = (
        SHOP[MONEY]
        .replace("cents: int, *, currency: str", "cents: int, places: int, *, unit: str")
        .replace("{currency}", "{unit}")
    )

    found = validate(MONEY, after)

    assert found.status == "fail"
    assert [(one.file, one.caller, one.problem) for one in found.broken_callers] == [
        (CART, "Cart.label", "there is no parameter currency")
    ]
    assert found.violations[0].rule == "contracts/caller"
    assert "shop/cart.py:17" in found.violations[0].message
    assert "tests/test_cart.py" not in {one.file for one in found.broken_callers}


def test_what_is_gone_and_still_called_is_told(validate) -> None:  # type: ignore[no-untyped-def] # the fixture
    start = SHOP[MONEY].index("def format_money")
    after = SHOP[MONEY][:start] + SHOP[MONEY][SHOP[MONEY].index("async def") :]

    found = validate(MONEY, after)

    assert ("contracts/removed", "format_money") in {
        (one.rule, one.message.split()[0]) for one in found.violations
    }
    assert found.semantic_validation.removed == ("format_money",)


@pytest.mark.parametrize(
    ("now", "told"),
    [
        ("    check_ready(cart)\n", ["test_total asserted something and does so no more"]),
        ("    check_ready(cart)\n    compare(cart)\n", []),
        ("    check_ready(cart)\n    assert cart.total()\n", []),
    ],
)
def test_a_test_that_asserts_no_more_is_told_though_what_it_calls_may(
    reader: IndexReader, shop_project: Project, picture: Picture, now: str, told: list[str]
) -> None:
    head = (
        "from shop.cart import Cart\n\n\ndef check_ready(cart):\n    assert cart\n\n\ndef compare(cart):\n    assert cart.total()\n\n\n"
        "def test_total() -> None:\n    cart = Cart()\n"
    )
    change = Change(
        "tests/test_cart.py", f"{head}    check_ready(cart)\n\n    assert cart.total() == 100\n", head + now
    )

    found = validate_change(reader, shop_project, picture, change, strict=False)

    assert [one.message for one in found.violations if one.rule == "testing/no-assertion"] == told


def test_a_name_that_is_gone_and_only_imported_is_told(validate) -> None:  # type: ignore[no-untyped-def] # the fixture
    found = validate("shop/rates.py", "OTHER_RATE = 2\n")

    assert [(one.rule, one.message) for one in found.violations] == [
        ("contracts/removed", "RATE is gone and still has 1 import: shop/tax.py:1")
    ]
    assert validate("shop/rates.py", "RATE: int = 3\n").violations == ()


@pytest.mark.parametrize(
    ("diff", "place"),
    [
        (
            "--- a/shop/rates.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-RATE = 1\n-OTHER_RATE = 2\n",
            "shop/rates.py",
        ),
        ("rename from shop/rates.py\nrename to shop/ratios.py\n", "shop/ratios.py"),
    ],
)
def test_those_who_import_a_file_that_goes_are_told(
    reader: IndexReader, shop_project: Project, picture: Picture, diff: str, place: str
) -> None:
    change = read_change(shop_project, "shop/rates.py", content=None, diff=diff)

    found = validate_change(reader, shop_project, picture, change, strict=False)

    assert (found.file, found.status) == (place, "fail")
    assert [(one.rule, one.message) for one in found.violations] == [
        ("imports/missing-file", "shop/rates.py is gone and still has 1 import: shop/tax.py:1")
    ]


def test_a_diff_renames_only_the_file_that_is_asked_about(shop_project: Project) -> None:
    for other in ("../outside.py", "/etc/passwd.py"):
        with pytest.raises(DriftError, match="outside the project"):
            read_change(shop_project, CART, content=None, diff=f"rename from {CART}\nrename to {other}\n")
    with pytest.raises(DriftError, match=r"renames shop/money\.py"):
        read_change(shop_project, CART, content=None, diff=f"rename from {MONEY}\nrename to shop/a.py\n")


VIEWS = """from flask import Flask
from flask_login import login_required

app = Flask(__name__)


@app.get("/orders")
@login_required
def orders():
    return 1


@login_required
def listed(request):
    return 2
"""
REMOTE = """from shop.remote import fetch_json


def rates() -> object:
    return fetch_json("https://rates.example")
"""


def test_a_guard_that_a_change_takes_away_is_told_at_the_route_and_at_the_function(
    reader: IndexReader, shop_project: Project, picture: Picture
) -> None:
    after = VIEWS.replace("@login_required\n", "")

    found = validate_change(reader, shop_project, picture, Change("shop/web.py", VIEWS, after), strict=False)

    assert [one.message for one in found.violations if one.rule == "security/guard-removed"] == [
        "GET /orders was behind login_required and is open now",
        "listed was behind login_required and is open now",
    ]
    other = VIEWS.replace("@login_required\ndef listed", "@permission_required('a')\ndef listed")
    kept = validate_change(reader, shop_project, picture, Change("shop/web.py", VIEWS, other), strict=False)
    assert "security/guard-removed" not in {one.rule for one in kept.violations}


def test_a_wrapper_that_a_change_passes_by_is_told(
    reader: IndexReader, shop_project: Project, picture: Picture
) -> None:
    after = REMOTE.replace("from shop.remote import fetch_json", "import requests").replace(
        "fetch_json(", "requests.get("
    )

    found = validate_change(reader, shop_project, picture, Change("shop/use.py", REMOTE, after), strict=False)

    assert [(one.rule, one.line) for one in found.violations] == [("wrappers/bypassed", 5)]
    assert "fetch_json of shop/remote.py" in found.violations[0].message


def test_a_default_keeps_callers_valid(validate) -> None:  # type: ignore[no-untyped-def] # the fixture
    found = validate(MONEY, SHOP[MONEY].replace("cents: int, *,", "cents: int, places: int = 2, *,"))

    assert found.broken_callers == ()


def test_old_faults_are_nobodys_news_and_new_ones_are(
    reader: IndexReader, shop_project: Project, picture: Picture
) -> None:
    before = SHOP[CART] + "\n\ndef old() -> None:\n    nothing_here()\n"
    after = before.replace("self.total()", "self.totals()")

    found = validate_change(reader, shop_project, picture, Change(CART, before, after), strict=False)

    assert [one.message for one in found.violations] == [
        "Cart has no totals; the nearest is total (shop/cart.py)"
    ]


def test_the_tests_of_what_changed_are_named(validate) -> None:  # type: ignore[no-untyped-def] # the fixture
    found = validate(CART, SHOP[CART].replace("return sum(", "return 0 + sum("))

    assert (found.status, found.overall_score) == ("pass", 100)
    assert [one.test for one in found.tests] == ["test_total"]
    assert found.semantic_validation.changed == ("Cart.total",)
    assert (
        validation_summary(found) == "pass: nothing is wrong with the change of shop/cart.py; 1 test run it"
    )


def test_strict_mode_fails_on_warnings(validate) -> None:  # type: ignore[no-untyped-def] # the fixture
    after = (
        SHOP[CART]
        + "\n\ndef quiet() -> None:\n    try:\n        print(Cart())\n    except Exception:\n        pass\n"
    )

    assert validate(CART, after).status == "warn"
    assert validate(CART, after, strict=True).status == "fail"


def test_a_change_is_read_from_content_or_diff_and_not_from_both(shop_project: Project) -> None:
    after = SHOP[CART].replace("self.total()", "self.sum()")
    diff = "".join(
        difflib.unified_diff(SHOP[CART].splitlines(keepends=True), after.splitlines(keepends=True), n=2)
    )

    assert read_change(shop_project, CART, content=None, diff=diff).after == after
    with pytest.raises(DriftError, match="either content"):
        read_change(shop_project, CART, content=after, diff=diff)


def test_a_hunk_that_does_not_fit_is_named() -> None:
    with pytest.raises(DriftError, match=r"hunk 2 \(@@ -5 \+5 @@\) does not fit: line 5 is 'e', not 'x'"):
        apply_diff("a\nb\nc\nd\ne\n", "@@ -1 +1 @@\n-a\n+A\n@@ -5 +5 @@\n-x\n+X\n")


def test_where_the_last_lines_are_gone_the_last_is_changed() -> None:
    assert changed_lines("a\na", "a") == {1}


@given(before=LINES, after=LINES, context=st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_what_a_diff_says_is_what_comes_out(before: list[str], after: list[str], context: int) -> None:
    old, new = "\n".join(before), "\n".join(after)
    diff = "\n".join(
        difflib.unified_diff(old.split("\n"), new.split("\n"), "a/x", "b/x", n=context, lineterm="")
    )

    if old != new:
        assert apply_diff(old, diff) == new
        assert changed_lines(old, new)
