"""The steps around every call, one module each, put in order in `runtime`."""

from drift.pipeline.auto_fresh import FOREGROUND, AutoFreshener
from drift.pipeline.cache import Event
from drift.pipeline.fresh import Freshener, Refreshed
from drift.pipeline.limits import MAX_NESTED_CALLS
from drift.pipeline.projects import may_name_projects
from drift.pipeline.prometheus import prometheus_text
from drift.pipeline.request import Next, Request, Step
from drift.pipeline.runtime import Environment, ServerRuntime
from drift.pipeline.shared_state import SharedState
from drift.pipeline.validate import understood

__all__ = [
    "FOREGROUND",
    "MAX_NESTED_CALLS",
    "AutoFreshener",
    "Environment",
    "Event",
    "Freshener",
    "Next",
    "Refreshed",
    "Request",
    "ServerRuntime",
    "SharedState",
    "Step",
    "may_name_projects",
    "prometheus_text",
    "understood",
]
