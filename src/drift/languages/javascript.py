"""JavaScript and JSX: the walk of TypeScript over JavaScript's own grammar."""

from drift.languages.facts import FileFacts


def extract(source: bytes, path: str) -> FileFacts:
    """All a JavaScript file says; markup may stand in any of them."""
    from drift.languages.typescript.extraction import extract_with  # a server that never scans pays nothing

    return extract_with("javascript", source, path, language="javascript")
