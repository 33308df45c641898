from datetime import UTC, datetime

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.pipeline import Environment
from drift.project import ProjectRegistry, open_project
from drift.registry import ServerName, Surface
from drift.servers import BLUEPRINTS, assemble, enabled_servers


def stand(tmp_path, **environ):
    root = tmp_path / "shop"
    root.mkdir(exist_ok=True)
    return Environment(
        root, ProjectRegistry(tmp_path / "home/projects.json", lambda: datetime.now(UTC)), environ
    )


@pytest.mark.parametrize("name", list(ServerName))
def test_starting_a_server_leaves_no_trace_in_a_project_that_is_not_set_up(tmp_path, name):
    at = stand(tmp_path)

    assembled = assemble(BLUEPRINTS[name], Surface("entry"), at=at)
    assembled.runtime.close()

    assert assembled.mcp.name == f"drift-{name}"
    assert list(at.root.iterdir()) == []


def test_memory_that_is_switched_off_is_not_served(tmp_path):
    at = stand(tmp_path, DRIFT_MCP_MEMORY_ENABLED="false")

    assert enabled_servers(open_project(at.root, at.environ)) == (ServerName.ANALYSIS, ServerName.CATALOG)
    with pytest.raises(DriftError) as caught:
        assemble(BLUEPRINTS[ServerName.MEMORY], Surface("entry"), at=at)
    assert caught.value.code is ErrorCode.CORTEX_UNAVAILABLE


def test_a_surface_that_is_not_there_is_refused_at_the_start(tmp_path):
    with pytest.raises(DriftError) as caught:
        assemble(BLUEPRINTS[ServerName.ANALYSIS], Surface("pack", "nope"), at=stand(tmp_path))

    assert caught.value.code is ErrorCode.PACK_NOT_FOUND
