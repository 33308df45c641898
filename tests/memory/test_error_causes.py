"""Failures of nine tools: the same fault is known again in another run, and another fault in the same wrapping is not."""

from itertools import combinations
from typing import NamedTuple

import pytest

from drift.memory.search import WordCounts
from drift.memory.work.debug_paths import resolve_path, similar_paths, start_path
from drift.memory.work.error_causes import ALIKE, likeness, read_cause

NOW = 1_750_000_000_000


class Case(NamedTuple):
    """One fault in two runs, and another fault that a tool prints in the same lines."""

    type: str
    says: str
    first: str
    again: str
    other: str


PYTHON_CHAINED = """Traceback (most recent call last):
  File "/home/{who}/shop/stock.py", line {line}, in reserve
    return self.levels[sku]
{inner}

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/home/{who}/shop/orders.py", line 80, in place
    raise OrderFailed("order could not be placed") from error
shop.errors.OrderFailedError: order {line} could not be placed
"""
JAVA = """Exception in thread "main" org.springframework.beans.factory.BeanCreationException: Error creating bean with name 'app'
\tat org.springframework.beans.factory.support.AbstractBeanFactory.doGetBean(AbstractBeanFactory.java:{line})
\tat com.acme.App.main(App.java:12)
Caused by: java.lang.IllegalStateException: wiring failed
\tat com.acme.Wiring.connect(Wiring.java:31)
\t... 12 more
Caused by: {inner}
\tat com.acme.{place}({line})
\tat java.base/java.lang.reflect.Method.invoke(Method.java:568)
\t... 20 more
"""
NODE = """node:internal/process/promises:394
    triggerUncaughtException(err, true /* fromPromise */);
Error: request to checkout failed
    at handler (/srv/{who}/src/checkout.ts:{line}:11)
    at node:internal/main/run_main_module:23:47 {{
  [cause]: {inner}
      at {place} (/srv/{who}/src/{file}:{line}:5)
}}
"""
GO = """panic: {inner}

goroutine {line} [running]:
main.{place}(0xc00001{line}0, 0x3)
\t/home/{who}/shop/cart.go:{line} +0x1d
main.main()
\t/home/{who}/shop/main.go:9 +0x29
exit status 2
"""
RUST = """    Finished `dev` profile [unoptimized] target(s) in 0.{line}s
thread 'main' panicked at src/{place}:{line}:13:
{inner}
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""
CSHARP = """Unhandled exception. System.AggregateException: One or more errors occurred. (inner)
 ---> {inner}
   at Shop.{place}(Int32 id) in /home/{who}/Shop/Orders.cs:line {line}
   --- End of inner exception stack trace ---
   at System.Threading.Tasks.Task.Wait()
   at Shop.Program.Main() in /home/{who}/Shop/Program.cs:line 8
"""
PHP = """PHP Fatal error:  Uncaught {inner} in /var/www/{who}/src/{place}:{line}
Stack trace:
#0 /var/www/{who}/src/Kernel.php(41): App\\Kernel->handle()
#1 {{main}}

Next App\\HttpException: request failed in /var/www/{who}/src/Kernel.php:50
Stack trace:
#0 {{main}}
  thrown in /var/www/{who}/src/Kernel.php on line 50
"""
PYTEST = """=================================== FAILURES ===================================
__________________________________ {place} ___________________________________

    def {place}(cart):
>       cart.total()

tests/test_cart.py:{line}:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _
E       {inner}

src/cart.py:{line}: KeyError
=========================== short test summary info ============================
FAILED tests/test_cart.py::{place} - {inner}
========================= 1 failed, {line} passed in 0.{line}s =========================
"""
JEST = """ FAIL  src/cart.test.ts
  ● Cart > {place}

    {inner}

      at Object.<anonymous> (src/cart.test.ts:{line}:20)

