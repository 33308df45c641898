"""Pipelines of GitLab: jobs with their stages, and variables."""

from collections.abc import Iterator
from typing import Final

from drift.documents.items import Item, short
from drift.documents.nodes import Node, read_nodes

_NO_JOBS: Final = frozenset(
    {"after_script", "before_script", "cache", "default", "image", "include", "pages:deploy", "services", "spec",
     "stages", "variables", "workflow"}
)  # fmt: skip


def read(text: str, _kind: str) -> Iterator[Item]:
    """The variables and jobs in their order."""
    for document in read_nodes(text):
        for name, node in document.pairs():
            if name == "variables":
                yield from _variables(node, None)
            elif name not in _NO_JOBS and node.entries is not None:
                stage = node.get("stage").text
                yield Item(node.line, "job", short(name), type=short(stage) if stage else None)
                yield from _variables(node.get("variables"), short(name))


def _variables(node: Node, owner: str | None) -> Iterator[Item]:
    for name, value in node.pairs():
        said = value if value.entries is None else value.get("value")
        yield Item(value.line, "variable", short(name), owner, has_value=not said.is_empty)
