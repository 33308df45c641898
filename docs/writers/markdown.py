"""Markdown from plain data."""

from collections.abc import Iterable, Sequence

WARNING = "<!-- Written by docs/generate.py: change the code it describes, then run `make docs`. -->"


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table whose cells may hold any text."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(_cell(value) for value in line) + " |" for line in lines)


def code(text: object) -> str:
    """Inline code; nothing for nothing."""
    return f"`{text}`" if text != "" else ""


def codes(texts: Iterable[object], separator: str = ", ") -> str:
    """A list of inline code."""
    return separator.join(code(text) for text in texts)


def fence(text: str, language: str = "") -> str:
    return f"```{language}\n{text}\n```"


def page(*parts: str) -> str:
    """Parts of a page with one blank line between them and one newline at the end."""
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def _cell(value: object) -> str:
    return " ".join(str(value).replace("|", "\\|").split())
