"""What the constants say that paths of routes name, also where one is put together of others.

A path names a constant in angle brackets, as its file does: `<Routes.Orders.BASE>`. Constants of one name are told
apart by the class that is named before them, else by the file and the class around; what several could mean stays
as it is written.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from drift.index.ids import SymbolId, file_of_symbol
from drift.index.route_rows import (
    CONSTANT_NAME,
    NAMED_PART,
    DeclaredConstant,
    Rows,
    declared_constants,
    names_in,
)
from drift.index.run_records import PathText

_IN_TESTS: Final = """
    SELECT refs.symbol_id, refs.line, symbols.id, symbols.qualname, symbols.signature
    FROM files CROSS JOIN refs ON refs.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    CROSS JOIN symbols ON symbols.id = refs.target_symbol_id
    WHERE files.role = 'test' AND symbols.kind = 'constant' AND symbols.signature LIKE '%=%'
"""
_TERM: Final = re.compile(
    r"""\s{0,20}(?:(?P<mark>[$@]{0,2})"(?P<text>[^"\\]{0,200})"|'(?P<single>[^'\\]{0,200})'|(?P<name>[A-Za-z_][\w.]{0,200}))\s{0,20}(?P<more>\+|$)"""
)
# A call, an index, anything else up to the next plus that stands in no bracket.
_OTHER_TERM: Final = re.compile(
    r"""\s{0,20}[A-Za-z_](?:[^"'()+;]|"[^"\\]{0,200}"|\((?:[^()]|\([^()]{0,200}\)){0,200}\)){0,200}(?P<more>\+|$)"""
)
_HOLE: Final = re.compile(r"\{\{|\}\}|\{([A-Za-z_][\w.]{0,200})\}")
_FIRST_HOLE: Final = re.compile(r"\$?\{([A-Z][\w.]{0,200})\}(?=/|$)")
_OPEN: Final = "{}"  # any text fits it
_MOST_STEPS: Final = 6  # of constants that are made of constants: they may lead in circles


