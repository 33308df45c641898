"""Names that a text calls or imports and that nobody has: the commonest thing that is made up.

`certain` is what is called where all that it could be is in sight (`scan.link.wholeness`): a bare name that no scope,
import or package gives, a member of something whose members are all known, a module that the project does not have.
`likely` is a member that what seems to be the object has not, though it has one much like it, and that nobody else in
the project calls or declares.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

from drift.guards.outside_members import members_outside
from drift.guards.overlay import OverlaidCall, OverlaidFile, Overlay
from drift.index.ids import SymbolId
from drift.kernel.similar import similar_names
from drift.kernel.words import split_words
from drift.languages.expressions import Expression
from drift.languages.facts import Call, Import
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.calling import callee_values
from drift.scan.link.hierarchy import class_around
from drift.scan.link.links import ImportLink, Place
from drift.scan.link.scopes import find_name
from drift.scan.link.sureness import sure_values
from drift.scan.link.values import SYMBOL_MASK, Value, is_internal, symbol_of
from drift.scan.link.wholeness import has_definition, is_whole, members_of

UNDEFINED: Final = "undefined name"
_MOST_BELOW: Final = 60  # classes below one that are looked at
_MOST_LIKELY: Final = 20  # in a text: each costs a look through the index
_SHORTEST_LIKELY: Final = 4
_MOST_LETTERS: Final = 2
_LONGEST: Final = 100
_NO_EXTENSIONS: Final = frozenset({"python", "java", "php", "go", "typescript", "javascript"})
"""Languages in which no file elsewhere can give a class of the project methods that it does not name."""

Grade = Literal["certain", "likely"]


class Missing(NamedTuple):
    """A name that nobody has, whose it would be, and the nearest that is there."""

    line: int
    name: str
    text: str
    what: str  # function, member, module, import
    grade: Grade = "certain"
    owner: str | None = None
    nearest: str | None = None
    place: Place | None = None


def missing_names(overlay: Overlay, file: OverlaidFile) -> Iterator[Missing]:
    """What the text calls or imports and nobody has, in the order of the text."""
    search = _Search(overlay, file)
    yield from (found for each in file.imports() if (found := search.imported(*each)) is not None)
    for call in file.calls():
        found = search.called(call)
        if found is not None:
            yield found


def is_slip(name: str, meant: str) -> bool:
    """Whether somebody who writes one name may have meant the other: a word more, less or other, or a letter or two."""
    one, other = split_words(name), split_words(meant)
    if one[1:] and one[1:] == other[1:]:
        return True  # another verb
    if abs(len(one) - len(other)) == 1 and not (
        Counter(one) - Counter(other) and Counter(other) - Counter(one)
    ):
        return True
    return _distance(name.lower().replace("_", ""), meant.lower().replace("_", "")) <= _MOST_LETTERS


def _distance(one: str, other: str) -> int:
    from rapidfuzz.distance import (
        Levenshtein,
    )  # here: loaded where something is missing, as in kernel.similar

    return Levenshtein.distance(one[:_LONGEST], other[:_LONGEST])


class _Search:
    def __init__(self, overlay: Overlay, file: OverlaidFile) -> None:
        self._overlay = overlay
        self._file = file
        self._analysis: Analysis = overlay.linking.linker.analysis
        self._first = self._analysis.program.files[file.path] << 16
        self._language = file.facts.language
        self._likely_left = _MOST_LIKELY

    def imported(self, written: Import, link: ImportLink) -> Missing | None:
        problem = link.problem or ""
        if self._language not in {"python", "typescript", "javascript"}:
            return None  # a package is more than files: others may add to it
        if not problem.startswith(("the project has no module", "the package has no")):
            return None
        name = written.name if written.name not in {None, "*"} and "package" in problem else written.module
        # Scripts may be made by a build, so that one that is not there may come.
        grade: Grade = "certain" if self._language == "python" else "likely"
        return Missing(written.line, name or written.module, written.module, "module", grade)

    def called(self, found: OverlaidCall) -> Missing | None:
        call, scope = found.call, self._first + found.call.scope
        callee = call.callee
        if callee is None or call.kind not in {"call", "new"}:
            return None
        if callee[0] == "name":
            return (
                self._undefined(call, callee[1], scope)
                if self._is_given_by_none(found, callee[1], scope)
                else None
            )
        if callee[0] != "member" or call.kind != "call":
            return None
        values = callee_values(self._analysis, call, scope)
        if any(map(is_internal, values)) or found.link.targets:
            return None
        outside = [value for value in values if isinstance(value, str)]
        owners = sure_values(self._analysis, callee[1], scope)
        if owners is not None:
            judge = self._of_library if outside else self._certain
            certain = judge(call, callee[2], outside or owners)
            if certain is not None:
                return certain
        return self._likely(call, callee[1], callee[2], scope=scope)

    def _is_given_by_none(self, found: OverlaidCall, name: str, scope: int) -> bool:
        """Whether nothing in sight gives a bare name; what a parent outside may have it for counts as nothing."""
        link = found.link
        if link.outcome == "unknown":
            return link.reason == UNDEFINED
        # C# takes a bare name that nothing gives for one of a type that is used whole.
        named = f".{link.external_name or ''}"
        is_taken_for_inherited = found.call.kind == "call" and named.endswith(f".{name}")
        has_implicit_this = self._analysis.program.semantics_at(scope).has_implicit_this
        return is_taken_for_inherited and has_implicit_this and find_name(self._analysis, name, scope) is None

    def _undefined(self, call: Call, name: str, scope: int) -> Missing | None:
        """A bare name that nothing gives. Where something out of sight may give it, one like it has to be in sight."""
        if name in self._analysis.program.semantics_at(scope).root_members:
            return None
        nearest, place = self._nearest(name, self._names_in_sight(scope))
        found = Missing(call.line, name, call.text, "function", "certain", None, nearest, place)
        if not self._may_be_given(scope):
            return found
        if nearest is None or not is_slip(name, nearest) or self._likely_left <= 0:
            return None
        self._likely_left -= 1
        return None if self._is_known_elsewhere(name) else found._replace(grade="likely")

    def _may_be_given(self, scope: int) -> bool:
        """Whether a bare name may be that of a parent out of sight, of a page's other scripts, or of a macro."""
        if self._language not in _NO_EXTENSIONS or any(each.name == "*" for each in self._file.facts.imports):
            return True
        around = class_around(self._analysis, scope)
        semantics = self._analysis.program.semantics_at(scope)
        if semantics.has_implicit_this and around is not None:
            return not is_whole(self._analysis, around << 2, members_outside) or self._is_open_below(around)
        return semantics.has_object_literals

    def _certain(self, call: Call, name: str, owners: Sequence[Value]) -> Missing | None:
        if self._language not in _NO_EXTENSIONS:
            return None
        if not all(is_whole(self._analysis, one, members_outside) for one in owners):
            return None
        if any(has_definition(self._analysis, one, name, members_outside) for one in owners):
            return None
        is_own = call.callee is not None and call.callee[0] == "member" and call.callee[1] == ("this",)
        if is_own and any(self._is_open_below(symbol_of(one)) for one in owners if isinstance(one, int)):
            return None
        return self._missing_member(call, name, owners, grade="certain")

    def _of_library(self, call: Call, name: str, values: Sequence[Value]) -> Missing | None:
        """A member of the language's own library; only where something like it is there, as versions differ."""
        known: set[str] = set()
        owners = [value.rpartition(".") for value in values if isinstance(value, str)]
        for owner, _, last in owners:
            members = members_outside(self._language, owner) if last == name else None
            if members is None or name in members:
                return None
            known |= set(members)
        nearest = similar_names(name, known, 1)
        if not nearest:
            return None
        return Missing(call.line, name, call.text, "member", "certain", owners[0][0], nearest[0])

    def _likely(self, call: Call, receiver: Expression, name: str, *, scope: int) -> Missing | None:
        if self._likely_left <= 0 or len(name) < _SHORTEST_LIKELY or name.startswith("__"):
            return None
        owners = tuple(
            value
            for value in self._analysis.evaluate(receiver, scope)
            if is_internal(value) or (isinstance(value, tuple) and value[0] == "package")
        )
        if not owners:
            return self._extension(call, name) if self._language == "csharp" else None
        if any(has_definition(self._analysis, one, name, members_outside) for one in owners):
            return None
        found = self._missing_member(call, name, owners, grade="likely")
        if found.nearest is None or not is_slip(name, found.nearest):
            return None
        self._likely_left -= 1
        return None if self._is_known_elsewhere(name) else found

    def _extension(self, call: Call, name: str) -> Missing | None:
        """A slip of the name of a method that the project adds to types outside."""
        self._likely_left -= 1
        symbols = self._overlay.reader.symbols
        for near in symbols.similar_names(name, limit=3):
            if is_slip(name, near) and any(
                "extension" in one.modifiers for one in symbols.named(near, limit=20)
            ):
                missing = Missing(call.line, name, call.text, "member", "likely", None, near)
                return None if self._is_known_elsewhere(name) else missing
        return None

    def _missing_member(self, call: Call, name: str, owners: Sequence[Value], *, grade: Grade) -> Missing:
        known = (member for owner in owners for member in members_of(self._analysis, owner))
        nearest, place = self._nearest(name, known)
        return Missing(call.line, name, call.text, "member", grade, self._name_of(owners[0]), nearest, place)

    def _is_known_elsewhere(self, name: str) -> bool:
        reader, file = self._overlay.reader, self._file.draft.rows.file.id
        return bool(reader.symbols.named(name, limit=1)) or reader.calls.is_called_elsewhere(name, file)

    def _is_open_below(self, owner: int) -> bool:
        """Whether a class below may have what this one lacks: one that is not known whole, or of many."""
        waiting, seen = [owner], {owner}
        while waiting:
            for below in self._derived(waiting.pop()):
                if below in seen:
                    continue
                if len(seen) > _MOST_BELOW or not is_whole(self._analysis, below << 2, members_outside):
                    return True
                seen.add(below)
                waiting.append(below)
        return False

    def _derived(self, owner: int) -> Iterator[int]:
        program = self._analysis.program
        symbol = self._overlay.symbol_id(program.place(owner))
        for record in self._overlay.reader.symbols.derived(symbol) if symbol is not None else ():
            place = self._overlay.linking.place_of(SymbolId(record.id))
            if place is not None:
                yield program.number(place)
        for draft in self._overlay.files.values():
            for link in draft.draft.links.bases:
                if any(program.number(target) == owner for target in link.targets):
                    yield (program.files[draft.path] << 16) + link.symbol

    def _names_in_sight(self, scope: int) -> Iterator[tuple[str, int]]:
        """The functions and classes that a scope sees by their bare names."""
        table = self._analysis.program.table_of(scope)
        number = scope & SYMBOL_MASK
        while True:
            for name, definitions in table.names[number].items():
                for definition in definitions:
                    if (
                        definition.kind == "symbol"
                        and table.symbols[definition.number].kind in CODE_KINDS | TYPE_KINDS
                    ):
                        yield name, table.first + definition.number
                    elif definition.kind == "import":
                        for value in self._analysis.evaluate(("name", name), table.first + number):
                            if isinstance(value, int):
                                yield name, symbol_of(value)
            if not number:
                return
            number = table.symbols[number].parent

    def _nearest(self, name: str, known: Iterable[tuple[str, int]]) -> tuple[str | None, Place | None]:
        """The nearest of some names, of code rather than of values; of the project where none of these is near."""
        program = self._analysis.program
        found = {
            one: symbol for one, symbol in known if program.symbol(symbol).kind in CODE_KINDS | TYPE_KINDS
        }
        slips = tuple(one for one in found if is_slip(name, one))
        alike = tuple(one for one in slips if len(split_words(one)) == len(split_words(name)))
        near = similar_names(name, alike, 1) or alike[:1] or similar_names(name, found, 1) or slips[:1]
        if near:
            return near[0], program.place(found[near[0]])
        return None, None

    def _name_of(self, value: Value) -> str:
        if not isinstance(value, int):
            return str(value[-1])
        symbol = self._analysis.program.symbol(symbol_of(value))
        is_module = symbol.kind == "module"
        return self._analysis.program.place(symbol_of(value)).path if is_module else symbol.name
