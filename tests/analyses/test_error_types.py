from pathlib import Path

from drift.analyses.error_types import find_error_types, list_error_places
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import scan

SOURCE = """
class ShopError(Exception): ...
class OutOfStock(ShopError): ...
class LastPiece(OutOfStock): ...
class TestShopError: ...
class FakeClockError(datetime): ...

def make_error(): return ShopError()
def sell():
    raise make_error()
def buy():
    try:
        sell()
    except (OutOfStock, KeyError):
        raise
"""


def found_in(root: Path, name: str, source: str):
    (root / name).write_text(source, "utf-8")
    scan(root)
    with IndexReader(StateDir(root).index_db) as reader, reader.snapshot():
        return find_error_types(reader)


def test_what_is_only_called_an_error_is_none(tmp_path):
    found = found_in(tmp_path, "shop.py", SOURCE)

    assert {row.type for row in found.declared} == {"ShopError", "OutOfStock", "LastPiece"}


def test_a_function_that_makes_errors_is_no_type_from_outside(tmp_path):
    found = found_in(tmp_path, "shop.py", SOURCE)

    assert [row.type for row in found.outside] == ["KeyError"]


def test_where_anything_may_be_thrown_a_name_is_enough(tmp_path):
    found = found_in(tmp_path, "shop.js", "class ShopError {}\nfunction f() { throw new RangeError('x') }\n")

    assert [row.type for row in found.declared] == ["ShopError"]
    assert [row.type for row in found.outside] == ["RangeError"]


def test_a_shape_that_is_called_an_error_is_none_and_handlers_of_scripts_name_no_types(tmp_path):
    source = (
        "export type LoadError = 'gone' | 'late'\ninterface SaveError { code: number }\nclass ShopError extends Error {}\n"
        "export default function Error() {}\n"
        "function f() { try { throw new ShopError() } catch (e) { if (e instanceof ShopError) throw new RangeError() } }\n"
    )

    found = found_in(tmp_path, "shop.ts", source)

    assert [(row.type, row.raised, row.caught) for row in found.declared] == [("ShopError", 1, None)]


def test_an_error_of_the_language_is_outside_though_a_component_is_called_so(tmp_path):
    found = found_in(
        tmp_path, "page.js", "export function Error() {}\nfunction f() { throw new Error('x') }\n"
    )

    assert [row.type for row in found.outside] == ["Error"]


def test_in_go_the_method_makes_the_error_and_not_the_name(tmp_path):
    (tmp_path / "methods.go").write_text(
        'package shop\nfunc (e soldOut) Error() string { return "sold out" }\n', "utf-8"
    )
    found = found_in(
        tmp_path,
        "shop.go",
        "package shop\ntype soldOut struct{}\n"
        "type MatcherWithError interface { MatchWithError() (bool, error) }\n"
        "type byName struct{}\nfunc (byName) MatchWithError() (bool, error) { return true, nil }\n"
        "type StaticError struct { Error string }\ntype Coded interface { error; Code() int }\n",
    )

    assert {row.type for row in found.declared} == {"soldOut", "Coded"}


def test_errors_of_tests_and_examples_are_left_out_and_counted(tmp_path):
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples/demo.py").write_text("class DemoError(Exception): ...\nraise KeyError\n", "utf-8")
    (tmp_path / "test_shop.py").write_text("class FakeError(Exception): ...\nraise ShopError\n", "utf-8")
    found = found_in(tmp_path, "shop.py", "class ShopError(Exception): ...\nraise ShopError\n")

    assert [(row.type, row.raised) for row in found.declared] == [("ShopError", 1)]
    assert (found.outside, found.left_out) == ((), 2)


def test_errors_of_tests_and_examples_come_last_where_they_are_wanted(tmp_path):
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples/demo.py").write_text("class DemoError(Exception): ...\n", "utf-8")
    (tmp_path / "test_shop.py").write_text("class FakeError(Exception): ...\nraise FakeError\n", "utf-8")
    (tmp_path / "shop.py").write_text("class ShopError(Exception): ...\n", "utf-8")
    scan(tmp_path)
    with IndexReader(StateDir(tmp_path).index_db) as reader:
        found = find_error_types(reader, with_tests=True)

    assert [(row.type, row.is_test) for row in found.declared] == [
        ("ShopError", None), ("FakeError", True), ("DemoError", None),
    ]  # fmt: skip
    assert found.left_out == 0


def test_a_project_that_is_an_example_has_errors_of_its_own(tmp_path):
    (tmp_path / "samples").mkdir()
    found = found_in(tmp_path, "samples/shop.py", "class ShopError(Exception): ...\n")

    assert [row.type for row in found.declared] == ["ShopError"]


