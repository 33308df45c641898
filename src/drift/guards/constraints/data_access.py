"""Calls that reach data, and which table or model they name: by what `analyses/data_access` knows of libraries and SQL.

A call is judged alone, without the models of the project, so that texts that are not on disk come out as files do.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from drift.analyses.data_access import reaches_data, read_sql
from drift.guards.constraints.route_guards import last_part

if TYPE_CHECKING:
    from drift.guards.constraints.scene import Call, Scene


class Access(NamedTuple):
    """A call that reaches data. A table is unknown where neither the call nor its text names one."""

    call: "Call"
    tables: tuple[str, ...]


def find_accesses(scene: "Scene") -> Iterator[Access]:
    """What the product's functions here do with data."""
    for _, calls in scene.functions:
        for call in calls:
            file = scene.files[call.file]
            if file.role != "source":
                continue
            written = _tables_in(call.literal) if call.literal else ()
            if written or reaches_data(file.language or "", call.names[0], last_part(call.names[-1])):
                yield Access(call, written or _receiver(call.names[-1]))


@lru_cache(maxsize=16_384)
def _tables_in(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.table.lower() for each in read_sql(text.strip()) if each.table))


def _receiver(text: str) -> tuple[str, ...]:
    """The model that a call is made on, where its text begins with one: User.objects.filter, Song::query."""
    head = re.split(r"::|\.|->|\(", text, maxsplit=1)[0]
    return (head,) if head[:1].isupper() and any(mark in text for mark in ("::", ".")) else ()
