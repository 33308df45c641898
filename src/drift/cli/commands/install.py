"""`drift install`: connect a client to Drift, changing its file without harm or printing what to paste."""

import argparse
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from drift.cli.clients import (
    CLIENTS,
    HOOKS_SECTION,
    SCOPES,
    Change,
    McpClient,
    Places,
    Scope,
    Status,
    apply_change,
    check_scope,
    config_path,
    find_client,
    hook_entries,
    hooks_of,
    hooks_path,
    is_pasted,
    is_present,
    launch_command,
    plan_hooks,
    plan_install,
    plan_removal,
    read_installed,
    section_of,
    server_entries,
    write_entries,
)
from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.parser import UsageError
from drift.cli.shown import shown, shown_lines
from drift.cli.tables import format_table
from drift.kernel.errors import DriftError, Recovery
from drift.kernel.similar import similar_names
from drift.project import find_root
from drift.registry import SURFACES, ServerName, parse_surface, surface_for

_USUAL_SURFACE: Final = "entry"


def configure(parser: argparse.ArgumentParser) -> None:
    names = ", ".join(client.name for client in CLIENTS)
    parser.add_argument("client", nargs="?", help=names)
    parser.add_argument(
        "--list", action="store_true", help="the clients, where their files are, what is installed"
    )
    parser.add_argument(
        "--servers",
        "--server",
        metavar="NAMES",
        help=f"some of {', '.join(ServerName)}, separated by commas, or all; default: analysis; with --uninstall: all",
    )
    parser.add_argument(
        "--scope",
        choices=list(SCOPES),
        help="; ".join(f"{scope}: for {words}" for scope, words in SCOPES.items()),
    )
    parser.add_argument(
        "--project",
        metavar="PATH",
        help="default: the project around this directory, or whichever is open where the client tells",
    )
    parser.add_argument(
        "--surface", help=f"which tools are listed: {', '.join(SURFACES)}; default: what fits the client"
    )
    parser.add_argument(
        "--hooks",
        action="store_true",
        help="the hooks of the client instead of a server: memory without asking",
    )
    parser.add_argument("--dry-run", action="store_true", help="show the change and make none")
    parser.add_argument("--print", action="store_true", help="print the entry to paste and change nothing")
    parser.add_argument("--uninstall", action="store_true", help="take the entries out again")
    parser.add_argument(
        "--force", action="store_true", help="replace an entry of ours that says something else"
    )
    parser.add_argument("--json", action="store_true", help="print as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    root = find_root(arguments.project, cwd=console.cwd, environ=console.environ)
    places = Places.of(console.environ, root)
    if arguments.list:
        return _say_list(places, console, as_json=arguments.json)
    if arguments.client is None:
        hint = "See: drift install --list"
        raise UsageError(
            "Which client? One of " + ", ".join(each.name for each in CLIENTS), Recovery(hint=hint)
        )
    client = find_client(arguments.client)
    if arguments.hooks:
        return _run_hooks(arguments, client, places, console)
    target = _Target.of(client, arguments.scope, places)
    servers = _choose_servers(arguments.servers, is_removal=arguments.uninstall)
    options = _options(arguments, target, root)
    entries = server_entries(client, servers, launch=launch_command(root), options=options)
    if arguments.print or (is_pasted(target.path) and not arguments.uninstall):
        return _say_entry(target, entries, console, as_json=arguments.json)
    if arguments.uninstall:
        change = plan_removal(target.path, target.section, entries)
    else:
        change = plan_install(target.path, target.section, entries, may_replace=arguments.force)
    backup = None if arguments.dry_run else apply_change(change, now=datetime.now(UTC))
    report = _Report(
        target, entries, change, backup, is_rehearsal=arguments.dry_run, is_removal=arguments.uninstall
    )
    return report.say(console, as_json=arguments.json)


def _run_hooks(arguments: argparse.Namespace, client: McpClient, places: Places, console: Console) -> Exit:
    scope, path = hooks_path(client, arguments.scope, places)
    target = _Target(client, scope, path, HOOKS_SECTION)
    entries: dict[str, Any] = dict(hook_entries(client, launch_command(places.project)))
    if arguments.print:
        return _say_entry(target, entries, console, as_json=arguments.json)
    change = plan_hooks(path, entries, is_removal=arguments.uninstall)
    backup = None if arguments.dry_run else apply_change(change, now=datetime.now(UTC))
    report = _Report(
        target, entries, change, backup, is_rehearsal=arguments.dry_run, is_removal=arguments.uninstall
    )
    return report.say(console, as_json=arguments.json)


class _Target(NamedTuple):
    """Where entries go: the client's file of a scope, and the way to the servers in it."""

    client: McpClient
    scope: Scope
    path: Path
    section: tuple[str, ...]

    @classmethod
    def of(cls, client: McpClient, scope: Scope | None, places: Places) -> "_Target":
        wanted = check_scope(client, scope)
        return cls(client, wanted, config_path(client, wanted, places), section_of(client, wanted, places))

    @property
    def follows_project(self) -> bool:
        """Whether its entries serve whichever project is open."""
        return self.scope == "user" and self.client.follows_project


def _options(arguments: argparse.Namespace, target: _Target, root: Path) -> list[str]:
    """What stands behind the server's name: the project, unless the client's open one counts, and the surface."""
    project = [] if target.follows_project and arguments.project is None else [str(root)]
    surface = arguments.surface or surface_for(target.client.name)
    parse_surface(surface)  # a misspelt one is found now, not when the client starts
    return [*project, *(["--surface", surface] if surface != _USUAL_SURFACE else [])]


def _choose_servers(given: str | None, *, is_removal: bool) -> tuple[ServerName, ...]:
    if given == "all" or (given is None and is_removal):
        return tuple(ServerName)
    known = [str(name) for name in ServerName]
    wanted = given.split(",") if given is not None else known[:1]
    for name in wanted:
        if name not in known:
            message = f"servers: got {name[:60]!r}; allowed: {', '.join(known)}, all"
            raise UsageError(message, Recovery(similar=similar_names(name, known)))
    return tuple(name for name in ServerName if name in wanted)


def _say_entry(
    target: _Target, entries: dict[str, dict[str, Any]], console: Console, *, as_json: bool
) -> Exit:
    if as_json:
        about = {"client": target.client.name, "path": str(target.path), "section": ".".join(target.section)}
        console.say_json({**about, "entries": entries})
    else:
        console.tell(f"To be put into {shown(str(target.path))}:")
        console.say(write_entries(target.path, target.section, entries))
    return Exit.OK


@dataclass(frozen=True, slots=True)
class _Report:
    """What was done to a client's file, or what would be."""

    target: _Target
    entries: dict[str, dict[str, Any]]
    change: Change
    backup: Path | None
    is_rehearsal: bool
    is_removal: bool

    def say(self, console: Console, *, as_json: bool) -> Exit:
        has_failed = self.change.status in (Status.CONFLICT, Status.UNFIT)
        if as_json:
            console.say_json(self._document())
        elif has_failed:
            self._say_refusal(console)
        else:
            self._say_done(console)
        return Exit.FAILED if has_failed else Exit.OK

    def _document(self) -> dict[str, Any]:
        change = self.change
        return {
            "client": self.target.client.name,
            "path": str(change.path),
            "status": str(change.status),
            "written": change.status is Status.CHANGES and not self.is_rehearsal,
            "reason": change.reason or None,
            "backup": None if self.backup is None else str(self.backup),
            "diff": change.diff(),
            "section": ".".join(self.target.section),
            "entries": self.entries,
        }

    def _say_done(self, console: Console) -> None:
        path, names = shown(str(self.change.path)), ", ".join(self.change.names or self.entries)
        if self.change.status is Status.UNCHANGED:
            state = "is not in" if self.is_removal else "is already in"
            console.say(f"{names} {state} {path}; nothing to do.")
        elif self.is_rehearsal:
            _say_diff(self.change, console)
        else:
            console.say(
                f"{'Took' if self.is_removal else 'Put'} {names} {'out of' if self.is_removal else 'into'} {path}."
            )
            if self.backup is not None:
                console.say(f"What was there is kept as {shown(str(self.backup))}.")
            if not self.is_removal:
                self._say_after(console)

    def _say_after(self, console: Console) -> None:
        client = self.target.client
        if self.target.section == HOOKS_SECTION:
            console.say(hooks_of(client).after)
            console.say("They do nothing in a project without memories: `drift init` there lets them begin.")
            return
        console.say(client.after)
        if self.target.follows_project:
            console.say("It serves whichever project is open.")
        missing = [str(name) for name in ServerName if f"drift-{name}" not in self.entries]
        if missing:
            more = f"drift install {client.name} --servers {','.join(missing)}"
            console.say(f"There are servers for {' and '.join(missing)}, too: {more}")

    def _say_refusal(self, console: Console) -> None:
        path, reason = shown(str(self.change.path)), shown(self.change.reason)
        if self.change.status is Status.CONFLICT:
            _say_diff(self.change, console)
            console.tell(f"{path} was left as it is: {reason}. Replace it with --force.")
            return
        console.tell(f"{path} was left as it is, since it cannot be changed without harm: {reason}.")
        if self.is_removal:
            console.tell(f"Take {', '.join(self.entries)} out of {'.'.join(self.target.section)} yourself.")
        else:
            console.tell("Paste this into it yourself:")
            console.say(write_entries(self.change.path, self.target.section, self.entries))


def _say_diff(change: Change, console: Console) -> None:
    for line in shown_lines(change.diff()):
        console.say(line)


def _say_path(path: str, places: Places) -> str:
    """The path as people write it: from the project, or from their home."""
    for folder, short in ((str(places.project), "."), (str(places.home), "~")):
        if path.startswith(f"{folder}/"):
            return short + path.removeprefix(folder)
    return path


def _say_list(places: Places, console: Console, *, as_json: bool) -> Exit:
    rows = [_list_row(client, places) for client in CLIENTS]
    if as_json:
        console.say_json({"clients": rows})
        return Exit.OK
    cells = [
        (
            row["name"],
            "yes" if row["isPresent"] else "no",
            file["scope"],
            ", ".join(file["installed"]) or "-",
            _say_path(file["path"], places),
        )
        for row in rows
        for file in row["files"]
    ]
    headings = ("client", "found", "scope", "installed", "file")
    for line in format_table(headings, cells, width=console.width, whole={4}, paint=console.paint):
        console.say(line)
    console.say()
    console.say("Connect one with: drift install CLIENT")
    return Exit.OK


def _list_row(client: McpClient, places: Places) -> dict[str, Any]:
    files = [_list_file(client, scope, places) for scope in client.files]
    installed = sorted({name for file in files for name in file["installed"]})
    return {
        "name": client.name,
        "title": client.title,
        "isPresent": is_present(client, places),
        "installed": installed,
        "files": files,
    }


def _list_file(client: McpClient, scope: Scope, places: Places) -> dict[str, Any]:
    about: dict[str, Any] = {"scope": scope, "path": str(places.fill(client.files[scope])), "installed": []}
    try:
        path, section = config_path(client, scope, places), section_of(client, scope, places)
        return {**about, "installed": sorted(read_installed(path, section))}
    except (DriftError, ValueError, RecursionError) as error:
        return {**about, "problem": str(error)}
