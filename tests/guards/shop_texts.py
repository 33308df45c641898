"""The texts of a small shop that guards are tried on."""

SHOP = {
    "pyproject.toml": '[project]\nname = "shop"\n',
    "shop/__init__.py": "",
    "shop/money.py": '''"""Money."""


class Price:
    """An amount."""

    def __init__(self, cents: int, currency: str = "EUR") -> None:
        self.cents = cents
        self.currency = currency

    def doubled(self) -> "Price":
        return Price(self.cents * 2, self.currency)


def format_money(cents: int, *, currency: str = "EUR") -> str:
    """An amount for people."""
    whole, rest = divmod(cents, 100)
    sign = "-" if cents < 0 else ""
    return f"{sign}{whole}.{rest:02d} {currency}"


async def fetch_rate(currency: str) -> float:
    return 1.0
''',
    "shop/cart.py": '''"""A cart."""

from shop.money import Price, format_money


class Cart:
    def __init__(self) -> None:
        self.prices: list[Price] = []

    def add(self, price: Price) -> None:
        self.prices.append(price)

    def total(self) -> int:
        return sum(each.cents for each in self.prices)

    def label(self) -> str:
        return format_money(self.total(), currency="EUR")
''',
    "shop/forms.py": """class Form:
    def fill_in(self) -> None:
        pass

    def clean(self) -> None:
        self.fill_in()

    def save(self) -> None:
        self.fill_in()


def fill(form: Form) -> None:
    form.fill_in()
    form.clean()
""",
    "shop/rates.py": "RATE = 1\nOTHER_RATE = 2\n",
    "shop/remote.py": """import requests


def fetch_json(url: str) -> object:
    return requests.get(url, timeout=5).json()
""",
    "shop/tax.py": """from shop.rates import RATE


def tax(cents: int) -> int:
    return cents * RATE
""",
    "tests/test_cart.py": """from shop.cart import Cart
from shop.money import Price


def test_total() -> None:
    cart = Cart()
    cart.add(Price(100))

    assert cart.total() == 100
""",
}
