"""Tests of a project, what they run and what they leave, asked as a client asks."""

import asyncio
import json
import os
import shlex
import shutil
import subprocess
import sys
from datetime import UTC, date, datetime

import jsonschema_rs
import pytest

from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, Surface
from drift.scan import ScanOptions, scan
from drift.tools import all_tools

PRICING = """\
def round_up(cents):
    return cents + 1


def total(cents):
    return round_up(cents)


def refund(cents):
    if cents < 0:
        raise ValueError(cents)
    return cents
"""
API = """\
from shop.pricing import total


def checkout(cents):
    return total(cents)
"""
TESTS = """\
from unittest.mock import patch

import pytest

from shop.api import checkout
from shop.pricing import total


def check(value):
    assert value


def test_total():
    assert total(1) == 2
    assert total(2) == 3
    assert total(0) == 1


def test_invalid_total_raises():
    with pytest.raises(ValueError):
        total(None)


def test_checkout_through_helper():
    check(checkout(1))


def test_checkout_without_pricing():
    with patch("shop.api.total", return_value=3):
        assert checkout(1)


def test_nothing():
    pass
"""


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    for path, text in {
        "pyproject.toml": "[project]\nname='shop'\n[tool.pytest.ini_options]\n",
        "shop/__init__.py": "",
        "shop/pricing.py": PRICING,
        "shop/api.py": API,
        "shop/broken.py": "def half(:\n    total(\n",
        "tests/test_pricing.py": TESTS,
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


@pytest.fixture
def ask(root, tmp_path):
    at = Environment(
        root,
        ProjectRegistry(tmp_path / "home/projects.json", lambda: datetime.now(UTC)),
        {},
        today=lambda: date(2026, 6, 1),
    )
    tools = all_tools().of_server(ServerName.ANALYSIS)
    runtime = ServerRuntime(ServerName.ANALYSIS, tools, Surface("full"), at=at)
    scan(root, ScanOptions(jobs=0))

    def run(action, **arguments):
        outcome = asyncio.run(runtime.call("drift_test_topology", {"action": action, **arguments}))
        if not outcome.is_error:
            schema = all_tools().get("drift_test_topology").output_schema
            jsonschema_rs.validator_for(schema).validate(outcome.structured())
        return outcome

    yield run
    runtime.close()


def data(outcome):
    assert not outcome.is_error, outcome.body
    return outcome.body["data"]


def test_status_counts_cases_functions_and_frameworks(ask):
    status = data(ask("status"))["status"]

    assert (status["testFiles"], status["testCases"]) == (1, 5)
    assert status["withoutAssertion"] == 1
    assert status["coverage"]["report"] is None
    assert [(row["framework"], row["cases"]) for row in status["frameworks"]] == [("pytest", 5)]


def test_coverage_of_a_file_names_the_tests_nearest_first_and_those_that_mock_it(ask):
    found = data(ask("coverage", file="shop/pricing.py"))

    functions = {row["function"]: (row["covered"], row["source"]) for row in found["functions"]}
    assert functions == {
        "round_up": (True, "call graph"),
        "total": (True, "call graph"),
        "refund": (False, "call graph"),
    }
    reaches = {row["test"]: (row["reach"], row["depth"]) for row in found["covering"]}
    assert reaches["test_total"] == ("direct", 1)
    assert reaches["test_checkout_through_helper"] == ("transitive", 2)
    assert reaches["test_checkout_without_pricing"][0] == "mocked"


def test_uncovered_says_risk_and_why_it_may_be_fine(ask):
    (row,) = data(ask("uncovered", file="shop/pricing.py"))["uncovered"]

    assert (row["function"], row["risk"], row["line"]) == ("refund", 30, 9)
    assert any(reason.startswith("dead:") for reason in row["mayBeFine"])
    assert data(ask("uncovered", file="shop/pricing.py", minRisk=31))["uncovered"] == []


def test_affected_is_the_fewest_tests_and_a_command_that_runs_them(ask):
    found = data(ask("affected", files=["shop/pricing.py"]))

    (test,) = found["tests"]
    affected = found["affected"]
    assert test["test"] in {"test_total", "test_invalid_total_raises"}
    assert affected["commands"] == [f"pytest tests/test_pricing.py::{test['test']}"]
    assert affected["notCovered"] == ["refund shop/pricing.py:9"]
    assert affected["directTestFiles"] == ["tests/test_pricing.py"]


def test_all_tests_that_reach_a_change_can_be_had_the_surest_first(ask):
    fewest = ask("affected", files=["shop/pricing.py"]).body
    (step,) = fewest["nextActions"]
    found = ask(**step["args"]).body

    rows = found["data"]["tests"]
    affected = found["data"]["affected"]
    assert len(fewest["data"]["tests"]) < len(rows) < affected["reachingTests"]  # one runs it only replaced
    assert {row["test"] for row in rows} >= {"test_total", "test_invalid_total_raises"}
    assert [row["confidence"] for row in rows] == sorted((row["confidence"] for row in rows), reverse=True)
    assert all(f"::{row['test']}" in affected["commands"][0] for row in rows)
    assert affected["leftOut"] == []
    assert "nextActions" not in found or found["nextActions"] == []


def test_affected_weighs_the_seconds_of_a_junit_report(ask, root):
    (root / "junit.xml").write_text(
        "<testsuites><testsuite>"
        '<testcase classname="tests.test_pricing" name="test_total" time="9.0"/>'
        '<testcase classname="tests.test_pricing" name="test_invalid_total_raises" time="0.5"/>'
        "</testsuite></testsuites>"
    )

    (test,) = data(ask("affected", files=["total"]))["tests"]

    assert (test["test"], test["seconds"]) == ("test_invalid_total_raises", 0.5)


def test_affected_says_in_words_that_nothing_is_changed(ask, root):
    subprocess.run(["git", "init", "-q", root], check=True)
    subprocess.run(["git", "-C", root, "add", "."], check=True)
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "-C", root, *who, "commit", "-qm", "all"], check=True)

    assert ask("affected").body["summary"] == "No function is changed since HEAD, so no test is chosen"


