"""Views and what they show: the type of each view's context, by markup, by code, or by name alone.

Asked in this order: what markup says (`x:DataType`, `d:DataContext`, `<Window.DataContext>`); what the code behind sets, as
far as linking followed bindings of the view to members of a class. The others are guesses, and said as such: a parameter of
its constructor that is called a view model; a view model that its code makes; and the naming convention, `MainView` and
`MainViewModel`.
"""

from collections import Counter
from functools import cached_property
from typing import Final, NamedTuple

from drift.analyses.language_profiles.rows import ContextRow, LanguageData
from drift.analyses.language_profiles.sources import Found, Sources, ranked
from drift.analyses.language_profiles.wpf_types import BoundType, BoundTypes
from drift.index.ids import FileId, SymbolId
from drift.index.markup_queries import MarkupBindingRecord
from drift.index.records import SymbolRecord
from drift.kernel.text import plural
from drift.languages.xaml.markup import path_members
from drift.languages.xaml.vocabulary import CONTEXT_TYPES

BY_NAME: Final = "by its name alone"
_GIVEN: Final = "its constructor is given one, which it may set"
_MADE: Final = "its code makes one, which it may set"
GUESSED: Final = frozenset({BY_NAME, _GIVEN, _MADE})
_NO_VIEWS: Final = frozenset({"Application", "ResourceDictionary", "Shell"})
_TIED: Final = frozenset({"binding", "command", "context"})
_NO_CONTEXT: Final = "neither markup nor the code behind says it, and no class is called like it"


class Context(NamedTuple):
    """What a view's bindings are members of; None where that is not known."""

    type: BoundType | None
    how: str
    text: str | None = None


class View(NamedTuple):
    """A XAML file with a class, its ties, and the members that linking found at its lines."""

    file: FileId
    path: str
    symbol: SymbolRecord
    ties: tuple[MarkupBindingRecord, ...]
    linked: dict[tuple[int, str], SymbolId]  # by line and name


