"""Simulation: ways to do a task here, before any code is written."""

from typing import Annotated

from drift.guards.simulation.simulating import SimulationData, SimulationWish, simulate
from drift.guards.simulation.task import TaskCategory
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.arguments import Range
from drift.registry import Call, Length, tool
from drift.registry.indexes import opened_index


@tool(
    category="analysis",
    title="Simulate a change",
    tokens=(600, 3000),
    needs=Layer.CALLS,
    examples=({"task": "add a discount to the cart"}, {"task": "log failed payments", "maxApproaches": 2}),
)
def drift_simulate(
    call: Call,
    task: Annotated[str, Length(1000), "What is to be done, in words"],
    target: Annotated[str | None, Length(500), "Symbol, file or folder it is about"] = None,
    category: TaskCategory | None = None,
    constraints: Annotated[tuple[str, ...], "avoid-changing: PATH, max-files: N, must-work-with: NAME"] = (),
    max_approaches: Annotated[int, Range(1, 5)] = 5,
) -> Answer[SimulationData]:
    """Ways to do a task with what the project has. Guards, middleware, wrappers, like code and changes; scored in parts."""
    wish = SimulationWish(task, category, target, constraints, max_approaches)
    with opened_index(call) as reader:
        found = simulate(reader, call.project, wish)
    return Answer(found.summary, found.data, warnings=found.warnings)
