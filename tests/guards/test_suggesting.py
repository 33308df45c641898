"""Edits that are offered apply, parse and remove the finding; what no edit mends comes as advice."""

import os
import subprocess
from datetime import date
from pathlib import Path

import pytest
from shop_texts import SHOP

from drift.conventions.picture import look
from drift.guards.mending.edits import recased
from drift.guards.mending.suggesting import SuggestionsData, suggest_changes, suggestions_summary
from drift.index import IndexReader
from drift.kernel.errors import DriftError
from drift.project import open_project
from drift.scan import scan

TILL = '''"""A till."""

from shop.cart import Cart
from shop.money import fetch_rate


def show(cart: Cart) -> str:
    return cart.labels()


async def refresh() -> None:
    fetch_rate("EUR")


def read(text: str) -> int:
    return parse_amount(text)


def quiet(cart: Cart) -> None:
    try:
        cart.label()
    except Exception:
        pass
'''


@pytest.fixture(scope="module")
def till(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("till")
    amount = "def parse_amount(text: str) -> int:\n    return int(text)\n"
    for path, text in {**SHOP, "shop/till.py": TILL, "shop/amounts.py": amount}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root)
    return root


def _suggest(root: Path, target: str = "shop/till.py", most: int = 10) -> SuggestionsData:
    project = open_project(root, os.environ)
    with IndexReader(project.state.index_db) as reader:
        picture = look(reader, project, date(2026, 1, 1))
        return suggest_changes(reader, project, picture, target=target, issue=None, pattern=None, most=most)


def test_each_edit_applies_and_mends_what_it_says(till: Path) -> None:
    found = _suggest(till)

    edits = {row.title: row for row in found.suggestions if row.is_edit}
    assert set(edits) == {"Call label, which is there", "Wait for fetch_rate", "Import parse_amount"}
    assert edits["Wait for fetch_rate"].after == '    await fetch_rate("EUR")'
    assert edits["Import parse_amount"].after == "from shop.amounts import parse_amount"
    for row in edits.values():
        told = subprocess.run(
            ["git", "apply", "--check", "-"],
            cwd=till,
            input=row.patch,
            text=True,
            check=False,
            capture_output=True,
        )
        assert told.returncode == 0, told.stderr


def test_what_no_edit_mends_safely_is_advice_and_marked_so(till: Path) -> None:
    advice = [row for row in _suggest(till).suggestions if not row.is_edit]

    assert [row.category for row in advice] == ["errors/swallowed"]
    assert advice[0].patch is None
    assert advice[0].title.startswith("Advice: ")


def test_a_line_or_a_symbol_narrows_what_is_asked(till: Path) -> None:
    assert [row.location for row in _suggest(till, "shop/till.py:12").suggestions] == ["shop/till.py:12"]
    assert suggestions_summary(_suggest(till, "shop/cart.py")) == "Nothing to change in shop/cart.py"
    with pytest.raises(DriftError, match="neither a file"):
        _suggest(till, "nothing_of_that_name")


def test_names_are_put_into_the_casing_of_the_project() -> None:
    assert recased("getUserName", "snake_case") == "get_user_name"
    assert recased("_get_user", "camelCase") == "_getUser"
    assert recased("user_view", "PascalCase") == "UserView"
    assert recased("user", "something else") is None