def test_affected_says_that_no_test_is_known(ask, root):
    (root / "lonely.py").write_text("def alone():\n    return 1\n")
    scan(root, ScanOptions(jobs=0))

    summary = ask("affected", files=["alone"]).body["summary"]

    assert summary == "No test is known to run any of 1 changed function"


def test_affected_names_files_that_may_test_what_no_test_is_seen_to_run(ask):
    answer = ask("affected", files=["refund"]).body

    assert answer["summary"] == "No test is seen to run any of 1 changed function; 1 test file may"
    (named,) = answer["data"]["affected"]["mayTestThem"]
    assert named.endswith("(0.4)")


def test_affected_without_git_says_what_to_do(ask):
    outcome = ask("affected")

    assert outcome.is_error
    assert "git" in json.dumps(outcome.body)


def test_an_unknown_symbol_is_an_error_with_similar_names(ask):
    outcome = ask("affected", files=["totl"])

    assert outcome.is_error
    assert "total" in json.dumps(outcome.body)


def test_mocks_are_told_apart_by_where_their_target_is(ask):
    found = data(ask("mocks"))

    (row,) = found["mocks"]
    assert (row["target"], row["external"], row["returnsValue"]) == ("shop.api.total", False, True)
    assert found["mockCounts"]["internal"] == 1


def test_quality_is_the_weakest_first_and_counts_what_helpers_check(ask):
    rows = {row["test"]: row for row in data(ask("quality"))["quality"]}

    assert next(iter(rows)) == "test_nothing"
    assert rows["test_nothing"]["score"] == 30
    assert (rows["test_total"]["assertions"], rows["test_total"]["score"]) == (3, 70)
    assert rows["test_invalid_total_raises"]["score"] == 75


def test_a_fresh_report_counts_more_than_the_call_graph(ask, root):
    (root / "coverage.xml").write_text(
        '<?xml version="1.0"?><!DOCTYPE coverage SYSTEM "http://example.org/x.dtd"><coverage><class filename="shop/pricing.py">'
        '<lines><line number="2" hits="0"/><line number="6" hits="1"/><line number="10" hits="0"/>'
        '<line number="12" hits="4"/></lines></class></coverage>'
    )

    rows = {row["function"]: row for row in data(ask("coverage", file="shop/pricing.py"))["functions"]}

    assert (rows["round_up"]["covered"], rows["round_up"]["source"]) == (False, "cobertura")
    assert (rows["refund"]["covered"], rows["refund"]["lineRate"]) == (True, 0.5)


