"""The statements of a file as numbers: what each looks like, what it says, which names and literals it holds.

What it does: cuts a text into tokens and these into statements. Two statements with the same `shape` differ in names and
literals at most, in each other's place all through the statement; with the same `text` in nothing but blanks and comments.
Why: clones are runs of statements, and numbers of one file are found again in others whatever order files are read in.
Known limits: lexical, so a regular expression of a script or a heredoc is cut into what it looks like.
"""

import re
import tomllib
from array import array
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import Final, Literal, NamedTuple

from drift.analyses.usages.keywords import keywords_of
from drift.analyses.usages.lexing import MARKS

_MOST_TOKENS: Final = 200_000  # whose kinds are remembered: comments and strings are seldom seen again

_FEW: Final = 4  # tokens, of a statement that may say nothing

# Kinds of tokens.
_LINE: Final = 0
_PASSED: Final = 1  # comments
_OPEN: Final = 2
_CLOSE: Final = 3
_BLOCK: Final = 4
_BLOCK_END: Final = 5
_STOP: Final = 6
_TAIL: Final = 7  # of a line that goes on in the next
_HEAD: Final = 8  # of a line that goes on with the one before
_JOIN: Final = 9  # both
_MARK: Final = 10
_KEYWORD: Final = 11
_OPERAND: Final = 12

# Codes of operands; those of other tokens are hashes of their texts.
_NAME: Final = 1
_STRING: Final = 2
_NUMBER: Final = 3
_MEMBER: Final = 4  # a name after a dot: what is called so there is not what is called so here

_WORD: Final = rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*+"
_REST: Final = (
    rb"|"
    + _WORD
    + rb"|(?:\.|\?\.|->|::)"
    + _WORD
    + rb"|\n[ \t]*+|[0-9][\w.]*+|[-+*/%&|^=<>!~:.?]{1,3}|[^\s\w]"
)
_JOINS: Final[Mapping[bytes, int]] = {
    **dict.fromkeys(b". ?. -> :: && || ?? + = =>".split(), _JOIN),
    **dict.fromkeys(b"- * / % == += -= & <=  != === !==".split(), _TAIL),
    **dict.fromkeys(b"? :".split(), _HEAD),
}
_BRACKETS: Final[Mapping[bytes, int]] = {b"(": _OPEN, b"[": _OPEN, b")": _CLOSE, b"]": _CLOSE, b";": _STOP}
_GOES_ON: Final = frozenset({_TAIL, _JOIN})
_GOES_BACK: Final = frozenset({_HEAD, _JOIN})
_LETTERS: Final = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$") | frozenset(
    range(128, 256)
)
_DIGITS: Final = frozenset(b"0123456789")
_LETTERS_AND_DIGITS: Final = _LETTERS | _DIGITS
_BEFORE_MEMBERS: Final = frozenset(b".?-:")
_BLANKS: Final = frozenset(b"\n")
_QUOTES: Final = frozenset(b"\"'`")


class _Syntax(NamedTuple):
    ends: Literal["lines", "semicolons", "either"]
    braces: bool
    joins: bool
    indented: bool
    imports: frozenset[int]
    closing: frozenset[int]
    words: frozenset[bytes]
    """Of imports and closings, which are keywords whatever the language says."""
    control: Mapping[int, int]
    pattern: "re.Pattern[bytes]"
    passed: "re.Pattern[bytes]"


class Statements(NamedTuple):
    """The statements of a file in parallel arrays; the operands of statement n begin at `offsets[n]`."""

    shapes: "array[int]"
    texts: "array[int]"
    lines: "array[int]"
    end_lines: "array[int]"
    depths: "array[int]"
    sizes: "array[int]"
    """In tokens."""
    control: "array[int]"
    """The kind of control flow that the statement opens with, 0 for none."""
    offsets: "array[int]"
    operands: "array[int]"
    words: dict[int, bytes]
    """Where asked for: the texts of the operands."""

    def __len__(self) -> int:
        return len(self.shapes)

    def operands_of(self, first: int, last: int) -> "array[int]":
        """The operands from one statement to another."""
        return self.operands[self.offsets[first] : self.offsets[last + 1]]


