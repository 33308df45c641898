"""The names of code in a text, and the lines of a file that define one: by its form alone, in any language."""

import re
from collections.abc import Sequence
from typing import Final

_MOST_NAMES: Final = 12
_LOOKED_AT: Final = 4_000
_MOST_LINES: Final = 400  # of one definition
_SHORTEST: Final = 3
# In backticks, with an underscore or a capital inside, dotted, or called: no word of prose looks so.
_QUOTED: Final = re.compile(r"`{1,2}([A-Za-z_][\w.:#]{2,100})(?:\([^`]{0,100}\))?`{1,2}")
_CODE: Final = re.compile(
    r"(?<![\w./`-])([A-Za-z_]\w{0,60}(?:(?:\.|::|#)[A-Za-z_]\w{0,60}){0,4})(\(\))?(?![\w/`-])"
)
_MARK: Final = re.compile(r"[a-z\d][A-Z]|[A-Za-z\d]_[A-Za-z\d]|[a-z_]{2}\.[a-z_]{2}|::")
_FILE_END: Final = re.compile(
    r"\.(?:py|js|ts|tsx|jsx|go|rs|rb|java|kt|cs|php|c|cc|cpp|h|hpp|md|rst|toml|json|ya?ml|txt)$"
)
_NO_TYPE: Final = rb"(?:if|elif|else|while|for|return|await|yield|new|throw|raise|not|and|or|in|assert|del|case|when|goto|go|defer)\b"
_DEFINING: Final = rb"(?:def|class|function|func|fn|struct|interface|trait|enum|type|module|const|let|var|val|sub|macro_rules!)\b"


def names_in(text: str) -> tuple[str, ...]:
    """The names of code that a text holds, each once, those in backticks first."""
    head = text[:_LOOKED_AT]
    quoted = (found.replace("::", ".").replace("#", ".") for found in _QUOTED.findall(head))
    said = (
        name.replace("::", ".").replace("#", ".")
        for name, called in _CODE.findall(head)
        if called or _MARK.search(name)
    )
    named = (name for name in (*quoted, *said) if not _FILE_END.search(name) and len(name) >= _SHORTEST)
    return tuple(dict.fromkeys(named))[:_MOST_NAMES]


def find_definition(lines: Sequence[bytes], name: str) -> tuple[int, int] | None:
    """The first and last line that define a name; None where no line does.

    A definition ends before the next line that stands no further in and is no closing bracket.
    """
    last = re.escape(name.rpartition(".")[2].encode())
    word = last.decode("ascii", "replace")
    defining = re.compile(
        rb"\s{0,80}(?:[\w@\[\]<>,.*&?:()\"' ]{0,200}?\s)??"
        + _DEFINING
        + rb"[^=;{]{0,120}?(?<![\w.])"
        + last
        + rb"(?!\w)"
        rb"|\s{0,80}(?!" + _NO_TYPE + rb")(?:[\w\[\]<>,.*&?:]{1,80}\s){1,6}" + last + rb"\s?\([^;]{0,300}$"
        rb"|" + last + rb"\s?(?::[^=]{0,80})?=(?!=)"
    )
    needle = name.rpartition(".")[2].encode()
    for place, line in enumerate(lines):
        if needle in line and word and defining.match(line):
            return place + 1, _end_of(lines, place) + 1
    return None


def _end_of(lines: Sequence[bytes], start: int) -> int:
    depth = _indent(lines[start])
    end = start
    for place in range(start + 1, min(len(lines), start + _MOST_LINES)):
        line = lines[place]
        if not line.strip():
            continue
        if _indent(line) <= depth:
            if line.strip()[:1] not in (b")", b"}", b"]"):
                return end
            if not line.rstrip().endswith((b":", b"{")):  # else it ends the parameters, and the body follows
                return place
        end = place
    return end


def _indent(line: bytes) -> int:
    return len(line) - len(line.lstrip())
