"""Names that a text calls or imports and that nobody has: the commonest thing that is made up.

`certain` is what is called where all that it could be is in sight (`scan.link.wholeness`): a bare name that no scope,
import or package gives, a member of something whose members are all known, a module that the project does not have.
`likely` is a member that what seems to be the object has not, though it has one much like it, and that nobody else in
the project calls or declares.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from drift.guards.bare_names import NO_EXTENSIONS, BareNames, Grade, Missing
from drift.guards.called_alike import nearest_on
from drift.guards.class_families import (
    all_below,
    documented_at,
    is_answered_at_most,
    is_helper,
    is_open_below,
    is_slip_of_method,
    parents_for_super,
)
from drift.guards.extension_names import is_extension, nearest_extension
from drift.guards.installed_packages import may_say_name
from drift.guards.intentions import (
    is_cast,
    is_meant,
    is_narrowed,
    is_tried,
    says_text,
)
from drift.guards.names_in_sight import nearest_name
from drift.guards.object_literals import Keys, has_index_signature, literal_functions, slip_of_key
from drift.guards.outside_members import is_made_member, members_outside
from drift.guards.overlay import OverlaidCall, OverlaidFile, Overlay
from drift.guards.slips import is_close, is_recased, is_slip
from drift.guards.unread_files import is_made, may_be_unread
from drift.kernel.similar import similar_names
from drift.languages.expressions import Expression
from drift.languages.facts import Access, Call, Import
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS, VALUE_KINDS
from drift.scan.link.calling import callee_values
from drift.scan.link.hierarchy import declared_members
from drift.scan.link.links import ImportLink
from drift.scan.link.sureness import is_in_object, sure_values
from drift.scan.link.values import Value, is_internal, is_symbol, symbol_of
from drift.scan.link.wholeness import (
    answers_any,
    has_definition,
    is_whole,
    members_of,
)

MISSING_MODULE: Final = ("the project has no module", "the package has no")
"""How the linker begins what it says of an import that leads nowhere and to no package."""
_SHORTEST_LIKELY: Final = 4
_DECLARING: Final = frozenset({"java", "go", "typescript"})
"""Languages in which an object has what its type declares, and nothing is added to it."""


def _is_own(call: Call) -> bool:
    """Whether something is called on the object itself."""
    return call.callee is not None and call.callee[0] == "member" and call.callee[1] == ("this",)


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


class _Search(BareNames):
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
        if self._language not in NO_EXTENSIONS or not name.isidentifier() or name.startswith("__"):
            return None
        owners = sure_values(self._analysis, access.receiver, self._first + access.scope)
        if owners is None or not all(isinstance(one, int) and self._is_class(one) for one in owners):
            return None
        if not self._lacks(owners, name, is_own=access.receiver == ("this",)) or self._is_meant(
            access.line, name
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

    def _is_meant(self, line: int, name: str, text: str = "") -> bool:
        """Whether the text says that a member is there: by a mark, by a cast, or as an import that a variable hides."""
        is_hidden = text == name and any((one.alias or one.name) == name for one in self._file.facts.imports)
        return is_hidden or is_meant(self._file, line) or is_cast(self._file, line, name)

    def _is_class(self, value: Value) -> bool:
        return isinstance(value, int) and self._analysis.program.symbol(symbol_of(value)).kind in TYPE_KINDS

    def called(self, found: OverlaidCall) -> Missing | None:
        call, scope = found.call, self._first + found.call.scope
        callee = call.callee
        if callee is None or call.kind not in {"call", "new"}:
            return None
        if callee[0] == "name":
            return (
                self.undefined(found, callee[1], scope)
                if self.is_given_by_none(found, callee[1], scope)
                else None
            )
        if callee[0] != "member" or call.kind != "call":
            return None
        values = callee_values(self._analysis, call, scope)
        if any(map(is_internal, values)) or not is_answered_at_most(self._overlay, found, callee[2]):
            return None
        if is_narrowed(self._file, call) or self._is_meant(call.line, callee[2], call.text):
            return None
        sure = sure_values(self._analysis, callee[1], scope)
        owners = (parents_for_super(self._analysis, sure) if sure is not None else None) or None
        if owners is not None:
            if any(has_definition(self._analysis, one, callee[2], members_outside) for one in owners):
                return None
            certain = self._certain(call, callee[2], owners) or self._of_library(call, callee[2], values)
            if certain is not None:
                return certain
        if callee[1] == ("super",) and self._is_slip_of_own(callee[2], scope):
            return Missing(call.line, callee[2], call.text, "member", "likely")
        return self._likely(found, callee[1], callee[2], sure=owners)

    def _is_slip_of_own(self, name: str, scope: int) -> bool:
        """Whether what is called on a parent is nearly the method that it is called in, and known to nobody."""
        return is_slip_of_method(self._analysis, scope, name) and not self._is_known_elsewhere(name)

    def _certain(self, call: Call, name: str, owners: Sequence[Value]) -> Missing | None:
        if self._may_be_added(owners, name) or not self._lacks(owners, name, is_own=_is_own(call)):
            return None
        return self._missing_member(call, name, owners, grade="certain")

    def _may_be_added(self, owners: Sequence[Value], name: str) -> bool:
        """Whether a file elsewhere may give the owners a member: in C# to objects, not to a class by its own name."""
        if self._language in NO_EXTENSIONS:
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
        nearest = similar_names(name, known, 1) if known else ()
        if not nearest or not is_slip(name, nearest[0]):
            return None
        return Missing(call.line, name, call.text, "member", "certain", owners[0][0], nearest[0])

    def _likely(
        self, found: OverlaidCall, receiver: Expression, name: str, *, sure: Sequence[Value] | None
    ) -> Missing | None:
        is_plain = len(name) >= _SHORTEST_LIKELY and not name.startswith("__") and not name.endswith("=")
        call, scope = found.call, self._first + found.call.scope
        is_unknown = receiver == ("this",) and is_in_object(self._analysis, scope)
        if self._likely_left <= 0 or not is_plain or is_unknown:
            return None  # what is set may be a column or a relation, which stand in no text
        values = self._analysis.evaluate(receiver, scope)
        if self._language in {"typescript", "javascript"}:
            keys = literal_functions(self._analysis, values)
            if keys is not None:
                return self._of_literal(call, name, keys, values)
        owners = [
            one for one in values if is_internal(one) or (isinstance(one, tuple) and one[0] == "package")
        ]
        if not owners:
            return (
                self._extension(call, name)
                if self._language == "csharp"
                else self._as_others(found, name, values)
            )
        # What is only guessed to be outside begins with a mark; what Go has built in has no methods.
        is_outside = any(isinstance(one, str) and not one.startswith(("?", self._plain)) for one in values)
        if is_outside or any(has_definition(self._analysis, one, name, members_outside) for one in owners):
            return None
        is_answering = any(answers_any(self._analysis, one) for one in owners)
        if is_answering and not found.link.targets:
            return None
        missing = self._missing_member(call, name, owners, grade="likely")
        if missing.nearest is None or not is_slip(name, missing.nearest):
            listed = [one for each in found.link.targets for one in documented_at(self._overlay, each.place)]
            listed += [
                one
                for one, symbol in self._members(owners)
                if self._analysis.program.symbol(symbol).kind in CODE_KINDS
            ]
            near = similar_names(name, [one for one in listed if is_slip(name, one)], 1)
            if not near:
                return self._of_others(found, name, owners)
            missing = missing._replace(nearest=near[0], place=None)
        if self._is_open(found, owners) and not self._is_near(found, missing, owners):
            return None
        self._likely_left -= 1
        is_known = self._is_known_elsewhere(name) if sure is None else self._is_said_of(found, name, sure)
        return None if is_known else missing

    def _as_others(self, found: OverlaidCall, name: str, values: Sequence[Value]) -> Missing | None:
        """A slip of a method of the project that others call on something of the same name, of which nothing is known."""
        if found.link.outcome != "unknown" or values or self._language in _DECLARING:
            return None
        near = nearest_on(self._overlay.reader, found.call.text, name)
        if near is None or self._is_known_elsewhere(name):
            return None
        self._likely_left -= 1
        return Missing(found.call.line, name, found.call.text, "member", "likely", None, near)

    def _of_others(self, found: OverlaidCall, name: str, owners: Sequence[Value]) -> Missing | None:
        """A slip of what an object has from elsewhere: who adds methods to it, or who is mixed with its class."""
        call = found.call
        if self._language == "csharp":
            return self._extension(call, name)
        if not _is_own(call):
            return None
        below = [one << 2 for one in all_below(self._overlay, owners)]
        nearest, place = nearest_name(self._analysis, name, self._members(below))
        if nearest is None or not is_slip(name, nearest) or not is_helper(self._overlay, place):
            return None
        self._likely_left -= 1
        missing = Missing(call.line, name, call.text, "member", "likely", None, nearest, place)
        return None if self._is_known_elsewhere(name) else missing

    def _is_near(self, found: OverlaidCall, missing: Missing, owners: Sequence[Value]) -> bool:
        """Whether a name is a slip though something out of sight may have it: a parent, or who adds methods."""
        if self._language == "csharp" and all(
            is_whole(self._analysis, one, members_outside) for one in owners
        ):
            return True  # only who adds a method to it could have it
        nearest = missing.nearest or ""
        return is_close(missing.name, nearest, is_own=_is_own(found.call)) or (
            not is_recased(missing.name, nearest) and is_helper(self._overlay, missing.place)
        )

    def _is_open(self, found: OverlaidCall, owners: Sequence[Value]) -> bool:
        """Whether something out of sight may have a member: a parent, or one of a class that is mixed with others."""
        outside = found.link.external_name
        if outside is not None:
            return not outside.startswith(self._plain)
        inside = [symbol_of(one) for one in owners if isinstance(one, int) and self._is_class(one)]
        return _is_own(found.call) and any(is_open_below(self._overlay, one) for one in inside)

    def _of_literal(self, call: Call, name: str, keys: Keys, values: Sequence[Value]) -> Missing | None:
        """A slip of the name of a function in an object that is written out."""
        near = slip_of_key(self._overlay, name, keys, values)
        if near is None or any(each.name == name for each in self._file.facts.stores):
            return None
        self._likely_left -= 1
        missing = Missing(call.line, name, call.text, "member", "likely", None, near, keys.functions[near])
        return None if self._is_known_elsewhere(name) else missing

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

    def _name_of(self, value: Value) -> str:
        if not isinstance(value, int):
            return str(value[-1])
        symbol = self._analysis.program.symbol(symbol_of(value))
        is_module = symbol.kind == "module"
        return self._analysis.program.place(symbol_of(value)).path if is_module else symbol.name
