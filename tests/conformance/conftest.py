import os
import sys

import pytest
from suites import HERE, require_node, serving


@pytest.fixture(scope="module")
def _node():
    require_node()


@pytest.fixture(scope="module")
def fixture_url(_node):
    with serving([sys.executable, str(HERE / "fixture.py")]) as url:
        yield f"{url}/mcp"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A small project, and an environment that keeps the tests out of the user's own files."""
    root = tmp_path_factory.mktemp("project")
    (root / "main.py").write_text("def main():\n    return 1\n")
    return root


@pytest.fixture(scope="module")
def environ(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    return {**os.environ, "HOME": str(home), "DRIFT_HOME": str(home / ".drift"), "DRIFT_MCP_RATE_LIMIT": "0"}


@pytest.fixture(scope="module")
def real_url(_node, project, environ):
    with serving([sys.executable, "-m", "drift", "serve", str(project), "--port", "0"], environ) as url:
        yield url
