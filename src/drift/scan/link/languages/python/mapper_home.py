"""An object-relational mapper that is itself part of the project: what of its code runs for models, managers and sets.

Its metaclass puts managers on models, and `setattr` what reads them: no text shows it. Which code that is, is data:
`home` in `models.toml`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from drift.scan.link.analysis import Analysis
from drift.scan.link.keys import stem_key
from drift.scan.link.languages.python.mapper_data import mapper


class Home(NamedTuple):
    """The symbols of a mapper, by number."""

    model: int
    options: int
    base_manager: int
    manager: int
    query_set: int
    from_set: int
    as_manager: int
    forwarding: int
    manager_reader: int
    object_reader: int
    one_reader: int
    many_reader: int
    forward_many: int
    reverse_many: int


_FIRST: Final = "model"
_RARE_PART: Final = "related_descriptors"  # a file that the mapper has and hardly any other project


def mapper_home(analysis: Analysis) -> Home | None:
    """The mapper that is part of the project; None where it is not, or is another version of it."""
    found: tuple[Home, ...] = analysis.cached("mapper home", _find_home)
    return found[0] if found else None


def _find_home(analysis: Analysis) -> tuple[Home, ...]:
    program, home = analysis.program, mapper().home
    folder = home["folder"]
    first = folder + home[_FIRST].partition(":")[0]
    program.note(stem_key(_RARE_PART))
    path = next((one for one in program.paths if one == first or one.endswith(f"/{first}")), None)
    if path is None:
        return ()
    root = path.removesuffix(first) + folder
    numbers: dict[str, int] = {}
    for field in Home._fields:
        file, _, name = home[field].partition(":")
        if root + file not in program.files:
            return ()
        table = program.table(program.files[root + file])
        program.note_members(table, 0)
        if name not in table.identities:
            return ()
        number = table.first + table.identities.index(name)
        program.symbol(number)  # noted: where it goes, the mapper is another
        numbers[field] = number
    return (Home(**numbers),)
