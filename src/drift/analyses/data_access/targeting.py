"""Which table a chain of calls is about: by texts, sets, classes, what it is given, members, variables and fields."""

import re
from typing import Final, NamedTuple

from drift.analyses.data_access.chains import Chain, first_text, top_parts
from drift.analyses.data_access.knowledge import DataLibrary
from drift.analyses.data_access.models import Catalogue
from drift.analyses.data_access.rows import Model
from drift.analyses.data_access.sources import Source, origins_of
from drift.index.data_queries import CandidateCall
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord

_WORD: Final = re.compile(r"[A-Za-z_$]\w{0,100}")
_SELVES: Final = frozenset({"this", "self", "$this", "cls", "static", "base", "super", "@"})
_MADE: Final = re.compile(
    r"(?:new\s{1,4}|&|\*|typeof\s{0,2}\(|\[\]){0,3}\s{0,4}(?:\w{1,60}[.\\]){0,4}([A-Z]\w{0,80})(?:::class|\.class)?\s{0,4}[({\)]?"
)
_TABLE: Final = re.compile(
    r"\s{0,4}[\w.]{0,60}?([A-Za-z_]\w{0,80})(?:\s{1,4}(?:as\s{1,4})?\w{1,40})?\s{0,4}$"
)
_VARIABLE: Final = re.compile(r"[&*$@]{0,2}[A-Za-z_]\w{0,60}(?:\[[^\]]{0,20}\])?")
_MEMBER: Final = re.compile(
    r"[&*$]{0,2}(?:[A-Za-z_]\w{0,60}(?:\[\w{1,20}\])?(?:\.|->)){1,3}[A-Za-z_]\w{0,60}"
)
_WRAPPER: Final = re.compile(r"(?i)_?(?:repository|repo|model|dao|mapper|store)$")
_PAIR: Final = 2
_WORDS: Final = re.compile(r"[A-Z]?[a-z0-9]{1,60}|[A-Z]{1,60}")
SURE: Final = 0.9
LIKELY: Final = 0.75
GUESSED: Final = 0.5

Found = tuple[str, Model | None, float]
"""A table, its model where there is one, and how sure that is."""


class Site(NamedTuple):
    """A call with the text around it."""

    call: CandidateCall
    chain: Chain
    source: Source
    caller: SymbolRecord
    language: str
    path: str
    role: str


