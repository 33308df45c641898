"""drift_test_template, asked as an agent asks it."""

import asyncio
import shutil
import subprocess
import sys
from datetime import UTC, date, datetime

import pytest

from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, Surface
from drift.scan import ScanOptions, scan
from drift.tools import all_tools

CART = """from shop.errors import NotFound
from shop.prices import Prices


class Cart:
    def __init__(self, prices: Prices, owner: str = "") -> None:
        self.prices = prices

    def total(self, currency: str, *, round_up: bool) -> int:
        if not currency:
            raise NotFound(currency)
        return self.prices.of(currency)

    async def send(self) -> None:
        pass


def parse(text: str) -> Cart:
    def inner():
        pass

    return Cart(Prices())
"""
FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": CART,
    "shop/prices.py": "class Prices:\n    def of(self, currency: str) -> int:\n        return 1\n",
    "shop/errors.py": "class NotFound(Exception):\n    pass\n",
    "shop/limits.py": "MOST = 3\n",
    "shop/broken.py": "def half(:\n    return 1\n\n\ndef whole():\n    return 2\n",
    "tests/test_prices.py": (
        "import pytest\n\nfrom shop.prices import Prices\n\n\n"
        "def test_of():\n    assert Prices().of('x') == 1\n\n\n"
        "def test_of_knows_euros():\n    prices = Prices()\n\n    assert prices.of('EUR') == 1\n"
    ),
}


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


@pytest.fixture
def ask(root, tmp_path):
    at = Environment(
        root,
        ProjectRegistry(tmp_path / "home/projects.json", lambda: datetime.now(UTC)),
        {},
        today=lambda: date(2026, 6, 10),
    )
    tools = all_tools().of_server(ServerName.ANALYSIS)
    runtime = ServerRuntime(ServerName.ANALYSIS, tools, Surface("full"), at=at)

    def call(**arguments):
        return asyncio.run(runtime.call("drift_test_template", arguments)).body

    yield call
    runtime.close()


@pytest.fixture
def scanned(root):
    scan(root, ScanOptions(jobs=0))
    return root


def test_a_method_is_tested_on_an_object_made_with_its_real_dependencies(scanned, ask):
    answer = ask(targetFile="shop/cart.py", function="Cart.total")

    assert answer["data"]["template"] == (
        "import pytest\n"
        "from shop.cart import Cart\n"
        "from shop.prices import Prices\n"
        "from unittest.mock import Mock\n"
        "from shop.errors import NotFound\n"
        "\n\n"
        "def test_total():\n"
        "    prices = Mock(spec=Prices)\n"
        "    cart = Cart(prices)\n"
        '    currency = "text"\n'
        "    round_up = True\n"
        "\n"
        "    result = cart.total(currency, round_up=round_up)\n"
        "\n"
        '    pytest.fail(f"TODO: say what total() should give; it gave {result!r}")\n'
        "\n\n"
        "def test_total_raises_not_found():\n"
        "    prices = Mock(spec=Prices)\n"
        "    cart = Cart(prices)\n"
        '    currency = "text"\n'
        "    round_up = True\n"
        "\n"
        "    # TODO: arguments that lead to shop/cart.py:11\n"
        "    with pytest.raises(NotFound):\n"
        "        cart.total(currency, round_up=round_up)\n"
    )


def test_the_test_goes_where_the_pairs_of_the_project_put_it_and_says_why(scanned, ask):
    data = ask(targetFile="shop/cart.py", function="parse")["data"]

    assert (data["testFile"], data["exists"]) == ("tests/test_cart.py", False)
    assert data["placement"].startswith("1 of 1 pairs of source and test lead there")
    assert data["conventions"]["framework"] == {"value": "pytest", "count": 1, "total": 1}
    assert data["conventions"]["naming"]["value"] == "test: snake"
    assert data["exampleTest"]["file"] == "tests/test_prices.py"
    assert "prices.of('EUR')" in data["exampleTest"]["preview"]


