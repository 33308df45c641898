"""Texts that are not on disk, read and linked as if they stood in the project."""

from pathlib import Path

from shop_texts import SHOP

from drift.guards.overlay import overlaid
from drift.index import IndexReader
from drift.scan import scan


def test_a_text_is_linked_as_the_scan_would_link_it(shop: Path, reader: IndexReader) -> None:
    text = SHOP["shop/cart.py"].replace("self.total()", "self.totals()").replace("cents for", "sents for")

    with overlaid(shop, reader, {"shop/cart.py": text}) as overlay:
        found = {call.call.text: call.link for call in overlay.files["shop/cart.py"].calls()}

    assert found["format_money"].targets[0].place.path == "shop/money.py"
    assert found["self.totals"].reason == "no such member"
    assert (shop / "shop/cart.py").read_text() == SHOP["shop/cart.py"]


def test_texts_see_each_other_and_not_what_is_gone(shop: Path, reader: IndexReader) -> None:
    texts = {
        "shop/tax.py": "def add_tax(cents: int) -> int:\n    return cents + 1\n",
        "shop/till.py": "from shop.tax import add_tax\nfrom shop.money import format_money\n\nadd_tax(1)\n",
        "shop/money.py": None,
    }

    with overlaid(shop, reader, texts) as overlay:
        till = overlay.files["shop/till.py"]
        (call,) = [one for one in till.calls() if one.call.text == "add_tax"]
        problems = {found.name: link.problem for found, link in till.imports()}

    assert call.link.targets[0].place.path == "shop/tax.py"
    assert problems["add_tax"] is None
    assert problems["format_money"] is not None


def test_the_second_look_tells_the_same_as_the_first_and_as_a_scan(shop: Path, tmp_path: Path) -> None:
    text = SHOP["shop/cart.py"] + "\n\ndef show() -> str:\n    return Cart().label()\n"
    for path, content in SHOP.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text if path == "shop/cart.py" else content)
    scan(tmp_path)

    looks = []
    for root, content in ((shop, text), (shop, text), (tmp_path, text)):
        with (
            IndexReader(root / ".drift/drift.db") as reader,
            overlaid(root, reader, {"shop/cart.py": content}) as overlay,
        ):
            looks.append(overlay.files["shop/cart.py"].draft.links)

    assert looks[0] == looks[1] == looks[2]
    assert looks[0].calls[-1].targets[0].place.path == "shop/cart.py"


def test_a_text_keeps_all_that_was_read_of_it(shop: Path, reader: IndexReader) -> None:
    text = 'def read(path):\n    """Doc."""\n    try:\n        return open(path)\n    except OSError:\n        pass\n'

    with overlaid(shop, reader, {"shop/read.py": text}) as overlay:
        facts = overlay.files["shop/read.py"].facts

    assert facts.symbols[1].doc == "Doc."
    assert facts.symbols[1].complexity is not None
    assert [each.kind for each in facts.handlings] == ["try", "catch"]
    assert facts.handlings[1].is_empty
