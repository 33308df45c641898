"""A title for a memory that came without one."""

import re
from collections.abc import Mapping
from typing import Any, Final

from drift.kernel.text import shorten
from drift.memory.content import texts_in

MOST_TITLE: Final = 300
_LONG_ENOUGH: Final = 100  # a first sentence up to here is a title as it stands
_CUT: Final = 80
_LOOKED_AT: Final = 2_000
# The end of a sentence; the point of "e.g.", "Dr." and the like is none.
_END: Final = re.compile(
    # What stands before is looked at after: a pattern that begins with the marks is found far faster.
    r"[.!?] (?<!\be\.g.\s)(?<!\bi\.e.\s)(?<!\bvs.\s)(?<!\bDr.\s)(?<!\bMr.\s)(?<!\bMrs.\s)(?<!\bNo.\s)(?<!\bcf.\s)"
)
_FENCES: Final = ("```", "~~~")
# Marks of Markdown, code comments and lists say nothing.
_MARKS: Final = "#*->/ \t`\"'"


def make_title(text: str, content: Mapping[str, Any]) -> str:
    """The first sentence that says something, of the text or else of the content; empty if there is none."""
    for candidate in (text, *texts_in(dict(content))):
        for line in candidate[:_LOOKED_AT].splitlines():
            words = " ".join(line.strip(_MARKS).split())
            if line.lstrip().startswith(_FENCES):
                continue
            if any(character.isalnum() for character in words):
                return _cut(words)
    return ""


def _cut(line: str) -> str:
    end = _END.search(line, 1)
    sentence = line[: end.start()] if end else line
    return sentence if len(sentence) <= _LONG_ENOUGH else shorten(sentence, _CUT)