def test_a_report_older_than_a_file_does_not_count_for_it(ask, root):
    (root / "coverage.xml").write_text(
        '<coverage><class filename="shop/pricing.py"><line number="10" hits="1"/></class></coverage>'
    )
    os.utime(root / "coverage.xml", (1, 1))

    outcome = ask("coverage", file="shop/pricing.py")

    assert {row["source"] for row in data(outcome)["functions"]} == {"call graph"}
    assert "changed after coverage.xml" in json.dumps(outcome.body)


def test_a_project_without_tests_has_zeros_and_nulls(ask, root):
    (root / "tests/test_pricing.py").unlink()
    scan(root, ScanOptions(jobs=0))

    status = data(ask("status"))["status"]

    assert (status["testCases"], status["averageQuality"], status["coveredFunctions"]) == (0, None, 0)


def git(root, *arguments):
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
        cwd=root,
        check=True,
        capture_output=True,
    )


def test_affected_follows_the_diff_of_a_real_repository(ask, root):
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "begin")
    text = (root / "shop/pricing.py").read_text()
    (root / "shop/pricing.py").write_text(text.replace("cents + 1", "cents + 2"))
    scan(root, ScanOptions(jobs=0))

    found = data(ask("affected"))

    assert found["affected"]["changedFunctions"] == 1
    assert found["tests"][0]["covers"] == ["round_up"]
    assert found["tests"][0]["reason"] == "reaches round_up through 1 more"
    # Of the two that call total, both as near, one is enough.
    assert len(found["tests"]) == 1


def test_the_command_of_affected_runs_with_pytest(ask, root):
    (command,) = data(ask("affected", files=["total"]))["affected"]["commands"]

    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(command), "-q", "-p", "no:cacheprovider"],
        cwd=root, env={**os.environ, "PYTHONPATH": str(root)}, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert " passed" in done.stdout, done.stdout + done.stderr


def test_a_changed_set_up_needs_the_tests_it_runs_before(ask, root):
    (root / "tests/test_set_up.py").write_text(
        "import unittest\n\n\nclass CartTest(unittest.TestCase):\n    def setUp(self):\n        self.cart = 1\n\n"
        "    def test_one(self):\n        self.assertTrue(self.cart)\n"
    )
    scan(root, ScanOptions(jobs=0))

    (row,) = data(ask("affected", files=["CartTest.setUp"]))["tests"]

    assert (row["test"], row["reason"]) == ("CartTest.test_one", "is set up by CartTest.setUp")


def test_a_name_that_several_have_means_all_of_them(ask, root):
    (root / "shop/other.py").write_text("def total(x):\n    return x\n")
    scan(root, ScanOptions(jobs=0))

    body = ask("affected", files=["total"]).body

    assert body["data"]["affected"]["changedFunctions"] == 2
    assert body["warnings"][0].startswith("'total' means 2 symbols, and all are answered for: ")


def test_a_project_without_an_index_is_told_to_scan(ask, root):
    shutil.rmtree(root / ".drift")

    assert ask("status").body["code"] == "SCAN_REQUIRED"


def test_mocks_count_alike_in_every_action(ask):
    counts = data(ask("mocks"))["mockCounts"]
    of_file = data(ask("mocks", file="tests/test_pricing.py"))["mockCounts"]
    covering = data(ask("coverage", file="shop/pricing.py"))["covering"]
    quality = {row["test"]: row for row in data(ask("quality"))["quality"]}

    assert counts == of_file
    assert counts["mocks"] == 1
    assert [row["test"] for row in covering if row["reach"] == "mocked"] == ["test_checkout_without_pricing"]
    assert [test for test, row in quality.items() if row["mockRatio"]] == ["test_checkout_without_pricing"]


