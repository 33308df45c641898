"""Names that a text calls or imports and that nobody has: the commonest thing that is made up.

`certain` is what is called where all that it could be is in sight (`scan.link.wholeness`): a bare name that no scope,
import or package gives, a member of something whose members are all known, a module that the project does not have.
`likely` is a member that what seems to be the object has not, though it has one much like it, and that nobody else in
the project calls or declares.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from drift.guards.class_families import (
    all_below,
    classes_around,
    documented_methods,
    is_open_below,
    parents_for_super,
)
from drift.guards.extension_names import is_extension, nearest_extension
from drift.guards.installed_packages import may_say_name
from drift.guards.intentions import (
    imports_types_alone,
    is_meant,
    is_narrowed,
    is_tried,
    says_text,
    written_language,
)
from drift.guards.names_in_sight import names_in_sight, nearest_name
from drift.guards.object_literals import files_making, has_index_signature, literal_functions
from drift.guards.outside_members import is_made_member, members_outside
from drift.guards.overlay import OverlaidCall, OverlaidFile, Overlay
from drift.guards.slips import is_close, is_said_in_words, is_slip
from drift.guards.unread_files import is_made, may_be_unread
from drift.kernel.similar import similar_names
from drift.languages.expressions import Expression
from drift.languages.facts import Access, Call, Import
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS, VALUE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.calling import callee_values
from drift.scan.link.hierarchy import class_around, declared_members
from drift.scan.link.links import ImportLink, Place
from drift.scan.link.scopes import find_name
from drift.scan.link.sureness import sure_values
from drift.scan.link.values import Value, is_internal, is_symbol, symbol_of
from drift.scan.link.wholeness import (
    ANSWERING,
    answers_any,
    has_definition,
    is_remade,
    is_whole,
    members_of,
)

UNDEFINED: Final = "undefined name"
OUT_OF_SIGHT: Final = "name from outside"
MISSING_MODULE: Final = ("the project has no module", "the package has no")
"""How the linker begins what it says of an import that leads nowhere and to no package."""
_MOST_LIKELY: Final = 20  # in a text: each costs a look through the index
_SHORTEST_LIKELY: Final = 4
_NO_EXTENSIONS: Final = frozenset({"python", "java", "php", "go", "typescript", "javascript"})
"""Languages in which no file elsewhere can give a class of the project methods that it does not name."""
_DECLARING: Final = frozenset({"java", "go", "typescript"})
"""Languages in which an object has what its type declares, and nothing is added to it."""

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
    is_read = file.path in overlay.linking.linker.analysis.program.files
    if not is_read or "dist" in file.path.split("/"):
        return  # of no language that is read, or made by a machine
    search = _Search(overlay, file)
    yield from (found for each in file.imports() if (found := search.imported(*each)) is not None)
    for call in file.calls():
        found = search.called(call)
        if found is not None:
            yield found
    yield from (found for each in file.facts.accesses if (found := search.read(each)) is not None)


class _Search:
    def __init__(self, overlay: Overlay, file: OverlaidFile) -> None:
        self._overlay = overlay
        self._file = file
        self._analysis: Analysis = overlay.linking.linker.analysis
        self._first = self._analysis.program.files[file.path] << 16
        self._language = written_language(file)
        self._likely_left = _MOST_LIKELY

    def imported(self, written: Import, link: ImportLink) -> Missing | None:
        problem = link.problem or ""
        if self._language not in {"python", "typescript", "javascript"}:
            return None  # a package is more than files: others may add to it
        if not problem.startswith(MISSING_MODULE):
            return None
        if is_made(self._overlay.linking.sources, written.module):
            return None
        if is_tried(self._file.lines, written.line) or may_be_unread(
            self._overlay.root, self._file.path, written.module
        ):
            return None
        name = written.name if written.name not in {None, "*"} and "package" in problem else written.module
        # Scripts may be made by a build, so that one that is not there may come.
        grade: Grade = "certain" if self._language == "python" else "likely"
        return Missing(written.line, name or written.module, written.module, "module", grade)

    def read(self, access: Access) -> Missing | None:
        """A member that is read of an object of a class of which all members are known."""
        name = access.name
        if self._language not in _NO_EXTENSIONS or not name.isidentifier() or name.startswith("__"):
            return None
        owners = sure_values(self._analysis, access.receiver, self._first + access.scope)
        if owners is None or not all(isinstance(one, int) and self._is_class(one) for one in owners):
            return None
        if not self._lacks(owners, name, is_own=access.receiver == ("this",)) or is_meant(
            self._file, access.line
        ):
            return None
        if says_text(self._file, name) or any(each.name == name for each in self._file.facts.stores):
            return None
        nearest, place = nearest_name(self._analysis, name, self._members(owners), VALUE_KINDS | CODE_KINDS)
        whose = self._name_of(owners[0])
        found = Missing(access.line, name, f"{whose}.{name}", "member", "certain", whose, nearest, place)
        if self._language in _DECLARING:
            return found
        # Whoever has the object may have given it a member.
        if nearest is None or not is_slip(name, nearest) or self._likely_left <= 0:
            return None
        self._likely_left -= 1
        return None if self._is_known_elsewhere(name) else found._replace(grade="likely")

    def _is_class(self, value: Value) -> bool:
        return isinstance(value, int) and self._analysis.program.symbol(symbol_of(value)).kind in TYPE_KINDS

    def called(self, found: OverlaidCall) -> Missing | None:
        call, scope = found.call, self._first + found.call.scope
        callee = call.callee
        if callee is None or call.kind not in {"call", "new"}:
            return None
        if callee[0] == "name":
            return (
                self._undefined(found, callee[1], scope)
                if self._is_given_by_none(found, callee[1], scope)
                else None
            )
        if callee[0] != "member" or call.kind != "call":
            return None
        values = callee_values(self._analysis, call, scope)
        if any(map(is_internal, values)) or not self._is_answered_at_most(found, callee[2]):
            return None
        if is_narrowed(self._file, call) or is_meant(self._file, call.line):
            return None
        outside = [value for value in values if isinstance(value, str)]
        sure = sure_values(self._analysis, callee[1], scope)
        owners = parents_for_super(self._analysis, sure) if sure is not None else None
        if owners is not None:
            if any(has_definition(self._analysis, one, callee[2], members_outside) for one in owners):
                return None
            certain = self._certain(call, callee[2], owners)
            if certain is None and outside:
                certain = self._of_library(call, callee[2], outside)
            if certain is not None:
                return certain
        return self._likely(found, callee[1], callee[2], sure=owners)

    def _is_answered_at_most(self, found: OverlaidCall, name: str) -> bool:
        """Whether a call leads nowhere, or to a method that answers for any name, though the names are documented."""
        for target in found.link.targets:
            if self._overlay.symbol(target.place).name not in ANSWERING:
                return False
            documented = self._documented(target.place)
            if not documented or name in documented:
                return False
        return True

    def _documented(self, place: Place) -> frozenset[str]:
        return documented_methods(self._overlay.linking.sources.text_of(place.path) or "")

    def _is_given_by_none(self, found: OverlaidCall, name: str, scope: int) -> bool:
        """Whether nothing in sight gives a bare name; what a parent outside may have it for counts as nothing."""
        link = found.link
        if link.outcome == "unknown":
            is_told = link.reason == OUT_OF_SIGHT and found.call.kind == "call" and is_said_in_words(name)
            is_function = imports_types_alone(self._file) or self._language == "python"
            return link.reason == UNDEFINED or (is_told and is_function)
        # C# takes a bare name that nothing gives for one of a type that is used whole.
        named = f".{link.external_name or ''}"
        is_taken_for_inherited = found.call.kind == "call" and named.endswith(f".{name}")
        has_implicit_this = self._analysis.program.semantics_at(scope).has_implicit_this
        if self._language == "java" and not imports_types_alone(self._file):
            return False
        return is_taken_for_inherited and has_implicit_this and find_name(self._analysis, name, scope) is None

    def _undefined(self, told: OverlaidCall, name: str, scope: int) -> Missing | None:
        """A bare name that nothing gives. Where something out of sight may give it, one like it has to be in sight."""
        if name in self._analysis.program.semantics_at(scope).root_members:
            return None
        nearest, place = nearest_name(self._analysis, name, names_in_sight(self._analysis, scope))
        found = Missing(told.call.line, name, told.call.text, "function", "certain", None, nearest, place)
        if told.link.reason != OUT_OF_SIGHT and not self._may_be_given(scope):
            return found
        around = class_around(self._analysis, scope)
        if around is not None and is_remade(self._analysis, around):
            return None
        if nearest is None or not is_slip(name, nearest) or self._likely_left <= 0:
            return None
        self._likely_left -= 1
        return None if self._is_known_elsewhere(name) else found._replace(grade="likely")

    def _may_be_given(self, scope: int) -> bool:
        """Whether a bare name may be that of a parent out of sight, of a page's other scripts, or of a macro."""
        if self._language not in _NO_EXTENSIONS or any(each.name == "*" for each in self._file.facts.imports):
            return True
        semantics = self._analysis.program.semantics_at(scope)
        if semantics.has_implicit_this and class_around(self._analysis, scope) is not None:
            return any(
                not is_whole(self._analysis, around << 2, members_outside)
                or is_open_below(self._overlay, around)
                for around in classes_around(self._analysis, scope)
            )
        return semantics.has_object_literals

    def _certain(self, call: Call, name: str, owners: Sequence[Value]) -> Missing | None:
        is_own = call.callee is not None and call.callee[0] == "member" and call.callee[1] == ("this",)
        if self._may_be_added(owners, name) or not self._lacks(owners, name, is_own=is_own):
            return None
        return self._missing_member(call, name, owners, grade="certain")

    def _may_be_added(self, owners: Sequence[Value], name: str) -> bool:
        """Whether a file elsewhere may give the owners a member: in C# to objects, not to a class by its own name."""
        if self._language in _NO_EXTENSIONS:
            return False
        is_static = self._language == "csharp" and all(
            is_symbol(one) and self._is_class(one) for one in owners
        )
        # A property may be called as its class, so that what reads like the class is an object.
        return not is_static or is_extension(self._overlay.reader, name)

    def _lacks(self, owners: Sequence[Value], name: str, *, is_own: bool) -> bool:
        """Whether all members of some owners are known and none has the name."""
        if not all(is_whole(self._analysis, one, members_outside) for one in owners):
            return False
        if any(has_definition(self._analysis, one, name, members_outside) for one in owners):
            return False
        if is_made_member(self._language, name, of_class=any(map(is_symbol, owners))):
            return False
        if self._language == "typescript" and any(has_index_signature(self._overlay, one) for one in owners):
            return False
        # An object may be of a class below, and has what that has wherever types are not asked.
        is_below = self._language not in _DECLARING and any(
            declared_members(self._analysis, one, name) for one in all_below(self._overlay, owners)
        )
        inside = [symbol_of(one) for one in owners if isinstance(one, int)]
        return not is_below and not (is_own and any(is_open_below(self._overlay, one) for one in inside))

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
        if not nearest or not is_slip(name, nearest[0]):
            return None
        return Missing(call.line, name, call.text, "member", "certain", owners[0][0], nearest[0])

    def _likely(
        self, found: OverlaidCall, receiver: Expression, name: str, *, sure: Sequence[Value] | None
    ) -> Missing | None:
        is_plain = len(name) >= _SHORTEST_LIKELY and not name.startswith("__") and not name.endswith("=")
        if self._likely_left <= 0 or not is_plain:
            return None  # what is set may be a column or a relation, which stand in no text
        call, scope = found.call, self._first + found.call.scope
        values = self._analysis.evaluate(receiver, scope)
        if self._language in {"typescript", "javascript"}:
            keys = literal_functions(self._analysis, values)
            if keys is not None:
                return self._of_literal(call, name, keys, values)
        owners = [
            one for one in values if is_internal(one) or (isinstance(one, tuple) and one[0] == "package")
        ]
        if not owners:
            return self._extension(call, name) if self._language == "csharp" else None
        # What is only guessed to be outside begins with a mark.
        is_outside = any(isinstance(one, str) and not one.startswith("?") for one in values)
        if is_outside or any(has_definition(self._analysis, one, name, members_outside) for one in owners):
            return None
        is_answering = any(answers_any(self._analysis, one) for one in owners)
        if is_answering and not found.link.targets:
            return None
        missing = self._missing_member(call, name, owners, grade="likely")
        if missing.nearest is None or not is_slip(name, missing.nearest):
            listed = [one for each in found.link.targets for one in self._documented(each.place)]
            listed += [
                one
                for one, symbol in self._members(owners)
                if self._analysis.program.symbol(symbol).kind in CODE_KINDS
            ]
            near = similar_names(name, [one for one in listed if is_slip(name, one)], 1)
            if not near:
                return self._extension(call, name) if self._language == "csharp" else None
            missing = missing._replace(nearest=near[0], place=None)
        if found.link.external_name is not None and not self._is_near(
            name, missing.nearest or "", owners, is_own=receiver == ("this",)
        ):
            return None
        self._likely_left -= 1
        is_known = self._is_known_elsewhere(name) if sure is None else self._is_said_of(found, name, sure)
        return None if is_known else missing

    def _is_near(self, name: str, nearest: str, owners: Sequence[Value], *, is_own: bool) -> bool:
        """Whether a name is a slip though something out of sight may have it: a parent, or who adds methods."""
        if self._language == "csharp" and all(
            is_whole(self._analysis, one, members_outside) for one in owners
        ):
            return True  # only who adds a method to it could have it
        return is_close(name, nearest, is_own=is_own)

    def _of_literal(
        self, call: Call, name: str, keys: Mapping[str, Place], values: Sequence[Value]
    ) -> Missing | None:
        """A slip of the name of a function in an object that is written out, of whose file no word is that name."""
        near = similar_names(name, [one for one in keys if is_slip(name, one)], 1)
        texts = (
            self._overlay.linking.sources.text_of(path) or "" for path in files_making(self._analysis, values)
        )
        if name in keys or not near or any(re.search(rf"\b{re.escape(name)}\b", text) for text in texts):
            return None
        if any(each.name == name for each in self._file.facts.stores) or self._is_known_elsewhere(name):
            return None
        self._likely_left -= 1
        return Missing(call.line, name, call.text, "member", "likely", None, near[0], keys[near[0]])

    def _is_said_of(self, found: OverlaidCall, name: str, owners: Sequence[Value]) -> bool:
        """Whether an object that is known for what it is may have a member from out of sight.

        What another class of the project has of that name is no sign; what others call on the same parent is one.
        """
        if any(declared_members(self._analysis, one, name) for one in all_below(self._overlay, owners)):
            return True
        reader, file = self._overlay.reader, self._file.draft.rows.file.id
        outside = found.link.external_name
        if outside is None:
            return self._is_known_elsewhere(name)
        callers = reader.calls.calls_to_external(outside)
        if is_made_member(self._language, name) or any(each.caller_id >> 16 != file for each in callers):
            return True
        if not reader.symbols.named(name, limit=1) and reader.calls.is_called_elsewhere(name, file):
            return True
        package = outside.partition(".")[0]
        return may_say_name(self._overlay.root, self._language, package, name=name)

    def _extension(self, call: Call, name: str) -> Missing | None:
        """A slip of the name of a method that the project adds to types outside."""
        near = nearest_extension(self._overlay.reader, name)
        if near is None or self._likely_left <= 0:
            return None
        self._likely_left -= 1
        missing = Missing(call.line, name, call.text, "member", "likely", None, near)
        return None if self._is_known_elsewhere(name) else missing

    def _members(self, owners: Sequence[Value]) -> Iterator[tuple[str, int]]:
        return (each for owner in owners for each in members_of(self._analysis, owner))

    def _missing_member(self, call: Call, name: str, owners: Sequence[Value], *, grade: Grade) -> Missing:
        nearest, place = nearest_name(self._analysis, name, self._members(owners))
        return Missing(call.line, name, call.text, "member", grade, self._name_of(owners[0]), nearest, place)

    def _is_known_elsewhere(self, name: str) -> bool:
        reader, file = self._overlay.reader, self._file.draft.rows.file.id
        return bool(reader.symbols.named(name, limit=1)) or reader.calls.is_called_elsewhere(name, file)

    def _name_of(self, value: Value) -> str:
        if not isinstance(value, int):
            return str(value[-1])
        symbol = self._analysis.program.symbol(symbol_of(value))
        is_module = symbol.kind == "module"
        return self._analysis.program.place(symbol_of(value)).path if is_module else symbol.name
