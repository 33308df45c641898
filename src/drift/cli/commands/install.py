"""`drift install`: connect a client to Drift, changing its file without harm or printing what to paste."""

import argparse
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from drift.cli.clients import (
    CLIENTS,
    Change,
    McpClient,
    Places,
    Status,
    apply_change,
    config_path,
    find_client,
    is_present,
    launch_command,
    plan_install,
    plan_removal,
    read_installed,
    server_entries,
    write_entries,
)
from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.parser import UsageError
from drift.cli.shown import shown, shown_lines
from drift.cli.tables import format_table
from drift.kernel.errors import DriftError, Recovery
from drift.project import find_root
from drift.registry import ServerName


def configure(parser: argparse.ArgumentParser) -> None:
    names = ", ".join(client.name for client in CLIENTS)
    parser.add_argument("client", nargs="?", help=names)
    parser.add_argument(
        "--list", action="store_true", help="the clients, where their files are, what is installed"
    )
    parser.add_argument(
        "--server", choices=[*map(str, ServerName), "all"], help="default: analysis; with --uninstall: all"
    )
    parser.add_argument(
        "--scope", choices=("project", "user"), help="for this project or for everything you do"
    )
    parser.add_argument("--project", metavar="PATH", help="default: the project around this directory")
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
    path = config_path(client, arguments.scope, places)
    servers = _choose_servers(arguments.server, is_removal=arguments.uninstall)
    entries = server_entries(client, servers, project=root, launch=launch_command(root))
    if arguments.print:
        return _say_entry(client, path, entries, console, as_json=arguments.json)
    if arguments.uninstall:
        change = plan_removal(client, path, entries)
    else:
        change = plan_install(client, path, entries, may_replace=arguments.force)
    backup = None if arguments.dry_run else apply_change(change, now=datetime.now(UTC))
    report = _Report(
        client, entries, change, backup, is_rehearsal=arguments.dry_run, is_removal=arguments.uninstall
    )
    return report.say(console, as_json=arguments.json)


def _choose_servers(given: str | None, *, is_removal: bool) -> tuple[ServerName, ...]:
    if given == "all" or (given is None and is_removal):
        return tuple(ServerName)
    return (ServerName(given) if given else ServerName.ANALYSIS,)


def _say_entry(
    client: McpClient, path: Path, entries: dict[str, dict[str, Any]], console: Console, *, as_json: bool
) -> Exit:
    if as_json:
        console.say_json(
            {"client": client.name, "path": str(path), "section": client.section, "entries": entries}
        )
    else:
        console.tell(f"To be put into {shown(str(path))}:")
        console.say(write_entries(client, entries))
    return Exit.OK


@dataclass(frozen=True, slots=True)
class _Report:
    """What was done to a client's file, or what would be."""

    client: McpClient
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
            "client": self.client.name,
            "path": str(change.path),
            "status": str(change.status),
            "written": change.status is Status.CHANGES and not self.is_rehearsal,
            "reason": change.reason or None,
            "backup": None if self.backup is None else str(self.backup),
            "diff": change.diff(),
            "section": self.client.section,
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
                console.say(self.client.after)

    def _say_refusal(self, console: Console) -> None:
        path, reason = shown(str(self.change.path)), shown(self.change.reason)
        if self.change.status is Status.CONFLICT:
            _say_diff(self.change, console)
            console.tell(f"{path} was left as it is: {reason}. Replace it with --force.")
            return
        console.tell(f"{path} was left as it is, since it cannot be changed without harm: {reason}.")
        if self.is_removal:
            console.tell(f"Take {', '.join(self.entries)} out of {self.client.section} yourself.")
        else:
            console.tell("Paste this into it yourself:")
            console.say(write_entries(self.client, self.entries))


def _say_diff(change: Change, console: Console) -> None:
    for line in shown_lines(change.diff()):
        console.say(line)


def _say_list(places: Places, console: Console, *, as_json: bool) -> Exit:
    rows = [_list_row(client, places) for client in CLIENTS]
    if as_json:
        console.say_json({"clients": rows})
        return Exit.OK
    cells = [
        (row["name"], "yes" if row["isPresent"] else "no", ", ".join(file["installed"]) or "-", file["path"])
        for row in rows
        for file in row["files"]
    ]
    for line in format_table(("client", "found", "installed", "file"), cells, width=console.width):
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


def _list_file(client: McpClient, scope: Any, places: Places) -> dict[str, Any]:
    about: dict[str, Any] = {"scope": scope, "path": str(places.fill(client.files[scope])), "installed": []}
    try:
        return {**about, "installed": sorted(read_installed(client, config_path(client, scope, places)))}
    except (DriftError, ValueError, RecursionError) as error:
        return {**about, "problem": str(error)}
