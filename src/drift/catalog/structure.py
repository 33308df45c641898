"""The form of an instruction as data, and what of it a given object misses."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from drift.catalog.refusals import refuse_entry

if TYPE_CHECKING:
    import jsonschema_rs

_MOST_REPORTED: Final = 20
_LONGEST_MESSAGE: Final = 300
REQUIRED_IN_FILES: Final = ("id", "body")


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema of a new instruction."""
    text = files(__package__).joinpath("schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def check_structure(entry: Mapping[str, Any], *, lax: bool) -> None:
    """Refuse an entry whose form is wrong, with each fault and the part of the schema it is about.

    `lax` asks for an id and a body alone and lets unknown fields through; what is there must still fit.
    """
    faults = find_faults(entry, lax=lax)
    if faults:
        names = sorted({_field_of(fault) for fault in faults} - {""})
        first = _said(faults[0])
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise refuse_entry(
            f"{first}{more}",
            entry,
            hint="Correct the fields named in `validation`; `schema` shows their form. lax=true fills defaults.",
            validation=faults,
            schema=excerpt(names),
        )


def find_faults(entry: Mapping[str, Any], *, lax: bool) -> list[dict[str, Any]]:
    """Each fault of an entry's form, as validators of JSON Schema report them."""
    given = dict(entry)
    validator = _validator(lax=lax)
    if validator.is_valid(given):
        return []
    return [
        _fault(error) for error, _ in zip(validator.iter_errors(given), range(_MOST_REPORTED), strict=False)
    ]


def excerpt(names: list[str]) -> dict[str, Any]:
    """The parts of the schema that concern some fields, and which fields are required."""
    whole = schema()
    known = {name: whole["properties"][name] for name in names if name in whole["properties"]}
    return {"type": "object", "required": whole["required"], "properties": known}


@cache
def _validator(*, lax: bool) -> "jsonschema_rs.Draft202012Validator":
    import jsonschema_rs  # 40 ms, and a start that reads no file needs none of it

    form = schema()
    if lax:
        form = {**form, "required": list(REQUIRED_IN_FILES), "additionalProperties": True}
    return jsonschema_rs.Draft202012Validator(form)


def _fault(error: "jsonschema_rs.ValidationError") -> dict[str, Any]:
    schema_path = [str(part) for part in error.schema_path]
    path = "".join(f"/{part}" for part in error.instance_path)
    kind = error.kind
    params = {
        name: getattr(kind, name)
        for name in ("property", "unexpected", "limit", "options")
        if hasattr(kind, name)
    }
    # The message quotes the value, which may be as long as the caller liked.
    return {
        "instancePath": path,
        "keyword": schema_path[-1] if schema_path else "",
        "message": error.message[:_LONGEST_MESSAGE],
        "schemaPath": "#/" + "/".join(schema_path),
        "params": params,
    }


def _said(fault: Mapping[str, Any]) -> str:
    path = str(fault["instancePath"])
    message = str(fault["message"])
    if fault["keyword"] == "required":
        return f"missing {fault['params'].get('property', message)}"
    return f"{path.removeprefix('/')}: {message}" if path else message


def _field_of(fault: Mapping[str, Any]) -> str:
    path = str(fault["instancePath"])
    return path.split("/")[1] if path else str(fault["params"].get("property", ""))
