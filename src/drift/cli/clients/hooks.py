"""Hooks of clients: which of a client's events runs which `drift memory hook`, put into its file beside those of others."""

import os
import shlex
import subprocess
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from drift.cli.clients import json_text
from drift.cli.clients.change import Change, plan_edit
from drift.cli.clients.places import Places
from drift.cli.clients.table import McpClient, Scope
from drift.cli.parser import UsageError
from drift.project import StateDir

SECTION: Final = ("hooks",)
_OURS: Final = " memory hook "

Groups = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class ClientHooks:
    """The hooks of one client."""

    files: Mapping[Scope, str]
    events: Mapping[str, Mapping[str, str]]
    timeout: int
    after: str


@cache
def hook_table() -> Mapping[str, ClientHooks]:
    """The clients with hooks, by name."""
    rows = tomllib.loads(files("drift.cli.clients").joinpath("hooks.toml").read_text("utf-8"))
    return {name: ClientHooks(**row) for name, row in rows.items()}


def hooks_of(client: McpClient) -> ClientHooks:
    """The hooks of a client. Wrong usage for one that has none Drift could use."""
    found = hook_table().get(client.name)
    if found is None:
        raise UsageError(
            f"{client.title} takes no context from hooks; clients that do: {', '.join(hook_table())}"
        )
    return found


def hooks_path(client: McpClient, scope: Scope | None, places: Places) -> tuple[Scope, Path]:
    """The scope, the client's usual one for None, and its file. A project's file must lie in the project."""
    known = hooks_of(client).files
    wanted = next(iter(known)) if scope is None else scope
    if wanted not in known:
        raise UsageError(
            f"scope: {client.title} has no {wanted} scope for hooks; allowed: {', '.join(known)}"
        )
    path = places.fill(known[wanted])
    # A repository may bring a link along that leads to a file of the user's.
    return wanted, path if wanted == "user" else StateDir(places.project).check(path)


def hook_entries(client: McpClient, launch: Sequence[str]) -> dict[str, Groups]:
    """What stands under each event of the client's file for Drift alone."""
    hooks = hooks_of(client)
    return {event: [_group(hooks, row, launch)] for event, row in hooks.events.items()}


def plan_hooks(path: Path, entries: Mapping[str, Groups], *, is_removal: bool) -> Change:
    """What putting our hooks into a client's file, or taking them out, comes to; those of others stay."""

    def edit(text: str) -> str | None:
        there = json_text.read_entries(text, SECTION)
        wanted = {
            event: [*_of_others(there.get(event)), *([] if is_removal else ours)]
            for event, ours in entries.items()
        }
        changed = {event: groups for event, groups in wanted.items() if groups != there.get(event, [])}
        kept = {event: groups for event, groups in changed.items() if groups}
        left = json_text.put_entries(text, SECTION, kept) if kept else text  # type: ignore[arg-type] # a list is written like an object
        gone = [event for event in changed if event not in kept]
        return json_text.drop_entries(left, SECTION, gone) if gone else left

    return plan_edit(path, tuple(entries), edit)


def _group(hooks: ClientHooks, row: Mapping[str, str], launch: Sequence[str]) -> dict[str, Any]:
    words = [*launch, "memory", "hook", row["hook"]]
    command = subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
    matcher = {"matcher": row["matcher"]} if "matcher" in row else {}
    return {**matcher, "hooks": [{"type": "command", "command": command, "timeout": hooks.timeout}]}


def _of_others(groups: Any) -> Groups:
    """The groups of an event that are not ours. Raises ValueError for what is no list of groups."""
    if groups is None:
        return []
    if not isinstance(groups, list):
        raise ValueError("hooks are not lists")  # noqa: TRY004 - the reason a file is left alone
    return [group for group in groups if not _is_ours(group)]


def _is_ours(group: Any) -> bool:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    commands = (
        [str(one.get("command", "")) for one in hooks if isinstance(one, dict)]
        if isinstance(hooks, list)
        else []
    )
    return bool(commands) and all(_OURS in command for command in commands)
