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


SLUG = '''def make_slug(text: str, longest: int = 40) -> str:
    """{0}"""
    words = re.findall(r"[a-z0-9]+", text.lower())
    slug = "-".join(word for word in words if word)
    return slug[:longest].rstrip("-") if len(slug) > longest else slug
'''
COPIES = {
    "shop/slugs.py": f"import re\n\n\n{SLUG.format('The slug of a text.')}",
    "shop/pages.py": f"import re\n\n\ndef title(text):\n    return make_slug(text)\n\n\n{SLUG.format('A slug.')}",
    "shop/links.py": "from shop.slugs import make_slug\n\n\ndef link(text):\n    return make_slug(text)\n",
    # It takes what it is called by from the file that has the copy, so it cannot be imported there.
    "shop/round.py": f"import re\n\nfrom shop.first import other\n\n\n{SLUG.format('Round.').replace('slug', 'name').replace('40', '50')}",
    "shop/first.py": f"import re\n\nother = 1\n\n\n{SLUG.format('First.').replace('slug', 'name').replace('40', '50')}",
    "shop/second.py": "from shop.round import make_name\n\n\ndef name(text):\n    return make_name(text)\n",
}


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


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("copies")
    (root / "shop").mkdir()
    for path, text in COPIES.items():
        (root / path).write_text(text)
    scan(root)
    return root


def test_a_copy_of_a_function_is_imported_from_where_it_stands(copies: Path) -> None:
    (edit,) = [
        one for one in _suggest(copies, "shop/pages.py").suggestions if one.category == "duplication/exists"
    ]

    assert edit.title == "Import make_slug from shop/slugs.py"
    assert edit.patch is not None
    added = [line for line in edit.patch.splitlines() if line.startswith("+") and not line.startswith("+++")]
    removed = [line for line in edit.patch.splitlines() if line.startswith("-")]
    assert added == ["+from shop.slugs import make_slug"]
    assert {"-import re", "-def make_slug(text: str, longest: int = 40) -> str:"} <= set(removed)
    assert "-def title(text):" not in removed


def test_a_copy_in_a_file_that_the_other_needs_stays(copies: Path) -> None:
    found = [
        one for one in _suggest(copies, "shop/first.py").suggestions if one.category == "duplication/exists"
    ]

    assert [one.is_edit for one in found] == [False]
