"""What other analyses count of a project's security: secrets in its files, and flows of data that do harm."""

from typing import TYPE_CHECKING, Final

from drift.security.summary import Part

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.project import Project

_NO_SECRETS: Final = "secrets are not looked for in this version"
_NO_FLOWS: Final = "flows of data are not followed in this version"


def count_secrets(_reader: "IndexReader", _project: "Project") -> Part:
    """How many secrets the files of a project hold."""
    return Part(None, _NO_SECRETS)


def count_flows(_reader: "IndexReader", _project: "Project") -> Part:
    """How many flows from a source to a sink there are."""
    return Part(None, _NO_FLOWS)
