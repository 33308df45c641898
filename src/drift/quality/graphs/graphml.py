"""A graph as GraphML, as networkx, yEd and Gephi read it. Nothing that a repository says can break out of it."""

import re
from collections.abc import Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from drift.quality.graphs.graph import Graph

# What no XML document may hold, written or escaped.
_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TYPES: Final = {"name": "string", "file": "string", "line": "int", "kind": "string"}


def write_graphml(graph: Graph, measures: Mapping[str, Sequence[float]]) -> str:
    """The whole graph; each measure is an attribute of the nodes, how often an edge is used one of the edges."""
    keys = [*_TYPES.items(), *((name, "double") for name in measures)]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *(
            f'<key id={quoteattr(name)} for="node" attr.name={quoteattr(name)} attr.type="{kind}"/>'
            for name, kind in keys
        ),
        '<key id="uses" for="edge" attr.name="uses" attr.type="int"/>',
        '<graph id="G" edgedefault="directed">',
    ]
    for number, node in enumerate(graph.nodes):
        values = {**node._asdict(), **{name: found[number] for name, found in measures.items()}}
        data = "".join(f"<data key={quoteattr(key)}>{_text(value)}</data>" for key, value in values.items())
        lines.append(f'<node id="n{number}">{data}</node>')
    lines += (
        f'<edge source="n{source}" target="n{target}"><data key="uses">{count}</data></edge>'
        for (source, target), count in graph.uses.items()
    )
    return "\n".join([*lines, "</graph>", "</graphml>", ""])


def _text(value: object) -> str:
    return escape(_FORBIDDEN.sub("\ufffd", str(value)))
