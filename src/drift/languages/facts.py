"""What one file says, in a form every language shares: the output of extraction, the input of linking.

Everything is a tuple of plain values, so that facts cross process borders cheaply and compare exactly.
Symbols are numbered by their place in `FileFacts.symbols`; number 0 is always the file itself (kind
`module`), and every other fact names the symbol it stands in by that number (`scope`).
"""

from enum import IntFlag
from typing import Final, NamedTuple

from drift.documents.items import Item
from drift.languages.expressions import Expression
from drift.languages.kinds import SymbolKind

METACLASS: Final = "metaclass="  # under which a class binds its metaclass: no name that source can write
MAKING: Final = "class:"  # the member of a class that runs where it is made: no name that source can write
PROVIDING: Final = (
    "()"  # the member of a type that makes the value of a parameter: no name that source can write
)

CONSTRUCTING: Final = "new "  # before the class of a variable that is declared without a value
BASE_CONSTRUCTING: Final = (
    "base constructors"  # what a constructor runs of the classes above its own and of fields
)
UNARY: Final = ("literal", "none")  # in the place of the second operand of an operator that has one
OF_POINTED: Final = "pointed"  # of an operator whose left operand is what a pointer or an index leads to
OF_RIGHT: Final = "right"  # of an operator behind which the object stands
OF_FIELD: Final = "field"  # of an operator whose left operand may be a pointer: the linker looks at the field

GOING_THROUGH: Final = "foreach"  # what a loop runs of its object: no name of a member in PHP
MAPPED: Final = "mapped members"  # what a mapper runs that a tool writes: no name that source can write
COMPUTED: Final = "computed"  # the modifier of a property that linking reads like a field and that has code
SETTING: Final = "="  # after the name of a member that is set rather than read


class Parameter(NamedTuple):
    """One parameter of a function. Texts are as written, shortened to 200 characters."""

    name: str
    kind: str = "plain"  # plain, rest (*args, ...xs), keywords (**kwargs), keyword (keyword-only), receiver
    type_text: str | None = None
    type: Expression = None
    default_text: str | None = None


class Decorator(NamedTuple):
    """A decorator, annotation or attribute: `name` dotted without arguments, `text` as written."""

    name: str
    text: str
    line: int


class Base(NamedTuple):
    """A parent of a class: how it is named and in which way it is one."""

    text: str
    type: Expression
    kind: str = "extends"  # extends, implements, mixes (trait use, mixin), embeds


class Complexity(NamedTuple):
    """What quality measures need of a function, counted while its syntax is at hand."""

    cyclomatic: int = 1
    cognitive: int = 0
    max_nesting: int = 0
    code_lines: int = 0
    operators: int = 0
    distinct_operators: int = 0
    operands: int = 0
    distinct_operands: int = 0


class Symbol(NamedTuple):
    """Something with a name. Lines count from 1, columns and bytes from 0; the end is exclusive in bytes."""

    kind: SymbolKind
    name: str
    parent: int
    line: int
    column: int
    end_line: int
    start_byte: int
    end_byte: int
    signature: str = ""
    parameters: tuple[Parameter, ...] = ()
    return_text: str | None = None
    return_type: Expression = None
    decorators: tuple[Decorator, ...] = ()
    bases: tuple[Base, ...] = ()
    visibility: str = "public"  # public, protected, package, private
    modifiers: tuple[str, ...] = ()  # sorted: abstract, async, const, default, exported, final, generator, …
    doc: str = ""  # the doc comment's text, without markers, at most 2,000 characters
    value_type: Expression = None  # of a field, property, constant or variable: its declared type
    complexity: Complexity | None = None


class Import(NamedTuple):
    """One imported name. `module` is the text that names the source, as the language writes it."""

    scope: int
    line: int
    module: str
    name: str | None  # None: the module itself; "*": all it exports
    alias: str | None  # the name bound here, if any
    is_reexport: bool = False
    is_type_only: bool = False


class Call(NamedTuple):
    """One place where something is called, constructed or applied as a decorator."""

    scope: int
    line: int
    column: int
    callee: Expression
    text: str  # the callee as written, at most 120 characters
    arguments: tuple[tuple[str | None, Expression], ...] = ()  # (keyword or None, value)
    kind: str = (
        "call"  # call, new, decorator, implicit (operator, property, with, iteration: only where certain)
    )


