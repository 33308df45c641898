"""Tests of one controller, which name its actions instead of paths: `get :show, params: { id: 1 }`.

What it does: leads from such a call to the action of that name in the controller that the file of the test is named after.
Why it matters: no path and no call in the text leads there.
Known limits: actions that a controller inherits, and controllers whose tests stand elsewhere.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.edges import Run
from drift.index.ids import FileId, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader

_NAMED: Final = 0.9


class _Rule(NamedTuple):
    tests: re.Pattern[str]
    controller: str


def action_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which tests run which actions that they name."""
    by_path = {path: file for file, path in reader.pages.paths().items()}
    tested: dict[FileId, FileId] = {}
    for file, path in reader.pages.test_paths().items():
        for rule in _rules():
            match = rule.tests.fullmatch(path)
            controller = (
                by_path.get(rule.controller.format(**match.groupdict())) if match is not None else None
            )
            if controller is not None:
                tested[file] = controller
    if not tested:
        return
    actions = {
        controller: {name: method for method, _, name in reader.pages.methods_of(controller)}
        for controller in set(tested.values())
    }
    for caller, _, name in reader.pages.named_actions(tested):
        action = actions[tested[file_of_symbol(caller)]].get(name)
        if action is not None:
            yield Run(caller, action, _NAMED)


@cache
def _rules() -> tuple[_Rule, ...]:
    tables = tomllib.loads(files("drift.analyses.running").joinpath("clients.toml").read_text("utf-8"))
    return tuple(_Rule(re.compile(one["tests"]), one["controller"]) for one in tables["controllers"])
