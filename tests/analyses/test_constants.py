"""Constants: lists, uses, magic values, dead and contradicting ones."""

import pytest

from drift.analyses.constants.answers import (
    Wanted,
    constant_rows,
    count_constants,
    describe_constant,
    list_constants,
    list_uses,
)
from drift.analyses.constants.catalogue import category_of
from drift.analyses.constants.dead import find_dead
from drift.analyses.constants.inconsistent import find_inconsistent
from drift.analyses.constants.magic import Repeats, find_magic, magic_rows
from drift.index import IndexReader
from drift.kernel.errors import DriftError
from drift.scan import ScanOptions, scan

PROJECT = {
    "shop/limits.py": (
        '"""Limits."""\n\nMAX_ITEMS = 40\nTIMEOUT = 30\n_UNUSED = 17\nOFFERED = 18\nTESTED = 19\n'
        "API_TOKEN = 'q8Zr4TnW2xLp9VbK7sYd'\nSTATES = ('open', 'closed')\nRATES = {'de': 19, 'fr': 20}\n"
    ),
    "shop/cart.py": (
        "from shop.limits import MAX_ITEMS, STATES, TIMEOUT\n\n\n"
        "def fill_cart(items):\n    return items[:MAX_ITEMS] if len(items) > 1440 else STATES\n\n\n"
        "def clear_cart(items):\n    return [one for one in items if one < 1440 or one == 404 or one == 1024 or one == 10000000 or '1.0.0']\n\n\n"
        "def price_cart(items):\n    return TIMEOUT, 404, 1024, 10000000, '1.0.0', 7377, 'orders/latest'\n\n\n"
        "def send_cart(items):\n    return 7377, 'orders/latest'\n"
    ),
    "shop/worker.py": "TIMEOUT = 30000\n_LOCAL = 1\n\n\ndef work():\n    return TIMEOUT, _LOCAL\n",
    "shop/other.py": "_LOCAL = 2\n\n\ndef work():\n    return _LOCAL\n",
    "shop/urls.ts": "export const API_URL = 'https://api.shop.example/v1'\nexport enum Size { Small = 'small', Large = 'large' }\n",
    "shop/client.ts": "export const SHOP_API_URL = 'https://api.shop.example/v1'\n",
    "tests/test_limits.py": "from shop.limits import TESTED\n\n\ndef test_it():\n    assert TESTED == 7377 and TESTED != 7377\n",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("constants")
    for path, text in PROJECT.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    scan(folder, ScanOptions(jobs=0))
    return folder


@pytest.fixture
def reader(root):
    with IndexReader(root / ".drift/drift.db") as opened:
        yield opened


def test_constants_have_kinds_and_values(reader):
    _, found = list_constants(reader, Wanted())
    rows = {row.name: row for row in constant_rows(found.rows).constants}

    assert (rows["MAX_ITEMS"].kind, rows["MAX_ITEMS"].value, rows["MAX_ITEMS"].category) == (
        "primitive",
        "40",
        "limit",
    )
    assert rows["STATES"].kind == "array"
    assert rows["RATES"].kind == "object"
    assert rows["Size"].kind == "enum"
    assert (rows["Size.Small"].kind, rows["Size.Small"].value) == ("enum_member", "small")
    assert rows["API_URL"].value == "https://api.shop.example/v1"
    assert not rows["_UNUSED"].is_exported


def test_no_answer_shows_a_secret(reader, root):
    told = repr(
        [
            constant_rows(list_constants(reader, Wanted())[1].rows),
            describe_constant(reader, "API_TOKEN"),
            find_dead(reader, root).rows,
        ]
    )

    assert "q8Zr4TnW2xLp9VbK7sYd" not in told
    assert "API_TOKEN" in told


def test_filters_of_the_list(reader):
    _, found = list_constants(reader, Wanted(language="typescript", exported=True, search="api"))

    assert [row.name for row in constant_rows(found.rows).constants] == ["SHOP_API_URL", "API_URL"]
    summary, data = count_constants(reader)
    assert data.status.by_kind["enum_member"] == 2
    assert summary.startswith(f"{data.status.constants} constants in 5 files")


def test_one_constant_and_its_uses(reader):
    summary, data = describe_constant(reader, "STATES")

    assert [row.value for row in data.constant.members] == ["open", "closed"]
    assert summary.startswith("STATES")
    _, uses = list_uses(reader, "shop/limits.py#MAX_ITEMS")
    assert {(row.file, row.how) for row in uses.rows} == {
        ("shop/cart.py", "imports"),
        ("shop/cart.py", "value"),
    }
    with pytest.raises(DriftError) as failed:
        describe_constant(reader, "MAX_ITEM")
    assert "MAX_ITEMS" in failed.value.recovery.similar


def test_magic_values_leave_out_codes_powers_and_tests(reader):
    found = find_magic(reader, Repeats())
    rows = {row.value: row for row in magic_rows(reader, found.found, found)}

    assert set(rows) == {"1440", "7377", "orders/latest"}
    assert rows["1440"].suggestion == "MINUTES_PER_DAY"
    assert rows["orders/latest"].suggestion == "ORDERS_LATEST"
    assert rows["7377"].suggestion == "CART_7377"
    assert rows["7377"].places == ("shop/cart.py:13", "shop/cart.py:17")
    assert {each.value for each in find_magic(reader, Repeats(has_strings=False)).found} == {"1440", "7377"}


def test_dead_constants_with_what_speaks_against_it(reader, root):
    rows = {row.name: (row.confidence, row.doubt) for row in find_dead(reader, root).rows}

    assert rows["_UNUSED"] == (0.95, None)
    assert rows["OFFERED"] == (0.6, "others may use it")
    assert rows["TESTED"][0] == 0.8
    assert "MAX_ITEMS" not in rows
    assert rows["Size.Small"][0] == 0.5


def test_contradictions_are_of_shared_constants_alone(reader):
    rows = {row.what: row for row in find_inconsistent(reader).rows}

    assert set(rows) == {"TIMEOUT", "https://api.shop.example/v1"}
    assert rows["TIMEOUT"].severity == "high"
    assert "30 and 30000" in rows["TIMEOUT"].note
    assert rows["https://api.shop.example/v1"].differs == "name"


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("SESSION_TIMEOUT", "5", "security"),
        ("ENABLE_CACHE", "1", "feature_flag"),
        ("BASE_URL", "x", "api"),
        ("THING", "https://shop.example", "api"),
        ("MAX_RETRIES", "5", "limit"),
        ("THING", "/var/lib/shop/data", "path"),
        ("THING", r"^\d+$", "regex"),
        ("THING", "plain", "uncategorised"),
    ],
)
def test_what_a_constant_is_about(name, value, expected):
    assert category_of(name, value) == expected
