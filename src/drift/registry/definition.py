"""A capability, written once: a typed function plus what every surface needs to know about it."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.text import first_sentence
from drift.kernel.wire import camel
from drift.project import Project
from drift.registry.arguments import MustExist, Page, ProjectFile, page_schema
from drift.registry.categories import CATEGORIES, Category
from drift.registry.deprecation import Deprecation
from drift.registry.schema import Schema, decode, input_schema_of, listed, output_schema_of
from drift.registry.scopes import PERSON, Scope

MARK = "__drift_tool__"

LEAST_TOKENS = 100

# Every tool takes these two; the pipeline acts on them, the tool's function never sees them.
SHARED_ARGUMENTS: Mapping[str, Schema] = {
    "project": {"type": "string", "maxLength": 4096},
    "maxTokens": {"type": "integer", "minimum": LEAST_TOKENS, "maximum": 100_000},
}
ENVELOPE_SCHEMA: Schema = {"type": "object", "required": ["meta"]}

F = TypeVar("F", bound=Callable[..., Any])


def _mentions(annotation: Any, wanted: Any) -> bool:
    """Whether a type stands somewhere inside an annotation."""
    return annotation is wanted or any(_mentions(inner, wanted) for inner in get_args(annotation))


class Tier(StrEnum):
    """How a call counts against the rate limits. Relayed calls count once, as what they relay to."""

    NORMAL = "normal"
    EXPENSIVE = "expensive"
    RELAY = "relay"


class Effect(StrEnum):
    """What a call may change. Clients approve reading tools without asking."""

    READS = "reads"
    WRITES = "writes"
    DESTROYS = "destroys"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool, by its Python name and by its name on the wire."""

    name: str
    wire: str
    annotation: Any
    default: Any

    @property
    def is_required(self) -> bool:
        return self.default is inspect.Parameter.empty

    @property
    def is_page(self) -> bool:
        return self.annotation is Page

    @property
    def page(self) -> Page:
        """What a page is where the call says nothing of it."""
        return self.default if isinstance(self.default, Page) else Page()

    @property
    def is_project_file(self) -> bool:
        return _mentions(self.annotation, ProjectFile)

    @property
    def must_exist(self) -> bool:
        return any(isinstance(note, MustExist) for note in get_args(self.annotation))


Stamp = Callable[[Project, Mapping[str, str]], str]
"""Tells from a project and the server's variables; it may read files and must not raise DriftError."""


