"""What other analyses count of a project's security: secrets in its files, and flows of data that do harm."""

from typing import TYPE_CHECKING, Final

from drift.analyses.index_cache import PerState
from drift.analyses.secrets import Secret
from drift.analyses.secrets.project import at_least, find_in_project
from drift.flow import FlowRow, Wanted, find_flows, list_flows

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.project import Project

_SECRETS: Final[PerState[tuple[Secret, ...]]] = PerState()


def secret_rows(reader: "IndexReader", project: "Project") -> tuple[Secret, ...]:
    """The secrets of the product of medium confidence and above."""

    def make() -> tuple[Secret, ...]:
        found = at_least(find_in_project(reader, project.root).rows, "medium", None)
        return tuple(each for each in found if each.where == "product")

    return _SECRETS.get(reader, make)


def flow_rows(reader: "IndexReader", project: "Project") -> tuple[FlowRow, ...]:
    """The weaknesses of medium confidence and above."""
    flows = find_flows(reader, project.root, project.state)
    return tuple(list_flows(flows, Wanted(min_confidence="medium")).rows)


def files_with_findings(reader: "IndexReader", project: "Project") -> frozenset[str]:
    """The files that hold a secret, or in which a flow ends."""
    held = {each.file for each in secret_rows(reader, project)}
    return frozenset({*held, *(row.path for row in flow_rows(reader, project))})
