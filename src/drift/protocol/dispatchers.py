"""Tools that run an action, and tools as JSON-RPC methods: the forms their clients know.

An action's parameters stand beside `action` or inside `params`. A method answers with the fields of the answer
themselves. The errors of drift-catalog's methods have a number of the catalog in `error.data.code`:

    -32000  changes are not allowed     -32001  over a limit          -32002  not valid
    -32003  integrity                   -32004  not permitted
"""

from collections.abc import Mapping
from typing import Any, Final

import jsonschema_rs
import mcp_types as types
from mcp.shared.exceptions import MCPError

from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.schema_faults import excerpt_schema, list_faults
from drift.kernel.text import shorten
from drift.kernel.wire import to_wire
from drift.protocol.faults import protocol_error
from drift.registry import Outcome, ServerName, Toolbox, ToolDefinition
from drift.tools.catalogs.access import MUTATION
from drift.tools.catalogs.actions import find_action

# A program reads a method's answer, not a model: it gets as much as may be asked for at all.
_MOST_TOKENS: Final = 100_000
_DOCUMENTATION: Final = "docs/catalog.md"
_SUGGESTION: Final = "catalog_discover(name=ACTION) shows the parameters of an action."
_MOST_FAULTS: Final = 20
_STRUCTURAL: Final = frozenset({ErrorCode.INVALID_ARGUMENT, ErrorCode.MISSING_REQUIRED_PARAM})

_BY_FAULT: Final[Mapping[str, int]] = {
    MUTATION: -32000,
    "limit": -32001,
    "validation": -32002,
    "integrity": -32003,
    "permission": -32004,
}
_BY_CODE: Final[Mapping[str, int]] = {
    ErrorCode.TOO_LARGE: -32001,
    ErrorCode.RATE_LIMITED: -32001,
    ErrorCode.INVALID_ARGUMENT: -32002,
    ErrorCode.MISSING_REQUIRED_PARAM: -32002,
    ErrorCode.INVALID_CURSOR: -32002,
    ErrorCode.STORE_UNAVAILABLE: -32003,
    ErrorCode.FORBIDDEN: -32004,
    ErrorCode.UNAUTHORIZED: -32004,
    ErrorCode.PATH_OUTSIDE_PROJECT: -32004,
}


def is_of_catalog(tool: ToolDefinition) -> bool:
    return tool.category.server is ServerName.CATALOG


def fold_arguments(tool: ToolDefinition | None, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a tool; those that a dispatcher's action takes are put into `params`."""
    given = dict(arguments)
    if tool is None or not _runs_actions(tool):
        return given
    known = tool.input_schema["properties"]
    beside = {name: value for name, value in given.items() if name not in known}
    inside = given.get("params")
    if not beside or not (inside is None or isinstance(inside, Mapping)):
        return given
    kept = {name: value for name, value in given.items() if name in known}
    return {**kept, "params": {**beside, **(inside or {})}}


def program_arguments(tool: ToolDefinition, params: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a tool that is called as a method."""
    return {"maxTokens": _MOST_TOKENS, **fold_arguments(tool, params)}


def action_call(
    toolbox: Toolbox, tool: ToolDefinition, arguments: Mapping[str, Any]
) -> tuple[str, Mapping[str, Any]] | None:
    """The tool that a dispatcher's action means, with its arguments; None where there is no such action."""
    action = arguments.get("action")
    if not _runs_actions(tool) or not isinstance(action, str):
        return None
    meant = find_action(toolbox, tool.name.partition("_")[0], action)
    inside = fold_arguments(tool, arguments).get("params")
    return None if meant is None else (meant.name, inside if isinstance(inside, Mapping) else {})


def method_result(outcome: Outcome) -> dict[str, Any]:
    """A method's result: the fields of the answer, with `warnings` and `meta` beside them."""
    data = outcome.body.get("data")
    meta = to_wire(outcome.meta) if outcome.meta else {}
    warnings = {"warnings": outcome.body["warnings"]} if outcome.body.get("warnings") else {}
    return {**data, **warnings, "meta": meta} if isinstance(data, Mapping) else outcome.structured()


def catalog_error(
    toolbox: Toolbox, tool: ToolDefinition, outcome: Outcome, params: Mapping[str, Any]
) -> MCPError:
    """A method's error: the JSON-RPC number says what kind it is, `data` says it in the catalog's words."""
    body = dict(outcome.body)
    code = str(outcome.code)
    named: dict[str, Any] = {
        "name": code,
        "method": tool.method,
        "suggestion": body.get("hint") or _SUGGESTION,
        "documentation": _DOCUMENTATION,
    }
    if isinstance(action := params.get("action"), str):
        named["action"] = shorten(action, 60)
    if "validation" not in body and code in _STRUCTURAL:
        body |= _explain_structure(toolbox, tool, params)
    if "validation" in body:
        named["errors"] = body["validation"]
    number = _BY_FAULT.get(str(body.get("fault"))) or _BY_CODE.get(code)
    if number is not None:
        named["code"] = number
    return MCPError(_rpc_number(code), str(body["message"]), {**body, **named})


def _explain_structure(toolbox: Toolbox, tool: ToolDefinition, params: Mapping[str, Any]) -> dict[str, Any]:
    """Each fault of the parameters' form, with the part of the schema it is about; nothing where the form is right."""
    name, given = action_call(toolbox, tool, params) or (tool.name, fold_arguments(tool, params))
    schema = toolbox.get(name).input_schema
    # Absent and null mean the same, as when the call was checked.
    present = {each: value for each, value in given.items() if value is not None}
    faults = list_faults(jsonschema_rs.Draft202012Validator(schema), present, most=_MOST_FAULTS)
    return {"validation": faults, "schema": excerpt_schema(schema, faults)} if faults else {}


def _rpc_number(code: str) -> int:
    if code == ErrorCode.TOOL_NOT_FOUND:  # no such action
        return types.METHOD_NOT_FOUND
    return protocol_error(DriftError(ErrorCode(code), "")).error.code


def _runs_actions(tool: ToolDefinition) -> bool:
    return tool.is_relay and is_of_catalog(tool)