OTHERS = {
    "php": (
        {
            "composer.json": '{"require-dev": {"phpunit/phpunit": "^11"}}',
            "phpunit.xml": "<phpunit/>",
            "src/Cart.php": "<?php\nnamespace Shop;\n\nclass Cart\n{\n    public function total(): int\n    {\n"
            "        return 1;\n    }\n}\n",
            "tests/CartTest.php": "<?php\nnamespace Tests;\n\nuse PHPUnit\\Framework\\TestCase;\nuse Shop\\Cart;\n\n"
            "class CartTest extends TestCase\n{\n    public function testTotal(): void\n    {\n"
            "        $cart = new Cart();\n        $this->assertSame(1, $cart->total());\n    }\n}\n",
        },
        "src/Cart.php",
        "vendor/bin/phpunit --filter CartTest::testTotal",
    ),
    "cpp": (
        {
            "src/cart.h": "int total(int a);\n",
            "src/cart.cpp": '#include "cart.h"\nint total(int a) { return a + 1; }\n',
            "test/cart_test.cpp": '#include <gtest/gtest.h>\n#include "../src/cart.h"\n\n'
            "TEST(Cart, AddsOne) {\n  EXPECT_EQ(total(1), 2);\n}\n",
        },
        "src/cart.cpp",
        "ctest --output-on-failure -R 'Cart\\.AddsOne'",
    ),
    "ginkgo": (
        {
            "go.mod": "module shop\n\nrequire github.com/onsi/ginkgo/v2 v2.0.0\n",
            "cart.go": "package shop\n\nfunc Total(a int) int { return a + 1 }\n",
            "cart_test.go": 'package shop\n\nimport (\n\t. "github.com/onsi/ginkgo/v2"\n\t. "github.com/onsi/gomega"\n)\n\n'
            'var _ = Describe("Cart", func() {\n\tIt("adds one", func() {\n\t\tExpect(Total(1)).To(Equal(2))\n\t})\n})\n',
        },
        "cart.go",
        "go test . -ginkgo.focus 'adds one'",
    ),
    "node": (
        {
            "package.json": "{}",
            "src/cart.js": "function total(a) { return a + 1 }\nmodule.exports = { total }\n",
            "test/cart.test.js": "const test = require('node:test');\nconst assert = require('node:assert');\n"
            "const { total } = require('../src/cart');\n\n"
            "test('adds one', () => { assert.equal(total(1), 2) });\n"
            "test('fails', () => { throw new Error('not wanted') });\n",
        },
        "src/cart.js",
        "node --test --test-name-pattern='adds one' test/cart.test.js",
    ),
}


BARE = {
    "Order.java": (
        "class Base { int total() { return 1; } }\nclass Order extends Base { }\n",
        "OrderTest.java",
        "import org.junit.jupiter.api.Test;\nclass OrderTest { @Test void runs() { new Order().total(); } @Test void idle() { } }\n",
    ),
    "Order.cs": (
        "public class Base { public int Total() => 1; }\npublic class Order : Base { public int Id { get; set; } }\n",
        "OrderTests.cs",
        "using Xunit;\npublic class OrderTests { [Fact] public void runs() { new Order().Total(); } [Fact] public void idle() { } }\n",
    ),
    "order.rb": (
        "class Base\n  def total\n    1\n  end\nend\n\nclass Order < Base\nend\n",
        "order_test.rb",
        "class OrderTest < Minitest::Test\n  def test_runs\n    Order.new.total\n  end\n\n  def test_idle\n  end\nend\n",
    ),
    "Order.php": (
        "<?php\nclass Base { public function total() { return 1; } }\nclass Order extends Base { }\n",
        "OrderTest.php",
        "<?php\nclass OrderTest extends PHPUnit\\Framework\\TestCase {\n  public function testRuns() { (new Order())->total(); }\n}\n",
    ),
    "order.py": (
        "class Base:\n    def total(self):\n        return 1\n\n\nclass Order(Base):\n    rate = 2\n",
        "test_order.py",
        "from order import Order\n\n\ndef test_runs():\n    assert Order().total()\n\n\ndef test_idle():\n    pass\n",
    ),
}


@pytest.mark.parametrize("file", BARE)
def test_a_class_without_functions_is_run_by_who_makes_its_objects(ask, root, file):
    text, test, tests = BARE[file]
    shutil.rmtree(root)
    root.mkdir()
    (root / file).write_text(text)
    (root / test).write_text(tests)
    scan(root, ScanOptions(jobs=0))

    found = data(ask("affected", files=["Order"], allTests=True))

    assert [
        row["test"].rpartition(".")[2].lower().removeprefix("test").strip("_") for row in found["tests"]
    ] == ["runs"]


@pytest.mark.parametrize("language", OTHERS)
def test_the_tests_of_a_change_are_found_in_other_languages(ask, root, language):
    files, changed, command = OTHERS[language]
    shutil.rmtree(root)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))

    found = data(ask("affected", files=[changed]))

    assert found["affected"]["notCovered"] == []
    assert found["affected"]["commands"] == [command]
    if language == "node" and shutil.which("node"):
        done = subprocess.run(shlex.split(command), cwd=root, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
