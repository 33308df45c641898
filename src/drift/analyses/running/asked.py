"""What a request runs of the classes that its view names: the hooks of serializers, forms, filters and permissions.

Example: a request with POST to a view with `serializer_class = OrderSerializer` runs `OrderSerializer.validate`, and one
with GET does not; `asked.toml` lists what is asked of which field.
Known limits: classes of Python alone; which of several classes of `get_serializer_class` a request asks for is not seen.
"""

import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.edges import Run
from drift.analyses.unseen_calls import fits
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

_ANY: Final = "any"  # the word of a request of which no method is known
_INNER: Final = 0.9  # what is made in the body of a class is asked with it
_MOST_NESTED: Final = 4
_ONE_OF: Final = 3  # classes of one field, of which each is likely asked for
_AMONG: Final = 0.5


class Hook(NamedTuple):
    """A member that requests to a view run, those of these methods (none: any), and how likely."""

    member: SymbolId
    methods: frozenset[str]
    confidence: float

    def answers(self, asked: Collection[str]) -> bool:
        """Whether a request with one of these methods runs it."""
        return not self.methods or _ANY in asked or not self.methods.isdisjoint(asked)


class Asked:
    """What views of the project ask of the classes that they name."""

    def __init__(self, reader: "IndexReader") -> None:
        self._reader = reader
        self._parents: dict[SymbolId, list[SymbolId]] = defaultdict(list)
        for child, parent, _ in reader.running.parents():
            if parent is not None:
                self._parents[child].append(parent)
        self._fields: dict[SymbolId, dict[str, list[SymbolId]]] | None = None
        self._named: dict[SymbolId, list[SymbolId]] = defaultdict(list)
        self._classes: frozenset[SymbolId] = frozenset()
        self._hooks: dict[SymbolId, tuple[Hook, ...]] = {}
        self._made: dict[SymbolId, list[SymbolId]] = defaultdict(list)
        self._methods: dict[SymbolId, dict[str, list[SymbolId]]] = {}

    def runs(
        self, user: SymbolId, view: SymbolId, asked: Collection[str], confidence: float
    ) -> Iterator[Run]:
        """What a request with one of these methods runs: the view, and what that asks of the classes it names."""
        yield Run(user, view, confidence)
        yield from (Run(user, one.member, confidence * one.confidence) for one in self._of(view, asked))

    def _of(self, view: SymbolId, asked: Collection[str]) -> Iterator[Hook]:
        fields = self._read_fields()
        if view not in self._classes:
            return
        if view not in self._hooks:
            self._hooks[view] = tuple(self._find(view, fields))
        yield from (one for one in self._hooks[view] if one.answers(asked))

    def _read_fields(self) -> Mapping[SymbolId, Mapping[str, list[SymbolId]]]:
        """The classes that fields in bodies of classes name."""
        if self._fields is None:
            self._classes = frozenset(number for number, _, _ in self._reader.objects.classes())
            self._fields = defaultdict(lambda: defaultdict(list))
            for owner, name, value in self._reader.objects.given_fields():
                if value in self._classes:
                    self._fields[owner][name].append(value)
            for user, target, _ in self._reader.objects.named():
                self._named[user].append(target)
            for one in self._reader.objects.made():
                if one.maker in self._classes:
                    self._made[one.maker].append(one.owner)
        return self._fields

    def _find(
        self, view: SymbolId, fields: Mapping[SymbolId, Mapping[str, list[SymbolId]]]
    ) -> Iterator[Hook]:
        known: dict[str, tuple[list[SymbolId], bool]] = {}
        for owner in self._line(view):  # the nearest says what a field is
            for name, values in fields.get(owner, {}).items():
                known.setdefault(name, (values, True))
            for name, methods in self._functions(owner).items():
                values = [
                    each for one in methods for each in self._named.get(one, ()) if each in self._classes
                ]
                if values:
                    known.setdefault(name, (values, False))
        best: dict[SymbolId, Hook] = {}
        for name, (values, is_field) in known.items():
            among = 1.0 if is_field or len(values) <= _ONE_OF else _AMONG
            for rule in _rules():
                if not fits(name, rule.fields):
                    continue
                owners = self._with_nested(values) if rule.is_nested else [(one, 1.0) for one in values]
                for hook in (
                    each for one, share in owners for each in self._asked_of(one, rule, share * among)
                ):
                    if hook.member not in best or best[hook.member].confidence < hook.confidence:
                        best[hook.member] = hook
        yield from best.values()

    def _with_nested(self, classes: Iterable[SymbolId]) -> list[tuple[SymbolId, float]]:
        """Classes, and those of which their bodies make objects."""
        share = dict.fromkeys(classes, 1.0)
        level = list(share)
        for _ in range(_MOST_NESTED):
            made = {each for one in level for owner in self._line(one) for each in self._made.get(owner, ())}
            level = sorted(made - share.keys())
            share.update(dict.fromkeys(level, min(share.values()) * _INNER if share else 0.0))
        return list(share.items())

    def _asked_of(self, owner: SymbolId, rule: "_Rule", share: float) -> Iterator[Hook]:
        seen: set[str] = set()
        for one in self._line(owner):
            for name, members in self._functions(one).items():
                if name not in seen and fits(name, rule.members):
                    seen.add(name)
                    yield from (Hook(each, rule.methods, rule.confidence * share) for each in members)

    def _functions(self, owner: SymbolId) -> Mapping[str, list[SymbolId]]:
        if owner not in self._methods:
            found: dict[str, list[SymbolId]] = defaultdict(list)
            for one in self._reader.symbols.members(owner):
                if one.kind in {"method", "property", "constructor"}:
                    found[one.name].append(one.id)
            self._methods[owner] = found
        return self._methods[owner]

    def _line(self, owner: SymbolId) -> list[SymbolId]:
        """A class and those above it, nearest first."""
        line = [owner]
        for one in line:  # grows while it is gone through
            line += [each for each in self._parents.get(one, ()) if each not in line]
        return line


def asked_classes(reader: "IndexReader") -> frozenset[tuple[SymbolId, SymbolId]]:
    """The classes that fields of views name and requests ask by their methods: the view, then the class."""
    patterns = tuple(sorted({each for rule in _rules() for each in rule.fields}))
    return frozenset(
        (owner, value) for owner, name, value in reader.objects.given_fields() if fits(name, patterns)
    )


class _Rule(NamedTuple):
    fields: tuple[str, ...]
    members: tuple[str, ...]
    methods: frozenset[str]
    confidence: float
    is_nested: bool


@cache
def _rules() -> tuple[_Rule, ...]:
    table = tomllib.loads(files("drift.analyses.running").joinpath("asked.toml").read_text("utf-8"))
    return tuple(
        _Rule(
            tuple(asking["fields"]),
            tuple(one["members"]),
            frozenset(one.get("for", ())),
            one["confidence"],
            asking.get("nested", False),
        )
        for asking in table["asks"]
        for one in asking["runs"]
    )
