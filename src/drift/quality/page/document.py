"""The whole page: its style and script in it, named by their hashes in a policy that lets nothing else run or load."""

import hashlib
from base64 import b64encode
from functools import cache
from importlib.resources import files
from typing import Final

from drift.quality.page.content import PageContent
from drift.quality.page.markup import Markup, element, join
from drift.quality.page.sections import churn, conventions, findings, scorecard, treemap, trends

_SECTIONS: Final = (scorecard, treemap, churn, trends, findings, conventions)


def write_page(page: PageContent) -> str:
    """The page as one text that needs no other file and no network."""
    style, script = _part("page.css"), _part("page.js")
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'; form-action 'none'"
    title = f"{page.project}: quality report"
    head = join([
        Markup('<meta charset="utf-8">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">'),
        element("title", title),
        Markup(f"<style>{style}</style>"),
    ])  # fmt: skip
    told = f"made {page.made_at} by Drift {page.version}" + (
        f", commit {page.head[:12]}" if page.head else ""
    )
    notes = [element("p", each, class_="notice") for each in page.notes]
    body = join([
        element("header", element("h1", title), element("p", told, class_="quiet")),
        element("main", join(notes), join([make(page) for make in _SECTIONS])),
        Markup(f"<script>{script}</script>"),
    ])  # fmt: skip
    return f"<!DOCTYPE html>\n{element('html', element('head', head), element('body', body), lang='en')}\n"


@cache
def _part(name: str) -> str:
    return files("drift.quality").joinpath("page", name).read_text("utf-8")


def _hash(content: str) -> str:
    return f"sha256-{b64encode(hashlib.sha256(content.encode()).digest()).decode()}"
