"""What a symbol looks like from outside: its signature taken apart, its decorators, its documentation."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from drift.analyses.definitions import visibility_of
from drift.analyses.source_text import read_symbol_text
from drift.index import IndexReader
from drift.index.records import ParameterRecord, SymbolRecord
from drift.kernel.ranking import Ranked, Sort, as_found
from drift.kernel.text import plural, shorten

LONGEST_SIGNATURE: Final = 400
LONGEST_DOC: Final = 600
_LONGEST_DECORATOR: Final = 160
_BODY_CHARACTERS: Final = 12_000  # about what the usual answer may hold, shared by the matches
_PARAGRAPH_END: Final = re.compile(r"\n[ \t]*\n|\n[ \t]*(?=[@:]\w+|Args:|Parameters?:?\n|Returns?:)")


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """A parameter; `kind` is plain, rest, keywords or keyword (by name only)."""

    name: str
    type: str | None
    default: str | None
    kind: str


@dataclass(frozen=True, slots=True)
class SignatureRow:
    """A symbol as declared. `returns` is the declared type, null where none is; `bodyProblem` says why there is no body."""

    symbol: str
    kind: str
    file: str
    line: int
    end_line: int
    signature: str
    visibility: str
    modifiers: tuple[str, ...]
    returns: str | None
    parameters: tuple[ParameterRow, ...] | None = None
    decorators: tuple[str, ...] | None = None
    doc: str | None = None
    body: str | None = None
    body_problem: str | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of a symbol is asked for beyond its signature."""

    docs: bool = True
    body_root: Path | None = None  # the project's root, where bodies are wanted


def describe_signatures(
    reader: IndexReader, symbols: Sequence[SymbolRecord], wanted: Wanted
) -> tuple[SignatureRow, ...]:
    """Each symbol's signature; the bodies share one budget."""
    share = _BODY_CHARACTERS // max(1, len(symbols))
    return tuple(_describe(reader, symbol, wanted, share) for symbol in symbols)


def _describe(reader: IndexReader, symbol: SymbolRecord, wanted: Wanted, share: int) -> SignatureRow:
    parameters = parameter_rows(symbol.parameters)
    decorators = tuple(
        shorten(each.text, _LONGEST_DECORATOR) for each in reader.symbols.decorators(symbol.id)
    )
    body = problem = None
    if wanted.body_root is not None:
        body, problem = read_symbol_text(reader, wanted.body_root, symbol, max_characters=share)
    return SignatureRow(
        symbol=symbol.qualname,
        kind=symbol.kind,
        file=symbol.path,
        line=symbol.line,
        end_line=symbol.end_line,
        signature=signature_text(symbol),
        visibility=visibility_of(reader, symbol),
        modifiers=symbol.modifiers,
        returns=symbol.return_text,
        parameters=parameters or None,
        decorators=decorators or None,
        doc=(first_paragraph(symbol.doc) or None) if wanted.docs else None,
        body=body,
        body_problem=problem,
    )


def parameter_rows(parameters: Sequence[ParameterRecord]) -> tuple[ParameterRow, ...]:
    """The parameters a caller gives; the object a method is called on is none of them."""
    return tuple(
        ParameterRow(each.name, each.type_text, each.default_text, each.kind)
        for each in parameters
        if each.kind != "receiver"
    )


def signature_text(symbol: SymbolRecord) -> str:
    """The signature as written, or the name where a symbol has none."""
    return shorten(symbol.signature or symbol.name, LONGEST_SIGNATURE)


def first_paragraph(doc: str) -> str:
    """The first paragraph of a doc comment on one line, without the tags and sections that follow."""
    head = _PARAGRAPH_END.split(doc.strip(), maxsplit=1)[0]
    return shorten(" ".join(head.split()), LONGEST_DOC)


@dataclass(frozen=True, slots=True)
class SignatureData:
    """Every symbol that fits, product code before tests."""

    signatures: tuple[SignatureRow, ...]


def is_one(found: Sequence[SymbolRecord]) -> bool:
    """Whether the symbols are one, or a class and its constructors."""
    return all(each.parent_id == found[0].id for each in found[1:])


def with_constructors(reader: IndexReader, found: tuple[SymbolRecord, ...]) -> tuple[SymbolRecord, ...]:
    """One class that is meant with its constructors, for how it is made is what is asked of a class."""
    if len(found) != 1 or found[0].kind not in {"class", "struct"}:
        return found
    members = reader.symbols.members(found[0].id)
    return (*found, *(each for each in members if each.kind == "constructor"))


def signature_summary(wanted: str, found: Sequence[SymbolRecord], defined: Sequence[SymbolRecord]) -> str:
    one = found[0] if len(found) == 1 else defined[0]
    summary = f"{one.kind} {one.qualname} at {one.path}:{one.line}"
    if len(found) == 1:
        return summary
    if is_one(found):
        return f"{summary}, with {plural(len(found) - 1, 'constructor')}"
    if len(defined) == 1:
        return f"{summary}, declared in {plural(len(found), 'place')}"
    places = f", declared in {len(found)} places" if len(defined) < len(found) else ""
    return f"{len(defined)} symbols fit {wanted!r}{places}; `file` or a longer name chooses one"


SIGNATURE_SORTS: Final[Mapping[str, Sort[SymbolRecord]]] = {"found": Sort(as_found)}
_GONE: Final = "The symbols have changed since this cursor was given"


def rank_symbols(found: Sequence[SymbolRecord]) -> Ranked[SymbolRecord]:
    """The symbols that a text means, as they were found."""
    return Ranked(found, SIGNATURE_SORTS, identity=lambda one: one.id, gone=_GONE)


def signature_data(reader: IndexReader, wanted: Wanted, shown: Sequence[SymbolRecord]) -> SignatureData:
    return SignatureData(describe_signatures(reader, shown, wanted))
