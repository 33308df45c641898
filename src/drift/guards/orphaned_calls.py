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
from drift.guards.class_families import is_override
from drift.guards.missing_names import missing_names
from drift.guards.overlay import OverlaidCall, OverlaidFile, Overlay, overlaid
from drift.guards.text_checks import symbol_at
from drift.index import IndexReader
from drift.index.ids import file_of_symbol
from drift.index.path_text import path_to_text, text_to_path
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.languages.table import language_of
from drift.quality import Finding, finding
from drift.scan.link.reasons import GUESSED

RULE: Final = "contracts/removed"
_MOST_CHANGED: Final = 20
_MOST_CALLING: Final = 20
_NAME: Final = re.compile(r"[A-Za-z_]\w{2,100}")
_LAST: Final = re.compile(r"[A-Za-z_]\w{0,100}[!?]?$")
_DECLARING: Final = re.compile(
    r"^(?:@\w{1,60} )?(?:pub|public|private|protected|internal|static|final|abstract|override|virtual|export|default|async|def|func"
    r"|function|fn|class|interface|struct|enum|trait|type|record|const|let|var|module|unsafe)\b|[({]\s{0,4}$|\)[^;]{0,80}\{$"
)
"""How a line looks in which a function or type may be declared: to read files as they were costs more than this."""
_GUESSED: Final = GUESSED | {"dispatched"}

Texts = Mapping[str, bytes | None]


def find_orphaned_calls(reader: IndexReader, root: Path, change: Change) -> Iterator[Finding]:
    """The calls that a change leaves without what they call."""
    called = _called(reader) if change.files else {}
    missing = _missing_words(reader, change, called)
    before = _texts_before(root, change, missing) if missing else {}
    if not before:
        return
    with overlaid(root, reader, before) as overlay:
        lost = {
            symbol.name
            for file in overlay.files.values()
            for number, symbol in enumerate(file.facts.symbols)
            if symbol.kind in CODE_KINDS | TYPE_KINDS
            and symbol.name in missing
            and not is_override(file.facts, number)
        }
    calling = _calling(reader, [number for name in lost for number in called[name]]) if lost else []
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


def _called(reader: IndexReader) -> dict[str, list[int]]:
    """The names by which something is called now, each with the texts that end in it."""
    found: dict[str, list[int]] = {}
    for number, text in reader.data.called_texts():
        last = _LAST.search(text)
        if last is not None:
            found.setdefault(last.group(), []).append(number)
    return found


def _missing_words(reader: IndexReader, change: Change, called: Collection[str]) -> frozenset[str]:
    """The words in lines taken away that something is called by, and that nothing in the project is called any more."""
    words = {
        word
        for path, each in change.files.items()
        if language_of(path.rpartition("/")[2]) is not None
        for line in each.removed
        if _DECLARING.search(line)
        for word in _NAME.findall(line)
        if word in called
    }
    return frozenset(word for word in words if not reader.symbols.named(word, limit=1))


def _texts_before(root: Path, change: Change, missing: Collection[str]) -> dict[str, bytes | None]:
    """The changed files that said one of the words, as they were; what is there in their place is gone."""
    found: dict[str, bytes | None] = {}
    for path, each in sorted(change.files.items()):
        if language_of(path.rpartition("/")[2]) is None or len(found) >= _MOST_CHANGED:
            continue
        declaring = (line for line in each.removed if _DECLARING.search(line))
        if any(word in missing for line in declaring for word in _NAME.findall(line)):
            former = each.former or text_to_path(path)
            text = text_before(root, change, former)
            if text is not None:
                found |= {text_to_path(path): None, former: text}
    return found


def _calling(reader: IndexReader, texts: Collection[int]) -> list[str]:
    """The files in which something is called by one of some texts."""
    files = {file_of_symbol(each.caller_id) for each in reader.data.calls(texts)}
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
