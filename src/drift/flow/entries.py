"""What is known of where data comes in: who gets there, by which requests, and what runs before."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from drift.flow.checking import words, words_in
from drift.flow.grading import grading
from drift.flow.lowering import load_form
from drift.flow.program import Program
from drift.flow.reading import form_name
from drift.index import EntryPointRecord, IndexReader, SymbolId, is_file

_HEAD: Final = 4_000  # bytes of a file in which it says that others run it
_MOST_ROUTES: Final = 20
_REMARK: Final = re.compile(r"(?:^|(?<=\s))\s{0,200}(?://|#|/\*|\*(?!/))\s{0,4}(\w.{0,300})")


class Entries:
    """Facts of functions and files in which data comes in, each found once."""

    def __init__(self, reader: IndexReader, program: Program) -> None:
        self._reader = reader
        self._program = program
        self._known: dict[int, frozenset[str]] = {}
        self._lines: dict[int, list[str]] = {}

    def facts(self, entry: int) -> frozenset[str]:
        """What grading.toml may speak of: what is done by whom and how, as `administrators` or `included`."""
        if entry not in self._known:
            self._known[entry] = frozenset(self._find(entry))
        return self._known[entry]

    def remarks(self, file: int, line: int) -> frozenset[str]:
        """`explained` where a remark in a line, or right above it, gives a reason and does not only say what is done."""
        if file not in self._lines:
            content = self._program.content(file) or b""
            self._lines[file] = content.decode("utf-8", "replace").split("\n")
        around = self._lines[file][max(0, line - 2) : line]
        above, own = (["", *around])[-2:]
        told = _REMARK.search(own) or _REMARK.match(above)
        is_reason = told is not None and words_in(told[1]) & words("reasons")
        return frozenset({"explained"}) if is_reason else frozenset()

    def _find(self, entry: int) -> set[str]:
        file = entry >> 16
        context = self._program.context(file)
        if context is None:
            return set()
        found: set[str] = set()
        said = [context.state.path]
        if is_file(entry):
            if self._is_included(file):
                found.add("included")
        else:
            symbol = context.symbols.get(SymbolId(entry))
            content = self._program.content(file) if symbol is not None else None
            if symbol is not None and content is not None:
                said += [
                    symbol.qualname,
                    content[symbol.start_byte : symbol.end_byte].decode("utf-8", "replace"),
                ]
            routes = self._reader.facts.entry_points_at(SymbolId(entry))[:_MOST_ROUTES]
            details = [each.detail for each in routes if each.kind == "http"]
            methods = {each.partition(" ")[0] for each in details}
            if methods and methods <= grading().methods:
                found.add("not-by-link")
            if methods and methods <= grading().methods | grading().posting:
                found.add("posted")
            said += details
            guards = self._guards(entry, routes)
            if any(words_in(text) & grading().guards for text in guards):
                found.add("administrators")
            said += guards
        if set(context.state.path.lower().split("/")[:-1]) & grading().installers:
            found.add("installer")
        if any(words_in(text) & grading().administrators for text in said):
            found.add("administrators")
        return found

    def _guards(self, entry: int, routes: Iterable[EntryPointRecord]) -> list[str]:
        """What stands before a handler, as written."""
        facts = self._reader.facts
        of_routes = [guard.text for each in routes for guard in facts.guards_of(each)]
        return [*of_routes, *(guard.text for guard in facts.guards_at(SymbolId(entry)))]

    def _is_included(self, file: int) -> bool:
        pattern = load_form(form_name(self._program.files[file].language)).included
        content = self._program.content(file) if pattern else None
        return content is not None and re.search(pattern.encode(), content[:_HEAD]) is not None
