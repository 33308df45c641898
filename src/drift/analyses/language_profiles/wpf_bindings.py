"""Bindings of XAML and where they lead, commands, and view models that tell of their changes.

A binding is missing where its context is known for sure, all of the context's parents are known, and none has the member.
Where the context is known by name alone, in a template without a type, or a class is from outside, it is unknown.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from posixpath import dirname
from typing import Final, NamedTuple

from drift.analyses.language_profiles.rows import BindingRow, CommandRow, LanguageData, ViewModelRow
from drift.analyses.language_profiles.sources import Found, Sources, ranked
from drift.analyses.language_profiles.wpf_changes import Changes
from drift.analyses.language_profiles.wpf_contexts import GUESSED, Context, View, Views
from drift.analyses.language_profiles.wpf_types import BoundType
from drift.index.ids import SymbolId, file_of_symbol
from drift.index.markup_queries import MarkupBindingRecord
from drift.index.records import SymbolRecord
from drift.kernel.text import plural
from drift.languages.xaml.markup import path_members

_MOST_PLACES: Final = 5
_MOST_SILENT: Final = 10
_ORDER: Final = {"missing": 0, "unknown": 1, "found": 2, "unbound": 3, "bound": 2}
_OTHER_FORMS: Final = ("#", "$", "(", "[", "!", "^")


class Bound(NamedTuple):
    """A binding, where its first member stands, and what is known of it."""

    view: View
    tie: MarkupBindingRecord
    context: Context
    status: str
    reason: str | None = None
    member: SymbolRecord | None = None
    owner: BoundType | None = None


def bound_ties(views: Views) -> Iterator[Bound]:
    """The bindings and commands that are members of their context."""
    for view in views.every:
        for tie in view.ties:
            if tie.kind in {"binding", "command"} and tie.source is None and _names_member(tie):
                yield _judged(views, view, tie)


def _names_member(tie: MarkupBindingRecord) -> bool:
    return (
        bool(tie.path)
        and not (tie.path or "").startswith(_OTHER_FORMS)
        and bool(path_members(tie.path or ""))
    )


def _judged(views: Views, view: View, tie: MarkupBindingRecord) -> Bound:
    members = path_members(tie.path or "")
    context = views.of_tie(view, tie)
    linked = [view.linked.get((tie.line, name)) for name in members]
    first = None if linked[0] is None else views.symbol(linked[0])
    owner = context.type
    if all(linked):
        return Bound(view, tie, context, "found", None, first, owner)
    if owner is None:
        return Bound(view, tie, context, "unknown", context.how, first)
    for name in members:
        if owner is None:
            return Bound(
                view, tie, context, "unknown", f"the type of what stands before {name} is not known", first
            )
        member = owner.members.get(name)
        if member is None:
            return _without(views, Bound(view, tie, context, "missing", None, first, owner), name)
        first = first or member
        owner = views.types.of_member(owner, name)
    return Bound(view, tie, context, "found", None, first, context.type)


def _without(views: Views, bound: Bound, name: str) -> Bound:
    """A member that its type does not have, as far as that can be told: what is shown may be of a type below it."""
    owner = bound.owner
    below = views.types.below_with(owner, name) if owner is not None else None
    if owner is None or below is not None:
        reason = None if below is None else f"in {below.name}, which descends from it"
        member = None if below is None else below.members[name]
        return bound._replace(status="found", reason=reason, member=bound.member or member)
    told = f"{owner.name} has no {name}"
    if owner.silent_parents:
        told += f"; {', '.join(owner.silent_parents)} above it is from outside the project"
        return bound._replace(status="unknown", reason=told)
    if bound.context.how in GUESSED:
        return bound._replace(
            status="unknown", reason=f"{told}, which is its context only as guessed: {bound.context.how}"
        )
    return bound._replace(reason=told)


def find_bindings(sources: Sources) -> Found:
    """Bindings, those that lead nowhere first."""
    views = Views(sources)
    rows = [
        BindingRow(
            one.tie.path or "",
            f"{one.tie.element}.{one.tie.property}",
            one.view.path,
            one.tie.line,
            one.status,
            one.context.type.name if one.context.type else one.context.text,
            one.reason,
        )
        for one in bound_ties(views)
    ]
    counts = Counter(row.status for row in rows)
    other = sum(tie.kind in {"binding", "command"} for view in views.every for tie in view.ties) - len(rows)
    told = (
        f"{plural(len(rows), 'binding')} to a context: {counts['missing']} lead nowhere, "
        f"{counts['unknown']} are not known; {other} to other elements or sources"
    )
    return Found(
        told,
        ranked(rows, lambda row: (_ORDER[row.status], row.file, row.line, row.element, row.path)),
        lambda shown: LanguageData(counts={**counts, "otherSources": other}, bindings=shown),
    )


def find_commands(sources: Sources) -> Found:
    """Commands that views bind, and those of view models that none binds."""
    views = Views(sources)
    ties = list(bound_ties(views))
    bound: dict[SymbolId, list[Bound]] = defaultdict(list)
    open_ties: dict[str, list[Bound]] = defaultdict(list)  # that may lead to any command of the name
    for one in ties:
        if one.member is not None:
            bound[one.member.id].append(one)
        elif one.status == "unknown":
            open_ties[path_members(one.tie.path or "")[-1]].append(one)
    rows = [
        CommandRow(
            one.tie.path or "",
            one.status,
            one.view.path,
            one.tie.line,
            one.context.type.name if one.context.type else None,
            (),
        )
        for one in ties
        if one.tie.kind == "command" and one.member is None
    ]
    for (symbol, name), member in _declared_commands(sources, views).items():
        uses = bound.get(symbol) or open_ties.get(name, [])
        status = "bound" if symbol in bound else "unknown" if uses else "unbound"
        places = tuple(f"{use.view.path}:{use.tie.line}" for use in uses[:_MOST_PLACES])
        owner = member.qualname.rpartition(".")[0]
        rows.append(CommandRow(name, status, member.path, member.line, owner, places))
    rows = list(dict.fromkeys(rows))
    counts = Counter(row.status for row in rows)
    told = (
        f"{plural(len(rows), 'command')}: {counts['bound']} bound, {counts['unbound']} that no view is seen to bind, "
        f"{counts['missing']} that are bound and missing, {counts['unknown']} not known"
    )
    return Found(
        told,
        ranked(rows, lambda row: (_ORDER[row.status], row.file, row.line, row.command, row.view_model or "")),
        lambda shown: LanguageData(counts=dict(counts), commands=shown),
    )


def _declared_commands(sources: Sources, views: Views) -> dict[tuple[SymbolId, str], SymbolRecord]:
    """The commands of view models, each once where it is declared; a field that holds one is not bound itself."""
    return {
        (member.id, name): member
        for model in _models(sources, views)
        for name, member in model.members.items()
        if views.types.is_command(name, member) and (member.kind == "property" or name != member.name)
    }


def find_view_models(sources: Sources) -> Found:
    """View models, those first whose bound properties change without a word."""
    views = Views(sources)
    shown_by: dict[str, set[str]] = defaultdict(set)
    bound: dict[SymbolId, Bound] = {}
    for one in bound_ties(views):
        if one.context.type is not None and one.context.how not in GUESSED:
            shown_by[one.context.type.name].add(one.view.symbol.name)
        if one.member is not None:
            bound[one.member.id] = one
    models = list(_models(sources, views))
    setters = _auto_setters(sources, models)
    silent = _Silent(bound, setters, Changes(sources))
    rows = [_view_model_row(views, one, silent, sorted(shown_by[one.name])) for one in models]
    counts = {
        "viewModels": len(rows),
        "notifying": sum(row.notifies_by is not None for row in rows),
        "withProblems": sum(row.problem is not None for row in rows),
    }
    told = (
        f"{plural(len(rows), 'view model')}, {counts['notifying']} tell of changes; "
        f"{counts['withProblems']} with bound properties that change without a word"
    )
    return Found(
        told,
        ranked(rows, lambda row: (row.problem is None, -len(row.silent), row.file, row.line, row.name)),
        lambda page: LanguageData(counts=counts, view_models=page),
    )


def _models(sources: Sources, views: Views) -> Iterator[BoundType]:
    """Classes that are called view models, or are the context of a view."""
    contexts = [each.type for each in views.contexts.values() if each.type is not None]
    contexts += [one.context.type for one in bound_ties(views) if one.context.type is not None]
    endings = sources.profile.words["view_model_endings"][:2]
    classes = [name for ending in endings for name in sources.facts.classes_ending(ending)]
    named = [found for name in classes if (found := views.types.named(name)) is not None]
    seen: set[SymbolId] = set()
    for one in (*contexts, *named):
        if one.symbol.id not in seen and one.symbol.kind != "interface" and one.symbol.role != "test":
            seen.add(one.symbol.id)
            yield one


def _auto_setters(sources: Sources, models: list[BoundType]) -> set[SymbolId]:
    """Properties that are set without code that could tell of it."""
    members = {(member.path, member.line): member.id for one in models for member in one.members.values()}
    files = sorted({file_of_symbol(member.id) for one in models for member in one.members.values()})
    paths = {file_of_symbol(member.id): member.path for one in models for member in one.members.values()}
    return {
        members[paths[file_of_symbol(one.symbol_id)], one.line]
        for one in sources.facts.constructs(files, ("auto_setter",))
        if (paths[file_of_symbol(one.symbol_id)], one.line) in members
    }


class _Silent(NamedTuple):
    """What is known of properties that may change without a word."""

    bound: dict[SymbolId, Bound]
    setters: set[SymbolId]
    changes: Changes

    def holds(self, member: SymbolRecord) -> bool:
        """Whether views show a property that code sets after it is shown, with nothing to tell of it."""
        is_quiet = member.id in self.setters and member.id in self.bound
        return is_quiet and self.changes.is_set_later(member)


def _view_model_row(views: Views, one: BoundType, quiet: _Silent, shown_by: list[str]) -> ViewModelRow:
    notifies_by = views.types.notifies_by(one)
    properties = [
        member for name, member in one.members.items() if member.kind == "property" and name == member.name
    ]
    is_woven = not one.attributes.isdisjoint(views.types.weaving) or (
        notifies_by is not None and quiet.changes.is_woven(dirname(one.symbol.path))
    )
    silent = tuple(
        member.name
        for member in properties
        if not is_woven and not views.types.is_command(member.name, member) and quiet.holds(member)
    )
    problem = None
    if silent:
        problem = (
            "set without telling views" if notifies_by else "tells of no change, and views bind what is set"
        )
    return ViewModelRow(
        one.name,
        one.symbol.path,
        one.symbol.line,
        notifies_by,
        len(properties),
        sum(views.types.is_command(name, member) for name, member in one.members.items()),
        tuple(shown_by[:_MOST_PLACES]),
        silent[:_MOST_SILENT] if problem else (),
        problem,
    )
