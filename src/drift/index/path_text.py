"""Paths as the index keeps them: SQLite and JSON hold only Unicode, file names hold any bytes.

A byte that is no UTF-8 reaches Python as a surrogate (U+DC80 to U+DCFF). It is kept as the private-use
character U+EF80 to U+EFFF. A name that has such a character of its own cannot be told apart: it reads back
as raw bytes, and the file is then not found.
"""

import re
from typing import Final

_TO_TEXT: Final = {0xDC80 + byte: 0xEF80 + byte for byte in range(128)}
_TO_PATH: Final = {private: surrogate for surrogate, private in _TO_TEXT.items()}
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_PRIVATE: Final = re.compile("[\uef80-\uefff]")


def path_to_text(path: str) -> str:
    """The path with nothing in it that UTF-8 cannot hold."""
    if _SURROGATE.search(path) is None:
        return path
    return clean_text(path.translate(_TO_TEXT))


def text_to_path(text: str) -> str:
    """The path by which the operating system knows the file."""
    return text.translate(_TO_PATH) if _PRIVATE.search(text) else text


def clean_text(text: str) -> str:
    """The text with a question mark for each character that UTF-8 cannot hold."""
    return _SURROGATE.sub("?", text)