Test Suites: 1 failed, 1 total
Tests:       1 failed, {line} passed, 9 total
npm ERR! code ELIFECYCLE
"""
JUNIT = """[ERROR] Tests run: 1, Failures: 1, Errors: 0 <<< FAILURE! - in com.acme.CartTest
{inner}
\tat org.junit.jupiter.api.AssertionFailureBuilder.build(AssertionFailureBuilder.java:151)
\tat com.acme.CartTest.{place}(CartTest.java:{line})
[ERROR] There are test failures.
"""


def runs(form, inner, again, other, *, place="load", other_place=None, file="stock.ts"):
    """One fault twice on two machines, then another fault."""
    return (
        form.format(who="ann", line=41, inner=inner, place=place, file=file),
        form.format(who="bob", line=7, inner=again, place=place, file=file),
        form.format(who="ann", line=41, inner=other, place=other_place or place, file=file),
    )


CASES = {
    "python chained": Case("KeyError", "'sku-blue'", *runs(
        PYTHON_CHAINED, "KeyError: 'sku-blue'", "KeyError: 'sku-blue'", "KeyError: 'warehouse'")),
    "java caused by": Case("SQLSyntaxErrorException", "Unknown column 'discount' in 'field list'", *runs(
        JAVA, "java.sql.SQLSyntaxErrorException: Unknown column 'discount' in 'field list' (conn=5512)",
        "java.sql.SQLSyntaxErrorException: Unknown column 'discount' in 'field list' (conn=9)",
        "java.net.ConnectException: Connection refused: db/10.0.0.4:5432", place="Stock.load")),
    "node cause": Case("TypeError", "Cannot read properties of undefined (reading 'price')", *runs(
        NODE, "TypeError: Cannot read properties of undefined (reading 'price')",
        "TypeError: Cannot read properties of undefined (reading 'price')",
        "TypeError: Cannot read properties of undefined (reading 'address')")),
    "go panic": Case("panic", "runtime error: index out of range", *runs(
        GO, "runtime error: index out of range [5] with length 3", "runtime error: index out of range [12] with length 9",
        "runtime error: invalid memory address or nil pointer dereference")),
    "rust panic": Case("panic", "called `Result::unwrap()` on an `Err` value", *runs(
        RUST, "called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }",
        "called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }",
        'called `Result::unwrap()` on an `Err` value: Os { code: 2, kind: NotFound, message: "No such file or directory" }',
        place="config.rs", other_place="store.rs")),
    "csharp inner": Case("InvalidOperationException", "Sequence contains no matching element", *runs(
        CSHARP, "System.InvalidOperationException: Sequence contains no matching element",
        "System.InvalidOperationException: Sequence contains no matching element",
        "System.Net.Http.HttpRequestException: Connection refused (localhost:5001)", place="Orders.Find")),
    "php previous": Case("TypeError", "must be of type int, string given", *runs(
        PHP, "TypeError: Cart::add(): Argument #1 ($id) must be of type int, string given",
        "TypeError: Cart::add(): Argument #1 ($id) must be of type int, string given",
        "PDOException: SQLSTATE[HY000]: no such table: carts", place="Cart.php")),
    "pytest": Case("KeyError", "'discount'", *runs(
        PYTEST, "KeyError: 'discount'", "KeyError: 'discount'", "KeyError: 'currency'", place="test_total")),
    "jest": Case("AssertionError", "expect(received).toBe(expected)", *runs(
        JEST, "expect(received).toBe(expected) // Object.is equality\n\n    Expected: 3\n    Received: 4",
        "expect(received).toBe(expected) // Object.is equality\n\n    Expected: 11\n    Received: 12",
        "expect(received).toBe(expected) // Object.is equality\n\n    Expected: 3\n    Received: 4",
        place="adds a discount", other_place="keeps the currency")),
    "junit": Case("AssertionFailedError", "expected:", *runs(
        JUNIT, "org.opentest4j.AssertionFailedError: expected: <3> but was: <4>",
        "org.opentest4j.AssertionFailedError: expected: <30> but was: <41>",
        "org.opentest4j.AssertionFailedError: expected: <3> but was: <4>", place="addsDiscount", other_place="keepsCurrency")),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_cause_is_read_and_known_again_and_another_in_the_same_wrapping_is_not(name):
    case = CASES[name]
    first, again, other = (read_cause(text) for text in (case.first, case.again, case.other))

    assert first.type == case.type
    assert case.says in first.message
    assert likeness(first, again) >= ALIKE, (first, again)
    assert likeness(first, other) < ALIKE, (first, other)
    assert read_cause(first.phrase) == first


def test_no_two_of_the_tools_failures_are_taken_for_one():
    causes = {name: read_cause(case.first) for name, case in CASES.items()}

    assert [pair for pair in combinations(causes, 2) if likeness(*map(causes.get, pair)) >= ALIKE] == []


@pytest.mark.parametrize(
    "text",
    [
        "npm ERR! code ELIFECYCLE\nnpm ERR! errno 1",
        "make: *** [Makefile:12: test] Error 1",
        "Command failed with exit code 1",
        "subprocess.CalledProcessError: Command '['git', 'push']' returned non-zero exit status 128.",
        "> Task :test FAILED\nFAILURE: Build failed with an exception.",
    ],
)
def test_what_every_failure_says_names_no_fault(text):
    assert read_cause(text).message in ("", "> Task :test FAILED")


def test_an_unrelated_failure_of_the_same_command_is_not_told_what_solved_another(store):
    head = "Command failed with exit code 1: "
    path = start_path(store, head + CASES["pytest"].first, actor="t")
    resolve_path(store, path.id, resolution="give discount a default", actor="t")

    def told(text):
        return [one.path.resolution for one in similar_paths(store, WordCounts(), head + text, now_ms=NOW)]

    assert told(CASES["pytest"].again) == ["give discount a default"]
    assert [name for name, case in CASES.items() if told(case.other)] == []
