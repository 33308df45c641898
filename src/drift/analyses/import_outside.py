"""Imports of what is outside the project, copied from how the project imports it elsewhere."""

from drift.analyses.import_choice import family_of
from drift.analyses.import_forms import (
    Form,
    PathImport,
    PlainImport,
    PythonImport,
    RustImport,
    ScriptImport,
    Statement,
    Written,
)
from drift.analyses.import_script import learn_hand
from drift.analyses.import_surroundings import Surroundings
from drift.index import IndexReader
from drift.index.listing_queries import NamedImport


def write_outside(reader: IndexReader, around: Surroundings, name: str) -> tuple[Written, str] | None:
    """How other files import the name from outside, with a place that does; None where none does."""
    last = name.rpartition(".")[2]
    ways = [
        one for one in reader.listings.outside_imports_of(last) if family_of(one.language) == around.family
    ]
    if not ways:
        return None
    best, total = ways[0], sum(one.times for one in ways)
    source = f"{best.module} (outside the project)"
    known = next((one for one in around.own if one.module == best.module and one.name == best.name), None)
    if known is not None:
        return Written(None, f"imported already on line {known.line}", 1.0, known.alias), source
    form = _form(around, best)
    if form is None:
        return None
    reason = f"{best.times} of {total} imports of that name, such as {best.path}:{best.line}"
    bound = best.alias if best.name in {None, "default"} else best.name
    return Written(Statement(form, bound or last), reason, round(best.times / total, 2)), source


def _form(around: Surroundings, way: NamedImport) -> Form | None:
    match around.family:
        case "python":
            if way.name is not None:
                return PythonImport(way.module)
            renamed = f" as {way.alias}" if way.alias and way.alias != way.module.partition(".")[0] else ""
            return PlainImport(f"import {way.module}{renamed}")
        case "script":
            hand = learn_hand(around)
            if way.name is None:
                return ScriptImport(way.module, "whole", hand)
            return ScriptImport(way.module, "default" if way.name == "default" else "named", hand)
        case "java":
            return PathImport(f"import {way.module}.") if way.name else None
        case "php":
            module = way.module.strip("\\")
            return PathImport(f"use {module}\\" if module else "use ") if way.name else None
        case "rust":
            return RustImport(way.module) if way.name else PlainImport(f"use {way.module};")
        case "go":
            return PlainImport(f'import "{way.module}"')
        case _:
            return None
