r"""How many tokens of a model's context a text takes.

Exact for `cl100k_base` when the `tokens` extra is installed, else estimated. The estimate cuts the text where that
tokenizer would and takes each piece for one token, with a longest piece for letters. Mean absolute error on texts
it was not tuned on (benchmarks/tokens.py), in brackets the bias: rendered answers 3 % (+2 %), compact JSON 4 %
(+2 %), code in six languages 2 to 5 % (-3 to +4 %), English Markdown 1 to 5 % (-2 to +3 %; nine short notices 17 %),
Chinese, Japanese, Korean, Russian and French documentation 4 to 7 %, German 10 % (-9 %), Traditional Chinese 15 %
(-15 %); a single sentence in another language than English may be off by a third.
"""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Final

_EXACT_NAME: Final = "cl100k_base"
_ESTIMATE_NAME: Final = "estimate"
_SPECIAL_MARK: Final = "<|"  # begins the names of special tokens, which in an answer are text like any other
_BYTES_PER_ID: Final = 4
_LOADING: Final = threading.Lock()
_is_estimate_enough: Final = ContextVar("is_estimate_enough", default=False)

# The lengths were tuned on this machine's Python, JavaScript, Markdown, JSON and rendered answers.
_PIECE: Final = re.compile(
    r"""
      [ ][A-Z]?[a-z]{1,11}                                # a word of prose is rarely split
    | [ \t._(]?(?:[A-Z]?[a-z]{1,8}|[A-Z]{1,3})            # a hump of an identifier; these marks stick to it
    | [0-9]{1,3}
    | [ ]?[!-/:-@\[-`{-~]{1,5}[\r\n]*                     # other marks stick to each other and to the line end
    | \s*[\r\n]+
    | \s+(?!\S)                                           # the last space of an indent belongs to the word
    | [ ]?[\u0400-\u052f]{1,3}                            # Cyrillic
    | [ ]?[^\x00-\x7f]
    | \s
    | .
    """,
    re.VERBOSE,
)
_ASTRAL: Final = re.compile("[\U00010000-\U0010ffff]")  # emoji and rare scripts: three tokens rather than one


def count_tokens(text: str) -> int:
    """The number of tokens in the text, exact or estimated as `tokenizer_name` says, and inside `estimated` always estimated."""
    count_exactly = None if _is_estimate_enough.get() else _exact_counter()
    return count_exactly(text) if count_exactly else estimate_tokens(text)


def tokenizer_name() -> str:
    """The name of what `count_tokens` counts with."""
    return _EXACT_NAME if _exact_counter() else _ESTIMATE_NAME


@contextmanager
def estimated() -> Iterator[None]:
    """Estimate inside, for a single answer that no model reads: to load what counts exactly takes a tenth of a second."""
    before = _is_estimate_enough.set(True)
    try:
        yield
    finally:
        _is_estimate_enough.reset(before)


def estimate_tokens(text: str) -> int:
    """About as many tokens as the text has, without a tokenizer and in linear time."""
    # subn counts faster than findall and keeps no list of the pieces.
    pieces = _PIECE.subn("", text)[1]
    return pieces if text.isascii() else pieces + 2 * _ASTRAL.subn("", text)[1]


def _exact_counter() -> Callable[[str], int] | None:
    with _LOADING:
        return _load_exact_counter()


@cache
def _load_exact_counter() -> Callable[[str], int] | None:
    try:
        # Optional, and 28 ms and 18 MB to load: only when a first text is counted.
        from splintr import Tokenizer
    except ImportError:
        return None
    tokenizer = Tokenizer.from_pretrained(_EXACT_NAME)

    def count(text: str) -> int:
        if _SPECIAL_MARK in text:
            return len(tokenizer.encode_ordinary(text))
        # The ids as bytes: a number object for each would take as long as to find them.
        return len(tokenizer.encode_flat(text)) // _BYTES_PER_ID

    def count_exactly(text: str) -> int:
        try:
            return count(text)
        except UnicodeEncodeError:  # a lone surrogate, which no tokenizer and no client can read either
            return count(text.encode("utf-8", "replace").decode("utf-8"))

    return count_exactly
