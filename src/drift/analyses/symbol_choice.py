"""Which one symbol a text means, the same for every tool that takes one: chosen, or refused with the candidates."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from drift.analyses.callables import CALLABLE_KINDS, CLASS_KINDS
from drift.analyses.lookup import find_symbols
from drift.analyses.prominence import rank_place
from drift.analyses.targets import is_folder, other_kind, require_defined
from drift.index import IndexReader
from drift.index.records import SymbolRecord
from drift.kernel.errors import Recovery, UnclearError
from drift.kernel.text import shorten

_MOST_CANDIDATES: Final = 10
_MOST_TOGETHER: Final = 8
_MOST_ALIKE: Final = 100  # of one whole name, as what fits one interface often has
_MOST_OTHERS: Final = 3
_SEPARATORS: Final = re.compile(r"::|->|#|\\|/|\.")
_LONGEST_SIGNATURE: Final = 120
_HINT_NAMES: Final = "Name one by its path:line, as file::name, or by a longer name such as Class.method."
_HINT_OVERLOADS: Final = "They share one name in one file: name one by its path:line."

Chosen = tuple[SymbolRecord, tuple[str, ...]]
"""A symbol, and warnings that tell of those that were passed over."""
Together = tuple[tuple[SymbolRecord, ...], tuple[str, ...]]
"""Symbols to be answered for together, and warnings that say so."""


def choose_symbol(
    reader: IndexReader, wanted: str, *, file: str | None = None, kinds: Collection[str] | None = None
) -> Chosen:
    """The one symbol a text means: the class rather than its constructors, product before tests and examples.

    Without `kinds` something callable is meant where there is such a thing. Of overloads it is the one that is
    called most.
    """
    found, warnings = _choices(reader, wanted, file=file, kinds=kinds)
    if len(found) == 1:
        return found[0], warnings
    if not _are_overloads(found):
        raise _ambiguous(wanted, found, is_folder=is_folder(reader, wanted))
    return _most_called(reader, found)


def _are_overloads(found: Sequence[SymbolRecord]) -> bool:
    """Whether symbols share one name in one file."""
    return len({(one.path, one.qualname) for one in found}) == 1


def _most_called(reader: IndexReader, found: Sequence[SymbolRecord]) -> Chosen:
    places = {one.id: len(reader.callers.places([one.id])) for one in found}
    chosen = max(found, key=lambda one: (places[one.id], -one.line))
    return chosen, (_passed_over(found, chosen, "with other parameters"),)


def choose_symbols(
    reader: IndexReader, wanted: str, *, file: str | None = None, kinds: Collection[str] | None = None
) -> Together:
    """All symbols that a text means, where a question can be answered for several together and they are few."""
    found, warnings = _choices(reader, wanted, file=file, kinds=kinds)
    if len(found) == 1:
        return tuple(found), warnings
    if len(found) > _MOST_TOGETHER and _are_overloads(found):
        chosen, passed_over = _most_called(reader, found)
        return (chosen,), passed_over
    most = _MOST_ALIKE if len({one.qualname for one in found}) == 1 else _MOST_TOGETHER
    if len(found) > most:
        raise _ambiguous(wanted, found, is_folder=is_folder(reader, wanted))
    more = len(found) - _MOST_TOGETHER
    names = ", ".join(map(_shown, found[:_MOST_TOGETHER])) + (f" and {more} more" if more > 0 else "")
    return tuple(found), (f"{wanted!r} means {len(found)} symbols, and all are answered for: {names}",)


def _choices(
    reader: IndexReader, wanted: str, *, file: str | None, kinds: Collection[str] | None
) -> tuple[Sequence[SymbolRecord], tuple[str, ...]]:
    """One symbol, or those among which nothing chooses."""
    found = _without_constructors(
        require_defined(reader, wanted, file=file, kinds=kinds or _preferred(reader, wanted, file)), wanted
    )
    if len(found) == 1:
        _refuse_other_kind(found[0], wanted, kinds)
        return found, ()
    nearest = _nearest(found)
    if len(nearest) == 1:
        return nearest, (_passed_over(found, nearest[0], "in tests, examples or others' code"),)
    # A member can be meant by Class.name; what is no member has no longer name to give.
    whole = [one for one in nearest if one.qualname == wanted.strip().removesuffix("()")]
    if len(whole) == 1:
        return whole, (_passed_over(nearest, whole[0], "in the product"),)
    return nearest, ()


def _preferred(reader: IndexReader, wanted: str, file: str | None) -> Collection[str] | None:
    return CALLABLE_KINDS if find_symbols(reader, wanted, file=file, kinds=CALLABLE_KINDS).symbols else None


def _without_constructors(found: Sequence[SymbolRecord], wanted: str) -> list[SymbolRecord]:
    """The symbols without the constructors of classes that are among them; these alone where Class.Class is wanted."""
    constructors = [one for one in found if one.kind == "constructor" and _is_said_whole(one, wanted)]
    if constructors:
        return constructors
    ids = {one.id for one in found}
    # C++ defines them apart from their class, so that they have its name and not its id.
    apart = {f"{one.qualname}.{one.name}" for one in found if one.kind in CLASS_KINDS}
    return [
        one
        for one in found
        if one.kind != "constructor" or (one.parent_id not in ids and one.qualname not in apart)
    ]


def _is_said_whole(constructor: SymbolRecord, wanted: str) -> bool:
    """Whether a text ends in the name of a class and of its constructor, which is the same."""
    names = _SEPARATORS.split(wanted.strip().removesuffix("()"))
    return len(names) > 1 and names[-2:] == constructor.qualname.split(".")[-2:] and names[-1] == names[-2]


def _nearest(found: Sequence[SymbolRecord]) -> list[SymbolRecord]:
    """Those that stand nearest to the product."""
    ranks = [rank_place(one.path, one.role) for one in found]
    return [one for one, rank in zip(found, ranks, strict=True) if rank == min(ranks)]


def _passed_over(found: Sequence[SymbolRecord], chosen: SymbolRecord, where: str) -> str:
    others = [_shown(one) for one in found if one.id != chosen.id]
    more = ", …" if len(others) > _MOST_OTHERS else ""
    return f"{len(others)} more of this name {where}: {', '.join(others[:_MOST_OTHERS])}{more}"


def _shown(symbol: SymbolRecord) -> str:
    """A symbol and its place; what stands in nameless functions is known by its place alone."""
    place = f"{symbol.path}:{symbol.line}"
    return place if "<" in symbol.qualname else f"{symbol.qualname} {place}"


def _refuse_other_kind(symbol: SymbolRecord, wanted: str, kinds: Collection[str] | None) -> None:
    # A place means whatever stands there.
    if kinds is not None and symbol.kind not in kinds:
        raise other_kind(wanted, symbol, kinds)


def _ambiguous(wanted: str, found: Sequence[SymbolRecord], *, is_folder: bool) -> UnclearError:
    folder = " It is a folder, too: drift_files_list shows what is in it." if is_folder else ""
    shown = found[:_MOST_CANDIDATES]
    described = _describe(shown)
    places = [f"{one.path}:{one.line}" for one in shown]
    return UnclearError(
        wanted,
        dict(zip(described, places, strict=True)),
        message=f"{wanted!r} means {len(found)} symbols.{folder}",
        recovery=Recovery(
            hint=_HINT_OVERLOADS if _are_overloads(found) else _HINT_NAMES,
            similar=described,
            details={"count": len(found)},
        ),
    )


def _describe(found: Sequence[SymbolRecord]) -> tuple[str, ...]:
    """Each candidate with its place, and with its signature where others have its name in the same file."""
    times = Counter((one.path, one.qualname) for one in found)
    return tuple(
        f"{one.path}:{one.line} "
        + (
            shorten(" ".join(one.signature.split()), _LONGEST_SIGNATURE)
            if times[one.path, one.qualname] > 1 and one.signature
            else f"{one.kind} {one.qualname}"
        )
        for one in found
    )
