"""Claims of five kinds against a small shop: what is so, what is not and in which way, and what cannot be told."""

import os
from datetime import UTC, date, datetime

import pytest

from drift.conventions.picture import look
from drift.conventions.verification.form import ClaimObject
from drift.conventions.verification.kinds import count_claims, verify_claims
from drift.index import IndexReader
from drift.kernel.errors import DriftError
from drift.project import open_project
from drift.scan import scan
from drift.state import claim_rates

FILES = {
    "shop/errors.py": "".join(f"class {name}Error(Exception): ...\n\n\n" for name in ("Cart", "Price", "Tax"))
    + "class Late(CartError): ...\n",
    "shop/prices.py": (
        "import json\n\nfrom shop.errors import PriceError\n\n\nclass StockError(Exception): ...\n\n\ndef read_price(text, default=None):\n"
        "    return json.loads(text) or default\n\n\ndef total(cart):\n    return read_price(cart)\n\n\n"
        "def refund(cart):\n    raise PriceError\n\n\ndef guess(cart):\n    return cart.plugin.refund()\n"
    ),
    "shop/web.py": (
        "from fastapi import APIRouter, Depends\n\nfrom shop.prices import guess, refund, total\n\nrouter = APIRouter()\n\n\n"
        "def is_admin():\n    return True\n\n\n"
        '@router.get("/total")\ndef show_total():\n    return total("1")\n\n\n'
        '@router.post("/refund", dependencies=[Depends(is_admin)])\ndef pay_back():\n    return refund("1")\n\n\n'
        '@router.get("/guess")\ndef show_guess(cart):\n    return guess(cart)\n'
    ),
    "tests/test_prices.py": (
        "from shop.prices import total\n\n\ndef test_total():\n    assert total('1') == 1\n"
    ),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    root = tmp_path_factory.mktemp("claims")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root)
    return open_project(root, os.environ)


@pytest.fixture(scope="module")
def verify(project):
    with IndexReader(project.state.index_db) as reader, reader.snapshot():
        picture = look(reader, project, date(2026, 11, 17))
        yield lambda **claim: verify_claims(reader, project, picture, [ClaimObject(**claim)])[0]


SO = [
    {
        "kind": "symbol",
        "name": "read_price",
        "file": "shop/prices.py",
        "signature": "read_price(text, default)",
    },
    {
        "kind": "symbol",
        "name": "read_price",
        "signature": "def read_price(text: dict[str, int], default=max(1, 2))",
    },
    {"kind": "relationship", "caller": "total", "callee": "read_price"},
    {"kind": "relationship", "caller": "read_price", "callee": "json.loads"},
    {"kind": "relationship", "name": "Late", "extends": "Exception"},
    {"kind": "relationship", "file": "shop/web.py", "imports": "shop.prices"},
    {"kind": "relationship", "name": "test_total", "covers": "read_price"},
    {"kind": "convention", "dimension": "errors/exception-suffix", "variant": "Error", "min_share": 0.7},
    {"kind": "pattern", "pattern_id": "errors/exception-suffix", "files": ("shop/errors.py",)},
    {"kind": "security", "entry_point": "GET /total", "reaches": "json.loads"},
    {"kind": "security", "entry_point": "POST /refund", "reaches": "refund", "guarded_by": "is_admin"},
]
NOT_SO = [
    ("naming", {"kind": "symbol", "name": "read_prices_of_all"}),
    ("resource", {"kind": "symbol", "name": "total", "file": "shop/totals.py"}),
    ("mapping", {"kind": "symbol", "name": "total", "file": "shop/web.py"}),
    ("mapping", {"kind": "symbol", "name": "read_price", "signature": "read_price(text, currency)"}),
    ("logic", {"kind": "relationship", "caller": "show_total", "callee": "read_price"}),
    ("logic", {"kind": "relationship", "caller": "read_price", "callee": "total"}),
    ("naming", {"kind": "relationship", "caller": "total", "callee": "invented_call"}),
    ("mapping", {"kind": "relationship", "file": "shop/prices.py", "imports": "requests"}),
    ("logic", {"kind": "relationship", "name": "test_total", "covers": "pay_back"}),
    ("mapping", {"kind": "convention", "dimension": "errors/exception-suffix", "variant": "none"}),
    (
        "mapping",
        {"kind": "convention", "dimension": "errors/exception-suffix", "variant": "Error", "min_share": 0.95},
    ),
    ("naming", {"kind": "convention", "dimension": "errors/invented", "variant": "Error"}),
    ("resource", {"kind": "pattern", "pattern_id": "errors/exception-suffix", "files": ("shop/none.py",)}),
    ("naming", {"kind": "security", "entry_point": "GET /nowhere", "reaches": "refund"}),
    ("logic", {"kind": "security", "entry_point": "GET /total", "reaches": "refund"}),
    ("logic", {"kind": "security", "entry_point": "GET /total", "guarded_by": "is_admin"}),
]
OPEN = [
    {"kind": "relationship", "caller": "guess", "callee": "refund"},
    {"kind": "security", "entry_point": "GET /guess", "reaches": "refund"},
    {"kind": "security", "entry_point": "GET /total", "guarded_by": "is_signed_in"},
]


@pytest.mark.parametrize("claim", SO, ids=repr)
def test_what_is_so_is_verified_with_its_place(verify, claim):
    found = verify(**claim)
    assert (found.verified, found.hallucination) == (True, None)
    assert found.evidence


@pytest.mark.parametrize(("what", "claim"), NOT_SO, ids=repr)
def test_what_is_not_so_is_told_by_its_class(verify, what, claim):
    found = verify(**claim)
    assert (found.verified, found.hallucination) == (False, what)


@pytest.mark.parametrize("claim", OPEN, ids=repr)
def test_what_cannot_be_told_has_a_reason(verify, claim):
    found = verify(**claim)
    assert (found.verified, found.hallucination) == (None, None)
    assert found.reason


def test_a_claim_that_leaves_out_what_it_is_about_is_refused(verify):
    with pytest.raises(DriftError, match="caller"):
        verify(kind="relationship", callee="total")


def test_how_often_claims_of_a_client_hold_is_kept_without_those_that_are_open(project, verify):
    now = datetime(2026, 11, 17, 12, tzinfo=UTC)
    claims = [verify(**claim) for claim in (SO[0], NOT_SO[0][1], OPEN[1])]
    count_claims(project, claims, client="some-editor", now=now)
    (rate,) = claim_rates(project.stores.state_db, now)
    assert rate == ("some-editor", "symbol", 1, 2, 0.5) or (rate.client, rate.verified, rate.decided) == (
        "some-editor",
        1,
        2,
    )
