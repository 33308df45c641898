"""A tool's answer, through the same pipeline as over MCP but without a server."""

import asyncio
import os
import re
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

from drift.cli.answers import say_answer
from drift.cli.console import Console
from drift.cli.exits import Exit, exit_for
from drift.cli.failures import say_failure
from drift.cli.logs import follow_log, parse_levels
from drift.cli.project_choice import find_standing, looks_like_path, open_registry
from drift.cli.slots import MACHINE_PATHS, PROJECT_PATHS
from drift.cli.terminal_client import TerminalClient
from drift.kernel.tokens import estimated
from drift.pipeline import FOREGROUND, AutoFreshener, Environment, ServerRuntime
from drift.project import find_root
from drift.project.home import expand_home
from drift.registry import Caller, Client, Outcome, ServerName, Surface, ToolDefinition
from drift.tools import all_tools, tools_of

_PERSON: Final = Caller(is_person=True)
_LINE: Final = re.compile(r"(?<=.):[0-9]+\Z")


def call_and_say(
    name: str, arguments: Mapping[str, Any], console: Console, *, server: ServerName, as_json: bool
) -> Exit:
    """Call a tool about the project the arguments name, or the one around, and write its answer."""
    root, wanted = _settle_project(arguments, console)
    tool = all_tools().find(name)
    if tool is not None:
        wanted = settle_paths(tool, wanted, console, root=root)
    client = TerminalClient(console)
    try:
        with nullcontext() if as_json else estimated():
            outcome = call_tool(name, wanted, console, server=server, root=root, client=client)
    finally:
        client.finish()
    return say_outcome(outcome, console, as_json=as_json, tool=_answering(tool, wanted))


def call_tool(
    name: str,
    arguments: Mapping[str, Any],
    console: Console,
    *,
    server: ServerName,
    root: Path,
    client: Client,
) -> Outcome:
    """What a call comes to for the project at `root`."""
    at = Environment(root, open_registry(console), console.environ)
    freshener = AutoFreshener(console.environ, FOREGROUND)
    runtime = ServerRuntime(server, tools_of(server), Surface("full"), at=at, freshener=freshener)
    config = runtime.project.config
    # A person at a terminal hears of trouble only, unless they asked for more.
    is_asked_for = config.sources["log.level"].kind != "default"
    follow_log(console, parse_levels(config.log.level if is_asked_for else "warning"))
    try:
        return asyncio.run(runtime.call(name, arguments, caller=_PERSON, client=client))
    finally:
        runtime.close()


def say_outcome(
    outcome: Outcome, console: Console, *, as_json: bool, tool: ToolDefinition | None = None
) -> Exit:
    """Write an outcome for a person or as JSON; an error of a person's goes to standard error."""
    structured = outcome.structured()
    if outcome.is_error:
        say_failure(structured, console, as_json=as_json)
        return exit_for(outcome.code)
    data = structured["data"] if isinstance(structured.get("data"), dict) else {}
    if as_json:
        console.say_json(structured)
    elif isinstance(document := data.get("document"), str):
        console.tell(str(structured["summary"]))
        console.say(document.rstrip("\n"))  # whole, so that it can go into a file
    else:
        say_answer(structured, console, all_tools(), tool=tool)
    return Exit.FAILED if data.get("passed") is False else Exit.OK  # the verdict of a gate


def _answering(tool: ToolDefinition | None, arguments: Mapping[str, Any]) -> ToolDefinition | None:
    """The tool whose answer it is: for one that passes calls on, the one it passes this on to."""
    inner = arguments.get("name")
    if tool is not None and tool.is_relay and isinstance(inner, str):
        return all_tools().find(inner)
    return tool


def settle_paths(
    tool: ToolDefinition, arguments: Mapping[str, Any], console: Console, *, root: Path
) -> dict[str, Any]:
    """The arguments with paths as tools take them: a person names files from where they stand."""
    settled = dict(arguments)
    for parameter in tool.parameters:
        given = settled.get(parameter.wire)
        if (tool.name, parameter.wire) in MACHINE_PATHS and isinstance(given, str) and given:
            settled[parameter.wire] = str(console.cwd / expand_home(given, console.environ))
        elif parameter.is_project_file or parameter.wire in PROJECT_PATHS:
            many = given if isinstance(given, list) else [given]
            found = [_settle(one, console, root) if isinstance(one, str) else one for one in many]
            settled |= (
                {} if given is None else {parameter.wire: found if isinstance(given, list) else found[0]}
            )
    return settled


def _settle(given: str, console: Console, root: Path) -> str:
    """The way from the root to what is there under this name, its line kept; other words as they are."""
    name, line = _LINE.sub("", given), _LINE.search(given)
    if not name or "\0" in name:
        return given
    place = console.cwd / expand_home(name, console.environ)
    # The name of a folder may be that of a symbol; with a separator it is none.
    is_meant = place.is_file() or (place.exists() and looks_like_path(name))
    inside = _from_root(place, root) if is_meant else None
    return given if inside is None else inside + (line[0] if line else "")


def _from_root(place: Path, root: Path) -> str | None:
    """The way from the root to a place in the project; None to one outside."""
    inside = Path(os.path.normpath(place))
    return inside.relative_to(root).as_posix() if inside.is_relative_to(root) else None


def _settle_project(arguments: Mapping[str, Any], console: Console) -> tuple[Path, dict[str, Any]]:
    """The root to stand at, and the arguments still to be passed on."""
    rest = dict(arguments)
    named = rest.get("project")
    if isinstance(named, str) and looks_like_path(named):
        del rest["project"]
        return find_root(named, cwd=console.cwd, environ=console.environ), rest
    return find_standing(console, open_registry(console)), rest
