"""What is around every page of the site: head, menu, search, and what is on this page."""

import posixpath
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from site_pages.plan import Chapter
from site_pages.sheets import Sheet, headings, out_name, plain_text

_FEWEST_PARTS, _PART_LEVEL = 3, 2


class Frame:
    """Puts bodies into the one frame."""

    def __init__(self, chapters: Sequence[Chapter], titles: Mapping[str, str]) -> None:
        self._template = (Path(__file__).parent / "frame.html").read_text("utf-8")
        self._menu = [
            (chapter.title, [(out_name(path), titles[path]) for path in chapter.pages])
            for chapter in chapters
        ]

    def around(self, sheet: Sheet, body: str) -> str:
        """The whole file."""
        root = "../" * sheet.file.count("/")
        filled = {
            "title": escape(sheet.title),
            "root": root,
            "menu": self._write_menu(sheet),
            "parts": _write_parts(sheet),
            "source": escape(sheet.source),
            "body": body,
        }
        page = self._template
        for name, value in filled.items():  # the body comes last, so that nothing in it is taken for a name
            page = page.replace(f"{{{name}}}", value)
        return page

    def _write_menu(self, sheet: Sheet) -> str:
        here = out_name(sheet.source)
        return "\n".join(
            f"<h2>{escape(title)}</h2>\n<ul>{''.join(_write_item(sheet, file, name, here) for file, name in pages)}</ul>"
            for title, pages in self._menu
        )


def _write_item(sheet: Sheet, file: str, title: str, here: str) -> str:
    way = posixpath.relpath(file, posixpath.dirname(sheet.file) or ".")
    current = ' aria-current="page"' if file == here else ""
    return f'<li><a href="{escape(way)}"{current}>{escape(title)}</a></li>'


def _write_parts(sheet: Sheet) -> str:
    found = [
        (anchor, plain_text(sheet.tokens[at + 1]))
        for at, level, anchor in headings(sheet.tokens)
        if level == _PART_LEVEL
    ]
    if len(found) < _FEWEST_PARTS:
        return ""
    items = "".join(f'<li><a href="#{escape(anchor)}">{escape(title)}</a></li>' for anchor, title in found)
    return f'<details class="parts"><summary>On this page</summary><ul>{items}</ul></details>'
