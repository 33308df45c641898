"""Where the outside world enters C and C++ code: main, and the test cases of common frameworks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.languages.facts import EntryPoint
from drift.languages.frameworks import load_frameworks
from drift.languages.kinds import CLASS_KINDS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.declarators import Declared
    from drift.languages.cpp.walk import CppWalk
    from drift.languages.expressions import Expression
    from drift.languages.facts import Symbol

_FRAMEWORKS: Final = load_frameworks("cpp")
_MAINS: Final = _FRAMEWORKS.names("main", "names")
_TEST_FUNCTIONS: Final = _FRAMEWORKS.names("tests", "functions")
_WITH_FIXTURE: Final = _FRAMEWORKS.names("tests", "with_fixture")
_NAME_FIRST: Final = _FRAMEWORKS.texts("tests", "name_first")
TEST_BLOCKS: Final = _FRAMEWORKS.names("tests", "blocks")
_SLOTS: Final = _FRAMEWORKS.names("tests", "slots")
_SLOT_HEADERS: Final = _FRAMEWORKS.names("tests", "slot_headers")
_SLOT_MAINS: Final = _FRAMEWORKS.names("tests", "slot_mains")
_SLOT_DATA: Final = _FRAMEWORKS.texts("tests", "slot_data")
_SLOT_CHECKS: Final = _FRAMEWORKS.names("tests", "slot_checks")
_MAIN_OF: Final = re.compile(rb"\b(?:%s)\s{0,8}\(\s{0,8}(\w{1,200})" % "|".join(sorted(_SLOT_MAINS)).encode())
_MOST_WORDS_BYTES: Final = 40
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


def opens_slots(cpp: CppWalk, node: Node) -> bool:
    """Whether `private slots:` stands there, of which the last word may have been read past as a macro."""
    written = cpp.written[node.start_byte : node.start_byte + _MOST_WORDS_BYTES]
    words = written.partition(b":")[0].decode("utf-8", "replace").split()
    return len(words) > 1 and words[0] == "private" and words[1] in _SLOTS


def note_slot_tests(cpp: CppWalk) -> None:
    """Note the tests of Qt Test: the private slots of a class whose file has its headers or its `main`.

    Where a header has the class, its methods here are tests that take nothing and give nothing back, as slots of
    tests do, if one of them checks something or `main` is made of the class.
    """
    if not _has_slot_tests(cpp):
        return
    declared = {symbol.name for symbol in cpp.symbols if symbol.kind in CLASS_KINDS}
    elsewhere = _tested_elsewhere(cpp) - declared
    for number, symbol in enumerate(cpp.symbols):
        if symbol.kind != "method" or "declaration" in symbol.modifiers or symbol.name.endswith(_SLOT_DATA):
            continue
        receiver = _receiver(symbol)
        is_slot = (receiver or cpp.symbols[symbol.parent].name, symbol.name) in cpp.slots
        if is_slot or (receiver in elsewhere and _is_like_slot(symbol)):
            note_function(cpp, number, is_test=True)


def _receiver(symbol: Symbol) -> str:
    """The class of a method that stands outside of it."""
    written = next((one.type_text or "" for one in symbol.parameters[:1] if one.kind == "receiver"), "")
    return written.rpartition("::")[2]


def _is_like_slot(symbol: Symbol) -> bool:
    return symbol.return_text == "void" and all(one.kind == "receiver" for one in symbol.parameters)


def _tested_elsewhere(cpp: CppWalk) -> set[str]:
    """The classes that `QTEST_MAIN(Class)` names, and those with a method that checks something."""
    found = {
        _receiver(cpp.symbols[call.scope])
        for call in cpp.calls
        if call.text in _SLOT_CHECKS and cpp.symbols[call.scope].kind == "method"
    }
    found.update(name.decode("utf-8", "replace") for name in _MAIN_OF.findall(cpp.written))
    return found - {""}


def _has_slot_tests(cpp: CppWalk) -> bool:
    if any(one.module.strip('<>"') in _SLOT_HEADERS for one in cpp.imports):
        return True
    return any(word.encode() in cpp.written for word in _SLOT_MAINS)


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
