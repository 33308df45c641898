"""Calls on lines that a change leaves as they are, of what it deletes or renames.

What it does: reads the changed files as they were, takes the functions and types whose names the project declares nowhere
any more, links those who call them twice, with the files as they were and as they are, and tells of the calls that led
there and lead nowhere now.
Why it matters: whoever renames a function looks at the file it stands in.
Known limits: a name that something else in the project has, too, is not told of; at most so many files are read. It is an
error where all that the name could be is in sight (`missing_names`), else a warning. What is imported by its name is for
`broken_imports` and `gone_files`.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Final

from drift.guards.broken_imports import IMPORTED_BY_NAME
from drift.guards.changed_lines import Change, text_before, text_now
from drift.guards.missing_names import missing_names
from drift.guards.overlay import OverlaidCall, OverlaidFile, Overlay, overlaid
from drift.guards.text_checks import symbol_at
from drift.index import IndexReader
from drift.index.ids import file_of_symbol
from drift.index.path_text import path_to_text, text_to_path
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.languages.table import language_of
from drift.quality import Finding, finding

RULE: Final = "contracts/removed"
_MOST_CHANGED: Final = 20
_MOST_CALLING: Final = 20
_NAME: Final = re.compile(r"[A-Za-z_]\w{2,100}")
_LAST: Final = re.compile(r"[A-Za-z_]\w{0,100}[!?]?$")
_GUESSED: Final = frozenset({"unique-name", "dispatched"})

Texts = Mapping[str, bytes | None]


def find_orphaned_calls(reader: IndexReader, root: Path, change: Change) -> Iterator[Finding]:
    """The calls that a change leaves without what they call."""
    missing = _missing_words(reader, change)
    before = _texts_before(root, change, missing) if missing else {}
    if not before:
        return
    with overlaid(root, reader, before) as overlay:
        lost = {
            symbol.name
            for file in overlay.files.values()
            for symbol in file.facts.symbols
            if symbol.kind in CODE_KINDS | TYPE_KINDS and symbol.name in missing
        }
    calling = _calling(reader, lost) if lost else []
    texts = {path: text for path in calling if (text := text_now(root, path)) is not None}
    if not texts:
        return
    with overlaid(root, reader, {**texts, **before}) as overlay:
        led = {
            (path, one.number): name
            for path in texts
            if path not in before
            for one in overlay.files[path].calls()
            if (name := _lost_callee(overlay, one, lost)) is not None
        }
    with overlaid(root, reader, texts) as overlay:
        for file in overlay.files.values():
            yield from _orphaned(overlay, file, change, led=led, lost=lost)


def _missing_words(reader: IndexReader, change: Change) -> frozenset[str]:
    """The words in lines taken away that nothing in the project is called any more."""
    words = {
        word
        for path, each in change.files.items()
        if language_of(path.rpartition("/")[2]) is not None
        for line in each.removed
        for word in _NAME.findall(line)
    }
    return frozenset(word for word in words if not reader.symbols.named(word, limit=1))


def _texts_before(root: Path, change: Change, missing: Collection[str]) -> dict[str, bytes | None]:
    """The changed files that said one of the words, as they were; what is there in their place is gone."""
    found: dict[str, bytes | None] = {}
    for path, each in sorted(change.files.items()):
        if language_of(path.rpartition("/")[2]) is None or len(found) >= _MOST_CHANGED:
            continue
        if any(word in missing for line in each.removed for word in _NAME.findall(line)) or each.former:
            former = each.former or text_to_path(path)
            text = text_before(root, change, former)
            if text is not None:
                found |= {text_to_path(path): None, former: text}
    return found


def _calling(reader: IndexReader, lost: Collection[str]) -> list[str]:
    """The files in which something of a lost name is called."""
    texts = [
        number
        for number, text in reader.data.called_texts()
        if (last := _LAST.search(text)) is not None and last.group() in lost
    ]
    files = {file_of_symbol(each.caller_id) for each in reader.data.calls(texts)} if texts else set()
    records = (reader.files.get(each) for each in sorted(files))
    return [text_to_path(each.path) for each in records if each is not None][:_MOST_CALLING]


def _lost_callee(overlay: Overlay, one: OverlaidCall, lost: Collection[str]) -> str | None:
    """The lost name that a call led to, where the linker was sure of it."""
    if one.link.outcome != "resolved" or one.link.reason in _GUESSED or len(one.link.targets) != 1:
        return None
    name = overlay.symbol(one.link.targets[0].place).name
    return name if name in lost and one.call.text.endswith(name) else None


def _orphaned(
    overlay: Overlay,
    file: OverlaidFile,
    change: Change,
    *,
    led: Mapping[tuple[str, int], str],
    lost: Collection[str],
) -> Iterator[Finding]:
    path = path_to_text(file.path)
    certain = {
        (each.line, each.name)
        for each in missing_names(overlay, file)
        if each.grade == "certain" and each.name in lost
    }
    imported = (
        {each.alias or each.name for each in file.facts.imports}
        if file.facts.language in IMPORTED_BY_NAME
        else set()
    )
    for one in file.calls():
        name = led.get((file.path, one.number)) or next(
            (name for line, name in certain if line == one.call.line and one.call.text.endswith(name)), None
        )
        if name is None or one.link.targets or name in imported or change.has_line(path, one.call.line):
            continue
        yield finding(
            RULE,
            f"{one.call.text} calls {name}, which the change takes away",
            file=path,
            lines=(one.call.line, one.call.line),
            symbol=symbol_at(file, one.call.line),
            snippet=one.call.text,
            severity="error" if (one.call.line, name) in certain else "warning",
        )