class StatementReader:
    """Reads the statements of texts; what it has seen of tokens in one helps with the next."""

    def __init__(self) -> None:
        self._tokens: dict[str, _Tokens] = {}

    def read(self, content: bytes, language: str, *, with_words: bool = False) -> Statements | None:
        """The statements of a text; None for a language whose comments and strings nobody told."""
        if language not in MARKS:
            return None
        tokens = self._tokens.setdefault(language, _Tokens(language))
        if len(tokens) > _MOST_TOKENS or with_words:
            tokens = self._tokens[language] = _Tokens(language)
        return _Cutting(_syntax(language), tokens, with_words=with_words).cut(content)


def number_of(text: bytes) -> int:
    """A number for a text, the same in every process."""
    return int.from_bytes(blake2b(text, digest_size=7).digest(), "big")


class _Tokens(dict[bytes, tuple[int, int, int, int]]):
    """Of each token its kind, its code, its number as an operand, and its lines (of a line's end: the indent after it)."""

    def __init__(self, language: str) -> None:
        self._keywords = keywords_of(language)
        self._syntax = _syntax(language)
        self._passed = self._syntax.passed

    def __missing__(self, token: bytes) -> tuple[int, int, int, int]:
        found = self[token] = self._look(token)
        return found

    def _look(self, token: bytes) -> tuple[int, int, int, int]:
        first = token[0]
        if first in _LETTERS:
            is_keyword = token.decode("utf-8", "replace") in self._keywords or token in self._syntax.words
            return (
                (_KEYWORD, number_of(token), 0, 0) if is_keyword else (_OPERAND, _NAME, number_of(token), 0)
            )
        if first in _BLANKS:
            return _LINE, 0, 0, len(token) - 1
        if first in _QUOTES or b'"' in token[:4]:
            return _OPERAND, _STRING, number_of(token), token.count(b"\n")
        if first in _DIGITS:
            return _OPERAND, _NUMBER, number_of(token), 0
        if token[-1] in _LETTERS_AND_DIGITS and first in _BEFORE_MEMBERS:
            return _HEAD if self._syntax.joins else _OPERAND, _MEMBER, number_of(token), 0
        if len(token) > 1 and self._passed.match(token):
            return _PASSED, 0, 0, token.count(b"\n")
        if token in b"{}":
            kinds = (_BLOCK, _BLOCK_END) if self._syntax.braces else (_OPEN, _CLOSE)
            return kinds[token == b"}"], number_of(token), 0, 0
        kind = _BRACKETS.get(token) or (_JOINS.get(token, _MARK) if self._syntax.joins else _MARK)
        return _TAIL if token == b"\\" else kind, number_of(token), 0, 0