class CallTrait(IntFlag):
    """How a call stands in the code around it."""

    DROPPED = 1  # nobody takes its result
    BOUND = 2  # a name or a member is given its result
    RETURNED = 4
    AWAITED = 8
    LOOPED = 16  # in a loop
    IN_RESOURCE = 32  # in what is left in an orderly way: with, using, a lock
    IN_HANDLER = 64  # in what handles an error
    CONDITIONAL = (
        128  # runs under a condition alone; told of the calls that `watched` in constructs.toml names
    )


class CallDetail(NamedTuple):
    """More of one call, by its number; calls of which there is no more have none."""

    call: int
    traits: int
    keyword: str | None = None  # under which the literal is given, where it has one
    literal: str | None = None  # the first text it is given, without quotes: 400 characters, of a query 4,000


class Construct(NamedTuple):
    """A stretch of code that is more than names and calls: see `constructs.py`."""

    scope: int
    line: int
    end_line: int
    kind: str  # one of the keys of `constructs` in the patterns of the languages
    start_byte: int
    end_byte: int
    detail: str | None = None


class Element(NamedTuple):
    """An element that markup puts on a page or a window; components of the project are calls."""

    scope: int
    line: int
    tag: str
    identity: str | None  # what it is called: `id`, `x:Name`
    classes: str | None  # those that are written out, with a blank between two
    attributes: tuple[tuple[str, str | None], ...]  # the others: see `documents/elements.py`


class MarkupBinding(NamedTuple):
    """What markup ties to code, to a resource or to another element."""

    scope: int
    line: int
    element: str
    property: str  # of the element: `Text`, `Command`, `Click`
    kind: str  # binding, command, context, resource, handler; of scripts event
    path: str | None  # of a binding; the key of a resource, the method of a handler, the type of a context
    mode: str | None = None  # as written: TwoWay; of a resource Static or Dynamic
    converter: str | None = None
    source: str | None = None  # what it is a member of, where that is not the context: an element, self
    context: str | None = None  # the type of the context as markup says it; "?" in a template that says none


class Site(NamedTuple):
    """A place where a decision was taken that its syntax shows: see `sites.py`."""

    line: int
    end_line: int
    dimension: str  # the id of the dimension, such as errors/exception-suffix
    variant: str  # what was chosen there


class Access(NamedTuple):
    """A member that runs without a call in the text, if it is code: a property that is read, an operator, `with`.

    Written once for each scope, receiver and name.
    """

    scope: int
    line: int
    receiver: Expression
    name: str  # the member as the language names it: `title`, `__enter__`, `__add__`


class Binding(NamedTuple):
    """A name that is given a value in a scope: assignment, loop variable, with, pattern, catch."""

    scope: int
    name: str
    value: Expression
    line: int
    type: Expression = None  # the declared type, where there is one


ANY_NAME: Final = "*"
"""What a member is stored under whose name is put together."""


class Store(NamedTuple):
    """A member that is given a value: `self.x = …`, `this.x = …`, `module.exports.x = …`."""

    scope: int
    receiver: Expression
    name: str
    value: Expression
    line: int


class Return(NamedTuple):
    """A value a function gives back or yields."""

    scope: int
    value: Expression
    line: int
    is_yield: bool = False


class Reference(NamedTuple):
    """A use of a name that is no call: passed as a value, named as a type, or only said, as by `nameof`."""

    scope: int
    line: int
    column: int
    target: Expression
    kind: str  # value, type, name, connect, given (by a hook); attribute: a type that may lack the end of its name


class Constant(NamedTuple):
    """A literal worth knowing: strings of 3 to 500 characters, queries up to 4,000, numbers other than 0, 1, -1, 2."""

    scope: int
    line: int
    kind: str  # string, number, page (filled or taken in), route-name (methods, path), page-pattern
    value: str
    name: str | None = None  # the constant it is the value of


class Member(NamedTuple):
    """An element of a constant list or table: a word, a number or a name, at most 120 characters."""

    symbol: int  # the constant
    line: int
    key: str | None
    value: str


class EnvironmentRead(NamedTuple):
    """A read of an environment variable, or of a setting."""

    scope: int
    line: int
    name: str  # of one that is kept in a variable of another file: that, in angle brackets
    default_text: str | None = None
    is_required: bool | None = None  # without one it fails; None: not looked at


