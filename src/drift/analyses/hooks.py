"""Hooks of React and Vue: functions named `use…`, which hooks they are made of, who uses them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from drift.analyses.signatures import signature_text
from drift.index import IndexReader
from drift.index.records import SymbolRecord
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import plural, shorten

HOOK_PACKAGES: Final = ("react", "vue", "preact", "@vue/composition-api", "solid-js")
"""Packages whose users write functions named `use…` for what their components share."""

_LONGEST_SIGNATURE: Final = 160
_MOST_HOOKS: Final = 1_000
_MOST_OUTSIDE: Final = 10


@dataclass(frozen=True, slots=True)
class HookRow:
    """A hook of the project. `madeOf` are the hooks it calls, `users` the symbols that call it."""

    hook: str
    file: str
    line: int
    signature: str
    made_of: tuple[str, ...]
    users: int
    is_async: bool


@dataclass(frozen=True, slots=True)
class OutsideHookRow:
    """A hook from a package and how many imports name it."""

    hook: str
    package: str
    imports: int


@dataclass(frozen=True, slots=True)
class HooksData:
    """The project's own hooks, most used first, and the ten most imported of packages; null without React or Vue."""

    hooks: tuple[HookRow, ...] | None
    outside: tuple[OutsideHookRow, ...] | None
    reason: str | None = None


class Hooks(NamedTuple):
    """The project's own hooks, most used first, and those from packages."""

    own: tuple[HookRow, ...]
    outside: tuple[OutsideHookRow, ...]

    @property
    def summary(self) -> str:
        return f"{plural(len(self.own), 'hook')} of the project, {len(self.outside)} from packages"

    def ranked(self) -> Ranked[HookRow]:
        return Ranked(self.own, HOOK_SORTS)

    def data(self, shown: tuple[HookRow, ...]) -> HooksData:
        return HooksData(shown, self.outside[:_MOST_OUTSIDE])


def find_hooks(reader: IndexReader, search: str = "") -> Hooks:
    """Hooks whose name has the text in it, whatever its case."""
    wanted = search.lower()
    symbols = [
        one
        for one in reader.symbols.many(reader.listings.hooks()[:_MOST_HOOKS])
        if wanted in one.name.lower() and "." not in one.qualname
    ]
    # A hook bound to a constant is there as the constant, too.
    by_place = {(one.path, one.name): one for one in symbols if one.kind != "function"}
    by_place |= {(one.path, one.name): one for one in symbols if one.kind == "function"}
    rows = sorted((_row(reader, one) for one in by_place.values()), key=hook_key)
    outside = tuple(
        OutsideHookRow(name, package, times)
        for name, package, times in reader.listings.outside_hooks()
        if wanted in name.lower()
    )
    return Hooks(tuple(rows), outside)


def imports_hooks(reader: IndexReader) -> bool:
    """Whether the project imports a framework that has hooks."""
    return not reader.facts.external_packages().keys().isdisjoint(HOOK_PACKAGES)


def hook_key(row: HookRow) -> tuple[int, str, str, int]:
    """Where a hook stands in the list: most used first."""
    return -row.users, row.hook, row.file, row.line


def _row(reader: IndexReader, one: SymbolRecord) -> HookRow:
    called = Counter(call.text.rpartition(".")[2] for call in reader.calls.calls_of(one.id))
    made_of = tuple(name for name in called if name.startswith("use") and name[3:4].isupper())
    return HookRow(
        one.name,
        one.path,
        one.line,
        shorten(signature_text(one), _LONGEST_SIGNATURE),
        made_of,
        reader.listings.caller_counts(one.id).callers,
        "async" in one.modifiers,
    )


UNKNOWN_HOOKS = HooksData(
    None, None, f"looked for: functions named use…, imports of {', '.join(HOOK_PACKAGES)}"
)


HOOK_SORTS: Final[Mapping[str, Sort[HookRow]]] = {
    "users": Sort(hook_key, "desc"),
    "name": Sort(lambda row: (row.hook,)),
    "file": Sort(lambda row: (row.file, row.line)),
}
