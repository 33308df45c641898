"""One form for arguments that mean the same, so that equal questions share a kept answer and a cursor.

Blanks around a name, `./` before a path, another case or hyphens in a word from a list, and what is the default
anyway make no difference. Free text stays as it is.
"""

from collections.abc import Mapping
from typing import Any, Final

from drift.registry import ToolDefinition

_NAMES: Final = frozenset(
    {"symbol", "function", "target", "location", "source", "type", "package", "name", "id"}
)
_PATHS: Final = frozenset({"file", "targetFile", "activeFile", "area"})


def normal_form(tool: ToolDefinition, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments in the form that others of the same meaning have, too."""
    known = tool.input_schema["properties"]
    return {name: _normal(name, value, known.get(name, {})) for name, value in given.items()}


def without_defaults(tool: ToolDefinition, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments less those that say what is the case anyway. They have been checked."""
    defaults = {each.wire: each.default for each in tool.parameters if not each.is_required}
    page = next((each.page for each in tool.parameters if each.page), None)
    if page is not None:
        defaults["limit"] = page.limit
        if page.sorts:
            defaults["sort"] = page.sorts[0]
    return {name: value for name, value in given.items() if name not in defaults or defaults[name] != value}


def _normal(name: str, value: Any, schema: Mapping[str, Any]) -> Any:
    if not isinstance(value, str):
        return value
    if "enum" in schema:
        return _listed(value, schema["enum"])
    if name in _PATHS:
        return value.strip().removeprefix("./")
    return value.strip() if name in _NAMES else value


def _listed(value: str, allowed: list[Any]) -> str:
    """The word of the list that is meant, else what was given."""
    if value in allowed:
        return value
    plain = _plain(value)
    meant = [word for word in allowed if isinstance(word, str) and _plain(word) == plain]
    return meant[0] if len(meant) == 1 else value


def _plain(word: str) -> str:
    return word.strip().lower().replace("-", "_").replace(" ", "_")
