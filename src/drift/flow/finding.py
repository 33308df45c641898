"""Where data that others choose gets to in a project, kept for each state of its index."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from drift.flow.engine import Engine
from drift.flow.findings import Finding
from drift.flow.models import Names, segments_of
from drift.flow.program import Program
from drift.flow.reading import form_name
from drift.index import IndexReader, SymbolId
from drift.libraries import OwnLibraries, read_own_libraries
from drift.project import StateDir

_PRODUCT: Final = frozenset({"source", "config"})
_MOST_KEPT: Final = 4
_LANGUAGE_TEXT: Final = 2_000_000


class Flows(NamedTuple):
    """All that was found, and what was not looked at."""

    findings: tuple[Finding, ...]
    paths: dict[int, str]
    names: dict[int, str]  # of the functions findings are in, and of those data comes in by
    sanitizers: dict[tuple[str, str], tuple[str, ...]]  # that were looked for, by language and kind
    problems: tuple[str, ...]
    functions: int  # that were run


_KEPT: dict[tuple[str, int, int], Flows] = {}


def find_flows(reader: IndexReader, root: Path, state: StateDir | None = None) -> Flows:
    """The weaknesses of a project; of one state of its index computed once."""
    own = read_own_libraries(state) if state is not None else OwnLibraries()
    key = (str(root), reader.generation(), hash(repr(own.libraries)))
    if key not in _KEPT:
        while len(_KEPT) >= _MOST_KEPT:
            _KEPT.pop(next(iter(_KEPT)))
        _KEPT[key] = _find(reader, root, own)
    return _KEPT[key]


def _find(reader: IndexReader, root: Path, own: OwnLibraries) -> Flows:
    program = Program(reader, root, own.libraries)
    engine = Engine(program)
    engine.run_all(_roots(reader, program))
    engine.unsettled()
    problems = list(own.problems)
    if engine.is_cut:
        problems.append(f"the project has more functions than are followed at once; {engine.units:,} were")
    if engine.results.cut:
        problems.append(
            f"{len(engine.results.cut):,} functions are so large that not all of them was followed"
        )
    findings = tuple(
        sorted(
            engine.results.found.values(),
            key=lambda each: (program.files[each.file].path, each.line, each.kind.name),
        )
    )
    names: dict[int, str] = {}
    for function in {each for finding in findings for each in (finding.function, finding.entry) if each > 0}:
        context = program.context(function >> 16)
        symbol = context.symbols.get(SymbolId(function)) if context is not None else None
        names[function] = symbol.qualname if symbol is not None else ""
    paths = {id_: each.path for id_, each in program.files.items()}
    return Flows(findings, paths, names, _sanitizers(program), tuple(problems), engine.units)


def _sanitizers(program: Program) -> dict[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], dict[str, None]] = {}
    for language in {form_name(each.language) for each in program.files.values()}:
        for library in program.models(language).libraries:
            for row in library.sanitizers:
                for kind in row.kinds:
                    found.setdefault((language, kind), {}).update(dict.fromkeys(row.names))
    return {key: tuple(names) for key, names in found.items()}


def _roots(reader: IndexReader, program: Program) -> Iterable[SymbolId]:
    """The functions that read a source, call a sink or something that is checked, or answer requests."""
    product = {id_: each for id_, each in program.files.items() if each.role in _PRODUCT}
    spoken = {form_name(each.language) for each in product.values()}
    wanted: set[str] = set()
    for language in spoken:
        models = program.models(language)
        tables: tuple[Names[object], ...] = (models.sources, models.sinks, models.checks)  # type: ignore[assignment] # of any rows
        wanted |= {word for table in tables for word in table.words()}
    numbers = [
        number for number, text in reader.flow.words() if (parts := segments_of(text)) and parts[0] in wanted
    ]
    found = dict.fromkeys(each for each in reader.flow.callers_of_words(numbers) if each >> 16 in product)
    found |= dict.fromkeys(SymbolId(each) for each in program.handlers if each >> 16 in product)
    for file, each in product.items():
        if (pattern := _read_pattern(program, each.language)) is not None:
            content = program.content(file)
            if content is not None and pattern.search(content, 0, _LANGUAGE_TEXT):
                found |= dict.fromkeys(_functions(program, file))
    return found


def _functions(program: Program, file: int) -> Iterable[SymbolId]:
    """The functions of a file, and what stands outside of them."""
    context = program.context(file)
    if context is not None:
        yield SymbolId(file << 16)
        yield from dict.fromkeys(context.by_start.values())


def _read_pattern(program: Program, language: str) -> re.Pattern[bytes] | None:
    """What a file must have in it that reads a source, writes to a sink or sets something that is checked."""
    models = program.models(language)
    words = {
        *models.sources.words(),
        *models.assigned.words(),
        *models.keys,
        *models.decorated,
        *models.source_types,
    }
    if not words:
        return None
    return re.compile(b"|".join(re.escape(each.encode()) for each in sorted(words)))
