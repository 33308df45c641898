"""Projects of a few lines, and the edges between their functions."""

from pathlib import Path

from kept_cases import link_kept

from drift.languages.facts import FileFacts
from drift.languages.python import extract
from drift.scan.link import FileLinks, Place
from drift.scan.link.reasons import GUESSED

Edge = tuple[str, str]


def python_facts(texts: dict[str, str]) -> dict[str, FileFacts]:
    return {path: extract(text.encode(), path) for path, text in texts.items() if path.endswith(".py")}


def read_project(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.py"))
    }


def link_texts(texts: dict[str, str]) -> dict[str, FileLinks]:
    return link_kept(python_facts(texts), texts)


def name_place(facts: dict[str, FileFacts], place: Place) -> str:
    """The dotted name of a symbol: its file's, then those it stands in."""
    module = place.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    symbols = facts[place.path].symbols
    names: list[str] = []
    number = place.symbol
    while number:
        names.append(symbols[number].name)
        number = symbols[number].parent
    return ".".join([module, *reversed(names)])


def edges_of(facts: dict[str, FileFacts], links: dict[str, FileLinks]) -> set[Edge]:
    """Who calls whom, without what is only guessed by name or may run in another's place."""
    found = set()
    for path, linked in links.items():
        for call, said in zip(facts[path].calls, linked.calls, strict=True):
            for target in said.targets if said.reason not in GUESSED else ():
                found.add((name_place(facts, Place(path, call.scope)), name_place(facts, target.place)))
    return found
