"""Settings of a team that shares what it learns, in a database of its own."""

from dataclasses import dataclass

from drift.project import values
from drift.project.setting_rows import setting

_DATABASE = values.secret(
    values.text("an address such as postgresql://user@host/name", r"(postgres(ql)?://\S*)?", most=2000)
)
# Together with a store they name a schema, of 63 letters at most: an underscore in the first would let two teams mean one.
_TEAM = values.text("letters, digits, beginning with a small letter", r"[a-z][a-z0-9]{0,15}")
_PROJECT = values.text("small letters, digits and _, or empty", r"([a-z0-9_]{1,32})?")


@dataclass(frozen=True, slots=True)
class TeamSettings:
    """Where memories, decisions and counts are kept that a team shares."""

    database: str = setting(
        _DATABASE,
        "PostgreSQL database that memories, decisions and the catalog's counts are kept in; empty: files in Drift's home",
        default="",
        repository="no",
    )
    name: str = setting(_TEAM, "The team's name in that database", default="team", repository="no")
    project: str = setting(
        _PROJECT,
        "The project's name in that database, the same for all who share it; empty: one of this copy alone",
        default="",
        repository="no",
    )