class Views:
    """The views of the project."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._reader = sources.reader
        self.types = BoundTypes(sources)

    @cached_property
    def every(self) -> list[View]:
        found = []
        for file, source in self._sources.files.items():
            ties = tuple(self._reader.markup.bindings_of(file))
            symbols = self._reader.symbols.of_file(file)
            symbol = next((one for one in symbols if one.kind == "class"), symbols[0] if symbols else None)
            if symbol is not None and (ties or symbol.kind == "class"):
                found.append(View(file, source.path, symbol, ties, self._linked(file)))
        return found

    def _linked(self, file: FileId) -> dict[tuple[int, str], SymbolId]:
        return {(line, name): target for line, name, target in self._sources.facts.named_in(file)}

    def symbol(self, symbol: SymbolId) -> SymbolRecord | None:
        return self._reader.symbols.get(symbol)

    @cached_property
    def contexts(self) -> dict[FileId, Context]:
        """What code gives each view as a whole; what markup says of single bindings stands with those."""
        return {view.file: self._context(view) for view in self.every}

    def _context(self, view: View) -> Context:
        return (
            self._by_links(view) or self._by_constructor(view) or self._by_making(view) or self._by_name(view)
        )

    def _by_links(self, view: View) -> Context | None:
        """The class whose members linking found for bindings whose context code alone says."""
        owners: Counter[SymbolId] = Counter()
        for tie in view.ties:
            members = path_members(tie.path or "")
            target = view.linked.get((tie.line, members[0])) if members else None
            if target is None or tie.context is not None or tie.source is not None or tie.kind not in _TIED:
                continue
            member = self._reader.symbols.get(target)
            if member is not None and member.parent_id is not None:
                owners[member.parent_id] += 1
        if not owners:
            return None
        holder = self._reader.symbols.get(owners.most_common(1)[0][0])
        found = None if holder is None else self.types.named(holder.name)
        return None if found is None else Context(found, "the code behind sets it")

    def _parts(self, view: View) -> list[SymbolRecord]:
        """The parts of the view's class that are code."""
        named = self._reader.symbols.named(view.symbol.name)
        return [one for one in named if one.kind == "class" and one.language == "csharp"]

    def _by_constructor(self, view: View) -> Context | None:
        members = [one for part in self._parts(view) for one in self._reader.symbols.members(part.id)]
        given = [
            found
            for one in members
            if one.kind == "constructor"
            for parameter in one.parameters
            if (found := self._model(parameter.type_text or "")) is not None
        ]
        return Context(given[0], _GIVEN) if len(given) == 1 else None

    def _by_making(self, view: View) -> Context | None:
        holders = [
            each.id for part in self._parts(view) for each in (part, *self._reader.symbols.members(part.id))
        ]
        calls = [
            call for holder in holders for call in self._reader.calls.calls_of(holder) if call.kind == "new"
        ]
        made = {found.name: found for call in calls if (found := self._model(call.text)) is not None}
        return Context(next(iter(made.values())), _MADE) if len(made) == 1 else None

    def _model(self, text: str) -> BoundType | None:
        endings = tuple(self._sources.profile.words["view_model_endings"][:2])
        return self.types.named(text) if text.partition("<")[0].endswith(endings) else None

    def _by_name(self, view: View) -> Context:
        words = self._sources.profile.words
        name = view.symbol.name if view.symbol.kind == "class" else ""
        stems = [
            name.removesuffix(ending)
            for ending in words["view_endings"]
            if name.endswith(ending) and name != ending
        ]
        for stem in (name, *stems) if name else ():
            for ending in words["view_model_endings"]:
                found = self.types.named(f"{stem}{ending}")
                if found is not None:
                    return Context(found, BY_NAME)
        return Context(None, _NO_CONTEXT)

    def of_tie(self, view: View, tie: MarkupBindingRecord) -> Context:
        """The context of one binding: what markup says there, else what the view has."""
        if tie.context is None:
            return self.contexts[view.file]
        if tie.context == "?":
            return Context(None, "in a template or style that does not say its type")
        return self._said(view, tie.context)

    def _said(self, view: View, text: str) -> Context:
        """`vm:Cart`, and from there `/Owner` for a member and `[Lines]` for an element."""
        start = min((text.find(mark) for mark in "/[" if mark in text), default=len(text))
        if start:
            found = Context(self.types.named(text[:start]), "markup says it", text)
        else:
            found = self.contexts[view.file]
        rest = text[start:]
        while rest and found.type is not None:
            mark, rest = rest[0], rest[1:]
            end = min((rest.find(each) for each in "/[]" if each in rest), default=len(rest))
            inner = self.types.of_member(found.type, rest[:end], is_item=mark == "[")
            found = found._replace(type=inner, text=text)
            rest = rest[end:].removeprefix("]")
        return found if found.type is not None else Context(None, f"what {text} is, is not known", text)


def find_contexts(sources: Sources) -> Found:
    """Views with the type of their context, those of which it is not known first."""
    views = Views(sources)
    rows = []
    for view in views.every:
        if view.symbol.kind != "class" or _root(view) in _NO_VIEWS:
            continue
        shown = _shown(views, view)
        at = shown.type.place if shown.type is not None else None
        name = shown.type.name if shown.type is not None else shown.text
        rows.append(ContextRow(view.symbol.qualname, view.path, view.symbol.line, name, shown.how, at))
    known = sum(row.context is not None for row in rows)
    guessed = sum(row.how in GUESSED for row in rows)
    counts = {"views": len(rows), "known": known - guessed, "guessed": guessed, "unknown": len(rows) - known}
    told = (
        f"{plural(len(rows), 'view')}: the context of {known - guessed} is known, of {guessed} guessed, "
        f"of {len(rows) - known} not known"
    )
    return Found(
        told,
        ranked(
            rows, lambda row: (row.context is not None, row.how not in GUESSED, row.file, row.line, row.view)
        ),
        lambda page: LanguageData(counts=counts, contexts=page),
    )


def _shown(views: Views, view: View) -> Context:
    """What markup says of the root counts before what the code is seen to do."""
    root = _root(view)
    for tie in view.ties:
        # The name of a type has a prefix; without one it is the path of a binding.
        is_type = tie.property in CONTEXT_TYPES or ":" in (tie.path or "")
        if tie.kind == "context" and tie.element == root and tie.context is None and is_type and tie.path:
            return Context(views.types.named(tie.path), "markup says it", tie.path)
    return views.contexts[view.file]


def _root(view: View) -> str:
    return view.symbol.signature.lstrip("<").partition(" ")[0]
