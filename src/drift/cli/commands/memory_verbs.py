"""Runs the verbs of `drift memory` that are tools."""

from collections.abc import Sequence

from drift.cli.console import Console, Ink
from drift.cli.exits import Exit
from drift.cli.memory_table import VERBS
from drift.cli.parser import UsageError
from drift.cli.tool_command import run_tool_command
from drift.cli.verb_command import run_verb_command
from drift.kernel.errors import Recovery
from drift.kernel.similar import similar_names
from drift.tools import all_tools


def run_verb(name: str, words: Sequence[str], console: Console) -> Exit:
    """Run a verb of the table, or any memory tool by its short name."""
    verb = VERBS.get(name)
    tool = all_tools().find(verb.tool) if verb else None
    if verb is None or tool is None:
        short = f"memory-{name}"
        if all_tools().find(f"drift_memory_{name.replace('-', '_')}") is None:
            raise _unknown(name)
        return run_tool_command(short, words, console, program=f"drift memory {name}")
    return run_verb_command(f"drift memory {name}", verb, tool, words, console=console)


def say_verbs(console: Console) -> None:
    """Write what `drift memory` can do."""
    rows = verb_rows()
    width = max(len(name) for name in rows)
    console.say("usage: drift memory VERB [ARGUMENTS] [--json]")
    console.say()
    console.say(console.paint("Verbs", Ink.BOLD))
    for name, purpose in rows.items():
        console.say(f"  {name:<{width}}  {purpose}")
    console.say()
    console.say("`drift memory VERB --help` explains one.")


def verb_rows() -> dict[str, str]:
    """Every verb there is with its purpose: the table's, then the other memory tools."""
    named = {name: verb.purpose for name, verb in VERBS.items() if verb.tool in all_tools()}
    known = {verb.tool for verb in VERBS.values()}
    others = {
        tool.name.removeprefix("drift_memory_").replace("_", "-"): _lower_first(tool.title)
        for tool in all_tools()
        if tool.name.startswith("drift_memory_") and tool.name not in known and not tool.is_relay
    }
    own = {
        "accept": "look at memories that came with the project, and take them in or dismiss them",
        "restore": "bring a deleted memory back by its id, or all of them from a backup",
        "salvage": "get what can be read out of a damaged store",
        "sync": "keep memories as Markdown files, to be edited by hand and shared through git",
        "hook": "capture from an agent's hooks",
    }
    return {**named, **{name: about for name, about in sorted(others.items()) if name not in named}, **own}


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


def _unknown(name: str) -> UsageError:
    return UsageError(
        f"drift memory has no verb {name[:80]!r}",
        Recovery(hint="See: drift memory --help", similar=similar_names(name, verb_rows())),
    )