class _Cutting:
    """Where a text is cut into statements: the one begun, and those that are whole."""

    def __init__(self, syntax: _Syntax, tokens: _Tokens, *, with_words: bool) -> None:
        self._syntax = syntax
        self._tokens = tokens
        self._with_words = with_words
        self._found = Statements(
            array("q"),
            array("q"),
            array("l"),
            array("l"),
            array("l"),
            array("l"),
            array("b"),
            array("l"),
            array("q"),
            {},
        )
        self._codes: list[int] = []
        self._operands: list[int] = []
        self._line = self._depth = 0

    def cut(self, content: bytes) -> Statements:  # noqa: C901, PLR0912, PLR0915 - the one loop over every token: calls in it would double its cost
        syntax, tokens, codes, operands = self._syntax, self._tokens, self._codes, self._operands
        is_by_lines = syntax.ends != "semicolons"
        line, end, indent, nested, last = 1, 1, 0, 0, _STOP
        is_ending = False
        blocks: list[int] = []
        for kind, code, number, more in map(tokens.__getitem__, syntax.pattern.findall(content)):
            if kind < _OPEN:
                if kind == _LINE:
                    line += 1
                    indent = more
                    if is_by_lines and not nested and last not in _GOES_ON:
                        is_ending = True
                else:
                    line += more
                continue
            if is_ending:
                is_ending = False
                if codes and kind not in _GOES_BACK:
                    self._finish(end)
            if kind == _BLOCK_END and not (nested and self._is_import()):
                self._finish(end)
                nested = blocks.pop() if blocks else 0
                last = _STOP
                continue
            if not codes:
                self._line = line
                self._depth = indent if syntax.indented else len(blocks)
            codes.append(code)
            if number:
                operands.append(number)
                line += more
            end, last = line, kind
            if kind >= _TAIL:
                continue
            if kind == _OPEN:
                nested += 1
            elif kind == _STOP:
                if not nested:
                    self._finish(end)
            elif kind != _BLOCK:
                nested -= nested > 0
            elif self._is_import():
                nested += 1
            else:
                self._finish(end)
                blocks.append(nested)
                nested = 0
        self._finish(end)
        self._found.offsets.append(len(self._found.operands))
        if self._with_words:
            wanted = set(self._found.operands)
            self._found.words.update({row[2]: token for token, row in tokens.items() if row[2] in wanted})
        return self._found

    def _is_import(self) -> bool:
        """Whether the statement names other files; within functions the same words may mean something else."""
        return not self._depth and bool(self._codes) and self._codes[0] in self._syntax.imports

    def _finish(self, end: int) -> None:
        """Keep the statement that was begun, if it says anything."""
        codes, operands, syntax = self._codes, self._operands, self._syntax
        if self._is_telling():
            found, places = self._found, dict[int, int]()
            order = [places.setdefault(one, len(places)) for one in operands]
            found.offsets.append(len(found.operands))
            found.operands.extend(operands)
            found.shapes.append(hash((*codes, -2, *order)))
            found.texts.append(hash((*codes, -2, *operands)))
            found.lines.append(self._line)
            found.end_lines.append(end)
            found.depths.append(self._depth)
            found.sizes.append(len(codes) + codes.count(_MEMBER))
            found.control.append(syntax.control.get(codes[0], 0))
        codes.clear()
        operands.clear()

    def _is_telling(self) -> bool:
        """Whether the statement is more than punctuation, a doc string, an import or the end of a block."""
        codes, syntax = self._codes, self._syntax
        if len(codes) < _FEW:
            if not codes or codes == [_STRING] or (len(codes) == 1 and codes[0] in syntax.closing):
                return False
            if not self._operands and not any(code in syntax.control for code in codes):
                return False
        return bool(self._operands or codes[0] in syntax.control) and not self._is_import()


@cache
def _syntax(language: str) -> _Syntax:
    table = tomllib.loads(files("drift.quality.clones").joinpath("syntax.toml").read_text("utf-8"))
    row = table["usual"] | table.get(language, {})
    marks = MARKS[language]
    passed = marks.comments + (b"|" + row["skips"].encode() if "skips" in row else b"")
    kinds = sorted(set(row["control"].values()))
    closing = row.get("closing", [])
    return _Syntax(
        row["ends"],
        row["braces"],
        row["joins"],
        row["indented"],
        frozenset(_numbers(row["imports"])),
        frozenset(_numbers(closing)),
        frozenset(word.encode() for word in (*row["imports"], *closing)),
        {number_of(word.encode()): kinds.index(kind) + 1 for word, kind in row["control"].items()},
        re.compile(passed + b"|" + marks.strings + _REST, re.DOTALL),
        re.compile(passed, re.DOTALL),
    )


def _numbers(words: list[str]) -> Iterator[int]:
    return (number_of(word.encode()) for word in words)
