"""Declared things in bulk: symbols, fields, constants, decorators."""

import json
from typing import Final

from drift.conventions.finders.form import Finder, fits, fits_none, fits_one, is_one, is_true, last_name
from drift.index.records import ParameterRecord
from drift.index.site_records import SiteSymbol


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0].strip()


def _parameters(row: SiteSymbol) -> list[ParameterRecord]:
    listed = (ParameterRecord(*each) for each in json.loads(row.parameters or "[]"))
    return [each for each in listed if each.kind != "receiver"]


def _names(row: SiteSymbol) -> tuple[str, ...]:
    return tuple(each.name for each in _parameters(row))


def _types(row: SiteSymbol) -> tuple[str, ...]:
    return tuple(each.type_text or "" for each in _parameters(row))


def _has_modifier(row: SiteSymbol, values: tuple[str, ...]) -> bool:
    return not set(values).isdisjoint(row.modifiers.split())


def _is_long(row: SiteSymbol, values: tuple[str, ...]) -> bool:
    return row.end_line - row.line + 1 >= int(values[0])


SYMBOLS: Final = Finder(
    rows=lambda source, run: source.sites.symbols(run),
    kind_of=lambda row: str(row.kind),
    texts={
        "name": lambda row: row.name,
        "doc": lambda row: _first_line(row.doc),
        "whole_doc": lambda row: row.doc,
        "returns": lambda row: row.return_text or "",
        "signature": lambda row: row.signature,
        "parameter": _names,
        "parameter_type": _types,
        "first_parameter": lambda row: next(iter(_names(row)), None),
        "last_parameter": lambda row: next(reversed(_names(row)), None),
        "owner": lambda row: row.owner,
        "modifiers": lambda row: row.modifiers,
        "visibility": lambda row: row.visibility,
    },
    tests={
        "names": fits_one(lambda row: row.name),
        "not_names": fits_none(lambda row: row.name),
        "visibility": is_one(lambda row: row.visibility),
        "modifiers": _has_modifier,
        "not_modifiers": lambda row, values: not _has_modifier(row, values),
        "in_kinds": is_one(lambda row: row.owner_kind),
        "in_names": fits_one(lambda row: row.owner),
        "documented": is_true(lambda row: row.doc),
        "returns": fits_one(lambda row: row.return_text),
        "parameters": lambda row, values: any(fits(values, name) for name in _names(row)),
        "min_lines": _is_long,
    },
)

DECORATORS: Final = Finder(
    rows=lambda source, run: source.sites.decorators(run),
    kind_of=lambda row: str(row.kind),
    texts={
        "name": lambda row: row.name,
        "last_name": lambda row: last_name(row.name),
        "written": lambda row: row.written,
        "symbol": lambda row: row.symbol,
    },
    tests={
        "names": fits_one(lambda row: row.name),
        "symbols": fits_one(lambda row: row.symbol),
    },
)

CONSTANTS: Final = Finder(
    rows=lambda source, run: source.sites.constants(run),
    kind_of=lambda row: str(row.kind),
    texts={"value": lambda row: row.value, "name": lambda row: row.name or ""},
    tests={"names": fits_one(lambda row: row.name), "values": fits_one(lambda row: row.value)},
)


FIELDS: Final = Finder(
    rows=lambda source, run: source.sites.fields(run),
    texts={
        "name": lambda row: row.name,
        "type": lambda row: row.type or "",
        "optional": lambda row: "true" if row.is_optional else "false",
        "wire_name": lambda row: row.wire_name or row.name,
        "column": lambda row: row.column,
    },
    tests={
        "names": fits_one(lambda row: row.name),
        "owners": fits_one(lambda row: row.owner),
        "types": fits_one(lambda row: row.type),
        "renamed": is_true(lambda row: row.wire_name),
    },
)
