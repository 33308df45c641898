"""Names without anything before them that nothing in sight gives, and what a search for missing names works with."""

from typing import Final, Literal, NamedTuple

from drift.guards.class_families import classes_around, is_open_below
from drift.guards.intentions import imports_types_alone, written_language
from drift.guards.names_in_sight import names_in_sight, nearest_name, value_in_sight
from drift.guards.outside_members import members_outside
from drift.guards.overlay import OverlaidCall, OverlaidFile, Overlay
from drift.guards.slips import is_said_in_words, is_slip
from drift.kernel.words import split_words
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import class_around
from drift.scan.link.links import Place
from drift.scan.link.scopes import find_name
from drift.scan.link.wholeness import is_remade, is_whole

UNDEFINED: Final = "undefined name"
OUT_OF_SIGHT: Final = "name from outside"
NO_EXTENSIONS: Final = frozenset({"python", "java", "php", "go", "typescript", "javascript"})
"""Languages in which no file elsewhere can give a class of the project methods that it does not name."""
_MOST_LIKELY: Final = 20  # in a text: each costs a look through the index

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


class BareNames:
    """The search for missing names in a text: its ground, and names without anything before them."""

    def __init__(self, overlay: Overlay, file: OverlaidFile) -> None:
        self._overlay = overlay
        self._file = file
        self._analysis: Analysis = overlay.linking.linker.analysis
        self._first = self._analysis.program.files[file.path] << 16
        self._language = written_language(file)
        self._likely_left = _MOST_LIKELY
        self._plain = "builtin." if self._language == "go" else "\0"
        """How names begin of what has no members."""

    def is_given_by_none(self, found: OverlaidCall, name: str, scope: int) -> bool:
        """Whether nothing in sight gives a bare name; what a parent outside may have it for counts as nothing."""
        link = found.link
        is_told = found.call.kind == "call" and is_said_in_words(name)
        if link.outcome == "unknown":
            is_function = self._language in {"java", "python"}
            return link.reason == UNDEFINED or (link.reason == OUT_OF_SIGHT and is_told and is_function)
        if self._language == "php":  # what no file declares is taken for a function of everybody's
            return is_told and link.external_name == name and link.reason != "builtin"
        # C# takes a bare name that nothing gives for one of a type that is used whole.
        named = f".{link.external_name or ''}"
        is_taken_for_inherited = found.call.kind == "call" and named.endswith(f".{name}")
        has_implicit_this = self._analysis.program.semantics_at(scope).has_implicit_this
        if self._language == "java" and not imports_types_alone(self._file) and not is_told:
            return False
        return is_taken_for_inherited and has_implicit_this and find_name(self._analysis, name, scope) is None

    def undefined(self, told: OverlaidCall, name: str, scope: int) -> Missing | None:
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
        if (nearest is None or not is_slip(name, nearest)) and self._file.facts.imports:
            nearest, place = value_in_sight(self._analysis, name, scope), None
        if nearest is None or not is_slip(name, nearest) or self._likely_left <= 0:
            return None
        if self._may_be_of_type(name, nearest):
            return None
        self._likely_left -= 1
        found = found._replace(grade="likely", nearest=nearest, place=place)
        return None if self._is_known_elsewhere(name) else found

    def _may_be_of_type(self, name: str, nearest: str) -> bool:
        """Whether a type outside that is imported whole may have a name: in place of another verb, and no word more."""
        is_java = self._language == "java" and not imports_types_alone(self._file)
        return is_java and split_words(name)[:1] != split_words(nearest)[:1]

    def _may_be_given(self, scope: int) -> bool:
        """Whether a bare name may be that of a parent out of sight, of a page's other scripts, or of a macro."""
        if self._language not in NO_EXTENSIONS or any(each.name == "*" for each in self._file.facts.imports):
            return True
        semantics = self._analysis.program.semantics_at(scope)
        if self._language == "php":
            return True
        if semantics.has_implicit_this and class_around(self._analysis, scope) is not None:
            return any(
                not is_whole(self._analysis, around << 2, members_outside)
                or is_open_below(self._overlay, around)
                for around in classes_around(self._analysis, scope)
            )
        return semantics.has_object_literals

    def _is_known_elsewhere(self, name: str) -> bool:
        reader, file = self._overlay.reader, self._file.draft.rows.file.id
        return bool(reader.symbols.named(name, limit=1)) or reader.calls.is_called_elsewhere(name, file)
