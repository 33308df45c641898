"""Where a text itself says that something is as it is meant: an error expected on purpose, a type that was asked about before."""

import re
from collections.abc import Sequence
from typing import Final

from drift.guards.overlay import OverlaidFile
from drift.languages.facts import Call

_MEANT: Final = ("@ts-expect-error", "@ts-ignore", "type: ignore[call-arg", "type: ignore[attr-defined")
_ASKED: Final = re.compile(
    r"\binstanceof\b|\bisinstance\s{0,3}\(|\bis_a\s{0,3}\(|\bhasattr\s{0,3}\(|\bmethod_exists\s{0,3}\(|\bproperty_exists\s{0,3}\("
    r"|\bis_callable\s{0,3}\(|\btypeof\b|\bcallable\s{0,3}\("
)
_COMPONENTS: Final = (".vue", ".svelte")
_TYPED: Final = re.compile(r"<script[^>]{0,200}\blang=[\"']tsx?[\"']")
_JOINTS: Final = ("?.", "?->", "->", "::", ".")


def written_language(file: OverlaidFile) -> str:
    """The language of a text; of a component whose script does not say that it has types, JavaScript."""
    is_untyped = file.path.endswith(_COMPONENTS) and not _TYPED.search(file.text)
    return "javascript" if is_untyped else file.facts.language


def is_meant(file: OverlaidFile, line: int) -> bool:
    """Whether a comment at a line or above it says that the line breaks the rules of types on purpose."""
    around = file.lines[max(0, line - 2) : line]
    return any(mark in each for each in around for mark in _MEANT)


def is_cast(file: OverlaidFile, line: int, name: str) -> bool:
    """Whether a member is asked of something that is taken for another type where it is asked: `(cart as any).total`."""
    here = file.lines[line - 1] if 0 < line <= len(file.lines) else ""
    return re.search(rf"\bas\s[^()]{{1,200}}\)\s{{0,5}}[?!]?\.\s{{0,5}}{re.escape(name)}\b", here) is not None


def is_narrowed(file: OverlaidFile, call: Call) -> bool:
    """Whether the function asks, before it calls, what the object is that it calls something on."""
    ends = max((call.text.rfind(joint), joint) for joint in _JOINTS)
    receiver = call.text[: ends[0]].strip() if ends[0] > 0 else ""
    if not receiver:
        return False
    first = file.facts.symbols[call.scope].line if call.scope else 1
    held = (f"' in {receiver}", f'" in {receiver}')  # `"name" in object`, and no sentence with such words
    return any(
        (receiver in line and _ASKED.search(line) is not None) or any(each in line for each in held)
        for line in file.lines[first - 1 : call.line]
    )


def says_text(file: OverlaidFile, name: str) -> bool:
    """Whether a text has a name in quotes: it may be asked for or given by it."""
    return f'"{name}"' in file.text or f"'{name}'" in file.text


def imports_types_alone(file: OverlaidFile) -> bool:
    """Whether what a text imports whole gives no functions: packages of Java have types, only a type has members."""
    whole = (each.module for each in file.facts.imports if each.name == "*")
    return file.facts.language == "java" and not any(
        module.rpartition(".")[2][:1].isupper() for module in whole
    )


def is_tried(lines: Sequence[str], line: int) -> bool:
    """Whether a line stands in a `try`, which is there for the case that it fails."""
    here = lines[line - 1] if 0 < line <= len(lines) else ""
    indent = len(here) - len(here.lstrip())
    above = (
        each.strip()
        for each in reversed(lines[: line - 1])
        if each.strip() and len(each) - len(each.lstrip()) < indent
    )
    return indent > 0 and next(above, "").startswith("try")
