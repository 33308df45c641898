"""`drift template`: files for new projects. list and search find them, show writes one to the screen, new makes a project."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from drift.cli.calling import call_and_say, call_tool, say_outcome
from drift.cli.coercion import coerce, coerce_all
from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.parser import UsageError
from drift.cli.project_choice import find_standing, open_registry
from drift.cli.terminal_client import TerminalClient
from drift.kernel.errors import Recovery, invalid
from drift.registry import ServerName
from drift.templates import Parameter, choose_templates, load_library

_VERBS: Final = ("list", "search", "show", "new")
_SCHEME: Final = "template://"
_USUAL_VARIANT: Final = "cli"
_PARTS: Final = 3


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "verb", choices=_VERBS, help="list [TOOLCHAIN], search WORDS, show ADDRESS, new TOOLCHAIN NAME"
    )
    parser.add_argument("words", nargs="*", help="what the verb takes; parameters are written name=value")
    parser.add_argument(
        "--only", metavar="CATEGORIES", help="new: these alone, separated by commas: makefile,readme"
    )
    parser.add_argument("--into", metavar="FOLDER", help="new: the folder to write to; default: NAME")
    parser.add_argument("--dry-run", action="store_true", help="new: show the files and write none")
    parser.add_argument("--json", action="store_true", help="print the whole answer as JSON")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    plain = [word for word in arguments.words if "=" not in word]
    given = dict(word.split("=", 1) for word in arguments.words if "=" in word)
    if arguments.verb == "list":
        return _call("list_templates", {"toolchain": plain[0] if plain else None}, console, arguments)
    if arguments.verb == "search":
        return _call(
            "search_templates", {"query": " ".join(_needed(plain, 1, "search WORDS"))}, console, arguments
        )
    if arguments.verb == "show":
        return _show(_needed(plain, 1, "show ADDRESS"), given, console, arguments)
    return _new(_needed(plain, 2, "new TOOLCHAIN NAME"), given, console, arguments)


def _show(
    plain: Sequence[str], given: Mapping[str, str], console: Console, arguments: argparse.Namespace
) -> Exit:
    root = find_standing(console, open_registry(console))
    uri = _address(plain[0])
    template = load_library(root).find(uri)
    wanted = {"resource_uri": uri, "parameters": _values(template.parameters, given), "maxTokens": 100_000}
    client = TerminalClient(console)
    outcome = call_tool(
        "generate_template", wanted, console, server=ServerName.ANALYSIS, root=root, client=client
    )
    client.finish()
    if outcome.is_error or arguments.json:
        return say_outcome(outcome, console, as_json=arguments.json)
    # The file and nothing else, so that it can be sent where it belongs.
    console.say(outcome.body["data"]["content"].removesuffix("\n"))
    return Exit.OK


def _new(
    plain: Sequence[str], given: Mapping[str, str], console: Console, arguments: argparse.Namespace
) -> Exit:
    toolchain, name = plain[:2]
    root = find_standing(console, open_registry(console))
    only = arguments.only.split(",") if arguments.only else []
    chosen = choose_templates(load_library(root), toolchain, only, given=given)
    values = _values([each for template in chosen for each in template.parameters], given)
    wanted = {
        "toolchain": toolchain,
        "templates": only,
        "parameters": {"project_name": name, **values},
        "write": not arguments.dry_run,
        "directory": _from_root(root, console.cwd / (arguments.into or name)),
    }
    return _call("scaffold_project", wanted, console, arguments)


def _call(name: str, wanted: Mapping[str, Any], console: Console, arguments: argparse.Namespace) -> Exit:
    return call_and_say(name, wanted, console, server=ServerName.ANALYSIS, as_json=arguments.json)


def _needed(words: Sequence[str], count: int, form: str) -> Sequence[str]:
    if len(words) < count:
        raise UsageError(
            f"drift template {form}: a word is missing", Recovery(hint="See: drift template --help")
        )
    return words


def _address(text: str) -> str:
    """`makefile/rust` as template://makefile/rust/cli."""
    parts = text.removeprefix(_SCHEME).split("/")
    return _SCHEME + "/".join([*parts, _USUAL_VARIANT] if len(parts) == _PARTS - 1 else parts)


def _values(parameters: Sequence[Parameter], given: Mapping[str, str]) -> dict[str, Any]:
    """Words as values of the types that parameters have; unknown ones stay words, and are refused with the others."""
    schemas = {each.name: each.schema for each in parameters}
    return {
        name: coerce_all(schemas[name], [text], name)
        if schemas.get(name, {}).get("type") == "array"
        else coerce(schemas.get(name, {"type": "string"}), text, name)
        for name, text in given.items()
    }


def _from_root(root: Path, place: Path) -> str:
    try:
        return place.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        raise invalid(
            "--into", f"{place} is outside the project at {root}", hint="Go to the folder first."
        ) from None
