"""Graphs of a project, drawn."""

from typing import Annotated

from drift.index import Layer
from drift.kernel.answer import Answer
from drift.quality.dag import DagData, DagType, draw_dag
from drift.quality.scope import choose_scope
from drift.registry import WHOLE_PROJECT, Call, KnownPath, MustExist, Range, tool
from drift.registry.indexes import opened_index


@tool(
    category="quality",
    title="Dependency graph",
    tokens=(300, 2500),
    needs=Layer.CALLS,
    is_method=True,
    examples=({}, {"dag_type": "import-graph", "max_nodes": 20}),
)
def analyze_dag(
    call: Call,
    project_path: Annotated[KnownPath, MustExist(), "Folder or file; default: all"] = WHOLE_PROJECT,
    *,
    dag_type: Annotated[DagType, "full-dependency: imports and calls between files"] = "call-graph",
    max_nodes: Annotated[int, Range(1, 500), "Drawn at most, best ranked first"] = 40,
    include: Annotated[tuple[str, ...], "Only paths that match"] = (),
    exclude: Annotated[tuple[str, ...], "No paths that match"] = (),
) -> Answer[DagData]:
    """The graph of calls, imports or inheritance as mermaid: the best ranked nodes and the edges between them."""
    with opened_index(call) as reader:
        scope = choose_scope(reader, project_path, include=include, exclude=exclude)
        found = draw_dag(reader, scope, dag_type, max_nodes=max_nodes)
    return Answer(found.summary, found, warnings=scope.notes)
