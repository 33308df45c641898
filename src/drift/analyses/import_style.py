"""The import statements that bring symbols into a file, in the way the files around it write theirs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from drift.analyses.import_choice import Choice, choose_symbol
from drift.analyses.import_forms import Form, Statement, Written
from drift.analyses.import_outside import write_outside
from drift.analyses.import_rows import ImportAdvice, ImportAdvices, UnresolvedImport
from drift.analyses.import_surroundings import Surroundings, look_around
from drift.analyses.import_writers import write_import
from drift.analyses.lookup import find_symbols
from drift.analyses.workspaces.needs import missing_need
from drift.index import IndexReader

_MOST_OTHERS: Final = 5
_ONE_OF_SEVERAL: Final = 0.6
_OFTEN: Final = 3  # imports of it
_UNDECLARED: Final = 0.5  # the statement is right, and does not build yet


def advise_imports(
    reader: IndexReader, root: Path, names: Sequence[str], target_path: str
) -> ImportAdvices | None:
    """How a file, which need not exist yet, imports the named symbols; None for a file of no known language."""
    around = look_around(reader, root, target_path)
    if around is None:
        return None
    forms: dict[Form, list[str]] = {}
    advice: list[ImportAdvice] = []
    unresolved: list[UnresolvedImport] = []
    for name in dict.fromkeys(names):
        found = _advise(reader, around, name)
        if isinstance(found, UnresolvedImport):
            unresolved.append(found)
            continue
        row, statement = found
        advice.append(row)
        if statement is not None:
            forms.setdefault(statement.form, []).append(statement.name)
    written = (form.write(tuple(dict.fromkeys(brought))) for form, brought in forms.items())
    statements = tuple(line for text in written for line in text.splitlines())
    return ImportAdvices(statements, tuple(advice), tuple(unresolved))


def _advise(
    reader: IndexReader, around: Surroundings, name: str
) -> tuple[ImportAdvice, Statement | None] | UnresolvedImport:
    found = find_symbols(reader, name)
    choice = choose_symbol(
        reader, found.symbols, family=around.family, target_path=around.path, is_test=around.is_test
    )
    # A member of some class is seldom meant where other files import the bare name from outside.
    is_vague = choice is None or (choice.member is not None and "." not in name)
    if is_vague and (outside := write_outside(reader, around, name)) is not None:
        written, source = outside
        return _row(name, source, written)
    if choice is None:
        return UnresolvedImport(name, _why_not(found.symbols, around), found.similar)
    present = _present(choice, around)
    if present is not None:
        return present, None
    answer = write_import(reader, around, choice)
    if isinstance(answer, str):
        more = f"; {len(choice.others)} others have the name" if choice.others else ""
        return UnresolvedImport(name, f"{answer}{more}")
    source = f"{choice.symbol.path}:{choice.symbol.line}"
    missing = missing_need(reader, around.root, around.path, choice.symbol.path)
    if missing is not None:
        answer = answer._replace(
            reason=f"{answer.reason}; {missing}: it must be declared first",
            confidence=min(answer.confidence, _UNDECLARED),
        )
    elif choice.others and not _is_chosen_by_others(choice):
        answer = answer._replace(
            reason=f"{answer.reason}; one of {len(choice.others) + 1} of the name",
            confidence=min(answer.confidence, _ONE_OF_SEVERAL),
        )
    return _row(choice.symbol.qualname, source, answer, choice)


def _is_chosen_by_others(choice: Choice) -> bool:
    """Whether it is imported often enough to be what is meant by a name that several have."""
    return len(choice.importers) >= _OFTEN


def _row(
    symbol: str, source: str, written: Written, choice: Choice | None = None
) -> tuple[ImportAdvice, Statement | None]:
    statement = written.statement
    advice = ImportAdvice(
        symbol,
        statement.form.write((statement.name,)) if statement else None,
        source,
        written.reason,
        written.confidence,
        written.use_as or (choice.member if choice else None),
        _others(choice) if choice else None,
    )
    return advice, statement


def _present(choice: Choice, around: Surroundings) -> ImportAdvice | None:
    """Advice to do nothing, where the file has the symbol already."""
    symbol = choice.symbol
    source = f"{symbol.path}:{symbol.line}"
    if symbol.path == around.path:
        return ImportAdvice(symbol.qualname, None, source, "declared in this file", 1.0)
    for each in around.own:
        if each.target_symbol_id == symbol.id:
            return ImportAdvice(
                symbol.qualname, None, source, f"imported already on line {each.line}", 1.0, each.alias
            )
    return None


def _others(choice: Choice) -> tuple[str, ...] | None:
    rows = tuple(f"{one.qualname} {one.path}:{one.line}" for one in choice.others[:_MOST_OTHERS])
    return rows or None


def _why_not(symbols: Sequence[object], around: Surroundings) -> str:
    if not symbols:
        return "the index has no such symbol, and no file imports one from outside"
    return f"it is only in tests, local to a function, or not of the language of {around.path}"
