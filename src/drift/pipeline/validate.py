"""Validate: arguments against the tool's own schema, with one message that names what is wrong."""

from collections.abc import Mapping
from typing import Any

import jsonschema_rs

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.similar import similar_names
from drift.kernel.text import shorten
from drift.pipeline.normal_forms import normal_form, without_defaults
from drift.pipeline.request import Next, Request
from drift.pipeline.synonyms import rename_synonyms
from drift.pipeline.used_with import unused_arguments
from drift.registry import Outcome, ToolDefinition
from drift.registry.definition import LEAST_TOKENS

_SHOWN_VALUE_CHARS = 60


class Validator:
    """Keeps one compiled validator per tool; compiling costs, checking does not."""

    def __init__(self) -> None:
        self._compiled: dict[ToolDefinition, jsonschema_rs.Draft202012Validator] = {}

    async def __call__(self, request: Request, step: Next) -> Outcome:
        allowed = request.arguments.get("maxTokens")
        if isinstance(allowed, int) and allowed >= LEAST_TOKENS:
            request.max_tokens = allowed  # what is wrong with the others is told within it, too
        request.arguments = self.check(request.tool, request.arguments)
        request.max_tokens = request.arguments.pop("maxTokens", request.max_tokens)
        request.warnings += unused_arguments(request.tool, request.arguments)
        request.arguments = without_defaults(request.tool, request.arguments)
        return await step(request)

    def check(self, tool: ToolDefinition, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments without nulls and by the tool's own names, if they are what it takes."""
        named = understood(tool, arguments)
        validator = self._validator(tool)
        if not validator.is_valid(named):
            raise _explain(tool, next(iter(validator.iter_errors(named))), named)
        return named

    def _validator(self, tool: ToolDefinition) -> jsonschema_rs.Draft202012Validator:
        if tool not in self._compiled:
            self._compiled[tool] = jsonschema_rs.Draft202012Validator(tool.input_schema)
        return self._compiled[tool]


def understood(tool: ToolDefinition, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments as the tool is going to see them, if they are what it takes: nothing is checked yet."""
    # Models send null for what they leave out; absent and null mean the same.
    present = {name: value for name, value in arguments.items() if value is not None}
    given = normal_form(tool, present)
    if given.keys() <= tool.input_schema["properties"].keys():
        return given
    return normal_form(tool, rename_synonyms(tool, given))


def _explain(
    tool: ToolDefinition, error: jsonschema_rs.ValidationError, given: Mapping[str, Any]
) -> DriftError:
    place = ".".join(str(part) for part in error.instance_path)
    kind = error.kind
    if isinstance(kind, jsonschema_rs.ValidationErrorKind.Required):
        return _missing(tool, place, kind.property)
    if isinstance(kind, jsonschema_rs.ValidationErrorKind.AdditionalProperties):
        return _unknown(tool, place, str(kind.unexpected[0]), given)
    return invalid(place or "arguments", f"got {_shown(error.instance)}; {_allowed(kind, error.message)}")


def _missing(tool: ToolDefinition, place: str, name: str) -> DriftError:
    named = f"{place}.{name}" if place else name
    schema = tool.listed_input_schema["properties"].get(name, {})
    about = f" ({schema['description']})" if "description" in schema else ""
    return DriftError(
        ErrorCode.MISSING_REQUIRED_PARAM,
        f"{named}: required by {tool.name}{about}",
        Recovery(details={"argument": named}),
    )


def _unknown(tool: ToolDefinition, place: str, name: str, given: Mapping[str, Any]) -> DriftError:
    known = _known_at(tool, place)
    # Tools name alike things differently, and who misses the name of one misses that argument as well.
    missing = [] if place else [one for one in tool.input_schema.get("required", ()) if one not in given]
    named = f"{place}.{name}" if place else name
    return invalid(
        shorten(named, 80),
        f"{place or tool.name} takes no such argument; it takes {', '.join(known)}",
        similar=tuple(dict.fromkeys([*missing, *similar_names(name, known)])),
    )


def _known_at(tool: ToolDefinition, place: str) -> list[str]:
    """The names that the tool takes, or an object among its arguments, or one in a list of those."""
    schema: Any = tool.input_schema
    for part in place.split(".") if place else ():
        inner = schema.get("items") if part.isdecimal() else schema.get("properties", {}).get(part)
        if inner is None:
            return list(tool.input_schema["properties"])
        schema = inner
    return list(schema.get("properties", ()))


def _allowed(kind: Any, message: str) -> str:
    kinds = jsonschema_rs.ValidationErrorKind
    if isinstance(kind, kinds.Enum):
        return "allowed: " + ", ".join(str(option) for option in kind.options)
    if isinstance(kind, kinds.Type):
        return "allowed: " + " or ".join(str(name) for name in kind.types)
    if isinstance(kind, kinds.Minimum):
        return f"allowed: {kind.limit} or more"
    if isinstance(kind, kinds.Maximum):
        return f"allowed: {kind.limit} or less"
    if isinstance(kind, kinds.MaxLength):
        return f"allowed: at most {kind.limit:,} characters"
    if isinstance(kind, kinds.MaxItems):
        return f"allowed: at most {kind.limit:,} items"
    return shorten(message, 200)


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return repr(shorten(value, _SHOWN_VALUE_CHARS))
    if isinstance(value, (dict, list)):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    return shorten(str(value), _SHOWN_VALUE_CHARS)
