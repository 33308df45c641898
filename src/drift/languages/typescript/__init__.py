"""TypeScript, TSX, components in one file and templates of Angular; JavaScript shares all but the grammar."""

from drift.languages.facts import FileFacts
from drift.languages.typescript.angular_templates import ENDINGS as TEMPLATE_ENDINGS
from drift.languages.typescript.components import ENDINGS, script_of

__all__ = ["extract"]


def extract(source: bytes, path: str) -> FileFacts:
    """All a TypeScript file says; `path` decides whether markup may stand in it."""
    from drift.languages.typescript.extraction import (  # a server that never scans pays nothing
        extract_template,
        extract_with,
    )

    name = path.lower()
    if name.endswith(TEMPLATE_ENDINGS):
        return extract_template(source, path)
    has_markup = name.endswith(".tsx")
    if name.endswith(ENDINGS):
        source, has_markup = script_of(source, path)
    return extract_with("tsx" if has_markup else "typescript", source, path, language="typescript")
