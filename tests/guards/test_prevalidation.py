"""Code that is not written yet, checked at the place it is to have."""

import pytest

from drift.conventions.picture import Picture
from drift.guards.fragments import Kind, place_fragment
from drift.guards.prevalidation import PrevalidationData, prevalidate, summary_of
from drift.index import IndexReader
from drift.project import Project

DUPLICATE = (
    "def show_amount(amount: int, *, unit: str = 'EUR') -> str:\n    whole, rest = divmod(amount, 100)\n"
    "    sign = '-' if amount < 0 else ''\n    return f'{sign}{whole}.{rest:02d} {unit}'\n"
)


@pytest.fixture
def check(reader: IndexReader, shop_project: Project, picture: Picture):  # type: ignore[no-untyped-def] # a closure
    def run(code: str, kind: Kind = "full-file", target: str = "shop/till.py") -> PrevalidationData:
        return prevalidate(reader, shop_project, picture, code=code, target=target, kind=kind)

    return run


def test_a_good_text_has_nothing_wrong_with_it(check) -> None:  # type: ignore[no-untyped-def] # the fixture
    found = check("from shop.cart import Cart\n\n\ndef show() -> str:\n    return Cart().label()\n")

    assert (found.valid, found.score, found.violations) == (True, 100, ())
    assert summary_of(found) == "Nothing is wrong with it at shop/till.py"


def test_a_fragment_sees_its_file_and_is_told_of_by_its_own_lines(check) -> None:  # type: ignore[no-untyped-def] # the fixture
    code = "def describe(cart: Cart) -> str:\n    return format_money(cart.totals())\n"

    found = check(code, "function", "shop/cart.py")

    assert [(one.rule, one.line) for one in found.violations] == [("names/unknown", 2)]
    assert "Cart has no totals; the nearest is total" in found.violations[0].message


def test_a_name_that_is_elsewhere_comes_with_its_import(check) -> None:  # type: ignore[no-untyped-def] # the fixture
    found = check("def show() -> str:\n    return format_money(1)\n")

    assert [one.suggestion for one in found.violations] == ["from shop.money import format_money"]


def test_what_is_given_by_keyword_alone_is_told_so(check):
    found = check("from shop.money import format_money\n\nformat_money(1, 'EUR')\n")

    assert [one.suggestion for one in found.violations] == [
        'Call it as format_money(cents, *, currency="EUR")'
    ]


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("try:\n    print()\nexcept Exception:\n    pass\n", "errors/swallowed"),
        (
            "from shop.money import fetch_rate\n\nasync def run() -> None:\n    fetch_rate('EUR')\n",
            "async/not-awaited",
        ),
        ("def broken(:\n    pass\n", "text/syntax"),
        ("from shop.money import Price\n\nPrice()\n", "calls/arguments"),
        (
            DUPLICATE,
            "duplication/exists",
        ),
    ],
)
def test_what_is_wrong_is_named_by_its_rule(check, code: str, rule: str) -> None:  # type: ignore[no-untyped-def] # the fixture
    assert rule in {one.rule for one in check(code).violations}


@pytest.mark.parametrize(
    ("target", "severity"), [("shop/till.py", "warning"), ("tests/test_till.py", "info")]
)
def test_an_error_that_a_test_provokes_may_be_passed_over(check, target, severity):
    found = check("try:\n    print()\nexcept Exception:\n    pass\n", target=target)

    assert [(one.rule, one.severity) for one in found.violations] == [("errors/swallowed", severity)]


def test_what_is_done_about_an_error_or_waited_for_is_left_alone(check) -> None:  # type: ignore[no-untyped-def] # the fixture
    code = (
        "import logging\n\nfrom shop.money import fetch_rate\n\n\nasync def run() -> float:\n    try:\n"
        "        return await fetch_rate('EUR')\n    except ValueError:\n        logging.exception('no rate')\n"
        "        raise\n\n\ndef forget(path: str) -> None:\n    try:\n        open(path)\n"
        "    except OSError:\n        # Somebody else took it away.\n        pass\n"
        "    except ValueError as ignored:\n        pass\n"
    )

    assert check(code).violations == ()


def test_a_promise_that_is_left_to_itself_is_a_warning(check) -> None:  # type: ignore[no-untyped-def] # the fixture
    code = "async function rate(to) {\n  return { to }\n}\n\nexport async function run() {\n  rate('EUR')\n  return rate('EUR').to\n}\n"

    found = [one for one in check(code, target="web/rate.ts").violations if one.rule == "async/not-awaited"]

    assert sorted((one.line, one.severity) for one in found) == [(6, "warning"), (7, "error")]


def test_tests_without_assertions_are_found(check) -> None:  # type: ignore[no-untyped-def] # the fixture
    code = (
        "from shop.cart import Cart\n\n\ndef test_label() -> None:\n    Cart().label()\n\n\n"
        "def test_total() -> None:\n    assert Cart().total() == 0\n"
    )

    found = check(code, target="tests/test_till.py")

    assert [(one.rule, one.line) for one in found.violations] == [("testing/no-assertion", 4)]


def test_a_test_is_named_by_its_title(check) -> None:  # type: ignore[no-untyped-def] # the fixture
    code = "describe('cart', () => {\n  it('adds prices', () => {\n    add(1)\n  })\n})\n"

    found = check(code, target="web/cart.test.ts")

    assert [one.message for one in found.violations if one.rule == "testing/no-assertion"] == [
        "it 'adds prices' checks nothing"
    ]


def test_approved_constraints_are_kept_before_code_is_written(check, shop_project: Project) -> None:  # type: ignore[no-untyped-def] # the fixture
    rules = shop_project.state.rules / "house.toml"
    rules.parent.mkdir(parents=True, exist_ok=True)
    rules.write_text(
        '[[constraint]]\nid = "no-print"\ntype = "must_not_have"\ncategory = "logging"\nrule = "Nothing is printed"\ncalls = { never = ["print"] }\n'
    )
    broken = rules.with_name("broken.toml")
    broken.write_text('[[constraint]]\nid = "half"\n')
    try:
        found = check("def show() -> None:\n    print(1)\n")
    finally:
        broken.unlink()
        rules.unlink()

    assert [(one.rule, one.line) for one in found.violations] == [("constraint/must-not-have", 2)]
    assert [each.partition(": constraint")[0] for each in found.missing] == [".drift/rules/broken.toml"]


def test_a_fragment_takes_the_place_of_what_has_its_name(reader: IndexReader) -> None:
    text = "class Cart:\n    def total(self):\n        return 1\n\n    def label(self):\n        return 2\n"
    record = reader.files.at("shop/cart.py")
    assert record is not None
    same = [one for one in reader.symbols.of_file(record.id) if one.name == "total"]
    symbols = [one._replace(line=2, end_line=3) for one in same]

    placed = place_fragment(
        "def total(self):\n    x = 1\n    return x\n",
        text,
        language="python",
        kind="function",
        symbols=symbols,
    )

    assert placed.text.split("\n")[1:4] == ["    def total(self):", "        x = 1", "        return x"]
    assert (placed.first, placed.last) == (2, 4)
    assert "def label" in placed.text
