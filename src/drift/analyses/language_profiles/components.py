"""Components with the hooks they call, and React's hooks with their rules.

Rules of hooks: a hook runs at the top of a component or of another hook, each time in the same order. So none under a
condition, in a loop, behind an early return, in a callback, in a method or in a function that is neither. Only what comes
from React or is made of it counts: a function `use…` of another library may do as it likes.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from drift.analyses.language_profiles.rows import ComponentRow, HookUseRow, LanguageData
from drift.analyses.language_profiles.sources import Found, Sources, ranked
from drift.index.ids import FileId, SymbolId, file_of_symbol
from drift.index.profile_queries import NamedCall
from drift.index.records import SymbolRecord
from drift.kernel.text import plural
from drift.languages.facts import CallTrait

_PATTERNS: Final = ("use[A-Z]*", "*.use[A-Z]*", "use")
_FUNCTIONS: Final = frozenset({"function", "method", "constructor"})


class _Hooks(NamedTuple):
    """Calls of hooks, and the hooks of the project."""

    calls: list[NamedCall]
    own: dict[SymbolId, SymbolRecord]
    holders: dict[SymbolId, SymbolRecord]


def find_components(sources: Sources) -> Found:
    """Components, the most used first: functions and classes of React, classes of Angular, files of Vue and the like."""
    calls = sources.facts.calls_written(sources.ids, _PATTERNS)
    rows = [*_declared(sources, calls), *_files(sources, calls)]
    forms = Counter(row.form for row in rows)
    reason = None if rows else _why_no_component(sources)
    return Found(
        f"{plural(len(rows), 'component')}: {_counted(forms)}" if rows else f"No component seen: {reason}",
        ranked(rows, lambda row: (-(row.users or 0), row.component, row.file, row.line)),
        lambda shown: LanguageData(counts=dict(forms), components=shown, reason=reason),
    )


def _declared(sources: Sources, calls: Iterable[NamedCall]) -> Iterator[ComponentRow]:
    found = {one.id: one for one in sources.facts.with_modifier(sources.ids, "component")}
    marks = frozenset(sources.profile.words["component_marks"])
    marked = {mark.symbol_id for mark in sources.facts.marks(sources.ids) if mark.name in marks}
    found |= {one.id: one for one in sources.facts.of_kind(sources.ids, ["class"]) if one.id in marked}
    users = sources.facts.users(found)
    hooks: dict[SymbolId, list[str]] = defaultdict(list)
    for call in calls:
        hooks[call.caller_id].append(_last(call.text))
    for one in found.values():
        form = "class" if one.kind == "class" else "function"
        called = tuple(dict.fromkeys(hooks[one.id]))
        yield ComponentRow(one.qualname, sources.path(one.id), one.line, form, called, users.get(one.id, 0))


def _files(sources: Sources, calls: Iterable[NamedCall]) -> Iterator[ComponentRow]:
    """Files that are a component each; a framework may put one on a page whom nobody imports, so that is not told as 0."""
    endings = tuple(sources.profile.words["component_endings"])
    importers = sources.reader.places.importer_counts()
    hooks: dict[FileId, list[str]] = defaultdict(list)
    for call in calls:
        hooks[file_of_symbol(call.caller_id)].append(_last(call.text))
    for file in sources.files.values():
        if file.path.endswith(endings):
            name, _, form = file.path.rpartition("/")[2].rpartition(".")
            yield ComponentRow(
                name, file.path, 1, form, tuple(dict.fromkeys(hooks[file.id])), importers.get(file.id)
            )


def _counted(forms: Counter[str]) -> str:
    plain = {"function": "functions", "class": "classes"}
    return ", ".join(
        plural(times, form, plain[form])
        if form in plain
        else plural(times, f"file of {form}", f"files of {form}")
        for form, times in forms.most_common()
    )


def _why_no_component(sources: Sources) -> str:
    if _uses_react(sources):
        return "no function that returns markup is called like one"
    words = sources.profile.words
    return f"{_why_none(sources)}, none ends in {' or '.join(words['component_endings'])}, no class is marked as one"


def find_hook_uses(sources: Sources) -> Found:
    """Hooks: calls that break a rule first, then the project's own, then those from outside."""
    if not _uses_react(sources):
        reason = _why_none(sources)
        return Found(
            f"Whether there are hooks is not known: {reason}",
            ranked([], lambda _row: ()),
            lambda _shown: LanguageData(reason=reason),
        )
    hooks = _read(sources)
    problems = list(_problems(sources, hooks))
    own = list(_own(sources, hooks))
    outside = list(_outside(sources, hooks))
    counts = {
        "problems": len(problems),
        "custom": len(own),
        "builtin": sum(row.uses for row in outside if row.kind == "builtin"),
        "package": sum(row.uses for row in outside if row.kind == "package"),
    }
    told = (
        f"{plural(len(own), 'hook')} of the project, {plural(len(outside), 'hook')} from outside; "
        f"{plural(len(problems), 'call')} against the rules of hooks"
    )
    order = {"misuse": 0, "custom": 1, "builtin": 2, "package": 3}
    return Found(
        told,
        ranked(
            [*problems, *own, *outside],
            lambda row: (order[row.kind], -row.uses, row.file, row.line, row.hook),
        ),
        lambda shown: LanguageData(counts=counts, hooks=shown),
    )


