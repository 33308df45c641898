"""The pages people read, taken apart: code blocks, code spans, links, headings."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])

_FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
_SPAN = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (?P<title>.+)$", re.MULTILINE)


class CodeBlock(NamedTuple):
    language: str
    text: str


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def code_blocks(path, language=None):
    found = [
        CodeBlock(match["language"], match["text"]) for match in _FENCE.finditer(path.read_text("utf-8"))
    ]
    return [block for block in found if language in (None, block.language)]


def prose(path):
    return _FENCE.sub("", path.read_text("utf-8"))


def code_spans(path):
    return _SPAN.findall(prose(path))


def links(path):
    return [match["target"] for match in _LINK.finditer(prose(path))]


def anchors(path):
    """The anchors of a page's headings, by the rules the forge renders them with."""
    titles = (match["title"].replace("`", "") for match in _HEADING.finditer(prose(path)))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def typed_commands(path):
    """Everything the page tells a person to type that begins with `drift`, in blocks and in spans."""
    shell = [line for block in code_blocks(path, "sh") for line in block.text.splitlines()]
    lines = (line.partition(" #")[0].strip() for line in (*shell, *code_spans(path)))
    return [line for line in lines if re.match(r"drift [a-z-]", line)]
