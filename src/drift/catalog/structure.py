"""The form of an instruction as data, and what of it a given object misses."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from drift.catalog.refusals import refuse_entry
from drift.kernel.schema_faults import excerpt_schema, list_faults

if TYPE_CHECKING:
    import jsonschema_rs

_MOST_REPORTED: Final = 20
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
        first = _said(faults[0])
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise refuse_entry(
            f"{first}{more}",
            entry,
            hint="Correct the fields named in `validation`; `schema` shows their form. lax=true fills defaults.",
            validation=faults,
            schema=excerpt_schema(schema(), faults),
        )


def find_faults(entry: Mapping[str, Any], *, lax: bool) -> list[dict[str, Any]]:
    """Each fault of an entry's form, as validators of JSON Schema report them."""
    given = dict(entry)
    validator = _validator(lax=lax)
    return [] if validator.is_valid(given) else list_faults(validator, given, most=_MOST_REPORTED)


@cache
def _validator(*, lax: bool) -> "jsonschema_rs.Draft202012Validator":
    import jsonschema_rs  # 40 ms, and a start that reads no file needs none of it

    form = schema()
    if lax:
        form = {**form, "required": list(REQUIRED_IN_FILES), "additionalProperties": True}
    return jsonschema_rs.Draft202012Validator(form)


def _said(fault: Mapping[str, Any]) -> str:
    path = str(fault["instancePath"])
    message = str(fault["message"])
    if fault["keyword"] == "required":
        return f"missing {fault['params'].get('missingProperty', message)}"
    return f"{path.removeprefix('/')}: {message}" if path else message
