"""What is known of a library, in the form the flow of data is followed by."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

Trust = Literal["remote", "stored", "local", "secret", "unknown", "header", "encoded"]
"""Whose data it is. `header`: only who sends a request by hand can choose it, no link or page of somebody else;
`encoded`: an address as browsers send it, in which quotes and angle brackets are encoded."""
Confidence = Literal["high", "medium", "low"]
Selector = int | str
"""An argument by its place or keyword; `*` all of them, `receiver` what the method is called on, `result` what it gives."""
Scalar = bool | int | str | None
Condition = Mapping[Selector, tuple[Scalar, ...]]
"""Constant arguments by selector. Texts are compared without case, `*` at either end is anything, `<2048` is a number
below; `null` is an argument that is missing or null."""


class Kind(NamedTuple):
    """A kind of weakness."""

    name: str
    title: str
    cwe: int
    owasp: str  # the category of the OWASP Top Ten of 2021
    severity: str
    doubt: str  # why a finding of it may be wrong
    remedy: str
    has_flow: bool


@dataclass(frozen=True, slots=True)
class Source:
    """Where data enters that its sender chooses: a name that is read or called, or a parameter."""

    label: str
    names: tuple[str, ...] = ()
    trust: Trust = "remote"
    decorators: tuple[str, ...] = ()  # of a parameter, such as RequestParam
    handler_parameters: tuple[
        int, ...
    ] = ()  # of the handler of a route, by place; -1: each that is of no object
    types: tuple[str, ...] = ()  # a parameter or variable of this type is the data itself
    argument: Selector = "result"  # where the call puts the data: what it gives, or an argument it fills
    kinds: tuple[str, ...] = ()  # that it matters to; none: every one


@dataclass(frozen=True, slots=True)
class Sink:
    """Where data does harm unless somebody made it harmless."""

    kind: str
    names: tuple[str, ...]
    arguments: tuple[Selector, ...] = (0,)
    when: Condition | None = None
    unless: Condition | None = None
    assigned: bool = False  # the name is written to, not called: `element.innerHTML = x`
    confidence: Confidence = "high"
    built: bool = (
        False  # only a text put together counts: one that is handed on as a whole is what the call is for
    )
    first: bool = (
        False  # only the beginning of a text counts: an address whose host is constant leads to that host
    )
    not_types: tuple[
        str, ...
    ] = ()  # endings of types that do no harm as a whole: an object that is sent as JSON
    whole: bool = False  # only data that is handed on as a whole counts, not a text put together with it


@dataclass(frozen=True, slots=True)
class Sanitizer:
    """What makes data harmless: for some kinds, or for all (`*`)."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    validates: bool = False  # its result says whether the argument is harmless
    undoes: bool = False  # it makes harmful again what others made harmless, such as decoding
    argument: Selector = 0
    when: Condition | None = None
    rooted: bool = False  # only of a text with a slash before it, above which it cannot lead


@dataclass(frozen=True, slots=True)
class Propagator:
    """Which argument of a call gets into what it gives or fills."""

    names: tuple[str, ...]
    sources: tuple[Selector, ...]  # `from` in the file
    target: Selector = "result"  # `to` in the file


@dataclass(frozen=True, slots=True)
class Object:
    """What is of a type that other names begin with: results of calls, parameters of handlers."""

    type: str
    results: tuple[str, ...] = ()
    handler_parameter: int | None = None
    parameter_names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """A weakness that a call or a setting shows by itself."""

    kind: str
    names: tuple[str, ...] = ()  # calls
    keys: tuple[str, ...] = ()  # or keys of literals, keyword arguments and members that are assigned to
    values: tuple[Scalar, ...] = ()  # of the keys
    when: Condition | None = None
    unless: Condition | None = None
    context: tuple[str, ...] = ()  # one of these words must be in the names around it
    confidence: Confidence = "high"
    label: str = ""


@dataclass(frozen=True, slots=True)
class Library:
    """One file: what is known of a library."""

    name: str
    language: str
    packages: tuple[str, ...] = ()  # one of these must be imported; none: it comes with the language
    sources: tuple[Source, ...] = ()
    sinks: tuple[Sink, ...] = ()
    sanitizers: tuple[Sanitizer, ...] = ()
    propagators: tuple[Propagator, ...] = ()
    objects: tuple[Object, ...] = ()
    checks: tuple[Check, ...] = ()
    # How data is kept and asked for; who reads data access checks what stands in it.
    data: tuple[Mapping[str, Any], ...] = ()
    is_own: bool = False  # of the project, not of Drift
