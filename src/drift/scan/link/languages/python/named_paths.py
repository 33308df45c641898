"""What texts name in full: `"shop.middleware.Headers"` in settings, `"shop.asgi:application"`, the model `"shop.Order"`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.destination_form import Destination
from drift.scan.link.keys import part_key, type_key
from drift.scan.link.names import destination_values
from drift.scan.link.referenced_symbols import member_symbols
from drift.scan.link.values import NOTHING, Values, symbol_value

_LANGUAGE: Final = "python"


class NamedPaths:
    """The modules of a project, by which texts begin that name something of it."""

    def __init__(self, modules: Collection[str]) -> None:
        self._modules = modules

    def values(
        self,
        analysis: Analysis,
        path: str,
        *,
        scope: int,
        inside: Callable[[str, str], Destination | None],
    ) -> Values:
        """The module, or what stands in it; nothing where not all of the text leads somewhere.

        `inside` says where a module of the project is. It is asked and not kept: who asks holds these paths.
        """
        parts = path.replace(":", ".").split(".")
        first = parts[0]
        analysis.program.note(part_key(first))
        analysis.program.note(part_key("__init__"))  # by which a folder's files have other names
        if first not in self._modules:
            return self._models(analysis, parts)
        for part in parts[1:]:
            analysis.program.note(part_key(part))
        at = analysis.program.table_of(scope).path
        for end in range(len(parts), 0, -1):
            destination = inside(at, ".".join(parts[:end]))
            if destination is not None:
                found = _members(analysis, destination, parts[end:])
                return found or self._models(analysis, parts)
        return NOTHING

    def _models(self, analysis: Analysis, parts: list[str]) -> Values:
        """The only class of a name in an application, as Django names models: by the application's last name."""
        application, name = parts[0], parts[-1]
        if len(parts) != 2 or not name[0].isupper():  # noqa: PLR2004 - application and model
            return NOTHING
        paths = analysis.program.providing(type_key(_LANGUAGE, name))
        near = [path for path in paths if application in path.split("/")[:-1]]
        found = [
            table.first + number
            for table in analysis.program.tables_at(near[:2])
            for number, symbol in enumerate(table.symbols)
            if symbol.kind in TYPE_KINDS and symbol.name == name
        ]
        return (symbol_value(found[0]),) if len(found) == 1 else NOTHING


def _members(analysis: Analysis, destination: Destination, names: list[str]) -> Values:
    values = destination_values(analysis, destination, _LANGUAGE)
    for name in names:
        found = dict.fromkeys(
            symbol for value in values for symbol in member_symbols(analysis, value, name, set())
        )
        values = tuple(symbol_value(symbol) for symbol in found)
    return values
