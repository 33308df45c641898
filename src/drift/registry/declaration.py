"""`@tool`: a capability, written once as a typed function plus what every surface needs to know about it."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypedDict, TypeVar, get_args, get_origin

from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.arguments import KnownPath, MustExist, ProjectFile, page_schema
from drift.kernel.wire import to_wire
from drift.registry.categories import CATEGORIES
from drift.registry.definition import (
    ENVELOPE_SCHEMA,
    SHARED_ARGUMENTS,
    Effect,
    Parameter,
    Tier,
    ToolDefinition,
)
from drift.registry.deprecation import Deprecation
from drift.registry.schema import Schema, input_schema_of, output_schema_of
from drift.registry.scopes import Scope
from drift.registry.tool_code import Argument, Stamp, ToolCode

MARK = "__drift_tool__"

F = TypeVar("F", bound=Callable[..., Any])


class _Read(TypedDict):
    """What the function itself says."""

    name: str
    load: Callable[[], ToolCode]
    description: str
    parameters: tuple[Parameter, ...]
    input_schema: Schema
    output_schema: Schema
    is_async: bool
    has_stamp: bool
    asks: frozenset[str]


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
    first_links: str | None = None,
    languages: frozenset[str] = frozenset(),
    version: int = 1,
    deprecation: Deprecation | None = None,
    method: str | None = None,
    is_method: bool = False,
    max_tokens: int | None = None,
    is_bridge: bool = False,
    is_long: bool = False,
    stamp: Stamp | None = None,
    asks: Mapping[str, Callable[[], Sequence[str]]] | None = None,
    serves_old: Callable[[Mapping[str, Any]], bool] | None = None,
    examples: tuple[Mapping[str, Any], ...] = (),
) -> Callable[[F], F]:
    """Make a typed function a tool; `is_method` makes it a JSON-RPC method by its own name, too, in snake_case."""
    group = CATEGORIES[category]

    def mark(function: F) -> F:
        code = ToolCode(function, stamp=stamp, asks=asks or {}, serves_old=serves_old, is_snake=is_method)
        definition = ToolDefinition(
            **_read(code),
            category=group,
            title=title,
            tokens=tokens,
            ttl_seconds=(group.ttl_seconds if ttl is None else ttl) if effect is Effect.READS else 0,
            tier=tier,
            effect=effect,
            is_idempotent=is_idempotent,
            scopes=group.scopes(writes=_writes(effect, tier, action_scopes)) if scopes is None else scopes,
            action_scopes=action_scopes or {},
            person_actions=person_actions or {},
            needs=needs,
            first_links=first_links,
            languages=languages,
            version=version,
            deprecation=deprecation,
            method=function.__name__ if is_method else method,
            is_snake=is_method,
            max_tokens=max_tokens,
            is_bridge=is_bridge,
            is_long=is_long,
            examples=examples,
        )
        setattr(function, MARK, definition)
        return function

    return mark


def _writes(effect: Effect, tier: Tier, action_scopes: object) -> bool:
    """Whether every call writes; else it is the action, or what a call is passed on to, that says what it needs."""
    return effect is not Effect.READS and not action_scopes and tier is not Tier.RELAY


def definition_of(function: Callable[..., Any]) -> ToolDefinition:
    """The definition a `@tool` function carries."""
    definition = getattr(function, MARK, None)
    if not isinstance(definition, ToolDefinition):
        raise TypeError(f"{function!r} is not a tool")
    return definition


def _read(code: ToolCode) -> _Read:
    return {
        "name": code.function.__name__,
        "load": lambda: code,
        "description": " ".join((inspect.getdoc(code.function) or "").split()),
        "parameters": tuple(map(_parameter, code.arguments)),
        "input_schema": _input_schema(code),
        "output_schema": _output_schema(code.hints.get("return"), is_snake=code.is_snake),
        "is_async": inspect.iscoroutinefunction(code.function),
        "has_stamp": code.stamp is not None,
        "asks": frozenset(code.asks),
    }


def _parameter(argument: Argument) -> Parameter:
    page, annotation = argument.page, argument.annotation
    has_default = not argument.is_required and page is None
    return Parameter(
        argument.wire,
        is_required=argument.is_required,
        default=to_wire(argument.default) if has_default else None,
        is_project_file=_mentions(annotation, ProjectFile) or _mentions(annotation, KnownPath),
        may_be_elsewhere=_mentions(annotation, KnownPath),
        must_exist=any(isinstance(note, MustExist) for note in get_args(annotation)),
        page=page,
    )


def _mentions(annotation: Any, wanted: Any) -> bool:
    """Whether a type stands somewhere inside an annotation."""
    return annotation is wanted or any(_mentions(inner, wanted) for inner in get_args(annotation))


def _input_schema(code: ToolCode) -> Schema:
    properties: dict[str, Schema] = {}
    for argument in code.arguments:
        if argument.page is not None:
            properties |= page_schema(argument.page)
        else:
            properties[argument.wire] = input_schema_of(argument.annotation, is_snake=code.is_snake)
    schema: Schema = {"type": "object", "properties": properties | dict(SHARED_ARGUMENTS)}
    required = [each.wire for each in code.arguments if each.is_required and each.page is None]
    if required:
        schema["required"] = required
    return {**schema, "additionalProperties": False}


def _output_schema(result: Any, *, is_snake: bool) -> Schema:
    if get_origin(result) is Annotated:
        result = get_args(result)[0]
    if get_origin(result) is not Answer:
        return ENVELOPE_SCHEMA
    data = output_schema_of(get_args(result)[0], is_snake=is_snake)
    return {**ENVELOPE_SCHEMA, "properties": {"summary": {"type": "string"}, "data": data}}
