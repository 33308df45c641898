"""Members of stores that code calls by the name a text says: `store.dispatch("cart/add")` runs `add` of the actions of `cart`.

What it does: leads from such a call to the functions of that name in the section it is for, of the module whose file or folder has
the name before it. Why it matters: no call in the text leads there. Known limits: modules that are registered under a name
which is not that of their file, and names that are handed to helpers (`mapActions`).
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.spelled_queries import SayingCall

_LANGUAGES: Final = frozenset({"javascript", "typescript"})
_MEANT: Final = 0.8  # by its module and name
_OWN: Final = 0.7  # by its name alone, beside it in its file
_ONLY: Final = 0.6  # the only one of the name
_MARKS: Final = re.compile(r"[^a-z0-9]")
_ENDING: Final = re.compile(r"\.[a-z]{1,10}$")


class SaidMember(NamedTuple):
    """A call that says the name of a member of a store, the member, and how surely it is meant."""

    call: "SayingCall"
    used: SymbolId
    confidence: float


class _Member(NamedTuple):
    id: SymbolId
    path: str

    def is_of(self, module: str) -> bool:
        """Whether its file or a folder around that has the name of the module."""
        parts = _ENDING.sub("", self.path).split("/")
        return any(_bare(part) == _bare(module) for part in parts[-3:])


def said_members(reader: "IndexReader") -> Iterator[SaidMember]:
    """Which calls of stores run which of their members."""
    packages = frozenset(reader.facts.external_packages())
    for library in _libraries():
        if packages.isdisjoint(library["packages"]):
            continue
        sections: Mapping[str, str] = library["calls"]
        words = {
            number: text for number, text in reader.spelled.texts() if text.rpartition(".")[2] in sections
        }
        members = _members(reader, frozenset(sections.values())) if words else {}
        for call in reader.spelled.saying_calls(words) if members else ():
            section = sections[words[call.word].rpartition(".")[2]]
            yield from _meant(call, section, members)


def _members(reader: "IndexReader", sections: frozenset[str]) -> dict[tuple[str, str], list[_Member]]:
    """The functions that stand in a section of an object, by section and name."""
    found: dict[SymbolId, tuple[str, str]] = {}
    for one in reader.spelled.code(_LANGUAGES):
        owner = one.qualname.rpartition(".")[0].rpartition(".")[2]
        if owner in sections:
            found[one.id] = (owner, one.name)
    members: dict[tuple[str, str], list[_Member]] = defaultdict(list)
    for symbol in reader.symbols.many(found):
        members[found[symbol.id]].append(_Member(symbol.id, symbol.path))
    return members


def _meant(
    call: "SayingCall", section: str, members: Mapping[tuple[str, str], list[_Member]]
) -> Iterator[SaidMember]:
    before, _, name = call.said.rpartition("/")
    named = members.get((section, name), [])
    if before:
        found = [one for one in named if one.is_of(before.rpartition("/")[2])]
        sure = _MEANT
    else:
        found, sure = [one for one in named if one.path == call.path], _OWN
    if not found:
        found, sure = (named, _ONLY) if len(named) == 1 else ([], 0.0)
    for one in found:
        if one.id != call.caller:
            yield SaidMember(call, one.id, sure / len(found))


def _bare(name: str) -> str:
    return _MARKS.sub("", name.lower())


@cache
def _libraries() -> tuple[dict[str, Any], ...]:
    text = files("drift.analyses.running").joinpath("stores.toml").read_text("utf-8")
    return tuple(tomllib.loads(text)["stores"])
