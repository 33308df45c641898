"""Rows about what runs without a call in the text, as `run_queries.py` gives them."""

from typing import NamedTuple

from drift.index.ids import SymbolId


class PathText(NamedTuple):
    """A text that may be a path or a name: where it stands first in a symbol, and how often."""

    symbol_id: SymbolId
    value: str
    line: int
    times: int


class NamingCall(NamedTuple):
    """A call that makes a path of the name of a route."""

    caller_id: SymbolId
    line: int
    indent: int  # how far to the right of its caller it stands
    literal: str | None  # the first text it is given
    is_bound: bool  # a variable is given its result
    beside: str | None  # the call that stands before it in its line, as written


class BuiltPart(NamedTuple):
    """A call that may add to a path: who makes it, how it is written, how much it is given, and the first text of that."""

    caller_id: SymbolId
    line: int
    text: str
    given: int
    literal: str | None


class Registered(NamedTuple):
    """A route as its file says it: in which symbol and line, what answers it, its methods and path."""

    symbol: SymbolId
    line: int
    handler: SymbolId
    language: str | None
    methods: str
    path: str


class Member(NamedTuple):
    """A member of a class.

    `is_overriding`: it stands in for one of a parent in the project; `calls_parent`: it calls that of a parent;
    `may_be_called`: a call may lead to it.
    """

    id: SymbolId
    parent_id: SymbolId
    name: str
    is_overriding: bool
    calls_parent: bool
    parameters: str  # JSON, as in the index
    is_python: bool
    may_be_called: bool


class Decorated(NamedTuple):
    """A symbol and one of its decorators."""

    symbol_id: SymbolId
    decorator: str
    text: str
    kind: str
    name: str
    parent_id: SymbolId


class Taker(NamedTuple):
    """A function of a test file that is given values by the names of its parameters."""

    id: SymbolId
    parent_id: SymbolId
    name: str
    parameters: tuple[str, ...]


class NamedFunction(NamedTuple):
    """A function with what it takes, as far as calls by its name alone may be told from others."""

    id: SymbolId
    name: str
    language: str | None
    parameters_json: str | None
    is_remade: bool  # by a decorator, or is read and not called
    is_private: bool