def _read(sources: Sources) -> _Hooks:
    calls = sources.facts.calls_written(sources.ids, _PATTERNS)
    declared = sources.facts.with_modifier(sources.ids, "hook")
    own = {one.id: one for one in sources.reader.symbols.many(one.id for one in declared)}
    holders = {one.id: one for one in sources.reader.symbols.many({call.caller_id for call in calls})}
    return _Hooks(calls, own, holders)


def _uses_react(sources: Sources) -> bool:
    packages = sources.reader.facts.external_packages()
    return not packages.keys().isdisjoint(sources.profile.words["hook_packages"])


def _why_none(sources: Sources) -> str:
    return f"no file imports {' or '.join(sources.profile.words['hook_packages'])}"


def _problems(sources: Sources, hooks: _Hooks) -> Iterator[HookUseRow]:
    # A function that is only named like a hook may be called anywhere: it calls none.
    calling = {call.caller_id for call in hooks.calls}
    own = {
        (lead.caller_id, lead.line, lead.name)
        for lead in sources.facts.leads(hooks.holders)
        if lead.callee_id in hooks.own and lead.callee_id in calling
    }
    for call in hooks.calls:
        name = _last(call.text)
        is_own = (call.caller_id, call.line, name) in own
        if not is_own and not _is_of_react(sources, call):
            continue
        holder = hooks.holders.get(call.caller_id)
        problem = None if holder is None else _problem(holder, name, call.traits)
        if holder is not None and problem is not None:
            yield HookUseRow(
                name, "misuse", sources.path(call.caller_id), call.line, 1, problem, holder.qualname
            )


def _is_of_react(sources: Sources, call: NamedCall) -> bool:
    package = call.external_name.rpartition(".")[0]
    return package in sources.profile.words["hook_packages"]


def _problem(holder: SymbolRecord, name: str, traits: int) -> str | None:
    is_plain = "component" in holder.modifiers or "hook" in holder.modifiers
    if holder.kind == "module":
        return "outside of every component and hook"
    if holder.kind not in _FUNCTIONS or holder.kind in {"method", "constructor"}:
        return "in a method" if holder.kind in {"method", "constructor"} else None
    if name == "use":  # which alone may run under a condition
        return None
    if not is_plain:
        return _not_plain(holder)
    if traits & CallTrait.LOOPED:
        return "in a loop"
    return "under a condition or behind an early return" if traits & CallTrait.CONDITIONAL else None


def _not_plain(holder: SymbolRecord) -> str | None:
    if holder.name.startswith("<"):
        return f"in a callback: {holder.name.strip('<>')}"
    # A function with a capital may be a component that hands on what it is given.
    return "in a function that is neither a component nor a hook" if holder.name[:1].islower() else None


def _own(sources: Sources, hooks: _Hooks) -> Iterator[HookUseRow]:
    users = sources.facts.users(hooks.own)
    for one in hooks.own.values():
        yield HookUseRow(one.name, "custom", one.path, one.line, users.get(one.id, 0))


def _outside(sources: Sources, hooks: _Hooks) -> Iterator[HookUseRow]:
    """Hooks that are called and not of the project, with the first of their calls."""
    builtin = frozenset(sources.profile.words["builtin_hooks"])
    found: dict[str, list[NamedCall]] = defaultdict(list)
    for call in hooks.calls:
        if call.external_name:
            found[_last(call.external_name)].append(call)
    for name, calls in found.items():
        is_builtin = name in builtin and any(_is_of_react(sources, call) for call in calls)
        place = min((sources.path(call.caller_id), call.line) for call in calls)
        yield HookUseRow(name, "builtin" if is_builtin else "package", *place, len(calls))


def _last(text: str) -> str:
    return text.rpartition(".")[2]