class RouteConstants:
    """Constants by their names, and the values of those that one text of the project alone is the value of."""

    def __init__(
        self,
        plain: Mapping[str, str],
        declared: Iterable[DeclaredConstant],
        *,
        above: Mapping[int, tuple[tuple[int, str], ...]] = MappingProxyType({}),
        hole: str | None = None,
    ) -> None:
        """Know constants by name; `hole` stands for a part of a sum that is something else."""
        self._plain = plain
        self._above = above
        self._hole = hole
        self._declared: defaultdict[str, list[DeclaredConstant]] = defaultdict(list)
        for one in declared:
            self._declared[one.qualname.rpartition(".")[2]].append(one)

    def prefix(self, written: str, place: int) -> str:
        """A prefix as it is meant at a symbol; as written where its constant is not known."""
        if not written.startswith("<") or written.count("<") > 1 or not written.endswith(">"):
            return self.path(written, place)
        said = self._sum(written.strip("<>"), file_of_symbol(SymbolId(place)), "", 0)
        return written if said is None else said

    def path(self, written: str, place: int) -> str:
        """A path with the values of the constants it names, as far as they are known."""
        if "<" not in written:
            return written
        file = file_of_symbol(SymbolId(place))

        def value(found: re.Match[str]) -> str:
            said = self._sum(found[1], file, "", 0)
            return found[0] if said is None else said

        said = NAMED_PART.sub(value, written)
        return said if said == written else said.replace("//", "/")

    def value(self, one: DeclaredConstant) -> str | None:
        """What a constant says; None where that is not known."""
        return self._value(one, 0)

    def begun(self, text: str, place: int) -> str:
        """A text with what the constant says that it begins with; as it is where that is not known."""
        first = _FIRST_HOLE.match(text)
        if first is None:
            return text
        value = self._named(first[1], file_of_symbol(SymbolId(place)), "", 0)
        if value is None:
            return text
        whole = value.rstrip("/") + text[first.end() :]
        return whole if "://" in whole or whole.startswith(("/", _OPEN)) else f"/{whole}"

    def _sum(self, text: str, file: int, around: str, steps: int) -> str | None:
        """What texts and constants are together, joined by plus; None where a part is something else, and no hole."""
        parts: list[str] = []
        at = 0
        while term := _TERM.match(text, at) or (_OTHER_TERM.match(text, at) if self._hole else None):
            at = term.end()
            value = self._term(term, file, around, steps) if term.re is _TERM else self._hole
            if value is None:
                return None
            parts.append(value)
            if not term["more"]:
                return "".join(parts)
        return None

    def _term(self, term: re.Match[str], file: int, around: str, steps: int) -> str | None:
        if term["name"] is not None:
            named = self._named(term["name"], file, around, steps)
            return self._hole if named is None else named
        text = term["text"] if term["text"] is not None else term["single"]
        return self._filled(text, file, around, steps) if "$" in (term["mark"] or "") else text

    def _filled(self, text: str, file: int, around: str, steps: int) -> str | None:
        """A text with what stands in its holes; None where that is not known."""
        parts: list[str] = []
        at = 0
        for hole in _HOLE.finditer(text):
            value = self._named(hole[1], file, around, steps) if hole[1] else hole[0][0]
            if value is None and self._hole is None:
                return None
            value = self._hole or "" if value is None else value
            parts += [text[at : hole.start()], value]
            at = hole.end()
        return "".join([*parts, text[at:]])

    def _named(self, name: str, file: int, around: str, steps: int) -> str | None:
        last = name.rpartition(".")[2]
        found = self._meant(name, last, file, around)
        if not found:
            # A constant of an object: the only one of the name, told from names of parameters by its capitals.
            return self._plain.get(last) if CONSTANT_NAME.fullmatch(last) else None
        if steps > _MOST_STEPS:
            return None
        values = {self._value(one, steps) for one in found}
        return values.pop() if len(values) == 1 else None

    def _value(self, one: DeclaredConstant, steps: int) -> str | None:
        _, equals, value = one.signature.partition("=")
        file, owner = file_of_symbol(SymbolId(one.symbol_id)), one.qualname.rpartition(".")[0]
        return self._sum(value.removesuffix(";"), file, owner, steps + 1) if equals else None

    def _meant(self, name: str, last: str, file: int, around: str) -> list[DeclaredConstant]:
        """The constants that a name may mean where it is written."""
        declared = self._declared.get(last, [])
        owner = name.rpartition(".")[0]
        if owner:
            whole = [one for one in declared if f".{one.qualname}".endswith(f".{name}")]
            ending = f".{owner.rpartition('.')[2]}.{last}"
            return whole or [one for one in declared if f".{one.qualname}".endswith(ending)]
        here = [one for one in declared if file_of_symbol(SymbolId(one.symbol_id)) == file]
        for scope in _scopes(around):
            inside = [one for one in here if one.qualname == f"{scope}.{last}"]
            if inside:
                return inside
        if here:
            return here
        for other, scope in self._above.get(file, ()):
            inside = [
                one
                for one in declared
                if file_of_symbol(SymbolId(one.symbol_id)) == other and one.qualname == f"{scope}.{last}"
            ]
            if inside:
                return inside
        # The product does not name what only tests declare.
        product = [one for one in declared if not one.is_in_test]
        return (product or declared) if CONSTANT_NAME.fullmatch(last) else []


def _scopes(around: str) -> Iterator[str]:
    while around:
        yield around
        around = around.rpartition(".")[0]


def said_in_tests(rows: Rows) -> list[tuple[SymbolId, int, str]]:
    """Where test files name constants, as symbol and line, and what these say, as far as that is known."""
    uses = [(SymbolId(user), line, DeclaredConstant(*one)) for user, line, *one in rows(_IN_TESTS, ())]
    names = {each for _, _, constant in uses for each in names_in(constant)}
    constants = RouteConstants({}, declared_constants(rows, names) if names else (), hole=_OPEN)
    said = {constant: constants.value(constant) for _, _, constant in uses}
    return [(user, line, value) for user, line, one in uses if (value := said[one]) is not None]


def filled(rows: Rows, texts: list[PathText]) -> list[PathText]:
    """Texts with what the constants say that they begin with: `{Routes.Orders}/{id}`, as far as that is known."""
    names = {found[1] for one in texts if (found := _FIRST_HOLE.match(one.value)) is not None}
    if not names:
        return texts
    constants = RouteConstants(
        {}, declared_constants(rows, {one.rpartition(".")[2] for one in names}), hole=_OPEN
    )
    return [
        one._replace(value=constants.begun(one.value, one.symbol_id)) if one.value[0] in "{$" else one
        for one in texts
    ]
