"""What an object of settings has under a name: `app_settings.VALIDATOR_CLASS` of `DEFAULTS = {"VALIDATOR_CLASS": "app.Validator"}`.

A library of Django's keeps defaults in a table beside the class of its settings, which looks them up in `__getattr__`
and imports what the texts name. What a project sets instead is not seen.
"""

from __future__ import annotations

from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import Line
from drift.scan.link.keys import setting_key
from drift.scan.link.values import NOTHING, Values, merge


def configured_values(analysis: Analysis, line: Line, name: str) -> Values:
    """What tables beside the classes of a line say under a name, where that is one of a setting."""
    if not name.isupper():
        return NOTHING
    program, language = analysis.program, "python"
    saying = set(program.providing(setting_key(language, name)))
    if not saying:
        return NOTHING
    tables = (program.table_of(owner) for owner in line if isinstance(owner, int))
    found: list[Values] = []
    for table in {one.path: one for one in tables if one.path in saying}.values():
        for binding in table.facts.bindings:
            value = binding.value
            if binding.scope or value is None or value[0] != "dict":
                continue
            for key, held in value[1:]:
                if key == name:
                    program.note_name(table, 0, binding.name)
                    found.append(analysis.evaluate(held, table.first))
    return merge(found)
