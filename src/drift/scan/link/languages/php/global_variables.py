"""Global variables, which all files of a PHP project share."""

from __future__ import annotations

from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.keys import GLOBAL_VARIABLES, space_key
from drift.scan.link.languages.php.implementations import LANGUAGE
from drift.scan.link.names import definition_values
from drift.scan.link.values import NOTHING, Values, merge

_MOST_GIVING: Final = 5  # files that give a global variable an object


def global_values(analysis: Analysis, name: str) -> Values:
    """What the files of a project give a global variable, if all give the same."""
    paths = analysis.program.providing(space_key(LANGUAGE, GLOBAL_VARIABLES, name))
    tables = analysis.program.tables_at(paths) if len(paths) <= _MOST_GIVING else ()
    found = merge(definition_values(analysis, table.first, name) for table in tables)
    return found if len(found) == 1 else NOTHING
