"""Commands that run just the wanted tests, in the words of their frameworks and of what builds the project."""

import re
import shlex
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from posixpath import dirname
from typing import Final, NamedTuple

from drift.analyses.testing.suites import Case

HasFile = Callable[[str], bool]
"""Whether the project has a file at a path."""

_MOST_NAMES: Final = 30
"""Of tests in a command; beyond that their files are run as they are."""

_BY_TASKS: Final = "gradle"
_SOURCE_SET: Final = re.compile(r"src/([\w-]{1,60}[tT]est)/")
_WORD: Final = re.compile(r"\{(\w+)\}")


class _Instead(NamedTuple):
    """Another way to run tests, for those that have this file in a folder above them."""

    file: str
    form: str
    last: bool = False  # where no other row fits


class _Form(NamedTuple):
    """How a framework takes the names of tests."""

    command: str
    file: str = ""
    name: str = ""
    join: str = " "
    pattern: bool = False
    within: str = ""
    whole: str = ""
    whole_name: str = ""
    instead: tuple[_Instead, ...] = ()


@cache
def _forms() -> dict[str, _Form]:
    text = files("drift.analyses.testing").joinpath("commands.toml").read_text("utf-8")
    found: dict[str, _Form] = {}
    for name, table in tomllib.loads(text).items():
        others = tuple(_Instead(**each) for each in table.pop("instead", ()))
        found[name] = _Form(**table, instead=others)
    return found


def commands_for(framework: str, cases: Iterable[Case], has_file: HasFile) -> tuple[str, ...]:
    """The commands that run these cases, which are all of this framework; one for each part that is built apart."""
    groups: dict[tuple[str, str, str], list[Case]] = {}
    for case in cases:
        form, home = _way(framework, case, has_file)
        groups.setdefault((form, home, _task(case, home) if form == _BY_TASKS else ""), []).append(case)
    programs = {
        "{gradle}": "./gradlew" if has_file("gradlew") else "gradle",
        "{maven}": "./mvnw" if has_file("mvnw") else "mvn",
    }
    return tuple(
        _command(_forms()[form], home, group, {**programs, "{task}": shlex.quote(task)})
        for (form, home, task), group in groups.items()
    )


def _task(case: Case, home: str) -> str:
    """Gradle's task for a test: that of its module and set of sources, integrationTest for src/integration-test."""
    inner = case.path.removeprefix(f"{home}/") if home else case.path
    found = _SOURCE_SET.match(inner)
    words = re.split(r"[-_]", found[1]) if found is not None else ["test"]
    task = words[0] + "".join(word[:1].upper() + word[1:] for word in words[1:])
    return f":{home.replace('/', ':')}:{task}" if home else task


def _way(framework: str, case: Case, has_file: HasFile) -> tuple[str, str]:
    """The form for a case, and the folder that the nearest file which decides it stands in."""
    others = _forms()[framework].instead
    for rows in ([one for one in others if not one.last], [one for one in others if one.last]):
        for folder in _folders_above(case.path) if rows else ():
            for other in rows:
                if has_file(f"{folder}/{other.file}".lstrip("/")):
                    return other.form, folder
    return framework, ""


def _folders_above(path: str) -> Iterator[str]:
    folder = dirname(path)
    while folder:
        yield folder
        folder = dirname(folder)
    yield ""


def _command(form: _Form, home: str, cases: list[Case], programs: Mapping[str, str]) -> str:
    places = list(dict.fromkeys(_filled(form.file, one, home) for one in cases)) if form.file else []
    is_whole = bool(form.whole) and len(cases) > _MOST_NAMES
    command, name = (form.whole, form.whole_name) if is_whole else (form.command, form.name)
    names = list(dict.fromkeys(_filled(name, one, home, escaped=form.pattern) for one in cases))
    shown = (
        form.join.join(map(shlex.quote, names)) if form.join == " " else shlex.quote(form.join.join(names))
    )
    # By parts, so that a name with braces in it is not taken for a place to fill.
    parts = {
        "{files}": " ".join(map(shlex.quote, places)),
        "{names}": shown,
        "{within}": form.within.replace("{home}", shlex.quote(home)) if home else "",
        **programs,
        "{home}": shlex.quote(home or "."),
    }
    words = (_placed(word, parts) for word in command.split(" "))
    return " ".join(word for word in words if word)


def _placed(word: str, parts: dict[str, str]) -> str:
    return "".join(parts.get(piece, piece) for piece in re.split(r"(\{\w+\})", word))


def _filled(form: str, case: Case, home: str, *, escaped: bool = False) -> str:
    """A form with the parts of a case in it; in a pattern they are taken literally."""
    folder = dirname(case.path)
    dotted = case.title.replace("::", ".")
    inner = case.path.removeprefix(f"{home}/") if home else case.path
    values = {
        "path": case.path,
        "below": inner,
        "line": str(case.line),
        "package": f"./{folder}" if folder else ".",
        "module": case.path.rpartition(".")[0].replace("/", "."),
        "inner": inner.rpartition(".")[0].replace("/", "."),
        "node": dotted.replace(".", "::"),
        "dotted": dotted,
        "colons": dotted.replace(".", "::"),
        # A class in another, as the virtual machine calls it.
        "nested": case.owner.replace(".", "$") or case.path.rpartition("/")[2].partition(".")[0],
        "class": case.owner.rpartition(".")[2] or case.path.rpartition("/")[2].partition(".")[0],
        "name": case.name,
        "last_two": ".".join(f"{case.owner}.{case.name}".split(".")[-2:]).lstrip("."),
        "root": case.name,
        "title": case.title,
        "spaced": case.title.replace(" > ", " "),
    }
    return _WORD.sub(lambda found: _on_one_line(values[found[1]], escaped=escaped), form)


def _on_one_line(text: str, *, escaped: bool) -> str:
    """The text without line breaks, which end a command in a shell; a pattern takes any space in their place."""
    lines = [line.strip() if number else line.rstrip() for number, line in enumerate(text.splitlines())]
    if escaped:
        return r"\s+".join(re.escape(line).replace(r"\ ", " ") for line in lines)
    return " ".join(lines)
