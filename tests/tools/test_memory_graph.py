"""Explanations and the graph of memories, asked as a client asks."""

import asyncio
import re
from datetime import UTC, datetime

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.memory import CausalEdge, Draft, Memory, Relation
from drift.memory.causes.graph_view import GraphView, draw_mermaid
from drift.memory.opened import close_stores, memory_store
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, Surface
from drift.tools import all_tools
from store_places import memory_db

# What mermaid's grammar takes of the kind that is drawn: nodes with quoted labels, arrows with a plain word.
NODE = re.compile(r'  n\d+\["[^"\[\]{}()<>|`\\\n]*"\]')
EDGE = re.compile(r"  n\d+ (?:-->|-\.->)\|[a-z_]+\| n\d+")
STYLE = re.compile(r"  style n\d+ stroke-width:3px")


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def store(root):
    yield memory_store(memory_db(root))
    close_stores()


@pytest.fixture
def ask(root, tmp_path):
    registry = ProjectRegistry(tmp_path / "home/projects.json", lambda: datetime.now(UTC))
    tools = all_tools().of_server(ServerName.MEMORY)
    runtime = ServerRuntime(ServerName.MEMORY, tools, Surface("full"), at=Environment(root, registry, {}))

    def run(name, **arguments):
        outcome = asyncio.run(runtime.call(name, arguments))
        found = outcome.structured()
        if not outcome.is_error:
            jsonschema_rs.validator_for(tools.get(name).output_schema).validate(found)
        return found

    yield run
    runtime.close()
    close_stores()


@pytest.fixture
def chain(store):
    """A flag caused an outage, which triggered a guard; a note stands apart."""
    flag, outage, guard, apart = (
        store.add(Draft(type="insight", title=title), actor="test")
        for title in ("Flag flipped", "Outage", "Guard added", "Lunch moved")
    )
    edges = [
        CausalEdge(flag.id, outage.id, Relation.CAUSED, 0.9),
        CausalEdge(guard.id, outage.id, Relation.TRIGGERED_BY, 0.4),
    ]
    store.edges.put(edges, actor="test")
    return flag, outage, guard, apart


def is_flowchart(text):
    first, *rest = text.split("\n")
    return first == "flowchart LR" and all(
        NODE.fullmatch(line) or EDGE.fullmatch(line) or STYLE.fullmatch(line) for line in rest
    )


def test_a_memory_is_explained_by_its_true_chain(ask, chain):
    flag, outage, guard, _apart = chain

    data = ask("drift_memory_explain", memoryId=guard.id)["data"]

    assert [row["id"] for row in data["origins"]] == [outage.id, flag.id]
    assert data["effects"] == []
    assert data["confidence"] == pytest.approx(0.6 * 0.4 + 0.4 * 0.65)
    assert len(data["why"]) == 2
    assert "was triggered by" in data["why"][0]


def test_what_has_no_edges_is_not_explained_by_invention(ask, chain):
    data = ask("drift_memory_explain", memoryId=chain[3].id)["data"]

    assert data["origins"] == data["effects"] == []
    assert "why" not in data
    assert "confidence" not in data


def test_one_side_and_a_least_strength_can_be_asked_for(ask, chain):
    _flag, outage, _guard, _apart = chain

    effects = ask("drift_memory_explain", memoryId=outage.id, direction="effects")["data"]
    strong = ask("drift_memory_explain", memoryId=outage.id, minStrength=0.5)["data"]

    assert effects["origins"] == []
    assert len(effects["effects"]) == 1
    assert strong["effects"] == []


def test_a_chain_is_explained_as_it_was_known(ask, chain):
    before = ask("drift_memory_explain", memoryId=chain[1].id, asOf="2001-01-01")
    today = datetime.now(UTC).date().isoformat()
    now = ask("drift_memory_explain", memoryId=chain[1].id, asOf=today)["data"]

    assert before["code"] == "INVALID_ARGUMENT"
    assert "not known" in before["message"]
    assert len(now["origins"]) == 1


@pytest.mark.parametrize("name", ["drift_memory_explain", "drift_memory_graph"])
def test_an_unknown_id_is_told_with_similar_ones(ask, chain, name):
    found = ask(name, memoryId=chain[0].id[:-1] + "_")

    assert found["code"] == "RESOURCE_NOT_FOUND"
    assert found["similar"]


def test_without_a_store_the_graph_is_empty_and_an_id_unknown(ask):
    assert ask("drift_memory_graph")["data"] == {"nodeCount": 0, "edgeCount": 0, "nodes": [], "edges": []}
    assert "nothing has been saved" in ask("drift_memory_explain", memoryId="m_1")["message"]


def test_the_graph_around_a_memory_grows_with_its_depth(ask, chain):
    flag, outage, guard, _apart = chain

    near = ask("drift_memory_graph", memoryId=flag.id, depth=1)
    far = ask("drift_memory_graph", memoryId=flag.id, depth=2)

    assert [row["id"] for row in near["data"]["nodes"]] == [flag.id, outage.id]
    assert near["warnings"]
    assert {row["id"]: row["depth"] for row in far["data"]["nodes"]} == {
        flag.id: 0,
        outage.id: 1,
        guard.id: 2,
    }


def test_without_a_centre_the_strongest_edges_are_shown(ask, chain):
    flag, outage, guard, apart = chain

    everything = ask("drift_memory_graph")["data"]
    caused = ask("drift_memory_graph", relations=["caused"])["data"]
    strong = ask("drift_memory_graph", limit=2)["data"]

    assert {row["id"] for row in everything["nodes"]} == {flag.id, outage.id, guard.id}
    assert apart.id not in str(everything)
    assert {row["id"] for row in caused["nodes"]} == {flag.id, outage.id}
    assert [row["relation"] for row in strong["edges"]] == ["caused"]


def test_purged_and_archived_memories_are_not_drawn(ask, store, chain):
    store.purge([chain[0].id], actor="test")
    store.archive([chain[2].id], reason="old", actor="test")

    shown = ask("drift_memory_graph", memoryId=chain[1].id)["data"]
    with_archived = ask("drift_memory_graph", memoryId=chain[1].id, includeArchived=True)["data"]

    assert shown["nodeCount"] == 1
    assert with_archived["nodeCount"] == 2


def test_an_unknown_type_is_refused_with_the_nearest(ask, chain):
    found = ask("drift_memory_graph", types=["insigth"])

    assert found["code"] == "INVALID_ARGUMENT"
    assert "insight" in found["similar"]


def test_mermaid_is_drawn_with_unsure_edges_dotted(ask, chain):
    drawing = ask("drift_memory_graph", memoryId=chain[1].id, format="mermaid")["data"]["mermaid"]

    assert is_flowchart(drawing)
    assert "-.->|triggered_by|" in drawing
    assert "-->|caused|" in drawing


@given(st.lists(st.text(min_size=1, max_size=100), min_size=1, max_size=5))
def test_mermaid_is_valid_whatever_the_titles_hold(titles):
    memories = tuple(
        Memory(type="insight", title=title, id=f"m_{place}", recorded_at_ms=0, updated_at_ms=0)
        for place, title in enumerate(titles)
    )
    edges = tuple(CausalEdge("m_0", one.id, Relation.CAUSED) for one in memories[1:])

    drawing = draw_mermaid(GraphView(memories, edges, {}, is_cut=False), centre="m_0")

    assert is_flowchart(drawing)
