"""What other analyses count of a project's security: secrets in its files, and flows of data that do harm."""

from typing import TYPE_CHECKING, Final

from drift.flow import FlowRow, Wanted, find_flows, list_flows
from drift.security.summary import Part

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.project import Project

_NO_SECRETS: Final = "secrets are not looked for in this version"


def count_secrets(_reader: "IndexReader", _project: "Project") -> Part:
    """How many secrets the files of a project hold."""
    return Part(None, _NO_SECRETS)


def count_flows(reader: "IndexReader", project: "Project") -> Part:
    """How many weaknesses the flow of data shows, but for those that hardly are."""
    return Part(len(flow_rows(reader, project)))


def flow_rows(reader: "IndexReader", project: "Project") -> tuple[FlowRow, ...]:
    """The weaknesses of medium confidence and above."""
    flows = find_flows(reader, project.root, project.state)
    return tuple(list_flows(flows, Wanted(min_confidence="medium")).rows)


def files_with_findings(reader: "IndexReader", project: "Project") -> frozenset[str]:
    """The files in which a flow ends."""
    return frozenset(row.path for row in flow_rows(reader, project))
