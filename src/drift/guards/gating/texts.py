"""Code checks: new lines call what there is, in the way it is called, and hide no error.

What it does: runs the checks that code gets before it is written (`text_checks`) over the changed files as they are now, and
tells what they find in new lines.
Why it matters: what an agent was not asked about before it wrote is found before it is merged.
Known limits: those of the checks; of a change of very many files only the first are read, which the answer says.
"""

from collections.abc import Iterator
from typing import Final

from drift.guards.gating.form import Found, Settings, Subject, new_ones, words
from drift.guards.overlay import overlaid
from drift.guards.text_checks import (
    Check,
    check_arguments,
    check_awaits,
    check_handlers,
    check_names,
    check_text,
)
from drift.guards.text_checks import Subject as Text
from drift.index.path_text import text_to_path
from drift.kernel.reading import read_file
from drift.kernel.text import plural
from drift.languages.table import language_of
from drift.quality import Finding
from drift.quality.gate import NotMeasurableError

TEXTS: Final = "code-checks"
SETTINGS: Final[Settings] = {"severities": ("error", "warning")}
CHECKS: Final[tuple[Check, ...]] = (
    check_names,
    check_arguments,
    check_awaits,
    check_handlers,
)
_MOST_FILES: Final = 40
_MOST_BYTES: Final = 1_000_000


def check_texts(subject: Subject, settings: Settings) -> Found:
    """The gate. Needs a change; only errors fail it, the rest is told."""
    if subject.change is None:
        raise NotMeasurableError("all code was asked for, and only what is new is read again")
    paths = sorted(path for path, change in subject.change.files.items() if change.added and _is_code(path))
    grave = words(settings, "severities")
    told = subject.told(each for each in _findings(subject, paths[:_MOST_FILES]) if each.severity in grave)
    failing = [each for each in new_ones(told) if each.severity == "error"]
    left = len(paths) - _MOST_FILES
    unread = f"; {plural(left, 'more file')} not looked at" if left > 0 else ""
    message = (
        f"{plural(len(new_ones(told)), 'place')} in new lines of {plural(len(paths), 'file')} of code{unread}"
    )
    return Found(not failing, message, told, {"files": min(len(paths), _MOST_FILES)})


def _is_code(path: str) -> bool:
    return language_of(path.rpartition("/")[2]) is not None


def _findings(subject: Subject, paths: list[str]) -> Iterator[Finding]:
    root, change = subject.project.root, subject.change
    texts = {text_to_path(path): _content(subject, path) for path in paths}
    known = {path: text for path, text in texts.items() if text is not None}
    if change is None or not known:
        return
    with overlaid(root, subject.reader, known) as overlay:
        for file in overlay.files.values():
            subject.check_cancelled()
            for each in check_text(Text(root, overlay, file), CHECKS):
                if subject.is_wanted(each.file, each.line) and _line(subject, each) not in change.moved:
                    yield each


def _content(subject: Subject, path: str) -> bytes | None:
    """A file as it is; None where it is gone, which nothing new stands in."""
    try:
        return read_file(subject.project.root, text_to_path(path), _MOST_BYTES)
    except OSError:
        return None


def _line(subject: Subject, found: Finding) -> str:
    lines = subject.lines_of(found.file)
    return " ".join(lines[found.line - 1].split()) if 0 < found.line <= len(lines) else ""
