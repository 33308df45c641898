"""Writes the documentation as a static site: `python docs/build_site.py [FOLDER]`, build/site by default.

It needs no network, and neither does the site. A link or an anchor that leads nowhere ends it with 1 and the name of it.
"""

import json
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from site_pages import (
    Frame,
    Sheet,
    cut_sheets,
    find_anchors,
    gather_measured,
    read_plan,
    read_source,
    render_sheets,
)
from site_pages.sheets import headings, plain_text
from site_pages.writing import BrokenLinkError

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "src/drift/dashboard/page"
HERE = Path(__file__).parent / "site_pages"
HOW_TRUE = "docs/how-true.md"
_MOST_TEXT = 160


def build_site() -> dict[str, str]:
    """Every file of the site by its name. BrokenLinkError for a link that leads nowhere."""
    chapters = read_plan(ROOT)
    sources = {path: read_source(ROOT, path) for chapter in chapters for path in chapter.every_page()}
    sources[HOW_TRUE] = gather_measured(sources[HOW_TRUE], sources)
    sheets = [
        sheet
        for chapter in chapters
        for path in chapter.every_page()
        for sheet in cut_sheets(sources[path], chapter.split, chapter.split_lines)
    ]
    frame = Frame(chapters, {path: source.title for path, source in sources.items()})
    bodies = render_sheets(sheets, find_anchors(sheets), lambda path: (ROOT / path).exists())
    whole = {sheet.file: frame.around(sheet, bodies[sheet.file]) for sheet in sheets}
    return {
        **whole,
        "words.js": f"window.words = {json.dumps(list(_words(sheets)), ensure_ascii=True)};\n",
        "colours.css": _colours(),
        "icon.svg": (PAGE / "icon.svg").read_text("utf-8"),
        **{name: (HERE / name).read_text("utf-8") for name in ("site.css", "search.js")},
    }


def _words(sheets: Sequence[Sheet]) -> Iterator[tuple[str, str, str, str]]:
    """What the search looks through: file with anchor, page, heading, and the first words below it."""
    for sheet in sheets:
        for at, level, anchor in headings(sheet.tokens):
            part = "" if level == 1 else plain_text(sheet.tokens[at + 1])
            below = next(
                (one for one in sheet.tokens[at + 2 :] if one.type in ("inline", "heading_open")), None
            )
            text = plain_text(below)[:_MOST_TEXT] if below is not None and below.type == "inline" else ""
            yield (f"{sheet.file}#{anchor}" if part else sheet.file, sheet.title, part, text)


def _colours() -> str:
    """The dashboard's own variables, light and dark, so that both look alike."""
    text = (PAGE / "dashboard.css").read_text("utf-8")
    found = re.match(
        r".*?(:root \{.*?^\}\n@media \(prefers-color-scheme: dark\) \{.*?^\}\n)",
        text,
        re.DOTALL | re.MULTILINE,
    )
    if found is None:
        raise ValueError("dashboard.css does not begin with its variables")
    return found[1]


def main(arguments: list[str]) -> int:
    """The exit code: 1 when a link leads nowhere."""
    out = Path(arguments[0]) if arguments else ROOT / "build/site"
    try:
        files = build_site()
    except BrokenLinkError as error:
        print(error, file=sys.stderr)
        return 1
    if out.exists():
        if any(out.iterdir()) and not (out / "words.js").exists():
            print(f"{out} is no site, and is not overwritten", file=sys.stderr)
            return 1
        shutil.rmtree(out)
    for name, text in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    print(f"{len(files)} files, {sum(map(len, files.values())) / 1e6:.1f} MB: {out / 'index.html'}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
