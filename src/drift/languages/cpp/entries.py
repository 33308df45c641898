"""Where the outside world enters C and C++ code: main, and the test cases of common frameworks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from drift.languages.facts import EntryPoint
from drift.languages.frameworks import load_frameworks

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.declarators import Declared
    from drift.languages.cpp.walk import CppWalk
    from drift.languages.expressions import Expression

_FRAMEWORKS: Final = load_frameworks("cpp")
_MAINS: Final = _FRAMEWORKS.names("main", "names")
_TEST_FUNCTIONS: Final = _FRAMEWORKS.names("tests", "functions")
_WITH_FIXTURE: Final = _FRAMEWORKS.names("tests", "with_fixture")
_NAME_FIRST: Final = _FRAMEWORKS.texts("tests", "name_first")
TEST_BLOCKS: Final = _FRAMEWORKS.names("tests", "blocks")
_NAMES_OF_OWN: Final = 2  # the fixture, and what it is called


class TestCase(NamedTuple):
    """A test by its name, and the class whose members it may use as its own."""

    name: str
    fixture: Expression


def name_test(cpp: CppWalk, declared: Declared) -> TestCase | None:
    """The test that `TEST(Suite, Name) {` defines; None for any other function."""
    if declared.name.type != "identifier" or declared.function is None:
        return None
    macro = cpp.text.text(declared.name)
    listed = declared.function.child_by_field_name("parameters")
    if listed is None or (macro not in _TEST_FUNCTIONS and not _is_own_test(macro, listed)):
        return None
    names = [cpp.text.brief(child, 100) for child in listed.named_children if child.type != "comment"]
    if not names:
        return None
    if macro.startswith(_NAME_FIRST):
        fixture = names[1] if macro == "BOOST_FIXTURE_TEST_CASE" and len(names) > 1 else ""
        return TestCase(names[0], ("name", fixture) if fixture else None)
    return TestCase(
        ".".join(names[:2]), ("name", names[0]) if macro not in _TEST_FUNCTIONS - _WITH_FIXTURE else None
    )


def _is_own_test(macro: str, listed: Node) -> bool:
    """Whether `PROJECT_TEST_F(Fixture, name)` is a macro of the project's own: two names, and no function has such."""
    if not macro.isupper() or "TEST" not in macro:
        return False
    given = [child for child in listed.named_children if child.type != "comment"]
    return len(given) == _NAMES_OF_OWN and all(
        child.type == "parameter_declaration"
        and child.named_child_count == 1
        and child.named_children[0].type == "type_identifier"
        for child in given
    )


def note_function(cpp: CppWalk, number: int, *, is_test: bool) -> None:
    """Note a function that is a test, or goes by the name a system starts programs with."""
    symbol = cpp.symbols[number]
    if is_test:
        modifiers = tuple(sorted({*symbol.modifiers, "test"}))
        cpp.symbols[number] = symbol._replace(modifiers=modifiers)
        cpp.entry_points.append(EntryPoint(number, "test", symbol.name, symbol.line))
    elif symbol.kind == "function" and symbol.name in _MAINS:
        cpp.entry_points.append(EntryPoint(number, "main", symbol.name, symbol.line))


def test_block(cpp: CppWalk, statement: Node) -> str | None:
    """The name that `TEST_CASE("name")` right before a block gives to it."""
    call = statement.named_children[0] if statement.named_child_count else None
    if call is None or call.type != "call_expression":
        return None
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is None or arguments is None or cpp.text.brief(function, 40) not in TEST_BLOCKS:
        return None
    texts = [cpp.string_of(child) for child in arguments.named_children]
    return next((text for text in texts if text), None)
