"""Calls that go together in functions: what is opened and closed, begun and ended."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from drift.guards.constraints.form import Constraint, Predicate
from drift.guards.constraints.miners.settings import parameters

if TYPE_CHECKING:
    from drift.guards.constraints.scene import Scene


def propose_pairs(scene: "Scene") -> Iterator[Constraint]:
    """What is opened is closed, what is begun is ended, for the pairs of parameters.toml."""
    for pair in parameters("order")["pairs"]:
        first, then = pair["first"], tuple(pair["then"])
        same = () if pair.get("any") else ("receiver",)
        if not scene.calls_of((first,)):
            continue
        yield Constraint(
            f"order/{first.removeprefix('*.')}",
            "must_follow",
            "errors",
            f"After {first.removeprefix('*')} the same function calls {' or '.join(each.removeprefix('*') for each in then)}",
            Predicate("order", {"first": (first,), "then": then, "same": same}),
            guidance=f"Call {then[0].removeprefix('*')} on every way out of the function.",
        )
