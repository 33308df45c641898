"""What listings say of tools: one line each, or everything about one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from drift.kernel.arguments import page_schema
from drift.kernel.words import split_words, stem, stop_words
from drift.registry.categories import ServerName
from drift.registry.definition import SHARED_ARGUMENTS, ToolDefinition
from drift.registry.schema import Schema
from drift.registry.surfaces import short_list
from drift.registry.toolbox import Toolbox
from drift.registry.visibility import View, phase_of, visible_tools

_MOST_WORDS_SHOWN: Final = 6
_MOST_ARGUMENTS_SHOWN: Final = 6
_MOST_PURPOSE_IN_BRIEF: Final = 72


@dataclass(frozen=True, slots=True)
class ToolRow:
    """A tool in a listing: how it is called, with `?` behind what may be left out, and what it does."""

    call: str
    does: str
    category: str


@dataclass(frozen=True, slots=True)
class ArgumentRow:
    """An argument of a tool; its name has a `?` behind it where it may be left out."""

    name: str
    type: str
    about: str | None


@dataclass(frozen=True, slots=True)
class ToolDetail:
    """What a caller needs to use one tool. The schemas are there on request."""

    name: str
    title: str
    category: str
    description: str
    arguments: tuple[ArgumentRow, ...]
    tokens: str
    effect: str
    version: int
    scopes: tuple[str, ...]
    needs: str | None = None
    examples: tuple[Mapping[str, Any], ...] | None = None
    notice: str | None = None
    input_schema: Mapping[str, Any] | None = None
    output_schema: Mapping[str, Any] | None = None


def tool_rows(toolbox: Toolbox, view: View, category: str | None = None) -> tuple[ToolRow, ...]:
    """The visible tools that are reached through a dispatcher, in their fixed order."""
    # A server's own doors: elsewhere the same tool is found like any other.
    entries = [short_list("entry", server) for server in ServerName]
    doors = {name for entry in entries if all(one in toolbox for one in entry) for name in entry}
    shown = (tool for tool in visible_tools(toolbox, view) if tool.name not in doors)
    is_brief = category is None
    return tuple(
        ToolRow(
            signature_of(tool, is_brief=is_brief),
            _first_clauses(tool.purpose) if is_brief else tool.purpose,
            tool.category.name,
        )
        for tool in shown
        if category is None or tool.category.name == category
    )


def rows_about(rows: Sequence[ToolRow], words: str) -> tuple[ToolRow, ...]:
    """The rows that speak of most of the words, best first; none where no row speaks of any."""
    wanted = {stem(word) for word in split_words(words)} - stop_words("english", "tasks")
    said = [{stem(word) for word in split_words(f"{row.call} {row.does}")} for row in rows]
    most = max((len(wanted & one) for one in said), default=0)
    return tuple(row for row, one in zip(rows, said, strict=True) if most and len(wanted & one) == most)


def tool_detail(tool: ToolDefinition, view: View, *, has_schemas: bool = False) -> ToolDetail:
    deprecated = tool.deprecation is not None and phase_of(tool, view.today) != "active"
    least, most = tool.tokens
    return ToolDetail(
        name=tool.name,
        title=tool.title,
        category=tool.category.name,
        description=tool.description,
        arguments=_argument_rows(tool),
        tokens=str(most) if least == most else f"{least}-{most}",
        effect=str(tool.effect),
        version=tool.version,
        scopes=tuple(sorted(tool.scopes)),
        needs=tool.needs,
        examples=tool.examples or None,
        notice=tool.deprecation.notice(tool.name) if deprecated and tool.deprecation else None,
        input_schema=tool.listed_input_schema if has_schemas else None,
        output_schema=tool.output_schema if has_schemas else None,
    )


def signature_of(tool: ToolDefinition, *, is_brief: bool = False) -> str:
    """`drift_callers(symbol, file?, transitive?)`: the arguments of its own, with what a few words choose from.

    Brief, in the list of all tools, it names those that must be given, or where there are none the first of the others.
    """
    properties = tool.listed_input_schema["properties"]
    paging = {name for each in tool.parameters if each.page for name in page_schema(each.page)}
    own = [name for name in properties if name not in paging and name not in SHARED_ARGUMENTS]
    names = [_argument(tool, name, properties[name]) for name in own]
    # Those that must be given come first, so that none of them is among what is left out.
    ordered = sorted(names, key=lambda name: "?" in name.partition("=")[0])
    most = _MOST_ARGUMENTS_SHOWN
    if is_brief:
        needed = sum("?" not in name.partition("=")[0] for name in ordered)
        most = max(needed, 1)
        ordered = [*ordered[:needed], *(name.partition("=")[0] for name in ordered[needed:])]
    more = ["…"] if len(ordered) > most else []
    return f"{tool.name}({', '.join([*ordered[:most], *more])})"


def _first_clauses(purpose: str) -> str:
    """As many whole clauses as the list of all tools has room for; all of it where the first is longer."""
    if len(purpose) <= _MOST_PURPOSE_IN_BRIEF:
        return purpose
    ends = [purpose.rfind(mark, 0, _MOST_PURPOSE_IN_BRIEF) for mark in (", ", "; ", ": ", " (")]
    kept = purpose[: max(ends)] if max(ends) > 0 else purpose
    return kept if kept.count("(") == kept.count(")") else kept[: kept.rfind(" (")]


def _argument(tool: ToolDefinition, name: str, schema: Schema) -> str:
    words = schema.get("enum", ())
    choice = f"={'|'.join(map(str, words))}" if 0 < len(words) <= _MOST_WORDS_SHOWN else ""
    return f"{_optional(tool, name)}{choice}"


def _argument_rows(tool: ToolDefinition) -> tuple[ArgumentRow, ...]:
    properties = tool.listed_input_schema["properties"]
    return tuple(
        ArgumentRow(_optional(tool, name), _type_of(schema), schema.get("description"))
        for name, schema in properties.items()
    )


def _optional(tool: ToolDefinition, name: str) -> str:
    return name if name in tool.input_schema.get("required", ()) else f"{name}?"


def _type_of(schema: Schema) -> str:
    """What a value may be, in as few words as say it."""
    if "enum" in schema:
        return "|".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        return "|".join(_type_of(option) for option in schema["anyOf"])
    kind = schema.get("type", "any")
    if kind == "array":
        return f"{_type_of(schema.get('items', {}))}[]"
    if kind == "object" and "properties" in schema:
        return f"{{{' '.join(schema['properties'])}}}"
    if "minimum" in schema:
        return f"{kind} {schema['minimum']}..{schema['maximum']}"
    return "|".join(kind) if isinstance(kind, list) else str(kind)
