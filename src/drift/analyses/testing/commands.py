"""Commands that run just the wanted tests, in the words of their frameworks."""

import re
import shlex
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from posixpath import dirname
from typing import NamedTuple

from drift.analyses.testing.suites import Case


class _Form(NamedTuple):
    """How a framework takes the names of tests."""

    command: str
    file: str = ""
    name: str = ""
    join: str = " "
    pattern: bool = False


@cache
def _forms() -> dict[str, _Form]:
    text = files("drift.analyses.testing").joinpath("commands.toml").read_text("utf-8")
    return {name: _Form(**table) for name, table in tomllib.loads(text).items()}


def command_for(framework: str, cases: Iterable[Case]) -> str:
    """The command that runs these cases, which are all of this framework."""
    form = _forms()[framework]
    wanted = list(cases)
    places = list(dict.fromkeys(_filled(form.file, one) for one in wanted)) if form.file else []
    names = list(dict.fromkeys(_filled(form.name, one, escaped=form.pattern) for one in wanted))
    shown = (
        form.join.join(map(shlex.quote, names)) if form.join == " " else shlex.quote(form.join.join(names))
    )
    # By parts, so that a name with braces in it is not taken for a place to fill.
    parts = {"{files}": " ".join(map(shlex.quote, places)), "{names}": shown}
    return " ".join(parts.get(word) or _within(word, parts) for word in form.command.split(" "))


def _within(word: str, parts: dict[str, str]) -> str:
    head, place, _ = word.partition("{names}")
    return f"{head}{parts['{names}']}" if place else word


def _filled(form: str, case: Case, *, escaped: bool = False) -> str:
    """A form with the parts of a case in it; in a pattern they are taken literally."""
    folder = dirname(case.path)
    dotted = case.title.replace("::", ".")
    values = {
        "path": case.path,
        "package": f"./{folder}" if folder else ".",
        "module": case.path.rpartition(".")[0].replace("/", "."),
        "node": dotted.replace(".", "::"),
        "dotted": dotted,
        "colons": dotted.replace(".", "::"),
        "class": case.owner.rpartition(".")[2] or case.path.rpartition("/")[2].partition(".")[0],
        "name": case.name,
        "root": case.name,
        "title": case.title,
        "spaced": case.title.replace(" > ", " "),
    }
    return re.sub(
        r"\{(\w+)\}",
        lambda found: re.escape(values[found[1]]).replace(r"\ ", " ") if escaped else values[found[1]],
        form,
    )
