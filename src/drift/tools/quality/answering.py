"""Answers that are a page of rows, or a whole report as a text."""

from collections.abc import Callable
from typing import Final, TypeVar

from drift.kernel.answer import Answer
from drift.kernel.arguments import Page
from drift.kernel.ranking import Ranked, Row
from drift.quality.reporters import Format, Report, is_document, write_report, write_within
from drift.registry import Call
from drift.registry.listing import Next, list_answer

T = TypeVar("T")

DOCUMENT_TOKENS: Final = 20_000
_FILE_TOKENS: Final = 10_000_000  # for a person, who writes a report to a file: all of it
# Forms that are a text of their own.
DOCUMENT: Final = "document"
_DOCUMENTS: Final = frozenset({"markdown", "csv", "sarif", "junit", "github", "gitlab", "graphml", DOCUMENT})
_SHARE: Final = 0.6  # of an answer's tokens, for the text in it: quotes are written as two characters


def text_tokens(call: Call) -> int:
    """What a report that is a text of its own may take."""
    return int(_SHARE * (call.max_tokens or _usual_tokens(call)))


def _usual_tokens(call: Call) -> int:
    return _FILE_TOKENS if call.caller.is_person else DOCUMENT_TOKENS


def document_writer(call: Call, form: Format) -> Callable[[Report], str] | None:
    """What writes a report where the form is a text of its own; None where it is the data itself."""
    if not is_document(form):
        return None
    return lambda report: write_within(report, form, text_tokens(call))


def person_writer(call: Call, form: Format) -> Callable[[Report], str] | None:
    """The same, but that a person gets every form as a text, for a terminal or a file."""
    if call.caller.is_person:
        return lambda report: write_report(report, form)
    return document_writer(call, form)


def in_form(data: Callable[[tuple[Row, ...]], T], form: Format) -> Callable[[tuple[Row, ...]], T]:
    """What makes the data of an answer; that of a summary has figures and no rows."""
    return (lambda _shown: data(())) if form == "summary" else data


def told_answer(
    call: Call,
    page: Page,
    found: Ranked[Row],
    data: Callable[[tuple[Row, ...]], T],
    *,
    summary: str,
    form: str,
    warnings: tuple[str, ...] = (),
    next: Next = (),  # noqa: A002 - as the answer has it
) -> Answer[T]:
    """The wanted page of rows; where the form is a text, all in one."""
    if form in _DOCUMENTS:
        return Answer(summary, data(()), next=next, warnings=warnings, max_tokens=_usual_tokens(call))
    return list_answer(call, page, found, data, summary=summary, next=next, warnings=warnings)
