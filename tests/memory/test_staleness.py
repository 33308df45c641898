"""A memory whose code changed or is gone says so; one whose code stands elsewhere in the file does not."""

import pytest

from drift.memory import FileLink, Memory
from drift.memory.citations import cite, cite_named
from drift.memory.named_code import find_definition, names_in
from drift.memory.truth.staleness import explain_stale, find_stale

CART = """class Cart:
    def total(
        self,
        rate: int,
    ) -> int:
        return sum(self.prices) * rate

    def empty(self) -> None:
        self.prices = []
"""


@pytest.fixture
def root(tmp_path):
    (tmp_path / "cart.py").write_text(CART)
    return tmp_path


def memory(text: str, *files: FileLink, kind: str = "insight") -> Memory:
    return Memory(id="m_1", type=kind, text=text, files=files, recorded_at_ms=1, updated_at_ms=1)


def test_a_file_that_is_cited_for_a_function_is_cited_by_its_lines(root):
    (link,) = cite_named(root, "cart.py", "`Cart.total` takes the rate in percent")

    assert (link.start_line, link.end_line) == (2, 6)
    assert cite_named(root, "cart.py", "Carts are nice") == (cite(root, "cart.py"),)


def test_what_changed_is_said_and_what_only_moved_is_not(root):
    text = "`Cart.total` takes the rate in percent"
    kept = memory(text, *cite_named(root, "cart.py", text))
    assert find_stale(root, [kept]) == {}

    (root / "cart.py").write_text("import math\n\n\n" + CART.replace("= []", "= None"))
    assert find_stale(root, [kept]) == {}

    (root / "cart.py").write_text("\n" + CART.replace("* rate", "* rate / 100"))
    assert find_stale(root, [kept]) == {"m_1": "Cart.total changed since, now cart.py:3"}

    (root / "cart.py").write_text(CART.replace("total", "amount"))
    assert find_stale(root, [kept]) == {"m_1": "Cart.total is gone from cart.py"}

    (root / "cart.py").unlink()
    assert find_stale(root, [kept]) == {"m_1": "cart.py is gone"}
    assert "cart.py" in explain_stale(root, kept)[0]


def test_what_happened_is_not_made_stale(root):
    captured = memory("Changed the cart", cite(root, "cart.py"), kind="episodic")
    (root / "cart.py").unlink()

    assert find_stale(root, [captured]) == {}


def test_a_link_that_leads_out_of_the_project_is_not_followed(root):
    outside = memory("Somewhere", FileLink("../../../../etc/hostname", content_hash="0" * 32))

    assert find_stale(root, [outside]) == {"m_1": "../../../../etc/hostname is gone"}


@pytest.mark.parametrize(
    ("source", "name", "span"),
    [
        ("func (c *Cart) Total(rate int) int {\n\treturn rate\n}\n\nfunc Other() {}\n", "Cart.Total", (1, 3)),
        ("export const total = (rate) => {\n  return rate\n}\nlet b = 1\n", "total", (1, 3)),
        ("  public static int total(int rate) {\n    return rate;\n  }\n  int b;\n", "total", (1, 3)),
        ("pub fn total(rate: u8) -> u8 {\n    rate\n}\n", "total", (1, 3)),
        ("LIMIT = 3\nOTHER = LIMIT\n", "LIMIT", (1, 1)),
        ("x = total(3)\nif total(rate):\n    pass\n", "total", None),
    ],
)
def test_a_definition_is_found_by_its_form(source, name, span):
    assert find_definition(source.encode().split(b"\n"), name) == span


def test_names_of_code_are_told_from_prose():
    said = "See `Cart.total`, load_cart() and loadCart in shop/cart.py; Python and e.g. carts are words."

    assert names_in(said) == ("Cart.total", "load_cart", "loadCart")
