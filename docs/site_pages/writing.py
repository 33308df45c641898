"""Sheets as HTML: links lead to where a page stands on the site, tables scroll by themselves."""

import posixpath
from collections.abc import Callable, Mapping, Sequence
from types import MethodType

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from site_pages.sheets import MARKDOWN, Sheet

_REPOSITORY = "https://github.com/drift-mcp/drift/blob/main/"


class BrokenLinkError(ValueError):
    """A link that leads nowhere."""


def render_sheets(
    sheets: Sequence[Sheet], anchors: Mapping[str, Mapping[str, str]], exists: Callable[[str], bool]
) -> dict[str, str]:
    """The body of every sheet by its file. BrokenLinkError names the first link that leads to no page, anchor or file."""
    return {sheet.file: _render(sheet, anchors, exists) for sheet in sheets}


def _render(sheet: Sheet, anchors: Mapping[str, Mapping[str, str]], exists: Callable[[str], bool]) -> str:
    def open_link(
        renderer: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, _env: EnvType
    ) -> str:
        href = _lead(str(tokens[at].attrGet("href")), sheet, anchors, exists)
        # A copy, since a section may stand on two pages.
        return renderer.renderToken([tokens[at].copy(attrs={"href": href})], 0, options, {})

    renderer = RendererHTML()
    renderer.rules["link_open"] = MethodType(open_link, renderer)
    html: str = renderer.render(sheet.tokens, MARKDOWN.options, {})
    opened = '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>'
    return (
        html.replace("<table>", opened)
        .replace("</table>", "</table></div>")
        .replace("<pre>", '<pre tabindex="0">')
    )


def _lead(
    href: str, sheet: Sheet, anchors: Mapping[str, Mapping[str, str]], exists: Callable[[str], bool]
) -> str:
    if "://" in href or href.startswith("mailto:"):
        return href
    name, _, anchor = href.partition("#")
    folder = posixpath.dirname(sheet.source)
    path = posixpath.normpath(posixpath.join(folder, name)) if name else sheet.source
    if path in anchors:
        if anchor not in anchors[path]:
            raise BrokenLinkError(f"{sheet.source} leads to {path}#{anchor}, which is not there")
        file = anchors[path][anchor]
        way = posixpath.relpath(file, posixpath.dirname(sheet.file) or ".")
        return f"{way}#{anchor}" if anchor else way
    if not exists(path):
        raise BrokenLinkError(f"{sheet.source} leads to {path}, which is not there")
    return _REPOSITORY + path
