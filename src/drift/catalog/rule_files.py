"""The head of a Cursor rule: which files its rule is for."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from drift.catalog.path_tags import PATH_TAG

_LONGEST_TAG: Final = 100
_MOST_GLOBS: Final = 40
_LONGEST_LINE: Final = 1_000  # finding commas outside braces takes the square of it
_FRONT_MATTER: Final = re.compile(r"\A---\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD: Final = re.compile(r"([A-Za-z]\w*)[ \t]*+:[ \t]*+(.*)")
_ITEM: Final = re.compile(r"[ \t]*+-[ \t]++(.*)")
_BRACES: Final = re.compile(r"\{([^{}]*)\}")
_BETWEEN: Final = re.compile(r",(?![^{]*\})")  # a comma that is not inside braces
_QUOTES: Final = "\"' \t"


def split_rule(text: str) -> tuple[tuple[str, ...], str]:
    """The globs of a rule's head, and the text below it. A rule that always holds is bound to no files."""
    found = _FRONT_MATTER.match(text)
    if found is None:
        return (), text
    fields = _read_fields(found[1])
    if "".join(fields.get("alwaysApply", ())).strip(_QUOTES).lower() == "true":
        return (), text[found.end() :]
    globs = (glob for line in fields.get("globs", ())[:_MOST_GLOBS] for glob in _read_globs(line))
    return tuple(dict.fromkeys(globs))[:_MOST_GLOBS], text[found.end() :]


def tag_globs(globs: Iterable[str]) -> list[str]:
    """Tags that bind an instruction to files; what is too long for a tag cannot be one."""
    tags = (f"{PATH_TAG}{glob}" for glob in globs)
    return [tag for tag in tags if len(tag) <= _LONGEST_TAG]


def _read_fields(head: str) -> dict[str, list[str]]:
    """The lines of each field. No YAML: the globs that clients write need quotes there and have none."""
    fields: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in head.split("\n"):
        if field := _FIELD.fullmatch(line):
            lines = fields.setdefault(field[1], [])
            lines.append(field[2])
        elif item := _ITEM.fullmatch(line):
            lines.append(item[1])
    return fields


def _read_globs(line: str) -> Iterator[str]:
    listed = line[:_LONGEST_LINE].strip()
    if listed.startswith("[") and listed.endswith("]"):
        listed = listed[1:-1]
    for part in _BETWEEN.split(listed):
        glob = part.strip(_QUOTES)
        if glob:
            yield from _spell_out(glob)


def _spell_out(glob: str) -> Iterator[str]:
    """A glob for each choice in braces, which tags do not know."""
    spelled = [glob]
    while len(spelled) <= _MOST_GLOBS and (choice := _BRACES.search(spelled[0])):
        head, tail = spelled[0][: choice.start()], spelled[0][choice.end() :]
        # The first is spelled out and goes last: when it has no braces left, none has.
        spelled = [*spelled[1:], *(f"{head}{each.strip()}{tail}" for each in choice[1].split(","))]
    yield from (each for each in spelled[:_MOST_GLOBS] if each.strip(_QUOTES))
