"""The first paragraph of a package's readme: what its authors say it is."""

import re
from pathlib import Path
from typing import Final, NamedTuple

from drift.index.path_text import text_to_path
from drift.kernel.reading import list_files, read_beginning
from drift.kernel.text import shorten

_MOST_BYTES: Final = 100_000
_LONGEST: Final = 400
_SHORTEST_WORDS: Final = 4
_NAMES: Final = ("readme.md", "readme.rst", "readme.txt", "readme.adoc", "readme")
# Badges, pictures, links on their own, tables, lists, rules and HTML are no sentences.
_IMAGE: Final = re.compile(r"!\[[^\]\n]{0,300}\]\([^)\n]{0,1000}\)")
_LINK: Final = re.compile(r"\[([^\[\]\n]{0,300})\](?:\([^)\n]{0,1000}\)|\[[^\]\n]{0,300}\])?")
_TAG: Final = re.compile(r"<[^<>\n]{1,2000}>")
_COMMENT: Final = re.compile(r"<!--.{0,2000}?-->")
_OPEN_TAG: Final = re.compile(r"<(?:[a-zA-Z/]|!--)[^<>]{0,2000}\Z")
_NO_SENTENCE: Final = re.compile(r"\s*(?:[#=|>*+`~:]|-{2,}|\.\. |- |\d+\. )")
_UNDERLINE: Final = re.compile(r"=+|-+|~+|\*+")
_LETTERS: Final = re.compile(r"[^\W\d_]{2,}")


class Paragraph(NamedTuple):
    """A text and the place where it stands."""

    text: str
    file: str
    line: int


def read_first_paragraph(root: Path, folder: str) -> Paragraph | None:
    """The first sentences of a folder's readme; None where it has none or nothing that reads as a sentence."""
    named = [name for name in list_files(root, text_to_path(folder)) if name.lower() in _NAMES]
    if not named:
        return None
    path = f"{folder}/{min(named, key=_rank)}".lstrip("/")
    try:
        content = read_beginning(root, text_to_path(path), _MOST_BYTES)
    except OSError:
        return None  # the folder went away, or its readme leads out of the project
    return _first(content.decode("utf-8", "replace"), path)


def _rank(name: str) -> int:
    return _NAMES.index(name.lower())


def _without_tags(line: str, is_in_tag: bool) -> tuple[str, bool]:  # noqa: FBT001 - what the line before left
    """A line without tags, and whether it ends inside one: pictures and links are often written over several lines."""
    if is_in_tag:
        _, closing, line = line.partition(">")
        if not closing:
            return "", True
    line = _COMMENT.sub("", _TAG.sub("", line))
    opened = _OPEN_TAG.search(line)
    return (line[: opened.start()], True) if opened else (line, False)


def _first(text: str, path: str) -> Paragraph | None:
    begun: list[str] = []
    start, is_in_tag = 0, False
    for number, raw in enumerate(text.splitlines(), 1):
        plain, is_in_tag = _without_tags(_IMAGE.sub("", raw), is_in_tag)
        line = _LINK.sub(r"\1", plain).strip()
        is_only_links = not _LETTERS.search(_LINK.sub("", plain))
        is_sentence = bool(line) and not is_only_links and not _NO_SENTENCE.match(line)
        if is_sentence:
            start = start or number
            begun.append(line)
        elif begun:
            paragraph = " ".join(begun)
            is_heading = len(begun) == 1 and _UNDERLINE.fullmatch(raw.strip())
            if not is_heading and len(_LETTERS.findall(paragraph)) >= _SHORTEST_WORDS:
                return Paragraph(shorten(paragraph, _LONGEST), path, start)
            begun, start = [], 0
    paragraph = " ".join(begun)
    is_enough = len(_LETTERS.findall(paragraph)) >= _SHORTEST_WORDS
    return Paragraph(shorten(paragraph, _LONGEST), path, start) if is_enough else None
