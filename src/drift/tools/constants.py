"""Constants: what there is, who uses it, what repeats without a name, is dead, secret or contradicts itself."""

from collections.abc import Callable, Mapping
from typing import Annotated, Final, NamedTuple

from drift.analyses.constants.answers import (
    CONSTANT_SORTS,
    Action,
    ConstantsData,
    Wanted,
    constant_rows,
    count_constants,
    describe_constant,
    list_constants,
    list_uses,
)
from drift.analyses.constants.catalogue import Category
from drift.analyses.constants.dead import find_dead
from drift.analyses.constants.inconsistent import find_inconsistent
from drift.analyses.constants.magic import Repeats, find_magic, magic_rows
from drift.analyses.secrets.judging import Level
from drift.analyses.secrets.past import find_in_history
from drift.analyses.secrets.project import at_least, find_in_project, is_in_texts
from drift.index import IndexReader, Layer
from drift.kernel.answer import Answer
from drift.kernel.errors import needed
from drift.kernel.redaction import Severity
from drift.kernel.text import plural
from drift.registry import Call, Length, Page, Range, Scope, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer


@tool(
    category="analysis",
    title="Constants",
    tokens=(200, 2000),
    needs=Layer.CALLS,
    action_scopes={"secrets": frozenset({Scope.SECURITY})},
    examples=({}, {"action": "magic"}, {"action": "list", "category": "limit"}),
)
def drift_constants(  # noqa: PLR0917 - the caller names them
    call: Call,
    action: Annotated[
        Action,
        "magic: values without a name; dead: unused; secrets: in all texts; inconsistent: contradicting",
    ] = "status",
    name: Annotated[str | None, Length(400), "get, usages: name or id"] = None,
    category: Annotated[Category | None, "list: of this sort"] = None,
    language: Annotated[str | None, Length(40), "list, magic: of this language"] = None,
    file: Annotated[str | None, "list: of this file"] = None,
    search: Annotated[str | None, Length(100), "list: part of the name"] = None,
    exported: Annotated[bool | None, "list: those others can, or cannot, use"] = None,
    min_occurrences: Annotated[int, Range(2, 1000), "magic: least times"] = 2,
    include_strings: Annotated[bool, "magic: texts"] = True,
    include_numbers: Annotated[bool, "magic: numbers"] = True,
    severity: Annotated[Severity | None, "secrets: least"] = None,
    min_level: Annotated[Level, "secrets: least confidence"] = "medium",
    history: Annotated[bool, "secrets: that commits added"] = False,
    page: Page = Page(limit=20, sorts=CONSTANT_SORTS),
) -> Answer[ConstantsData]:
    """Constants of the project. Lists, uses, magic values, dead and contradicting ones, secrets with masked values."""
    wanted = Wanted(category, language, file, search, exported)
    repeats = Repeats(min_occurrences, include_strings, include_numbers, language)
    asked = _Asked(call, page, name, wanted, repeats, min_level, severity, history)
    with opened_index(call) as reader:
        return _ANSWERS[action](asked, reader)


class _Asked(NamedTuple):
    """What the caller wants of the action."""

    call: Call
    page: Page
    name: str | None
    wanted: Wanted
    repeats: Repeats
    level: Level
    severity: Severity | None
    history: bool

    @property
    def unsorted(self) -> Page:
        """The page for lists that have an order of their own: sorts are of constants."""
        return Page(self.page.cursor, self.page.limit)

    def named(self, action: str) -> str:
        return needed("name", self.name, when=f"action={action}")


def _status(_asked: _Asked, reader: IndexReader) -> Answer[ConstantsData]:
    return Answer(*count_constants(reader))


def _list(asked: _Asked, reader: IndexReader) -> Answer[ConstantsData]:
    summary, rows = list_constants(reader, asked.wanted)
    return list_answer(asked.call, asked.page, rows, constant_rows, summary=summary)


def _get(asked: _Asked, reader: IndexReader) -> Answer[ConstantsData]:
    return Answer(*describe_constant(reader, asked.named("get")))


def _usages(asked: _Asked, reader: IndexReader) -> Answer[ConstantsData]:
    summary, rows = list_uses(reader, asked.named("usages"))
    return list_answer(
        asked.call, asked.unsorted, rows, lambda shown: ConstantsData(usages=shown), summary=summary
    )


def _magic(asked: _Asked, reader: IndexReader) -> Answer[ConstantsData]:
    found = find_magic(reader, asked.repeats)
    return list_answer(
        asked.call,
        asked.unsorted,
        found.ranked(),
        lambda shown: ConstantsData(magic=magic_rows(reader, shown, found)),
        summary=f"{plural(len(found.found), 'value')} without a name in several functions",
    )


def _dead(asked: _Asked, reader: IndexReader) -> Answer[ConstantsData]:
    found = find_dead(reader, asked.call.project.root)
    return list_answer(
        asked.call,
        asked.unsorted,
        found.ranked(),
        lambda shown: ConstantsData(dead=shown),
        summary=f"{plural(len(found.rows), 'constant')} without a known use",
    )


def _secrets(asked: _Asked, reader: IndexReader) -> Answer[ConstantsData]:
    root, check = asked.call.project.root, asked.call.check_cancelled
    if asked.history:
        past = find_in_history(root, is_in_texts(reader, root), check_cancelled=check)
        past = past.kept(asked.level, asked.severity)
        return list_answer(
            asked.call,
            asked.unsorted,
            past.ranked(),
            lambda shown: ConstantsData(past=shown),
            summary=past.summary,
        )
    found = find_in_project(reader, root, check_cancelled=check)
    found = found._replace(rows=at_least(found.rows, asked.level, asked.severity))
    left = [f"{plural(found.left_out, 'file')} too many to be read"] if found.left_out else []
    if found.unread:
        left.append(f"{plural(len(found.unread), 'file')} could not be read: {', '.join(found.unread[:3])}")
    return list_answer(
        asked.call,
        asked.unsorted,
        found.ranked(),
        lambda shown: ConstantsData(secrets=shown),
        summary=found.summary,
        warnings=tuple(left),
    )


def _inconsistent(asked: _Asked, reader: IndexReader) -> Answer[ConstantsData]:
    found = find_inconsistent(reader)
    return list_answer(
        asked.call,
        asked.unsorted,
        found.ranked(),
        lambda shown: ConstantsData(inconsistent=shown),
        summary=f"{plural(len(found.rows), 'contradiction')} between constants",
    )


_ANSWERS: Final[Mapping[Action, Callable[[_Asked, IndexReader], Answer[ConstantsData]]]] = {
    "status": _status,
    "list": _list,
    "get": _get,
    "usages": _usages,
    "magic": _magic,
    "dead": _dead,
    "secrets": _secrets,
    "inconsistent": _inconsistent,
}
