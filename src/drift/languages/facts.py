"""What one file says, in a form every language shares: the output of extraction, the input of linking.

Everything is a tuple of plain values, so that facts cross process borders cheaply and compare exactly.
Symbols are numbered by their place in `FileFacts.symbols`; number 0 is always the file itself (kind
`module`), and every other fact names the symbol it stands in by that number (`scope`).

Expressions say just enough of a value to find out later what it is. They are nested plain tuples:

    ("name", n)            what the name n means where it stands
    ("outer", n)           the same, where n is none of the variables of the functions around it (Python: of the class)
    ("member", e, n)       the member n of e: attribute, field, method, path segment, `a::b`, `a->b`
    ("result", i)          what call number i of this file gives back
    ("item", e)            an element of e: subscript, loop variable, unpacking
    ("awaited", e)         e after await, `?`, unwrap
    ("instance", e)        a value of the type that e names: annotation, cast, literal with a type
    ("through", n)         as the type of a macro of C: it stands for its argument, itself (None) or as the macro n does
    ("const", e)           the same where it may not be changed, as the type of a variable (C++)
    ("symbol", i)          the function or class that is symbol i of this file: lambda, nested definition
    ("this",)              the object whose method this is (self, this, $this, receiver); in class methods the class
    ("super",)             the same object, seen as its parent class
    ("literal", kind)      a value of a built-in type: str, int, float, bool, none, list, dict, set, tuple, regex, bytes
                           (Java, which chooses methods by them: also byte, short, long, double, char; C++ for the
                           same reason has the type in full behind the kind, `("literal", "int", "unsigned")`)
    ("list", e, e, ...)    a container with these elements (list, tuple, set, array)
    ("dict", (k, e), ...)  a container with these values, by constant key where known (else None)
    ("either", e, e, ...)  one of these: conditional, `or`, `??`; a last None: or something nothing is known of
    ("first", e, e)        the first of these that anything is known of: a cast to a type, and what is cast
    ("narrowed", e, t)     e where it is known to be of the type that t names: after `instanceof`
    ("generic", e, n)      the class that the name or member e means with n type arguments (C#: `Task<T>` is no `Task`)
    ("operated", e, e, n, n)  what an operator makes of two values, by the method it runs of the left or the right one
    ("family", e, n)       a member of e whose name begins with n and is put together at run time (Python's `getattr`)
    ("passed", e, n)       what the method n of e hands to a closure: an element, or what an `Option` holds (Rust)
    ("signature", t, …)    a function type (TypeScript) with the types of its parameters; ("rest", t) takes all others
    ("called", e)          what the functions that e means give back
    ("typeof", e)          as a type: the type of the value e (TypeScript)
    ("typed", t)           as the type of a function's value: the type of the variable that holds it (TypeScript)
    ("partial", e)         a callable that calls e when called (functools.partial, bind, method reference)
    None                   nothing is known
"""

from typing import Any, Final, NamedTuple

Expression = tuple[Any, ...] | None

METACLASS: Final = "metaclass="  # under which a class binds its metaclass: no name that source can write
MAKING: Final = "class:"  # the member of a class that runs where it is made: no name that source can write

CONSTRUCTING: Final = "new "  # before the class of a variable that is declared without a value
BASE_CONSTRUCTING: Final = (
    "base constructors"  # what a constructor runs of the classes above its own and of fields
)
UNARY: Final = ("literal", "none")  # in the place of the second operand of an operator that has one
OF_POINTED: Final = "pointed"  # of an operator whose left operand is what a pointer or an index leads to
OF_FIELD: Final = "field"  # of an operator whose left operand may be a pointer: the linker looks at the field

GOING_THROUGH: Final = (
    "foreach"  # what a loop runs of the object that it goes through: no name of a member in PHP
)
SETTING: Final = "="  # after the name of a member that is set rather than read

SYMBOL_KINDS: Final = (
    "module", "namespace", "class", "interface", "trait", "struct", "enum", "type",
    "function", "method", "constructor", "property", "field", "constant", "variable", "macro",
)  # fmt: skip


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

    kind: str
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
    """A use of a name that is no call: passed as a value, or named as a type."""

    scope: int
    line: int
    column: int
    target: Expression
    kind: str  # value, type


class Constant(NamedTuple):
    """A literal worth knowing: strings of 3 to 500 characters and numbers other than 0, 1, -1, 2."""

    scope: int
    line: int
    kind: str  # string, number
    value: str
    name: str | None = None  # the constant it is the value of


class EnvironmentRead(NamedTuple):
    """A read of an environment variable."""

    scope: int
    line: int
    name: str
    default_text: str | None = None


class Comment(NamedTuple):
    """A comment that is no doc comment; text without markers, at most 500 characters."""

    line: int
    end_line: int
    text: str


class Handling(NamedTuple):
    """A try region, a handler, or a throw."""

    scope: int
    line: int
    end_line: int
    kind: str  # try, catch, finally, throw
    types: tuple[str, ...] = ()  # as written; empty for catch-all and re-throw
    is_empty: bool = False  # a handler that does nothing


class EntryPoint(NamedTuple):
    """A symbol the outside world calls."""

    symbol: int
    kind: str  # http, cli, job, event, test, main, export
    detail: str = ""  # "GET /users/{id}", "command build", the framework's word
    line: int = 0
    handler: Expression = None  # what is called where `symbol` only registers it: a function of another file


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
    environment_reads: tuple[EnvironmentRead, ...] = ()
    comments: tuple[Comment, ...] = ()
    handlings: tuple[Handling, ...] = ()
    entry_points: tuple[EntryPoint, ...] = ()
    fingerprints: tuple[Fingerprint, ...] = ()
    problems: tuple[Problem, ...] = ()
