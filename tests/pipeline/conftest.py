"""A project on disk and requests about it."""

from datetime import UTC, date, datetime

import pytest
from pipeline_samples import make_tool

from drift.pipeline import Environment, ServerRuntime
from drift.pipeline.request import Request
from drift.project import ProjectRegistry, open_project
from drift.registry import Caller, ServerName, SilentClient, Surface, Toolbox


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def request_for(root):
    def build(definition=None, arguments=None, caller=None):
        project = open_project(root, {})
        return Request(
            tool=definition or make_tool(),
            arguments=dict(arguments or {}),
            caller=caller or Caller(),
            client=SilentClient(),
            id="r1",
            started=0.0,
            default_project=project,
            project=project,
        )

    return build


@pytest.fixture
def runtime_with(root, tmp_path):
    made = []

    def build(*definitions, environ=None, freshener=None, server=ServerName.ANALYSIS, surface=None):
        at = Environment(
            root=root,
            projects=ProjectRegistry(tmp_path / "home" / "projects.json", lambda: datetime.now(UTC)),
            environ=environ or {},
            today=lambda: date(2026, 6, 1),
        )
        box = Toolbox(definitions)
        made.append(ServerRuntime(server, box, surface or Surface("full"), at=at, freshener=freshener))
        return made[-1]

    yield build
    for runtime in made:
        runtime.close()
