"""TypeScript and TSX; JavaScript shares all but the grammar."""

from drift.languages.facts import FileFacts

__all__ = ["extract"]


def extract(source: bytes, path: str) -> FileFacts:
    """All a TypeScript file says; `path` decides whether markup may stand in it."""
    from drift.languages.typescript.extraction import extract_with  # a server that never scans pays nothing

    grammar = "tsx" if path.lower().endswith(".tsx") else "typescript"
    return extract_with(grammar, source, path, language="typescript")
