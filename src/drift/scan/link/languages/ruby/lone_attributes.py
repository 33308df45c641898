"""Attributes of which one class has the name, where nothing says that the object is one of that class.

Columns of records, what libraries give and what is delegated stand in no text: of such names that were read in four
applications of Rails one in three is that of the class, against nine in ten where the object is called like it.
"""

from __future__ import annotations

import re
from typing import Final

from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import class_of
from drift.scan.link.languages.ruby.names import RUBY_CLASSES
from drift.scan.link.unique_names import is_test_file

_PART: Final = re.compile(r"[A-Za-z_]\w*")
_ARGUMENTS: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
_WORD: Final = re.compile(r"[A-Z]{1,60}(?![a-z])|[A-Z]?[a-z0-9]{1,200}")
_LEAST: Final = 3  # letters of a word that a short name of a variable begins with


def is_lone_attribute(analysis: Analysis, method: int, call: Call, scope: int) -> bool:
    """Whether a call reads or sets a member of something that is not called like the class that has it."""
    callee = call.callee
    if callee is None or callee[0] != "member" or call.text == callee[2] or callee[1] == ("this",):
        return False
    name, owner = str(callee[2]), class_of(analysis, method)
    if owner is None or name[-1:] in "?!" or (call.arguments and name[-1:] != "="):
        return False
    symbol, table = analysis.program.symbol(owner), analysis.program.table_of(scope)
    words = [each.lower() for each in _WORD.findall(symbol.name)]
    if symbol.kind == "trait" or symbol.name in RUBY_CLASSES or not words:
        return False
    if is_test_file(table.path, table.facts.language) and "_".join(words) in table.path:
        return False
    said = _last_word(analysis, call.text, name, scope)
    return not _is_alike(said, words[-1])


def _last_word(analysis: Analysis, text: str, name: str, scope: int) -> str:
    """The last word of what the object is called, past what any collection or record gives of itself."""
    common = analysis.program.semantics_at(scope).builtin_methods
    parts = _PART.findall(_ARGUMENTS.sub("", text.removesuffix(name)))
    told = next((part for part in reversed(parts) if part not in common), "")
    words = _WORD.findall(told)
    return words[-1].lower() if words else ""


def _is_alike(said: str, word: str) -> bool:
    """Whether one word is the other, its plural or its beginning: `doc` of `Document`."""
    return said == word or said.rstrip("s") == word or (len(said) >= _LEAST and word.startswith(said))
