"""The kinds of uses, and how sure each is."""

from typing import Final, Literal, get_args

Kind = Literal[
    "declaration", "override", "call", "type", "import", "export", "value", "route", "mock", "template", "string",
    "comment", "doc", "config", "other",
]  # fmt: skip
"""What a place is: `value` reads, passes on or extends without calling; `mock` is a string by which tests replace it;
`other` stands in a file that no language reads."""

Certainty = Literal["resolved", "likely", "possible", "text"]
"""How sure it is that a place means the symbol: linked, or bound by the rules of scope; of its name, with nothing that
speaks against it; of its name, as others are; in no code at all."""

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
CERTAINTIES: Final[tuple[Certainty, ...]] = get_args(Certainty)

Found = tuple[Kind, Certainty]
"""What a place is found to be."""