@dataclass(frozen=True, eq=False)
class ToolDefinition:
    """Everything a surface, the pipeline, the command line and the docs say about a tool."""

    name: str
    function: Callable[..., Any]
    category: Category
    title: str
    tokens: tuple[int, int]
    ttl_seconds: int
    tier: Tier = Tier.NORMAL
    effect: Effect = Effect.READS
    is_idempotent: bool = True
    scopes: frozenset[Scope] = frozenset()
    action_scopes: Mapping[str, frozenset[Scope]] = field(default_factory=dict)
    """What single values of the argument `action` need besides."""
    person_actions: Mapping[str, str] = field(default_factory=dict)
    """Those that only a person may do, each with the command to type."""
    needs: Layer | None = None
    languages: frozenset[str] = frozenset()
    version: int = 1
    deprecation: Deprecation | None = None
    method: str | None = None
    max_tokens: int | None = None
    is_bridge: bool = False
    """Whether drift-analysis has the tool, too, shown where the project has memories."""
    is_long: bool = False
    """Whether its work grows with what it is given, so that no time fits all: it ends when done or cancelled."""
    stamp: Stamp | None = None
    """Another text for every change of what the answer tells beside the index, such as memories."""
    asks: Mapping[str, Callable[[], Sequence[str]]] = field(default_factory=dict)
    """Arguments a person may be asked for where they are missing, each with what there is to choose from."""
    serves_old: Callable[[Mapping[str, Any]], bool] | None = None
    """Of a tool that takes long: whether an old answer to these arguments, told as old, is better than a long wait."""
    examples: tuple[Mapping[str, Any], ...] = field(default=())

    def rights_for(self, arguments: Mapping[str, Any]) -> frozenset[str]:
        """The scopes a call with these arguments needs, PERSON among them where no scope is enough."""
        action = arguments.get("action")
        if not isinstance(action, str):
            return self.scopes
        person = {PERSON} if action in self.person_actions else set()
        return self.scopes | self.action_scopes.get(action, frozenset()) | person

    @property
    def is_relay(self) -> bool:
        return self.tier is Tier.RELAY

    @property
    def is_timed(self) -> bool:
        """Whether a call may last only so long; what a relay waits for has a limit of its own, or none."""
        return not (self.is_long or self.is_relay)

    @cached_property
    def is_async(self) -> bool:
        return inspect.iscoroutinefunction(self.function)

    @cached_property
    def description(self) -> str:
        return " ".join((inspect.getdoc(self.function) or "").split())

    @cached_property
    def purpose(self) -> str:
        return first_sentence(inspect.getdoc(self.function) or "")

    @cached_property
    def _hints(self) -> dict[str, Any]:
        return get_type_hints(self.function, include_extras=True)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        _call, *declared = inspect.signature(self.function).parameters.values()
        return tuple(Parameter(p.name, camel(p.name), self._hints[p.name], p.default) for p in declared)

    @cached_property
    def file_parameters(self) -> tuple[Parameter, ...]:
        """Those that name files or folders of the project."""
        return tuple(parameter for parameter in self.parameters if parameter.is_project_file)

    @cached_property
    def input_schema(self) -> Schema:
        """The strict schema calls are checked against."""
        properties: dict[str, Schema] = {}
        for parameter in self.parameters:
            if parameter.is_page:
                properties |= page_schema(parameter.page)
            else:
                properties[parameter.wire] = input_schema_of(parameter.annotation)
        schema: Schema = {"type": "object", "properties": properties | dict(SHARED_ARGUMENTS)}
        required = [p.wire for p in self.parameters if p.is_required and not p.is_page]
        if required:
            schema["required"] = required
        return {**schema, "additionalProperties": False}

    @cached_property
    def listed_input_schema(self) -> Schema:
        """The same arguments as tools/list shows them, without the bounds every argument has."""
        shown = listed(self.input_schema)
        shown["properties"] |= {"project": {"type": "string"}, "maxTokens": {"type": "integer"}}
        return shown

    @cached_property
    def output_schema(self) -> Schema:
        """The schema of `structuredContent`. An error has `code` and `message` in place of `data`."""
        result = self._hints.get("return")
        if get_origin(result) is Annotated:
            result = get_args(result)[0]
        if get_origin(result) is not Answer:
            return ENVELOPE_SCHEMA
        data = output_schema_of(get_args(result)[0])
        return {**ENVELOPE_SCHEMA, "properties": {"summary": {"type": "string"}, "data": data}}

    @property
    def annotations(self) -> dict[str, bool]:
        """The MCP hints; Drift works on this machine alone, so nothing is open-world."""
        hints = {"readOnlyHint": self.effect is Effect.READS, "openWorldHint": False}
        if self.effect is not Effect.READS:
            hints |= {"destructiveHint": self.effect is Effect.DESTROYS, "idempotentHint": self.is_idempotent}
        return hints

    def bind(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Checked wire arguments as keyword arguments of the function; absent ones keep their defaults."""
        bound: dict[str, Any] = {}
        for parameter in self.parameters:
            if parameter.is_page:
                given = {name: arguments[name] for name in page_schema(parameter.page) if name in arguments}
                bound[parameter.name] = replace(parameter.page, **given)
            elif parameter.wire in arguments:
                bound[parameter.name] = decode(parameter.annotation, arguments[parameter.wire])
        return bound


def tool(
    *,
    category: str,
    title: str,
    tokens: tuple[int, int],
    ttl: int | None = None,
    tier: Tier = Tier.NORMAL,
    effect: Effect = Effect.READS,
    is_idempotent: bool = True,
    scopes: frozenset[Scope] | None = None,
    action_scopes: Mapping[str, frozenset[Scope]] | None = None,
    person_actions: Mapping[str, str] | None = None,
    needs: Layer | None = None,
    languages: frozenset[str] = frozenset(),
    version: int = 1,
    deprecation: Deprecation | None = None,
    method: str | None = None,
    max_tokens: int | None = None,
    is_bridge: bool = False,
    is_long: bool = False,
    stamp: Stamp | None = None,
    asks: Mapping[str, Callable[[], Sequence[str]]] | None = None,
    serves_old: Callable[[Mapping[str, Any]], bool] | None = None,
    examples: tuple[Mapping[str, Any], ...] = (),
) -> Callable[[F], F]:
    """Make a typed function a tool. The function stays callable as it is."""
    group = CATEGORIES[category]

    def mark(function: F) -> F:
        definition = ToolDefinition(
            name=function.__name__,
            function=function,
            category=group,
            title=title,
            tokens=tokens,
            ttl_seconds=(group.ttl_seconds if ttl is None else ttl) if effect is Effect.READS else 0,
            tier=tier,
            effect=effect,
            is_idempotent=is_idempotent,
            scopes=frozenset({group.scope}) if scopes is None else scopes,
            action_scopes=action_scopes or {},
            person_actions=person_actions or {},
            needs=needs,
            languages=languages,
            version=version,
            deprecation=deprecation,
            method=method,
            max_tokens=max_tokens,
            is_bridge=is_bridge,
            is_long=is_long,
            stamp=stamp,
            asks=asks or {},
            serves_old=serves_old,
            examples=examples,
        )
        setattr(function, MARK, definition)
        return function

    return mark


def definition_of(function: Callable[..., Any]) -> ToolDefinition:
    """The definition a `@tool` function carries."""
    definition = getattr(function, MARK, None)
    if not isinstance(definition, ToolDefinition):
        raise TypeError(f"{function!r} is not a tool")
    return definition
