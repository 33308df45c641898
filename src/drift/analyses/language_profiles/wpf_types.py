"""View models as bindings see them: classes of C# with their members, those of other parts, of parents and generated ones."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from drift.analyses.language_profiles.sources import Sources
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord

_CLASSES: Final = frozenset({"class", "struct", "interface"})
_MEMBERS: Final = frozenset({"property", "field", "method"})
_GENERIC: Final = re.compile(r"<([\w.<>,? ]{1,200})>\s{0,9}(?:\?|$)")
_MOST_ABOVE: Final = 50
_MOST_BELOW: Final = 200


@dataclass(frozen=True, slots=True)
class BoundType:
    """A class that views bind to."""

    symbol: SymbolRecord
    members: dict[str, SymbolRecord]  # by the name that bindings use
    silent_parents: tuple[str, ...]  # outside the project, which may have members that are not known
    parents: frozenset[str]  # names of all that it descends from, as far as known
    attributes: frozenset[str]

    @property
    def name(self) -> str:
        return self.symbol.qualname

    @property
    def place(self) -> str:
        return f"{self.symbol.path}:{self.symbol.line}"


class BoundTypes:
    """Types by the names that markup and code call them."""

    def __init__(self, sources: Sources) -> None:
        self._reader = sources.reader
        self._words = {key: frozenset(words) for key, words in sources.profile.words.items()}
        self.named = cache(self._named)

    @property
    def weaving(self) -> frozenset[str]:
        """Attributes of classes whose setters are made to tell when they are compiled."""
        return self._words["notifying_attributes"]

    def _named(self, name: str) -> BoundType | None:
        """The only class of this name, with all of its parts; None for none or several."""
        local = name.rpartition(":")[2].rpartition(".")[2].partition("<")[0].strip("?")
        found = [
            one
            for one in self._reader.symbols.named(local)
            if one.kind in _CLASSES and one.language == "csharp"
        ]
        if not found or len({one.qualname for one in found}) > 1:
            return None
        if len(found) > 1 and not all("partial" in one.modifiers for one in found):
            return None
        return self._read(found)

    def _read(self, parts: list[SymbolRecord]) -> BoundType:
        members: dict[str, SymbolRecord] = {}
        outside: list[str] = []
        parents: set[str] = set()
        attributes: set[str] = set()
        level = list(parts)
        seen: set[SymbolId] = set()
        while level and len(seen) < _MOST_ABOVE:
            one = level.pop(0)
            if one.id in seen:
                continue
            seen.add(one.id)
            attributes |= {each.name for each in self._reader.symbols.decorators(one.id)}
            for name, member in self._members(one):
                members.setdefault(name, member)
            for base in self._reader.symbols.bases(one.id):
                parents.add(_bare(base.text))
                target = (
                    None if base.target_symbol_id is None else self._reader.symbols.get(base.target_symbol_id)
                )
                if target is not None:
                    level.append(target)
                elif self._may_have_members(base.text, one):
                    outside.append(_bare(base.text))
        return BoundType(
            parts[0], members, tuple(dict.fromkeys(outside)), frozenset(parents), frozenset(attributes)
        )

    def _may_have_members(self, text: str, holder: SymbolRecord) -> bool:
        """Whether a parent from outside may have what views bind: neither an interface nor a known class of notifiers."""
        name = _bare(text)
        is_interface = name[:1] == "I" and name[1:2].isupper() and holder.kind != "interface"
        return not is_interface and name not in self._words["notifying"]

    def _members(self, one: SymbolRecord) -> Iterable[tuple[str, SymbolRecord]]:
        for member in self._reader.symbols.members(one.id):
            if member.kind not in _MEMBERS:
                continue
            yield member.name, member
            if member.kind == "property":
                continue
            marks = {each.name for each in self._reader.symbols.decorators(member.id)}
            if member.kind == "field" and marks & self._words["notifying_attributes"]:
                yield _property_name(member.name), member
            elif member.kind == "method" and marks & self._words["command_attributes"]:
                yield _command_name(member.name), member

    def of_member(self, owner: BoundType, path: str, *, is_item: bool = False) -> BoundType | None:
        """The type of a member, or of an element of it; None where it is none of the project."""
        found: BoundType | None = owner
        for name in path.split("."):
            member = None if found is None else found.members.get(name)
            if member is None:
                return None
            text = self.type_text(member)
            found = self.named(element_of(text) if is_item and name == path.rpartition(".")[2] else text)
        return found

    def below_with(self, owner: BoundType, name: str) -> BoundType | None:
        """A class below this one that has the member."""
        level, seen = [owner.symbol.id], {owner.symbol.id}
        while level and len(seen) < _MOST_BELOW:
            for child in self._reader.symbols.derived(level.pop(0)):
                found = self.named(child.name) if child.id not in seen else None
                if found is not None and name in found.members:
                    return found
                if child.id not in seen:
                    seen.add(child.id)
                    level.append(child.id)
        return None

    def type_text(self, member: SymbolRecord) -> str:
        """The type of a member as written."""
        if member.return_text:
            return member.return_text
        holder = member.parent_id
        fields = self._reader.facts.fields_of(holder) if holder is not None else []
        return next((each.type or "" for each in fields if each.symbol_id == member.id), "")

    def is_command(self, name: str, member: SymbolRecord) -> bool:
        """Whether a member is a command, or becomes one."""
        kind = _bare(self.type_text(member))
        return kind in self._words["command_types"] or (member.kind == "method" and name != member.name)

    def notifies_by(self, one: BoundType) -> str | None:
        """How it tells of changes; None where it does not."""
        by = sorted(one.parents & self._words["notifying"]) or sorted(
            one.attributes & self._words["notifying_attributes"]
        )
        return by[0] if by else None


def element_of(text: str) -> str:
    """What a collection holds, by its type as written: `Line` of `ObservableCollection<Line>` and `Line[]`."""
    if text.endswith("[]"):
        return text[:-2]
    found = _GENERIC.search(text)
    return found[1].rpartition(",")[2].strip() if found else ""


def _bare(text: str) -> str:
    return text.partition("<")[0].rpartition(".")[2].strip("? ")


def _command_name(method: str) -> str:
    """The command that is generated for a method: `SaveCommand` of `Save`, `SaveAsync` and `OnSave`."""
    bare = method.removesuffix("Async")
    is_reaction = bare.startswith("On") and bare[2:3].isupper()
    return f"{bare.removeprefix('On') if is_reaction else bare}Command"


def _property_name(field: str) -> str:
    """The property that is generated for a field: `Name` of `_name` and `m_name`."""
    bare = field.removeprefix("m_").lstrip("_")
    return bare[:1].upper() + bare[1:]
