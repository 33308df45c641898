"""Places where errors are lost, before anything is said of their risk: by what is written there."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.error_handling.compiled_tests import CompiledTests
from drift.analyses.error_handling.hierarchy import catches_everything, family_name
from drift.analyses.error_handling.regions import Guarding, grade
from drift.analyses.error_handling.rows import GapKind
from drift.analyses.source_text import read_lines
from drift.index.ids import FileId, SymbolId, is_file
from drift.languages.facts import CallTrait, HandlingTrait

if TYPE_CHECKING:
    from pathlib import Path

    from drift.index import IndexReader
    from drift.index.error_queries import ErrorFile
    from drift.index.records import SymbolRecord

_LOST: Final = CallTrait.DROPPED | CallTrait.AWAITED
_PROMISING: Final = frozenset({"javascript", "python", "csharp"})
_THEN: Final = re.compile(r"\.then\Z")
_IN_TESTS: Final = re.compile(r"(?:^|\.)tests?\.")
_ERROR_RESULT: Final = {"go": re.compile(r"(?:^|[\s,(])error\)?\Z"), "rust": re.compile(r"(?:^|::)Result\b")}
_TAKING_RESULTS: Final = frozenset({"javascript", *_ERROR_RESULT})
_NO_PRODUCT: Final = frozenset({"test", "generated", "vendored"})
_SURE: Final = 0.7  # of a call
_MOST_ARGUMENTS: Final = 1  # a second one of `then` is for failures, of a format what is put into it
_SHOWN_HANDLER: Final = 400  # lines of a handler that are read again


class Finding(NamedTuple):
    """Something at a place. `is_narrow`: it is about errors that are named."""

    kind: GapKind
    symbol: SymbolId
    line: int
    types: tuple[str, ...] = ()
    note: str = ""
    is_narrow: bool = False
    times: int = 1


class Finder:
    """Looks for findings outside tests."""

    def __init__(
        self,
        reader: "IndexReader",
        root: "Path",
        guards: Mapping[SymbolId, Guarding],
        files: Mapping[int, "ErrorFile"],
    ) -> None:
        self._reader = reader
        self._root = root
        self._guards = guards
        self._files = files
        self._rust = [
            FileId(number) for number, file in files.items() if family_name(file.language) == "rust"
        ]
        self._tests = CompiledTests(reader, self._rust)

    def all(self) -> list[Finding]:
        """All of them, by place."""
        found = [
            *self._in_handlers(),
            *self._lost_results(),
            *self._by_construct(),
            *self._unwraps(),
            *self._unwrapped_causes(),
            *self._rethrown_by_name(),
            *self._awaited_by_nobody(),
        ]
        return sorted(found, key=lambda one: (one.symbol >> 16, one.line, one.kind))

    def _language(self, symbol: SymbolId) -> str:
        return family_name(self._files[symbol >> 16].language)

    def _is_product(self, symbol: SymbolId) -> bool:
        return self._files[symbol >> 16].role not in _NO_PRODUCT

    def _in_handlers(self) -> Iterator[Finding]:
        for symbol, guarding in self._guards.items():
            if not self._is_product(symbol):
                continue
            language = self._language(symbol)
            for one in (*guarding.handlers, *guarding.checks):
                does, is_check = grade(one), one.kind == "check"
                is_broad = not is_check and catches_everything(language, one.types)
                # In JavaScript all handlers are broad, so that nothing is said by being so.
                is_narrow = not is_broad or language == "javascript"
                if does == "nothing":
                    yield Finding(
                        "swallowed-error",
                        symbol,
                        one.line,
                        one.types,
                        is_narrow=bool(one.types) and not is_broad,
                    )
                elif does == "log" and is_broad:
                    yield Finding("logged-only", symbol, one.line, one.types)
                elif does == "default" and not is_narrow:
                    yield Finding("default-returned", symbol, one.line, one.types)
                elif does == "recovers" and is_broad and self._is_too_broad(language, one.types):
                    yield Finding("bare-catch", symbol, one.line, one.types)

    def _is_too_broad(self, language: str, types: Iterable[str]) -> bool:
        """A bare `except`, `catch (Throwable …)`: what cannot be handled is caught, too."""
        named = set(types)
        if language == "python":
            return not named or "BaseException" in named
        return language == "java" and "Throwable" in named

    def _lost_results(self) -> Iterator[Finding]:
        """Promises and errors that nobody takes."""
        handed_on = self._handed_on()
        dropped = [
            call
            for call in self._reader.errors.used_calls(
                int(_LOST), int(CallTrait.DROPPED), files=self._losing()
            )
            # What a script begins with may fail and end it.
            if self._is_product(call.caller)
            and not is_file(call.caller)
            and (call.caller, call.line) not in handed_on
            and not self._tests.has(call.caller, call.line)
        ]
        ends = self._reader.errors.ends({call.caller for call in dropped}, min_confidence=_SURE)
        symbols = {one.id: one for one in self._reader.symbols.many(set(ends.values()))}
        for call in dropped:
            language = self._language(call.caller)
            end = symbols.get(ends.get(call.id, SymbolId(-1)))
            if (
                language == "javascript"
                and _THEN.search(call.text)
                and call.argument_count <= _MOST_ARGUMENTS
            ):
                if ".catch" not in call.text:
                    yield Finding("unhandled-async", call.caller, call.line, note="then without catch")
            elif end is not None and "async" in end.modifiers and language in _PROMISING:
                if not self._is_safe_alone(end):
                    yield Finding(
                        "unhandled-async", call.caller, call.line, note=f"{end.qualname} is not awaited"
                    )
            elif end is not None and not call.traits & CallTrait.IN_RESOURCE and _gives_error(language, end):
                yield Finding("ignored-error", call.caller, call.line, note=f"{call.text} returns an error")

    def _losing(self) -> set[int]:
        """The files in which a result that nobody takes may be lost: elsewhere only where something async is called."""
        product = {number for number, file in self._files.items() if file.role not in _NO_PRODUCT}
        always = {
            number for number in product if family_name(self._files[number].language) in _TAKING_RESULTS
        }
        waiting = self._reader.errors.modified("async")
        calls = self._reader.errors.called_from(waiting, min_confidence=_SURE)
        return always | (product & {call.caller >> 16 for call in calls})

    def _handed_on(self) -> set[tuple[SymbolId, int]]:
        """Lines of Rust whose error goes on to the caller: `save()?;` drops what is there where there is none."""
        return {
            (one.symbol_id, line)
            for one in self._reader.profiles.constructs(self._rust, ("propagate",))
            for line in range(one.line, one.end_line + 1)
        }

    def _is_safe_alone(self, called: "SymbolRecord") -> bool:
        """Whether a function sees to its own failures, so that nobody needs to wait for it."""
        guarding = self._guards.get(called.id)
        return guarding is not None and any(one.handlers for one in guarding.regions)

    def _by_construct(self) -> Iterator[Finding]:
        marks = [
            one
            for one in self._reader.errors.marks(("suppressed", "discard"))
            if self._is_product(one.symbol)
        ]
        thrown_away = [one for one in marks if one.kind == "discard"]
        errors = self._error_lines({one.symbol for one in thrown_away})
        for one in marks:
            if one.kind == "suppressed":
                yield Finding("suppressed", one.symbol, one.line)
            elif one.detail.endswith("?") or self._tests.has(one.symbol, one.line):
                continue
            elif (one.line, _called(one.detail)) in errors.get(one.symbol, ()):
                note = f"{one.detail.partition('(')[0]} returns an error"
                yield Finding("ignored-error", one.symbol, one.line, note=note)

    def _error_lines(self, symbols: set[SymbolId]) -> Mapping[SymbolId, set[tuple[int, str]]]:
        """By function the calls in it that give back an error."""
        found: dict[SymbolId, set[tuple[int, str]]] = defaultdict(set)
        if not symbols:
            return found
        edges = self._reader.graph.edges_of(symbols)
        gives = {
            one.id
            for one in self._reader.symbols.many({each.callee_id for each in edges})
            if _gives_error(family_name(one.language or ""), one)
        }
        names = {one.id: one.name for one in self._reader.symbols.many(gives)}
        for each in edges:
            if each.callee_id in gives:
                found[each.caller_id].add((each.line, names[each.callee_id]))
        return found

    def _unwraps(self) -> Iterator[Finding]:
        counted: dict[SymbolId, list[int]] = defaultdict(list)
        for ending in (".unwrap", ".expect") if self._rust else ():
            for call in self._reader.errors.calls_ending(ending):
                is_test = self._tests.has(call.caller, call.line)
                if self._language(call.caller) == "rust" and self._is_product(call.caller) and not is_test:
                    counted[call.caller].append(call.line)
        for one in self._reader.symbols.many(counted):
            if _IN_TESTS.search(one.qualname) is None:
                lines = counted[one.id]
                yield Finding("unwrap", one.id, min(lines), times=len(lines))

    def _unwrapped_causes(self) -> Iterator[Finding]:
        if not any(file.language == "go" for file in self._files.values()):
            return
        for call in self._reader.errors.calls_ending("fmt.Errorf"):
            if (
                not call.traits & CallTrait.IN_HANDLER
                or call.argument_count <= _MOST_ARGUMENTS
                or not self._is_product(call.caller)
            ):
                continue
            if call.literal is not None and "%" in call.literal and "%w" not in call.literal:
                yield Finding("missing-wrap", call.caller, call.line)

    def _rethrown_by_name(self) -> Iterator[Finding]:
        """`throw ex;`, of which the facts say only that the same error is thrown: its line is read again."""
        for symbol, guarding in self._guards.items():
            if self._language(symbol) != "csharp" or not self._is_product(symbol):
                continue
            for one in guarding.handlers:
                if one.traits & HandlingTrait.RETHROWS and one.variable:
                    path, count = (
                        self._files[symbol >> 16].path,
                        min(one.end_line - one.line + 1, _SHOWN_HANDLER),
                    )
                    lines = read_lines(self._root, path, first=one.line, count=count)
                    written = re.compile(rf"\bthrow {re.escape(one.variable)}\s{{0,9}};")
                    at = next((number for number, line in enumerate(lines) if written.search(line)), None)
                    if at is not None:
                        yield Finding("throw-ex", symbol, one.line + at, one.types)

    def _awaited_by_nobody(self) -> Iterator[Finding]:
        """Methods of C# that are async and return nothing; handlers of events have to be."""
        for one in self._reader.symbols.many(self._reader.errors.modified("async")):
            if one.language != "csharp" or one.return_text != "void" or not self._is_product(one.id):
                continue
            if not any((each.type_text or "").endswith("EventArgs") for each in one.parameters):
                yield Finding("async-void", one.id, one.line)


def _called(written: str) -> str:
    """The name of what is called: of `store.Save(order)` Save."""
    return re.split(r"\.|::", written.partition("(")[0].strip())[-1]


def _gives_error(language: str, symbol: "SymbolRecord") -> bool:
    pattern = _ERROR_RESULT.get(language)
    return (
        pattern is not None
        and symbol.return_text is not None
        and pattern.search(symbol.return_text) is not None
    )