class Comment(NamedTuple):
    """A comment that is no doc comment; text without markers, at most 500 characters."""

    line: int
    end_line: int
    text: str


class HandlingTrait(IntFlag):
    """What a handler does with the error."""

    RETHROWS = 1  # the same error
    THROWS_OTHER = 2
    KEEPS_CAUSE = 4  # of another error that it throws: it is given the first
    LOGS = 8
    RETURNS = 16
    PASSES_ON = 32  # returns something made of the error
    USES_ERROR = 64


class Handling(NamedTuple):
    """A try region, a handler, a throw, or a check of an error that is a value."""

    scope: int
    line: int
    end_line: int
    kind: str  # try, catch, finally, throw, check
    types: tuple[str, ...] = ()  # as written; empty for catch-all and re-throw
    is_empty: bool = False  # a handler that does nothing
    variable: str | None = None  # what a handler calls the error
    traits: int = 0  # of a handler or check: `HandlingTrait`s


class EntryPoint(NamedTuple):
    """A symbol the outside world calls."""

    symbol: int
    kind: str  # http, cli, job, event, test, main, export
    detail: str = ""  # "GET /users/{id}", "command build", the framework's word
    line: int = 0
    handler: Expression = None  # what is called where `symbol` only registers it: a function of another file
    router: Expression = None  # of a route: what it is added to, which others may mount under a prefix


class Mount(NamedTuple):
    """A prefix of the routes of a router: one it has of its own, or that of the place where it is mounted."""

    scope: int
    line: int
    # own (of the router), under (after the prefix of what it is mounted into), instead (of its own); of the application
    # that is made here or near: application, all (before all its routes), except (what that leaves out), version
    kind: str
    prefix: str  # what is computed elsewhere stands as written, in angle brackets
    router: Expression = None  # a variable, or a function that adds routes to what it is given
    into: Expression = None
    file: str = (
        ""  # where the routes of a whole file are mounted by its name: the end of its path, without suffix
    )
    guards: tuple[str, ...] = ()  # what stands before all of its routes here, as written


class Guard(NamedTuple):
    """What stands before a handler and may keep a request from it; decorators stand with their symbols."""

    symbol: int
    line: int
    how: str  # argument, keyword, wrapper, chain, group, router, attribute, base, filter, skipped filter, parameter
    text: str  # as written, at most 120 characters
    entry: int | None = None  # the number of the route that it is of; None: whatever leads to the symbol


class Fingerprint(NamedTuple):
    """A hash of normalised tokens, chosen by winnowing, for finding clones."""

    hash: int
    line: int
    end_line: int


class Problem(NamedTuple):
    """A place the parser could not make sense of; what stands around it is kept."""

    line: int
    message: str


class FileFacts(NamedTuple):
    """All of one file."""

    language: str
    code_lines: int
    comment_lines: int
    blank_lines: int
    symbols: tuple[Symbol, ...]
    package: str = ""  # what the file declares to belong to: Java package, C#/PHP namespace, Go package
    imports: tuple[Import, ...] = ()
    calls: tuple[Call, ...] = ()
    accesses: tuple[Access, ...] = ()
    bindings: tuple[Binding, ...] = ()
    stores: tuple[Store, ...] = ()
    returns: tuple[Return, ...] = ()
    references: tuple[Reference, ...] = ()
    constants: tuple[Constant, ...] = ()
    members: tuple[Member, ...] = ()
    environment_reads: tuple[EnvironmentRead, ...] = ()
    setting_reads: tuple[EnvironmentRead, ...] = ()
    comments: tuple[Comment, ...] = ()
    handlings: tuple[Handling, ...] = ()
    entry_points: tuple[EntryPoint, ...] = ()
    mounts: tuple[Mount, ...] = ()
    guards: tuple[Guard, ...] = ()
    fingerprints: tuple[Fingerprint, ...] = ()
    constructs: tuple[Construct, ...] = ()
    call_details: tuple[CallDetail, ...] = ()
    sites: tuple[Site, ...] = ()
    elements: tuple[Element, ...] = ()
    markup_bindings: tuple[MarkupBinding, ...] = ()
    styles: tuple[
        Item, ...
    ] = ()  # what the style sheets in a component declare, as those of files of their own
    problems: tuple[Problem, ...] = ()
