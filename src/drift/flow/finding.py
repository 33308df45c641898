"""Where data that others choose gets to in a project, kept for each state of its index."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from drift.flow.engine import Engine
from drift.flow.entries import Entries
from drift.flow.findings import Finding
from drift.flow.grading import first_doubt
from drift.flow.program import Program
from drift.flow.reading import form_name
from drift.index import FileId, IndexReader, SymbolId, is_file
from drift.libraries import OwnLibraries, read_own_libraries
from drift.project import StateDir

_PRODUCT: Final = frozenset({"source", "config"})
_MOST_KEPT: Final = 4
_FEW: Final = 20
_LANGUAGE_TEXT: Final = 2_000_000


class Flows(NamedTuple):
    """All that was found, and what was not looked at."""

    findings: tuple[Finding, ...]
    paths: dict[int, str]
    names: dict[int, str]  # of the functions findings are in, and of those data comes in by
    sanitizers: dict[tuple[str, str], tuple[str, ...]]  # that were looked for, by language and kind
    problems: tuple[str, ...]
    functions: int  # that were run


class _Following:
    """A project that is followed from one state of its index to the next."""

    def __init__(self, reader: IndexReader, root: Path, own: OwnLibraries) -> None:
        self._own = own
        self._reader = reader
        self._program = Program(reader, root, own.libraries)
        self._engine = Engine(self._program)
        self._wanted: frozenset[int] = frozenset()  # texts of calls of sources, sinks and what is checked
        self._last_word = -1
        self._learn_words(reader)
        callers = reader.flow.callers_of_words(self._wanted)
        self._run(dict.fromkeys([*callers, *self._roots_in(self._program.files)]))

    def advance(self, reader: IndexReader) -> bool:
        """Follow what changed; False where all is to be followed anew."""
        self._reader = reader
        changed = self._program.renew(reader)
        if changed is None or len(changed) > max(_FEW, len(self._program.files) // 4):
            return False
        self._learn_words(reader)
        again = [*self._still_there(self._engine.drop(changed))]
        callers = [each for file in changed for each in reader.flow.callers_in(FileId(file), self._wanted)]
        known = set(again)
        self._run({each: None for each in (*callers, *self._roots_in(changed)) if each not in known}, again)
        return True

    def _still_there(self, units: Iterable[int]) -> Iterator[SymbolId]:
        """Those functions that the project still has."""
        for unit in units:
            context = self._program.context(unit >> 16)
            if context is not None and (is_file(unit) or unit in context.symbols):
                yield SymbolId(unit)

    def flows(self) -> Flows:
        """All that is known now."""
        program, engine = self._program, self._engine
        self._entries = Entries(self._reader, program)
        problems = list(self._own.problems)
        if engine.is_cut:
            problems.append("the project has more functions than are followed at once")
        if engine.results.cut:
            count = len(engine.results.cut)
            problems.append(f"{count:,} functions are so large that not all of them was followed")
        findings = tuple(
            sorted(
                engine.results.findings(self._graded),
                key=lambda each: (program.files[each.file].path, each.line, each.kind.name),
            )
        )
        names: dict[int, str] = {}
        for function in {
            each for finding in findings for each in (finding.function, finding.entry) if each > 0
        }:
            context = program.context(function >> 16)
            symbol = context.symbols.get(SymbolId(function)) if context is not None else None
            names[function] = symbol.qualname if symbol is not None else ""
        paths = {id_: each.path for id_, each in program.files.items()}
        return Flows(findings, paths, names, _sanitizers(program), tuple(problems), engine.units)

    def _graded(self, finding: Finding) -> Finding:
        """A finding, less sure where something speaks against it where its data comes in."""
        if finding.confidence != "high":
            return finding
        entries = self._entries
        facts = entries.facts(finding.entry) if finding.entry else entries.remarks(finding.file, finding.line)
        doubt = first_doubt(finding.kind.name, facts)
        if not doubt:
            return finding
        return finding._replace(confidence="medium", reasons=(*finding.reasons, doubt))

    def _run(self, roots: dict[SymbolId, None], again: Iterable[SymbolId] = ()) -> None:
        was_enabled = gc.isenabled()
        gc.disable()  # values live to the end, and would be looked through again and again
        try:
            wanted = (*roots, *self._engine.again(again)) if again else roots
            self._engine.run_all(each for each in wanted if self._is_product(each >> 16))
            self._engine.unsettled()
        finally:
            self._program.forget()
            if was_enabled:
                gc.enable()

    def _is_product(self, file: int) -> bool:
        state = self._program.files.get(file)
        return state is not None and state.role in _PRODUCT

    def _learn_words(self, reader: IndexReader) -> None:
        """Which texts of calls name a source, a sink or something that is checked."""
        spoken = {form_name(each.language) for each in self._program.files.values()}
        models = [self._program.models(language) for language in spoken]
        new = reader.flow.words(after=self._last_word)
        self._wanted |= {number for number, text in new if any(each.matters(text) for each in models)}
        self._last_word = new[-1][0] if new else self._last_word

    def _roots_in(self, files: Iterable[int]) -> Iterator[SymbolId]:
        """The functions that answer requests, and those of files that read a source or set what is checked."""
        wanted = set(files)
        yield from (SymbolId(each) for each in self._program.handlers if each >> 16 in wanted)
        for file in wanted:
            state = self._program.files.get(file)
            if state is None or state.role not in _PRODUCT:
                continue
            pattern = _read_pattern(self._program, state.language)
            content = self._program.content(file) if pattern is not None else None
            if pattern is not None and content is not None and pattern.search(content, 0, _LANGUAGE_TEXT):
                yield from _functions(self._program, file)


_FOLLOWED: dict[tuple[str, int], tuple[int, _Following, Flows]] = {}


def find_flows(reader: IndexReader, root: Path, state: StateDir | None = None) -> Flows:
    """The weaknesses of a project; of a later state of its index only what changed is looked at again."""
    own = read_own_libraries(state) if state is not None else OwnLibraries()
    key, generation = (str(root), hash(repr(own))), reader.generation()
    known = _FOLLOWED.pop(key, None)
    if known is None or known[0] != generation:
        following = (
            known[1] if known is not None and known[1].advance(reader) else _Following(reader, root, own)
        )
        known = (generation, following, following.flows())
    while len(_FOLLOWED) >= _MOST_KEPT:
        _FOLLOWED.pop(next(iter(_FOLLOWED)))
    _FOLLOWED[key] = known
    return known[2]


def _sanitizers(program: Program) -> dict[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], dict[str, None]] = {}
    for language in {form_name(each.language) for each in program.files.values()}:
        for library in program.models(language).libraries:
            for row in library.sanitizers:
                for kind in row.kinds:
                    found.setdefault((language, kind), {}).update(dict.fromkeys(row.names))
    return {key: tuple(names) for key, names in found.items()}


def _functions(program: Program, file: int) -> Iterable[SymbolId]:
    """The functions of a file, and what stands outside of them."""
    context = program.context(file)
    if context is not None:
        yield SymbolId(file << 16)
        yield from dict.fromkeys(context.by_start.values())


def _read_pattern(program: Program, language: str) -> re.Pattern[bytes] | None:
    """What a file must have in it that reads a source, writes to a sink or sets something that is checked."""
    words = program.models(language).written()
    return re.compile("|".join(sorted(words)).encode()) if words else None
