"""TypeScript, TSX, components in one file and templates of Angular; JavaScript shares all but the grammar."""

from drift.languages.facts import FileFacts
from drift.languages.markup import Page, Span, with_page
from drift.languages.typescript.angular_templates import ENDINGS as TEMPLATE_ENDINGS
from drift.languages.typescript.components import ENDINGS, script_of
from drift.languages.typescript.template_events import with_events

__all__ = ["extract"]


def extract(source: bytes, path: str) -> FileFacts:
    """All a TypeScript file says; `path` decides whether markup may stand in it."""
    from drift.languages.typescript.extraction import (  # a server that never scans pays nothing
        extract_template,
        extract_with,
    )

    name = path.lower()
    if name.endswith(TEMPLATE_ENDINGS):
        whole = Span(0, len(source))
        return with_events(
            with_page(extract_template(source, path), source, Page((whole,))), source, (whole,)
        )
    if name.endswith(ENDINGS):
        script, has_markup, page = script_of(source, path)
        grammar = "tsx" if has_markup else "typescript"
        facts = extract_with(grammar, script, path, language="typescript")
        return with_events(with_page(facts, source, page), source, page.markup)
    grammar = "tsx" if name.endswith(".tsx") else "typescript"
    return extract_with(grammar, source, path, language="typescript")
