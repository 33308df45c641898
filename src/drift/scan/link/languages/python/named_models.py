"""Models that a text names (`"app.Player"`), or that a setting says which is in no code: that of users."""

from __future__ import annotations

from typing import Final

from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.keys import type_key, user_model_key
from drift.scan.link.languages.python.mapper_data import is_user_model
from drift.scan.link.names import name_values
from drift.scan.link.values import Values, is_symbol, symbol_of, symbol_value

_LANGUAGE: Final = "python"
_MOST_FILES: Final = 20  # with a class of one name: beyond that the name says nothing


def named_models(analysis: Analysis, text: str, scope: int) -> Values:
    """The class that a text names: what the file knows by the name, else the only one of the application or project."""
    app, _, name = text.rpartition(".")
    if not app and (text.isupper() or text.islower()):
        return _only(analysis, analysis.program.providing(user_model_key()), None)
    seen = tuple(one for one in name_values(analysis, name, scope) if _is_class(analysis, one))
    if seen:
        return seen
    paths = analysis.program.providing(type_key(_LANGUAGE, name))
    near = tuple(path for path in paths if app.rpartition(".")[2] in path.split("/")) if app else ()
    return _only(analysis, near or paths, name)


def _is_class(analysis: Analysis, value: object) -> bool:
    return (
        isinstance(value, int)
        and is_symbol(value)
        and analysis.program.symbol(symbol_of(value)).kind in TYPE_KINDS
    )


def _only(analysis: Analysis, paths: tuple[str, ...], name: str | None) -> Values:
    """The class of that name in these files, or the one of users where no name is asked for; none where there are several."""
    if not paths or len(paths) > _MOST_FILES:
        return ()
    found = [
        table.first + number
        for table in analysis.program.tables_at(paths)
        for number, symbol in enumerate(table.symbols)
        if symbol.kind in TYPE_KINDS and (symbol.name == name if name is not None else is_user_model(symbol))
    ]
    return (symbol_value(found[0]),) if len(found) == 1 else ()
