"""Links as rows of the index: where imports, parents, calls and references lead, by the index's numbers."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from drift.index.ids import FileId, call_id
from drift.index.row_texts import encode_types
from drift.index.rows import CallValues, EdgeValues, LinkRows, ReferenceValues, Rows
from drift.languages.facts import FileFacts
from drift.scan.link.links import CallLink, FileLinks, Place
from drift.scan.numbering import Numbers, symbol_ids

Ids = Mapping[str, FileId]
NumbersOf = Callable[[str], Numbers | None]

_IMPLICIT: Final = "implicit"


def link_rows(path: str, facts: FileFacts, links: FileLinks, *, ids: Ids, numbers_of: NumbersOf) -> LinkRows:
    """The rows of one file's links.

    `numbers_of` gives the numbers of the symbols of a file that a link leads to, None where they are the
    order of its facts.
    """
    return _FileLinking(path, facts, ids=ids, numbers_of=numbers_of).rows(links)


class _FileLinking:
    """What the rows of one file share: the ids of its own symbols, and the way to those of others.

    There are hundreds of thousands of calls, so rows are plain tuples and ids are looked up, not made.
    """

    def __init__(self, path: str, facts: FileFacts, *, ids: Ids, numbers_of: NumbersOf) -> None:
        self._file = ids[path]
        self._facts = facts
        self._ids = ids
        self._numbers_of = numbers_of
        self._symbols = symbol_ids(self._file, numbers_of(path) or range(len(facts.symbols)))
        self._firsts: dict[str, tuple[int, Numbers | None]] = {}

    def rows(self, links: FileLinks) -> LinkRows:
        facts, last = self._facts, len(links.calls) + len(links.implicit) - 1
        first_call = call_id(self._file, 0)
        call_id(self._file, max(last, 0))  # refuses a file with too many
        real = [
            (first_call + number, each.scope, each.line, link)
            for number, (each, link) in enumerate(zip(facts.calls, links.calls, strict=True))
        ]
        implied = [
            (first_call + number, access.scope, access.line, link)
            for number, (of, link) in enumerate(links.implicit, len(real))
            for access in (facts.accesses[of],)
        ]
        return LinkRows(
            file_id=self._file,
            imports=self._imports(links),
            bases=self._bases(links),
            calls=(*self._calls(first_call, links), *self._implicit_calls(first_call + len(real), links)),
            edges=tuple(self._edges(real)) + tuple(self._edges(implied)),
            references=self._references(links),
            handlers=tuple(
                (self._symbols[facts.entry_points[number].symbol], number, self._symbol(place))
                for number, place in links.handlers
            ),
            routers=tuple(
                (self._symbols[facts.entry_points[number].symbol], number, self._symbol(place))
                for number, place in links.routers
            ),
            mounts=tuple(
                (
                    self._symbols[each.scope],
                    number,
                    each.kind,
                    each.prefix,
                    each.file,
                    self._symbol(link.router) if link.router is not None else None,
                    self._symbol(link.into) if link.into is not None else None,
                    encode_types(each.guards),
                )
                for number, (each, link) in enumerate(zip(facts.mounts, links.mounts, strict=True))
            ),
        )

    def _imports(self, links: FileLinks) -> Rows:
        return tuple(
            (
                self._symbols[each.scope],
                number,
                each.line,
                each.module,
                each.name,
                each.alias,
                each.is_reexport,
                each.is_type_only,
                self._ids.get(link.file) if link.file is not None else None,
                self._symbol(link.symbols[0]) if len(link.symbols) == 1 else None,
                link.external_package is not None,
                link.external_package,
            )
            for number, (each, link) in enumerate(zip(self._facts.imports, links.imports, strict=True))
        )

    def _bases(self, links: FileLinks) -> Rows:
        found = {(link.symbol, link.position): link for link in links.bases}
        rows = []
        for number, symbol in enumerate(self._facts.symbols):
            for position, base in enumerate(symbol.bases):
                link = found.get((number, position))
                target = self._symbol(link.targets[0]) if link and len(link.targets) == 1 else None
                external = link.external_name if link else None
                rows.append((self._symbols[number], position, base.text, base.kind, target, external))
        return tuple(rows)

    def _calls(self, first: int, links: FileLinks) -> Iterable[CallValues]:
        symbols = self._symbols
        return [
            (
                number,
                symbols[each.scope],
                each.line,
                each.column,
                each.text,
                len(each.arguments),
                each.kind,
                link.outcome,
                link.external_name,
            )
            for number, (each, link) in enumerate(zip(self._facts.calls, links.calls, strict=True), first)
        ]

    def _implicit_calls(self, first: int, links: FileLinks) -> Iterable[CallValues]:
        accesses = self._facts.accesses
        return [
            (
                number,
                self._symbols[accesses[of].scope],
                accesses[of].line,
                0,
                accesses[of].name,
                0,
                _IMPLICIT,
                link.outcome,
                link.external_name,
            )
            for number, (of, link) in enumerate(links.implicit, first)
        ]

    def _edges(self, calls: Iterable[tuple[int, int, int, CallLink]]) -> Iterable[EdgeValues]:
        known: dict[
            int, list[tuple[int, float, str]]
        ] = {}  # by their links: calls that mean the same share one
        for call, scope, line, link in calls:
            if not link.targets and not link.overriders:
                continue
            callees = known.get(id(link))
            if callees is None:
                callees = known[id(link)] = self._callees(link)
            caller = self._symbols[scope]
            for callee, confidence, reason in callees:
                yield callee, caller, call, line, confidence, reason

    def _callees(self, link: CallLink) -> list[tuple[int, float, str]]:
        found: dict[int, tuple[int, float, str]] = {}
        for place, confidence, reason in (*link.targets, *link.overriders):
            callee = self._symbol(place)
            # A symbol can be found in two ways; the surer one is told.
            if callee not in found or found[callee][1] < confidence:
                found[callee] = (callee, confidence, reason)
        return list(found.values())

    def _references(self, links: FileLinks) -> tuple[ReferenceValues, ...]:
        rows: list[ReferenceValues] = []
        for each, link in zip(self._facts.references, links.references, strict=True):
            for place, confidence, reason in link.targets:
                scope, target = self._symbols[each.scope], self._symbol(place)
                kind = "type" if each.kind == "attribute" else each.kind
                rows.append((scope, len(rows), each.line, each.column, kind, target, confidence, reason))
        return tuple(rows)

    def _symbol(self, place: Place) -> int:
        path, number = place
        known = self._firsts.get(path)
        if known is None:
            known = self._firsts[path] = (self._ids[path] << 16, self._numbers_of(path))
        first, numbers = known
        return first | (number if numbers is None else numbers[number])
