"""A Markdown page cut at its headings."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_HEADING: Final = re.compile(r" {0,3}(?P<marks>#{1,6})[ \t]++(?P<title>[^\n]*)")
_UNDERLINE: Final = re.compile(r" {0,3}(?P<mark>=|-)(?P=mark)+[ \t]*")
_FENCE: Final = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})")
_DEEPEST: Final = 3  # smaller headings stay inside their section
_NOT_A_WORD: Final = re.compile(r"[^\w]+")


class MarkdownSection(NamedTuple):
    """One section: its headings from the outermost on, its text, and its lines, from 1, heading included."""

    headings: tuple[str, ...]
    anchor: str
    text: str
    start_line: int
    end_line: int


def read_sections(page: str) -> tuple[MarkdownSection, ...]:
    """The sections that say something, in order; what stands before the first heading has none."""
    lines = page.replace("\r\n", "\n").split("\n")
    marks = [(0, 0, ""), *_headings(lines)]
    ends = [start for start, _level, _title in marks[1:]] + [len(lines)]
    trail: list[tuple[int, str]] = []
    seen: dict[str, int] = {}
    sections: list[MarkdownSection] = []
    for (start, level, title), end in zip(marks, ends, strict=True):
        if level:
            trail = [*(one for one in trail if one[0] < level), (level, title)]
        headings = tuple(one for _level, one in trail)
        body = lines[start + (1 if level else 0) : end]
        if body and level and _UNDERLINE.fullmatch(body[0]):
            body = body[1:]
        text = "\n".join(body).strip()
        if not text:
            continue
        anchor = _anchor(headings, seen)
        last = max(number for number in range(start, end) if lines[number].strip())
        sections.append(MarkdownSection(headings, anchor, text, start + 1, last + 1))
    return tuple(sections)


def _headings(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """The line, level and title of each heading outside of code."""
    fence = ""
    in_front_matter = bool(lines) and lines[0].strip() == "---"
    for number, line in enumerate(lines):
        if in_front_matter:
            in_front_matter = number == 0 or line.strip() not in ("---", "...")
            continue
        found = _FENCE.match(line)
        if found:
            mark = found["mark"]
            if not fence:
                fence = mark
            elif mark.startswith(fence) and not line.strip(" `~\t"):
                fence = ""
            continue
        if fence:
            continue
        heading = _HEADING.fullmatch(line)
        if heading and len(heading["marks"]) <= _DEEPEST:
            yield number, len(heading["marks"]), heading["title"].rstrip().rstrip("#").strip() or "…"
        elif _is_underlined(lines, number):
            yield number, 1 if lines[number + 1].strip().startswith("=") else 2, line.strip()


def _is_underlined(lines: list[str], number: int) -> bool:
    line = lines[number]
    if (
        number + 1 >= len(lines)
        or not line.strip()
        or line.lstrip().startswith(("#", ">", "-", "*", "|", "+"))
    ):
        return False
    is_alone = number == 0 or not lines[number - 1].strip()
    return is_alone and _UNDERLINE.fullmatch(lines[number + 1]) is not None


def _anchor(headings: tuple[str, ...], seen: dict[str, int]) -> str:
    """A name for the section that stays the same while its headings do."""
    name = "/".join(_NOT_A_WORD.sub("-", one.casefold()).strip("-")[:80] for one in headings) or "top"
    seen[name] = seen.get(name, 0) + 1
    return name if seen[name] == 1 else f"{name}-{seen[name]}"
