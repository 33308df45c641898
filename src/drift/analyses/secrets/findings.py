"""Secrets in files: what was found, where, how sure that is, and what to do about it.

What it does: looks at the lines of a file that may hold a secret with the rules that also keep secrets out of memories
(`kernel/redaction`), and weighs what they find.
Why it matters: whoever can read the repository, or ever could, has what is in it.
Known limits: whether a secret still works is not asked of anybody; a password of plain words is not told from other words.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from drift.analyses.prominence import is_showing
from drift.analyses.secrets.candidates import Line, candidate_lines
from drift.analyses.secrets.judging import Judgement, Level, Place, judge, level_of
from drift.kernel.redaction import Match, Severity, find_secrets, redact
from drift.kernel.redaction.masking import mask

Where = Literal["product", "tests", "docs"]

MOST_BYTES: Final = 2_000_000
_BEHIND: Final = 400
_ALLOWED: Final = re.compile(
    r"(?i)gitleaks:allow|pragma: ?(?:allowlist|whitelist) secret|trufflehog:ignore|drift:allow-secret"
)
_ESCAPED: Final = (".ipynb", ".json", ".jsonl")
_TEXTS: Final = (".md", ".mdx", ".rst", ".adoc", ".markdown", ".txt.tmpl")
_TEST_PLACES: Final = re.compile(
    r"(?i)(?:^|/)(?:tests?|__tests__|specs?|e2e|testdata|test[-_]data|fixtures?|mocks?|__mocks__|stubs|cassettes|[\w.\-]{1,60}[._\-]tests?)/"
    r"|(?:^|/)(?:test_|conftest)[^/]{0,80}$|[._\-](?:test|tests|spec|mock|fixture)s?\.\w{1,5}$|(?:Tests?|Spec|IT)\.\w{1,5}$"
)
_DOC_PLACES: Final = re.compile(
    r"(?i)(?:^|/)(?:docs?|documentation|website|wiki|site|xdocs?)/|(?:^|/)(?:readme|changelog|changes|history|news)[^/]{0,20}$"
)
# Whole files in which one rule reads more than a line.
_CLUSTER: Final = re.compile(rb"kind[\"']?: [\"']?Secret\b")
_MOST_CLUSTER: Final = 200_000


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret. `value` is masked; `snippet` is its line with nothing of it, and stays while lines move."""

    rule: str
    what: str
    severity: Severity
    confidence: float
    level: Level
    file: str
    line: int
    value: str
    why: str
    where: Where
    next: str
    snippet: str = ""


class _Found(NamedTuple):
    line: Line
    match: Match
    judgement: Judgement


def scan_text(path: str, content: bytes, *, is_code: bool, is_test: bool = False) -> list[Secret]:
    """The secrets of a file, by line."""
    return [secret for secret, _ in scan_values(path, content, is_code=is_code, is_test=is_test)]


def scan_values(
    path: str, content: bytes, *, is_code: bool, is_test: bool = False
) -> list[tuple[Secret, str]]:
    """The secrets of a file, each with its value, which is to be compared and never told."""
    where = _where(path, is_test=is_test)
    place = Place(is_code, where == "docs", where == "tests")
    if path.endswith(_ESCAPED):
        content = content.replace(b'\\"', b' "')  # of the same length, so that places stay
    return [
        (_told(path, each, where), each.line.text[each.match.start : each.match.end])
        for each in _find(content[:MOST_BYTES], place)
    ]


def _find(content: bytes, place: Place) -> Iterator[_Found]:
    for line in candidate_lines(content):
        if _ALLOWED.search(line.text):
            continue
        judged = []
        for match in find_secrets(line.text, is_code=place.is_code):
            after = line.start + match.end
            behind = content[after : after + _BEHIND].decode("utf-8", "replace")
            judgement = judge(match, line.text, behind=behind, place=place)
            if judgement is not None:
                judged.append(_Found(line, match, judgement))
        yield from _best(judged)
    if len(content) <= _MOST_CLUSTER and _CLUSTER.search(content):
        yield from _find_in_cluster(content, place)


def _best(judged: list[_Found]) -> Iterator[_Found]:
    """Of several rules that fit one place the surest; of equally sure ones the first of the table."""
    taken: list[tuple[int, int]] = []
    for each in sorted(judged, key=lambda one: -one.judgement.confidence):
        start, end = each.match.start, each.match.end
        if not any(start < other_end and other_start < end for other_start, other_end in taken):
            taken.append((start, end))
            yield each


def _find_in_cluster(content: bytes, place: Place) -> Iterator[_Found]:
    text = content.decode("utf-8", "replace")
    for match in find_secrets(text, is_code=False):
        if match.rule == "cluster-secret":
            judgement = judge(match, text, behind="", place=place)
            if judgement is not None:
                line = Line(text.count("\n", 0, match.start) + 1, text, 0)
                yield _Found(line, match, judgement)


def _where(path: str, *, is_test: bool) -> Where:
    if is_test or _TEST_PLACES.search(path) or is_showing(path):
        return "tests"
    return "docs" if path.lower().endswith(_TEXTS) or _DOC_PLACES.search(path) else "product"


def _told(path: str, found: _Found, where: Where) -> Secret:
    line, match, judgement = found
    start = line.text.rfind("\n", 0, match.start) + 1
    end = line.text.find("\n", match.end)
    rest = f"{line.text[start : match.start]}…{line.text[match.end : end if end >= 0 else None]}"
    return Secret(
        match.rule,
        match.what,
        match.severity,
        judgement.confidence,
        level_of(judgement.confidence),
        path,
        line.number,
        mask(line.text[match.start : match.end]),
        judgement.why,
        where,
        next_step(match.rule, where),
        redact(rest).text.strip()[:200],  # others may stand in the line
    )


def next_step(rule: str, where: Where) -> str:
    """What to do about a secret."""
    if where != "product":
        return "Make sure that it works nowhere; make it up of parts that no scanner takes for a secret."
    if rule == "certificate":
        return "A certificate is public; make sure that no private key lies beside it."
    if rule in {"card-number", "iban"}:
        return "Take it out if it is somebody's."
    return "Withdraw it where it was issued, put a new one into a store of secrets, and read it from there. History keeps the old one."
