"""A template as its head describes it: where it is found, which file it makes, and what it wants to know.

The head is TOML. It says `title`, `description`, `filename` and the parameters: `required` and `optional` name those that
all templates share (data/parameters.toml), a table `[parameters.NAME]` declares one or changes a shared one. Heads come
with Drift and with scanned repositories, so that everything in them is checked.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from drift.kernel.linear_patterns import LinearPattern, PatternError
from drift.kernel.text import shorten
from drift.templates.engine import Body, TemplateError, read_body

Origin = Literal["drift", "project"]
Schema = Mapping[str, Any]

ANY: Final = "any"
"""The toolchain of a template that serves all of them."""
ALWAYS: Final = frozenset({"toolchain", "year"})
"""Names that every body may say without declaring them."""
FACTS: Final = "project"
"""The name of what is known of the scanned project, for templates that are written from it."""
PART: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
"""A part of an address: a category, a toolchain, a variant."""

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,60}")
_KEYS: Final = frozenset(
    {"title", "description", "filename", "mime", "uses_project", "required", "optional", "parameters"}
)
_PARAMETER_KEYS: Final = frozenset(
    {"type", "description", "default", "enum", "pattern", "required", "multiline"}
)
_TYPES: Final = {"string": str, "boolean": bool, "integer": int, "array": tuple}
_MOST_PARAMETERS: Final = 50
_LONGEST: Final = {"title": 80, "description": 300, "filename": 200, "mime": 80}
MOST_CHARS: Final = 2_000
MOST_ITEMS: Final = 100
# No control characters; a text of several lines may have line feeds and tabs.
_ONE_LINE: Final = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$"
_LINES: Final = r"^(?:[^\x00-\x1f\x7f-\x9f\u2028\u2029]|[\n\t])*$"


@dataclass(frozen=True, slots=True)
class Parameter:
    """Something a template wants to know."""

    name: str
    type: str
    description: str
    is_required: bool = False
    default: str | bool | int | tuple[str, ...] | None = None
    enum: tuple[str, ...] = ()
    pattern: str | None = None
    is_multiline: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """What may be given for it, as JSON Schema."""
        shown: dict[str, Any] = {"type": self.type, "description": self.description}
        text: dict[str, Any] = {
            "maxLength": MOST_CHARS,
            "pattern": self.pattern or (_LINES if self.is_multiline else _ONE_LINE),
        }
        if self.enum:
            text = {"enum": list(self.enum)}
        if self.type == "string":
            shown |= text
        elif self.type == "array":
            shown |= {"items": {"type": "string", **text}, "maxItems": MOST_ITEMS}
        if self.default not in (None, "", ()):
            shown["default"] = list(self.default) if isinstance(self.default, tuple) else self.default
        return shown

    @property
    def value_when_absent(self) -> str | bool | int | tuple[str, ...]:
        """The default; where there is none, what does not hold."""
        if self.default is not None:
            return self.default
        absent: dict[str, str | bool | int | tuple[str, ...]] = {"boolean": False, "integer": 0, "array": ()}
        return absent.get(self.type, "")


@dataclass(frozen=True, slots=True)
class Template:
    """A template whose head was read; its body may still have to be."""

    category: str
    toolchain: str
    variant: str
    title: str
    description: str
    filename: str
    """How its file is called below the folder of the new project; a template by itself."""
    parameters: tuple[Parameter, ...]
    body: str
    mime: str = "text/plain"
    uses_project: bool = False
    """Whether it is written from what Drift knows of the scanned project."""
    origin: Origin = "drift"

    @property
    def uri(self) -> str:
        return f"template://{self.category}/{self.toolchain}/{self.variant}"

    @property
    def schema(self) -> dict[str, Any]:
        """The parameters as JSON Schema."""
        return {
            "type": "object",
            "properties": {each.name: each.schema for each in self.parameters},
            "required": [each.name for each in self.parameters if each.is_required],
            "additionalProperties": False,
        }

    @property
    def names(self) -> frozenset[str]:
        """What the body may say."""
        facts = {FACTS} if self.uses_project else set()
        return ALWAYS | facts | {each.name for each in self.parameters}

    def read(self) -> tuple[Body, Body]:
        """The bodies of the filename and of the file. Raises TemplateError."""
        return read_body(self.filename, self.names), read_body(self.body, self.names)


def read_template(
    place: tuple[str, str, str],
    head: Mapping[str, Any],
    body: str,
    *,
    shared: Mapping[str, Parameter],
    origin: Origin,
) -> Template:
    """The template of a head and a body. Raises TemplateError for what is wrong with the head."""
    category, toolchain, variant = place
    if unknown := sorted(head.keys() - _KEYS):
        raise TemplateError(
            f"the head has no key {shorten(unknown[0], 40)!r}; it has {', '.join(sorted(_KEYS))}"
        )
    return Template(
        category=category,
        toolchain=toolchain,
        variant=variant,
        title=_text(head, "title"),
        description=_text(head, "description"),
        filename=_text(head, "filename"),
        parameters=_read_parameters(head, shared),
        body=body,
        mime=_text(head, "mime", otherwise="text/plain"),
        uses_project=_flag(head, "uses_project"),
        origin=origin,
    )


def read_parameters(table: Mapping[str, Any]) -> dict[str, Parameter]:
    """Parameters by their names, from a table of them. Raises TemplateError."""
    return {
        name: _read_parameter(name, _table(name, row), None, is_required=False) for name, row in table.items()
    }


def _read_parameters(head: Mapping[str, Any], shared: Mapping[str, Parameter]) -> tuple[Parameter, ...]:
    found: dict[str, Parameter] = {}
    for key, is_required in (("required", True), ("optional", False)):
        for name in _names(head, key):
            if name not in shared:
                raise TemplateError(
                    f"{key} names {name!r}, which is no shared parameter; declare it in [parameters.{name}]"
                )
            found[name] = _changed(shared[name], is_required=is_required)
    for name, row in _table("parameters", head.get("parameters", {})).items():
        known = found.get(name) or shared.get(name)
        is_required = found[name].is_required if name in found else False
        found[name] = _read_parameter(name, _table(name, row), known, is_required=is_required)
    if len(found) > _MOST_PARAMETERS:
        raise TemplateError(f"there are more than {_MOST_PARAMETERS} parameters")
    if taken := found.keys() & (ALWAYS | {"this", FACTS}):
        raise TemplateError(f"{min(taken)} has a meaning of its own and cannot be a parameter")
    return tuple(found.values())


def _changed(parameter: Parameter, *, is_required: bool) -> Parameter:
    return replace(parameter, is_required=is_required, default=None if is_required else parameter.default)


def _read_parameter(
    name: str, row: Mapping[str, Any], known: Parameter | None, *, is_required: bool
) -> Parameter:
    if not _NAME.fullmatch(name):
        raise TemplateError(f"{shorten(name, 40)!r} is no name of a parameter: small letters, digits and _")
    if unknown := sorted(row.keys() - _PARAMETER_KEYS):
        raise TemplateError(
            f"{name} has no key {shorten(unknown[0], 40)!r}; it has {', '.join(sorted(_PARAMETER_KEYS))}"
        )
    kind = row.get("type", known.type if known else "string")
    if kind not in _TYPES:
        raise TemplateError(f"{name}: type {shorten(str(kind), 40)!r}; allowed: {', '.join(_TYPES)}")
    default = row.get("default", known.default if known else None)
    parameter = Parameter(
        name,
        kind,
        _text(row, "description", otherwise=known.description if known else name),
        is_required=_flag(row, "required", otherwise=is_required),
        default=tuple(default) if isinstance(default, list) else default,
        enum=tuple(_names(row, "enum")) or (known.enum if known else ()),
        pattern=row.get("pattern", known.pattern if known else None),
        is_multiline=_flag(row, "multiline", otherwise=known.is_multiline if known else False),
    )
    _check_parameter(parameter)
    return parameter


def _check_parameter(parameter: Parameter) -> None:
    name, default = parameter.name, parameter.default
    if parameter.pattern is not None:
        try:
            LinearPattern(str(parameter.pattern))
        except PatternError as error:
            raise TemplateError(f"{name}: pattern: {error}") from error
    if default is None:
        return
    is_right = type(default) is _TYPES[parameter.type]
    if isinstance(default, tuple):
        is_right = is_right and all(isinstance(item, str) for item in default)
    if not is_right:
        raise TemplateError(f"{name}: its default is no {parameter.type}")
    if parameter.is_required:
        raise TemplateError(f"{name} is required, so that its default would never be used")


def _text(row: Mapping[str, Any], key: str, *, otherwise: str | None = None) -> str:
    value = row.get(key, otherwise)
    longest = _LONGEST.get(key, 300)
    if value is None:
        raise TemplateError(f"{key} is missing")
    if not isinstance(value, str) or not value or len(value) > longest or not value.isprintable():
        raise TemplateError(f"{key} is no text of one line and at most {longest} characters")
    return value


def _flag(row: Mapping[str, Any], key: str, *, otherwise: bool = False) -> bool:
    value = row.get(key, otherwise)
    if not isinstance(value, bool):
        raise TemplateError(f"{key} is neither true nor false")
    return value


def _names(row: Mapping[str, Any], key: str) -> list[str]:
    value = row.get(key, [])
    if (
        not isinstance(value, list)
        or len(value) > _MOST_PARAMETERS
        or not all(isinstance(one, str) for one in value)
    ):
        raise TemplateError(f"{key} is no list of at most {_MOST_PARAMETERS} texts")
    return value


def _table(name: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TemplateError(f"{shorten(name, 40)} is no table")
    return value