def test_a_file_with_tests_gets_additions_and_names_the_tests_there_are(scanned, ask):
    data = ask(targetFile="shop/prices.py", function="Prices.of")["data"]

    assert (data["testFile"], data["exists"]) == ("tests/test_prices.py", True)
    assert data["insertAt"] == "at the end of the file"
    assert data["template"].startswith("def test_of_2():")
    assert "imports" not in data
    assert {each["test"] for each in data["existingTests"]} == {"test_of", "test_of_knows_euros"}


def test_an_integration_test_takes_the_real_dependencies(scanned, ask):
    data = ask(targetFile="shop/cart.py", function="Cart.total", type="integration")["data"]

    assert data["testFile"] == "tests/integration/test_cart.py"
    assert "Mock" not in data["template"]
    assert "prices = ...  # TODO: Prices" in data["template"]


def test_an_asynchronous_function_is_run(scanned, ask):
    template = ask(targetFile="shop/cart.py", function="Cart.send")["data"]["template"]

    assert "asyncio.run(cart.send())" in template
    assert "import asyncio\n" in template


def test_without_a_function_the_file_is_covered_and_what_cannot_be_is_named(scanned, ask):
    data = ask(targetFile="shop/cart.py")["data"]

    assert data["functions"] == ["Cart.total", "Cart.send", "parse"]
    assert data["notWritten"] == ["parse.inner: it is local to parse"]


def test_pytest_collects_the_template_and_every_open_assertion_fails(scanned, ask):
    data = ask(targetFile="shop/cart.py")["data"]
    (scanned / data["testFile"]).write_text(data["template"])

    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", data["testFile"]],
        cwd=scanned,
        env={"PYTHONPATH": str(scanned), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )

    assert "TODO: say what total() should give" in run.stdout
    assert "4 failed" in run.stdout, run.stdout  # the placeholder leads to no NotFound either
    assert "error" not in run.stdout.splitlines()[-1]


def test_an_unknown_file_is_an_error_with_a_way_out(scanned, ask):
    assert ask(targetFile="shop/nowhere.py")["code"] == "FILE_NOT_FOUND"


def test_an_unknown_function_comes_with_similar_names(scanned, ask):
    answer = ask(targetFile="shop/cart.py", function="totl")

    assert answer["code"] == "SYMBOL_NOT_FOUND"
    assert "total" in answer["similar"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"targetFile": "shop/limits.py"}, "it has no functions"),
        ({"targetFile": "shop/cart.py", "function": "inner"}, "local to parse"),
        ({"targetFile": "tests/test_prices.py"}, "is a test itself"),
    ],
)
def test_what_cannot_be_tested_is_refused_with_the_reason(scanned, ask, arguments, said):
    answer = ask(**arguments)

    assert answer["code"] == "INVALID_ARGUMENT"
    assert said in answer["message"]


def test_a_broken_file_still_gives_a_template_for_what_was_understood(scanned, ask):
    assert "whole()" in ask(targetFile="shop/broken.py", function="whole")["data"]["template"]


def test_a_test_file_that_has_gone_since_the_scan_teaches_nothing_and_breaks_nothing(scanned, ask):
    (scanned / "tests/test_prices.py").unlink()

    data = ask(targetFile="shop/cart.py", function="parse")["data"]

    assert data["conventions"]["framework"]["total"] == 0
    assert "parse(text)" in data["template"]


def test_an_unscanned_project_is_told_to_scan(root, ask):
    assert ask(targetFile="shop/cart.py")["code"] == "SCAN_REQUIRED"


def test_a_project_without_tests_gets_the_default_of_the_language_and_is_told_so(root, ask):
    shutil.rmtree(root / "tests")
    scan(root, ScanOptions(jobs=0))

    data = ask(targetFile="shop/cart.py", function="parse")["data"]

    assert data["testFile"] == "tests/test_cart.py"
    framework = data["conventions"]["framework"]
    assert (framework["value"], framework["total"]) == ("pytest", 0)
    assert "no test in the project" in framework["reason"]


def test_the_file_may_be_given_by_the_end_of_its_path(scanned, ask):
    assert ask(targetFile="cart.py", function="parse")["data"]["testFile"] == "tests/test_cart.py"
