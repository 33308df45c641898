"""What names mean that a file sees without an import: see `shared_names`."""

from __future__ import annotations

from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.folders import folder_of
from drift.scan.link.languages.script.shared_names import (
    COMPONENT,
    ambient_key,
    global_key,
    is_markup_name,
    lent_key,
    markup_key,
    plain_script_key,
)
from drift.scan.link.nearness import nearest
from drift.scan.link.tables import FileTable
from drift.scan.link.values import NOTHING, Values, merge, symbol_value

_CONFIGURATION: Final = "nuxt.config."  # how the file's name begins that makes a folder one of Nuxt's
_MOST_FILES: Final = 20  # that have one name: of more none is meant for sure


def nuxt_roots(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The folders that have a configuration of Nuxt, the innermost first."""
    found = {folder_of(path) for path in paths if path.rpartition("/")[2].startswith(_CONFIGURATION)}
    return tuple(sorted(found, key=lambda folder: -len(folder)))


def shared_values(analysis: Analysis, name: str, roots: tuple[str, ...], path: str) -> Values:
    """What a name means that the file does not define, where others lend it."""
    is_markup = is_markup_name(name)
    root = next((one for one in roots if f"{path}/".startswith(f"{one}/" if one else "")), None)
    program = analysis.program
    if not is_markup and (ambient := _ambient_values(analysis, name, path)):
        return ambient
    if not is_markup and root is None:
        return _page_values(analysis, name, path) if path.endswith(".js") else NOTHING
    paths = program.providing(markup_key(name) if is_markup else lent_key(name))
    if not is_markup:
        paths = tuple(one for one in paths if not root or one.startswith(f"{root}/"))
    found: list[Values] = []
    for table in program.tables_at(paths if len(paths) <= _MOST_FILES else ()):
        if not is_markup and table.path.endswith(COMPONENT):
            found.append((symbol_value(table.first),))
        elif name in table.names[0]:
            found.append(analysis.evaluate(("name", name), table.first))
        else:
            found.append(_default(table))
    return merge(found)


def _ambient_values(analysis: Analysis, name: str, path: str) -> Values:
    """What declarations that every file sees say of a name: the nearest, as each project has its own."""
    paths = analysis.program.providing(ambient_key(name))
    if not paths or path in paths or len(paths) > _MOST_FILES:
        return NOTHING
    tables = analysis.program.tables_at((nearest(path, paths),))
    return merge([analysis.evaluate(("name", name), table.first) for table in tables])


def _page_values(analysis: Analysis, name: str, path: str) -> Values:
    """What a script that is no module sees of others: the one nearest to it, as a page loads one of a name."""
    program = analysis.program
    paths = program.providing(global_key(name))
    if not paths or path in paths or not program.providing(plain_script_key(path)):
        return NOTHING
    tables = program.tables_at((nearest(path, paths),) if len(paths) <= _MOST_FILES else ())
    return merge([analysis.evaluate(("name", name), table.first) for table in tables])


def _default(table: FileTable) -> Values:
    """What a file exports as its default, which is lent by the name of the file."""
    return tuple(
        symbol_value(table.first + number)
        for number, one in enumerate(table.symbols)
        if "default" in one.modifiers
    )