def test_an_impl_of_rust_counts_for_the_type_of_its_crate_and_for_none_outside(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src/kinds.rs").write_text("pub struct SoldOut;\n", "utf-8")
    found = found_in(
        tmp_path,
        "src/lib.rs",
        "mod kinds;\nuse kinds::SoldOut;\nimpl std::error::Error for SoldOut {}\n"
        "impl SinkError for Box<dyn std::error::Error> {}\n",
    )

    assert [(row.type, row.file, row.extends) for row in found.declared] == [
        ("SoldOut", "src/kinds.rs", ("std::error::Error",))
    ]


def places_in(root: Path, name: str, source: str, error: str):
    (root / name).write_text(source, "utf-8")
    scan(root)
    with IndexReader(StateDir(root).index_db) as reader, reader.snapshot():
        return list_error_places(reader, error)


ADVICE = """
class ShopException extends RuntimeException {}
class SoldOut extends ShopException {}
class Unpaid extends ShopException {}
@ControllerAdvice
class Advice {
    @ExceptionHandler(value = {ShopException.class}) String shop() { return ""; }
    @ExceptionHandler(Unpaid.class) String unpaid() { return ""; }
}
class Shop {
    void sell() { throw new SoldOut(); }
    void buy() { try { sell(); } catch (ShopException e) { log(e); } }
}
"""


def test_an_error_ends_at_the_handler_of_a_framework_and_at_those_of_its_parents(tmp_path):
    found = places_in(tmp_path, "Shop.java", ADVICE, "SoldOut")

    assert [(row.does, row.function) for row in found.rows] == [
        ("raises", "Shop.sell"),
        ("handles", "Advice.shop"),
        ("catchesParent", "Shop.buy"),
    ]
    assert found.summary == (
        "SoldOut: raised in 1 place, caught in 0, 1 handler of a type above it; handled by 1 handler of a framework"
    )


SUPPLIED = """
class NotFound extends RuntimeException { NotFound() {} NotFound(int id) {} }
class Shop {
    Order first(Optional<Order> found) { return found.orElseThrow(NotFound::new); }
    Order second(Optional<Order> found, int id) {
        return found
            .orElseThrow(() -> new NotFound(id));
    }
    Order third(Optional<Order> found) { return found.orElseThrow(); }
}
"""


def test_what_an_empty_optional_is_told_to_throw_is_raised_there(tmp_path):
    found = places_in(tmp_path, "Shop.java", SUPPLIED, "NotFound")

    assert [(row.does, row.function, row.line) for row in found.rows] == [
        ("raises", "Shop.first", 4),
        ("raises", "Shop.second", 7),
    ]


def test_an_error_that_its_class_makes_is_raised(tmp_path):
    source = "class ShopError(Exception):\n    @classmethod\n    def gone(cls): return cls()\n"
    raising = "import shop\nfrom shop import ShopError\ndef f(maker):\n    raise ShopError.gone()\ndef g():\n"
    raising += "    raise shop.ShopError.gone()\ndef h(maker):\n    raise maker.gone()\n"
    (tmp_path / "sell.py").write_text(raising, "utf-8")
    found = found_in(tmp_path, "shop.py", source)

    assert [(row.type, row.raised) for row in found.declared] == [("ShopError", 2)]


def test_an_exception_that_a_static_method_of_its_class_makes_is_thrown(tmp_path):
    source = "<?php\nclass ShopException extends Exception { static function gone() { return new self; } }\n"
    found = found_in(tmp_path, "shop.php", f"{source}function f() {{ throw ShopException::gone(); }}\n")

    assert [(row.type, row.raised) for row in found.declared] == [("ShopException", 1)]


def test_an_exception_of_a_namespace_is_not_the_one_of_php(tmp_path):
    (tmp_path / "Exception.php").write_text(
        "<?php\nnamespace Mail;\nclass Exception extends \\RuntimeException {}\n"
    )
    (tmp_path / "Parser.php").write_text(
        "<?php\nnamespace Mail;\nfunction f() { throw new Exception('x'); }\n"
    )
    (tmp_path / "Using.php").write_text(
        "<?php\nnamespace App;\nuse Mail\\Exception;\nfunction g() { try { f(); } catch (Exception $e) { log($e); } }\n"
    )
    other = "<?php\nnamespace App;\nuse Exception;\nfunction g() { try { f(); } catch (Exception $e) { log($e); } }\n"
    other += "function h() { try { f(); } catch (\\Exception $e) { log($e); } }\n"
    found = found_in(tmp_path, "Other.php", other)

    assert [(row.type, row.raised, row.caught) for row in found.declared] == [("Exception", 1, 1)]
    assert [(row.type, row.raised, row.caught) for row in found.outside] == [("Exception", 0, 2)]


def test_two_errors_of_ruby_with_one_name_are_told_apart_by_their_modules(tmp_path):
    (tmp_path / "a.rb").write_text("module Post\nclass Error < StandardError\nend\nend\n")
    (tmp_path / "b.rb").write_text(
        "module Post\nclass Spam\nclass Error < StandardError\nend\ndef f\nraise Error, 'x'\nend\nend\nend\n"
    )
    found = found_in(tmp_path, "c.rb", "def g\nraise Post::Error, 'x'\nrescue Post::Spam::Error\n1\nend\n")

    assert [(row.type, row.raised, row.caught) for row in found.declared] == [
        ("Post.Spam.Error", 1, 1),
        ("Post.Error", 1, 0),
    ]
