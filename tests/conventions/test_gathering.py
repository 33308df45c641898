"""Sites after edits, and sites from an earlier process, are those that a look at everything would find."""

import os

from drift.conventions.gathering import Gathered, _bring_up_to_date
from drift.conventions.keeping import KeptSites
from drift.dimensions import shipped_dimensions
from drift.index import IndexReader
from drift.project import open_project
from drift.scan import scan

BASES = "class Shop(Exception): ...\n\n\nclass Plain: ...\n"
CART = "from shop.bases import Plain\n\n\nclass Cart(Plain): ...\n\n\nclass Basket(Cart): ...\n"
ORDER = "from shop.cart import Basket\n\n\nclass Order(Basket): ...\n"
FILES = {
    "shop/bases.py": BASES,
    "shop/cart.py": CART,
    "shop/orders/order.py": ORDER,
    "shop/test_cart.py": "def test_it(): ...\n",
    "more/test_more.py": "def test_it(): ...\n",
}
EDITS = (
    # Order is an exception now, two files away from the edit.
    {"shop/bases.py": BASES.replace("class Plain:", "class Plain(Shop):")},
    # The folder of a test has code of the product now.
    {"more/code.py": "def more():\n    return 1\n"},
    {"shop/bases.py": BASES, "shop/orders/order.py": ORDER + "\n\nclass Late(Exception): ...\n"},
    {"more/code.py": None, "shop/cart.py": None},
)
DIMENSIONS = tuple(shipped_dimensions().values())


def write(root, files):
    for path, text in files.items():
        if text is None:
            (root / path).unlink()
        else:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
    scan(root)


def look(project, known: Gathered | None = None):
    with IndexReader(project.state.index_db) as reader, reader.snapshot():
        return _bring_up_to_date(reader, DIMENSIONS, known)


def test_what_is_looked_at_again_after_an_edit_is_enough(tmp_path):
    write(tmp_path, FILES)
    project = open_project(tmp_path, os.environ)
    known = look(project)
    for edit in EDITS:
        write(tmp_path, edit)
        known, anew = look(project, known), look(project)
        assert set(known.sites()) == set(anew.sites())
        assert dict(known.files) == dict(anew.files)
    assert any(site.dimension == "errors/exception-suffix" for site in known.sites())


def test_kept_sites_are_the_same_for_the_next_process(tmp_path):
    write(
        tmp_path / "shop", {"a.py": BASES, "b.py": "import os\n\nimport requests\n\nX = os.environ['SHOP']\n"}
    )
    gathered = look(open_project(tmp_path / "shop", os.environ))
    kept = KeptSites(tmp_path / "home" / "sites", DIMENSIONS)

    kept.keep(gathered)

    assert kept.read() == gathered
    (tmp_path / "home" / "sites").write_bytes((tmp_path / "home" / "sites").read_bytes()[:-7])
    assert kept.read() is None
    assert KeptSites(tmp_path / "home" / "none", DIMENSIONS).read() is None


def test_a_library_for_mocks_is_no_framework_of_tests(tmp_path):
    texts = ("import pytest\nfrom unittest import mock\n", "from unittest import TestCase\n")
    write(tmp_path, {f"tests/test_{n}.py": text for n, text in enumerate(texts)})
    project = open_project(tmp_path, os.environ)

    with IndexReader(project.state.index_db) as reader:
        found = _bring_up_to_date(reader, [shipped_dimensions()["testing/library"]], None)

    assert sorted(each.variant for each in found.sites()) == ["pytest", "unittest"]


def test_an_error_of_a_module_that_is_called_error_is_one_of_many(tmp_path):
    caught = ("Exception", "builtins.Exception", "binascii.Error", "KeyError")
    code = "".join(f"try:\n    run()\nexcept {each}:\n    stop()\n" for each in caught)
    write(tmp_path, {"shop/a.py": "import binascii\nimport builtins\n" + code})

    sites = look(open_project(tmp_path, os.environ)).sites()

    found = sorted((each.line, each.variant) for each in sites if each.dimension == "errors/catch-breadth")
    assert [variant for _, variant in found] == ["all", "all", "typed", "typed"]


def test_a_field_that_the_language_hides_is_no_plain_one(tmp_path):
    write(tmp_path, {"a.ts": "class Cart {\n  #total = 0;\n  private sum = 0;\n  private _count = 0;\n}\n"})

    sites = look(open_project(tmp_path, os.environ)).sites()

    found = sorted(
        (each.line, each.variant) for each in sites if each.dimension == "structural/private-field"
    )
    assert found == [(2, "hidden"), (3, "plain"), (4, "underscore")]
