"""Test suites: the titles that stand around a test, so that a test is known by its whole name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.frameworks import load_frameworks

if TYPE_CHECKING:
    from drift.languages.typescript.walk import Walk

_SUITES: Final = load_frameworks("typescript").names("tests", "suites")
_OPENINGS: Final = tuple(sorted(_SUITES))  # for a first quick look
_CALLED: Final = re.compile(r"\((?:…)?\)|\[…\]")


def head_of(text: str) -> str:
    """The callee without the calls in it: `it.each(…)` is `it.each`."""
    return _CALLED.sub("", text)


def enter_suite(walk: Walk, text: str, title: str | None) -> bool:
    """Whether a call opens a suite; if so, its title stands before those of the tests in it."""
    if title is None or not text.startswith(_OPENINGS):
        return False
    names = head_of(text).split(".")
    if names[0] not in _SUITES and ".".join(names[:2]) not in _SUITES:
        return False
    walk.suite_titles.append(title)
    return True


def leave_suite(walk: Walk, was_entered: bool) -> None:  # noqa: FBT001 - the answer of enter_suite, handed back
    if was_entered:
        walk.suite_titles.pop()
