"""What of some data does not fit a JSON Schema, in the form that clients of Ajv know."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import jsonschema_rs

_LONGEST_MESSAGE: Final = 300
_MOST_OPTIONS: Final = 50
_COMPARISONS: Final[Mapping[str, str]] = {
    "minimum": ">=",
    "maximum": "<=",
    "exclusiveMinimum": ">",
    "exclusiveMaximum": "<",
}
# What a validator calls a fact about the fault, and what Ajv does.
_NAMES: Final[Mapping[str, str]] = {
    "limit": "limit",
    "pattern": "pattern",
    "format": "format",
    "multiple_of": "multipleOf",
    "expected_value": "allowedValue",
}


def list_faults(
    validator: "jsonschema_rs.Draft202012Validator", given: Mapping[str, Any], *, most: int
) -> list[dict[str, Any]]:
    """The first faults: where (`instancePath`), which rule (`keyword`, `schemaPath`, `params`) and a `message`."""
    errors = validator.iter_errors(dict(given))
    return list(islice((fault for error in errors for fault in _faults_of(error)), most))


def fields_of(faults: list[dict[str, Any]]) -> list[str]:
    """The fields at the top that the faults are about, sorted."""
    return sorted({_field_of(fault) for fault in faults} - {""})


def excerpt_schema(schema: Mapping[str, Any], faults: list[dict[str, Any]]) -> dict[str, Any]:
    """The part of a schema that the faults are about, and which fields it requires."""
    known = schema.get("properties", {})
    shown = {name: known[name] for name in fields_of(faults) if name in known}
    return {"type": "object", "required": list(schema.get("required", ())), "properties": shown}


def _faults_of(error: "jsonschema_rs.ValidationError") -> Iterator[dict[str, Any]]:
    schema_path = [str(part) for part in error.schema_path]
    keyword = schema_path[-1] if schema_path else ""
    for params in _params_of(keyword, error.kind):
        # The message quotes the value, which may be as long as the caller liked.
        yield {
            "instancePath": "".join(f"/{_escape(str(part))}" for part in error.instance_path),
            "keyword": keyword,
            "message": error.message[:_LONGEST_MESSAGE],
            "schemaPath": "#/" + "/".join(schema_path),
            "params": params,
        }


def _params_of(keyword: str, kind: Any) -> Iterator[dict[str, Any]]:
    """The facts of a rule; unknown fields are a fault each, as Ajv has it."""
    if keyword == "additionalProperties":
        yield from ({"additionalProperty": str(name)[:_LONGEST_MESSAGE]} for name in kind.unexpected)
    elif keyword == "required":
        yield {"missingProperty": kind.property}
    elif keyword == "type":
        yield {"type": ",".join(kind.types)}
    elif keyword == "enum":
        yield {"allowedValues": list(kind.options)[:_MOST_OPTIONS]}
    else:
        compared = {"comparison": _COMPARISONS[keyword]} if keyword in _COMPARISONS else {}
        yield compared | {ajv: getattr(kind, name) for name, ajv in _NAMES.items() if hasattr(kind, name)}


def _field_of(fault: Mapping[str, Any]) -> str:
    path = str(fault["instancePath"])
    named = fault["params"].get("missingProperty") or fault["params"].get("additionalProperty") or ""
    return path.split("/")[1] if path else str(named)


def _escape(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")