class Targeting:
    """One chain under one library."""

    def __init__(self, catalogue: Catalogue, site: Site, library: DataLibrary, *, received: bool) -> None:
        self._catalogue = catalogue
        self._site = site
        self._library = library
        self._received = received
        self._links = site.chain.links
        self.is_far = False
        """What the table is was told by something else than the chain itself."""

    def find(self) -> tuple[str | None, Model | None, float]:
        """The table and the model a chain is about, and how sure that is."""
        here = (self._by_table_text, self._by_set, self._by_head, self._by_given, self._by_types)
        for find in here:
            found = find()
            if found is not None:
                return found
        self.is_far = True
        for find in (self._by_member, self._by_variable):
            found = find()
            if found is not None:
                return found
        return None, None, GUESSED if self._received else 0.0

    def _by_table_text(self) -> Found | None:
        for number, link in enumerate(self._links):
            if link.given is None or (
                link.name not in self._library.table_calls
                and link.name.lstrip("$") not in self._library.head_tables
            ):
                continue
            if number == 0 and link.name not in self._library.head_tables:
                continue
            text = first_text(link.given)
            name = _TABLE.match(text or "")
            if name is not None and not self._library.path_tables:
                model = self._catalogue.like(name.group(1), self._site.language)
                return name.group(1), model, SURE
        return None

    def _by_set(self) -> Found | None:
        if not self._library.set_types:
            return None
        for at, link in enumerate(self._links[:-1]):
            if link.given is None and link.name in self._catalogue.sets and self._is_context(at):
                model = self._catalogue.sets[link.name]
                return model.table, model, SURE
            if link.name in self._library.set_calls and link.types:
                found = self._catalogue.model_in(link.types, self._site.language)
                if found is not None:
                    return found.table, found, SURE
        return None

    def _is_context(self, at: int) -> bool:
        """Whether what stands before a place is what holds the sets, not an object with a list of the same name."""
        if at == 0 or (self._links[0].name in _SELVES and at == 1):
            return self._site.caller.qualname.split(".")[0] in self._catalogue.contexts
        before = self._links[at - 1].name
        if (
            "context" in before.lower()
            or before in self._library.receiver_names
            or before.lower() in {"db", "_db"}
        ):
            return True
        site = self._site
        told = origins_of(before, site.source, first_line=site.caller.line, before=site.chain.start)
        field = next(
            (
                one
                for one in self._catalogue.facts.fields.get(site.caller.parent_id or SymbolId(0), ())
                if one.name == before
            ),
            None,
        )
        texts = [*(one.text for one in told), *((field.type or "",) if field else ())]
        return any(word in self._catalogue.contexts for text in texts for word in _WORD.findall(text[:120]))

    def _by_head(self) -> Found | None:
        """A chain that begins with a model, or in one with itself."""
        names = [each.name for each in self._links[:3]]
        if len(names) > _PAIR and names[_PAIR] == "through" and (model := self._known(names[0])) is not None:
            return f"{model.table}_{names[1]}", None, SURE
        for number, name in enumerate(names):
            model = self._known(name)
            if (
                model is not None
                and self._is_ours(model)
                and (number == 0 or names[0] in {"models", "db", "this", "self"})
            ):
                return model.table, model, SURE
            if number == 0 and name in self._library.path_tables:
                break
        if len(names) > 1 and names[1] in self._library.accessors and names[0][:1].isupper():
            # A class that is asked as only models are: one of the project by another parent, or one of a library.
            model = None
            if not self._catalogue.is_outside(names[0], self._site.caller.id):
                model = self._catalogue.stand_in(names[0], self._library, self._site.path)
            return (model.table, model, LIKELY) if model is not None else (names[0], None, GUESSED)
        head = names[0] if names else ""
        if head in _SELVES or (self._received and self._links[0].given is not None and len(self._links) >= 1):
            owner = self._owner()
            is_itself = (
                len(names) == 1
                or head not in _SELVES
                or len(self._links) == _PAIR
                or names[1] in self._library.accessors
                or self._links[1].given is not None
            )
            if owner is not None and self._is_ours(owner) and is_itself:
                related = self._catalogue.like(names[1], self._site.language) if len(names) > _PAIR else None
                chosen = related or owner
                return chosen.table, chosen, LIKELY
        return None

    def _by_given(self) -> Found | None:
        """A class or an object among what is given to a call."""
        # What stands last in a chain is what it is for: Model(&user).Related(&orders) asks for orders.
        for link in reversed(self._links):
            if link.given is None or link.name not in self._library.class_calls:
                continue
            for part in top_parts(link.given)[:3]:
                found = self._in_argument(part)
                if found is not None:
                    return found.table, found, SURE
        return None

    def _in_argument(self, part: str) -> Model | None:
        if part.lstrip("&*") in _SELVES:
            return self._owner()
        model = self._catalogue.model_in(re.split(r"[({=]", part, maxsplit=1)[0], self._site.language)
        if model is not None:
            return model
        made = _MADE.match(part)
        if made is not None and (
            found := self._catalogue.stand_in(made.group(1), self._library, self._site.path)
        ):
            return found
        if _VARIABLE.fullmatch(part):
            return self._variable(part.lstrip("&*").partition("[")[0], may_stand_in=True)
        if _MEMBER.fullmatch(part):
            return self._member(re.split(r"\.|->", part.lstrip("&*")))
        return None

    def _member(self, parts: list[str]) -> Model | None:
        """The model of a member of an object, as the fields of its class say, or by what it is called."""
        model = (
            self._owner()
            if parts[0] in _SELVES
            else self._variable(parts[0].partition("[")[0], may_stand_in=True)
        )
        for name in parts[1:]:
            model = (
                self._catalogue.field_target(model, name, self._site.language) if model is not None else None
            )
        return model or self._catalogue.like(parts[-1], self._site.language)

    def _by_types(self) -> Found | None:
        for link in self._links:
            if link.types and (found := self._catalogue.model_in(link.types, self._site.language)):
                return found.table, found, SURE
        return None

    def _by_member(self) -> Found | None:
        """A member of a client that is called like a table, and one that leads from a model to another."""
        last = next(
            (
                at
                for at in range(len(self._links) - 1, 0, -1)
                if self._links[at].name in self._library.methods
            ),
            0,
        )
        first = next(
            (
                at
                for at in range(1, len(self._links))
                if self._links[at].given is not None and self._links[at].name in self._library.methods
            ),
            last,
        )
        before = self._links[first - 1] if first > 0 else None
        if before is None or first < _PAIR or before.name in self._library.accessors:
            return None
        if self._library.table_members and before.given is None:
            model = self._catalogue.like(before.name, self._site.language)
            if model is not None or self._received:
                return (model.table if model else before.name), model, SURE if model else LIKELY
        if self._library.path_tables:
            for link, following in zip(self._links, self._links[1:], strict=False):
                if following.name in self._library.path_tables and link.given is None:
                    model = self._catalogue.like(link.name, self._site.language)
                    return (model.table if model else link.name), model, SURE
        if (
            self._library.table_members
            or self._library.set_types
            or not (self._received or self._library.lazy)
        ):
            return None
        model = self._catalogue.like(before.name, self._site.language)
        if model is not None and self._is_ours(model):
            return model.table, model, LIKELY
        return None

    def _by_variable(self) -> Found | None:
        """A variable or a field by its type, by what it is made of, or by what it is called."""
        head = self._links[0].name
        name = head
        if head.lstrip("$") in _SELVES and len(self._links) > _PAIR:
            name = self._links[1].name
            model = self._field(name)
        else:
            model = self._variable(head, may_stand_in=False) or self._field(head)
        if self._library.set_types and not self._is_query(head):
            return None
        if model is None and (self._received or self._library.instance_names):
            model = self._catalogue.like(
                _WRAPPER.sub("", name.lstrip("$@_")),
                self._site.language,
            )
            if model is not None and self._is_ours(model):
                return model.table, model, GUESSED
            return None
        if model is not None and self._is_ours(model):
            return self._beyond(model, at=2 if head.lstrip("$") in _SELVES else 1)
        return None

    def _related(self, name: str) -> Found | None:
        """The model that a method called like it, or like its last words, leads to: ownedPlaylists to Playlist."""
        words = _WORDS.findall(name)
        for at in range(len(words)):
            model = self._catalogue.like("".join(words[at:]), self._site.language)
            if model is not None and self._is_ours(model):
                return model.table, model, LIKELY
        return None

    def _is_asking(self, name: str) -> bool:
        """Whether a variable is a query, whose methods narrow it, and not an object, whose methods lead elsewhere."""
        if any(word in name.lower() for word in ("query", "builder", "qs", "scope")):
            return True
        site = self._site
        told = next(origins_of(name, site.source, first_line=site.caller.line, before=site.chain.start), None)
        return told is not None and any(
            word in told.text for word in ("query(", "Builder", "where(", "QuerySet")
        )

    def _is_query(self, name: str) -> bool:
        """Whether a variable is a query over a set, and not a list of what one gave."""
        site = self._site
        told = origins_of(name, site.source, first_line=site.caller.line, before=site.chain.start)
        return any("IQueryable" in one.text or "AsQueryable" in one.text for one in told)

    def _beyond(self, model: Model, *, at: int) -> Found | None:
        """The model itself, or the one that the member behind it leads to."""
        member = self._links[at] if len(self._links) > at + 1 else None
        if (
            member is None
            or member.name in self._library.accessors
            or member.name in self._library.methods | self._library.builders
        ):
            return model.table, model, LIKELY
        if member.given is not None:
            return (
                self._related(member.name)
                if not self._is_asking(self._links[at - 1].name)
                else (model.table, model, LIKELY)
            )
        beyond = self._catalogue.field_target(model, member.name, self._site.language)
        return (beyond.table, beyond, LIKELY) if beyond is not None else None

    def _variable(self, name: str, *, may_stand_in: bool) -> Model | None:
        site = self._site
        for origin in origins_of(name, site.source, first_line=site.caller.line, before=site.chain.start):
            text = origin.text
            found = self._catalogue.model_in(text, site.language)
            if found is not None:
                return found
            if self._library.set_types:
                for word in _WORD.findall(text[:200]):
                    if word in self._catalogue.sets:
                        return self._catalogue.sets[word]
            if may_stand_in:
                made = re.match(r"(?:new\s{1,4}|&|\*|\[\]){0,4}(?:\w{1,60}[.\\]){0,4}([A-Z]\w{0,80})", text)
                if made is not None and (
                    stand_in := self._catalogue.stand_in(made.group(1), self._library, self._site.path)
                ):
                    return stand_in
        return None

    def _field(self, name: str) -> Model | None:
        """The model in the type of a field of the class around the call."""
        owner = self._site.caller.parent_id
        bare = name.lstrip("$@")
        for one in self._catalogue.facts.fields.get(owner, ()) if owner is not None else ():
            if one.name.lstrip("$") == bare:
                return self._catalogue.model_in(f"{one.type or ''} {one.signature}", self._site.language)
        return None

    def _owner(self) -> Model | None:
        """The model, or the model of the repository, that the call stands in."""
        owner = self._site.caller.qualname.split(".")
        for name in owner[:-1][::-1]:
            model = self._known(name)
            if model is not None:
                return model
            repository = self._catalogue.repositories.get(name)
            if repository is not None and repository.model:
                return self._catalogue.model_named(repository.model, self._site.language)
        return None

    def _known(self, name: str) -> Model | None:
        return self._catalogue.model_named(name.lstrip("$"), self._site.language)

    def _is_ours(self, model: Model) -> bool:
        return model.framework == self._library.framework or (
            model.framework == "prisma" and self._library.framework == "prisma"
        )
