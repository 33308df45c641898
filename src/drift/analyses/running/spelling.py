r"""What a text that is put together may spell: its constant parts, and where anything may stand between them.

Example: `$this->getNamespace().'\\version_'.$i` spells `*\\version_*`, `"#{name}_component"` spells `*_component`.
Known limits: what is put together by functions (`implode`, `join`) is one unknown part.
"""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final, NamedTuple

OPEN: Final = "*"
"""What is not known; no name has it."""
_LONGEST: Final = 300
# A quoted text, a bracket, or code between them.
_WRITTEN: Final = re.compile(
    r"""(?P<quoted>'(?:[^'\\]|\\.){0,300}+'|"(?:[^"\\]|\\.){0,300}+")|(?P<open>[(\[{])|(?P<close>[)\]}])|.""",
    re.DOTALL,
)
# What stands for a value inside of a text.
_FILLED: Final = re.compile(
    r"#\{(?:[^{}]|\{[^{}]{0,100}+\}){0,100}+\}|\{\$[^{}]{0,100}+\}|\$\{[^{}]{0,100}+\}"
    r"|\$[A-Za-z_]\w{0,100}+(?:->\w{1,100}+|\[[^\]]{0,100}+\])?|%(?:\d\$)?[-0-9.]{0,20}+[ds]"
)
_ESCAPED: Final = re.compile(r"""\\([\\'"$#])""")
_NAME: Final = re.compile(r"[\w*]*+(?:(?:::|[\\./])[\w*]*+)*+[?!=]?")
_STEP: Final = re.compile(r"::|[\\./]")
_LETTER: Final = re.compile(r"[A-Za-z]")


class Spelling(NamedTuple):
    """The parts of a name from the outermost on, with `*` for what is not known."""

    parts: tuple[str, ...]

    @property
    def letters(self) -> int:
        """How many letters of the last part are known."""
        return len(_LETTER.findall(self.parts[-1]))

    @property
    def owner_letters(self) -> int:
        """How many letters of the part before the last are known, where that is known as a whole."""
        around = self.parts[-2] if len(self.parts) > 1 else ""
        return 0 if OPEN in around else len(_LETTER.findall(around))

    def camelized(self) -> "Spelling":
        """The same as the name of a class: `*_component` is that of `*Component`."""
        return Spelling(tuple(_camelize(part) for part in self.parts))

    def pattern(self) -> str:
        """A regular expression for the last part."""
        return _regex(self.parts[-1])

    def whole_pattern(self) -> str:
        """A regular expression for the end of a whole name with dots between its parts."""
        first = 1 if self.parts[0] in {"", OPEN} else 0
        return r"(?:[\w.]+\.)?" + r"\.".join(map(_regex, self.parts[first:]))


def spelling_of(written: str, *, is_format: bool = False) -> Spelling | None:
    """What a text spells that is put together, or filled as a format, where that may be a name."""
    if len(written) > _LONGEST:
        return None
    text = _joined(_of_format(written) if is_format else _pieces(written))
    if OPEN not in text or not _NAME.fullmatch(text):
        return None
    return Spelling(tuple(_STEP.split(text)))


def _pieces(written: str) -> Iterator[str]:
    depth = 0
    for match in _WRITTEN.finditer(written):
        if match["open"]:
            depth += 1
        elif match["close"]:
            depth -= 1
        if match["quoted"] and depth == 0:
            yield from _inside(match["quoted"][1:-1], is_plain=match["quoted"][0] == "'")
        elif not match[0].isspace() and match[0] not in {".", "+"}:
            yield OPEN


def _of_format(written: str) -> Iterator[str]:
    """The first text: what stands behind it fills it."""
    first = next((match["quoted"] for match in _WRITTEN.finditer(written) if match["quoted"]), None)
    if first is not None:
        yield from _inside(first[1:-1], is_plain=first[0] == "'")


def _inside(text: str, *, is_plain: bool) -> Iterator[str]:
    end = 0
    for match in _FILLED.finditer(text):
        if is_plain and match[0][0] != "%":
            continue
        yield _ESCAPED.sub(r"\1", text[end : match.start()])
        yield OPEN
        end = match.end()
    yield _ESCAPED.sub(r"\1", text[end:])


def _joined(pieces: Iterator[str]) -> str:
    """The pieces as one text, with one sign for all that is unknown between two of them."""
    kept = (each for each in pieces if each)
    return "".join(
        OPEN if is_open else "".join(some) for is_open, some in groupby(kept, key=lambda one: one == OPEN)
    )


def _camelize(part: str) -> str:
    words = part.split("_")
    return "".join(word[:1].upper() + word[1:] for word in words)


def _regex(part: str) -> str:
    return r"\w+".join(map(re.escape, part.split(OPEN)))
