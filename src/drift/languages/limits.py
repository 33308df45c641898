"""How much is kept of what a file says, one rule for all languages."""

from typing import Final

MOST_ELEMENTS: Final = 64
"""Of a literal that holds others: a longer one is a table, and what it holds is told by its first elements."""

MOST_CALLEE_CHARACTERS: Final = 120
"""Of the text of what is called; of a longer one the called name is kept."""

MOST_SIGNATURE_CHARACTERS: Final = 300
MOST_TEXT_CHARACTERS: Final = 200
"""Of the text of a type, a default, a decorator."""

MOST_DETAIL_CHARACTERS: Final = 200
"""Of what an entry point is for: a path, a command, the name of an event."""

CONSTANT_LENGTHS: Final = range(3, 501)
"""Strings that are constants: shorter ones say nothing, longer ones are texts."""

PLAIN_NUMBERS: Final = frozenset({"0", "1", "2", "-1", "0.0", "1.0", "2.0"})
"""Numbers that stand everywhere and mean nothing in particular."""
