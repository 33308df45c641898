"""Expressions: just enough of a value to find out later what it is. Extraction makes them, linking reads them.

An expression is a tagged tuple of plain values, so that it crosses process borders cheaply, is packed as it is
and compares exactly; None says that nothing is known:

    ("name", n)            what the name n means where it stands
    ("outer", n)           the same, where n is none of the variables of the functions around it (Python: of the class)
    ("member", e, n)       the member n of e: attribute, field, method, path segment, `a::b`, `a->b`
    ("result", i)          what call number i of this file gives back
    ("item", e)            an element of e: subscript, loop variable, unpacking
    ("item", e, k)         the one under a constant key: a text as it is, a number as `[1]`, which is a place in a list
    ("item", e, "[each]")  what a loop is at: an entry of a map, key and value, and an element of all else (C++)
    ("item", e, "[1:3]")   the part of e between two places, of which `[?:]` knows neither; all that is no list is itself
    ("awaited", e)         e after await, `?`, unwrap
    ("instance", e)        a value of the type that e names: annotation, cast, literal with a type
    ("instance", e, text)  the same with the type as written: of a cast to a collection, by which overloads are chosen,
                           and of a local variable whose class is given type arguments
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
    ("own", t, e)          the class of the project that t names, where it names one; else e, as a type of the library of
                           that name is read: a project may have a `Stack<T>`, a `Stream<T>` of its own
    ("narrowed", e, t)     e where it is known to be of the type that t names: after `instanceof`
    ("generic", e, n)      the class that the name or member e means with n type arguments (C#: `Task<T>` is no `Task`)
    ("operated", e, e, n, n)  what an operator makes of two values, by the method it runs of the left or the right one
    ("family", e, n)       a member of e whose name begins with n and is put together at run time (Python's `getattr`)
    ("passed", e, n)       what the method n of e hands to a closure: an element, or what an `Option` holds (Rust)
    ("signature", t, ...)  a function type with the types of its parameters; in it ("rest", t) takes all others
    ("called", e)          what the functions that e means give back
    ("typeof", e)          as a type: the type of the value e (TypeScript)
    ("typed", t)           as the type of a function's value: the type of the variable that holds it (TypeScript)
    ("model", n)           the class of a model that a text names, `app.Player`, or that a setting says (Python)
    ("path", n)            what a text names in full from where imports begin, `app.middleware.Headers` (Python)
    ("all", e)             all objects of the model that e names, as a mapper hands them out (Python)
    ("partial", e)         a callable that calls e when called (functools.partial, bind, method reference)

The types below are that table again, forms of one shape together: a type checker refuses a form that is not
among them and a test for a tag that none has, and narrows by `form[0] == "member"`. Two habits go with it.
Forms of any length are made by the functions at the end: elsewhere `("list", *elements)` loses its tag. And a
form is asked for its tag by index, not by `match`, which does not narrow tuples of any length.
"""

from collections.abc import Iterable
from typing import Final, Literal

NameForm = tuple[Literal["name", "outer", "model", "path"], str]
MemberForm = tuple[Literal["member", "family", "passed"], "Expression", str]
NumberForm = tuple[Literal["result", "symbol"], int]
DerivedForm = tuple[
    Literal["item", "awaited", "instance", "const", "called", "typeof", "typed", "partial", "all"],
    "Expression",
]
CastForm = tuple[Literal["instance"], "Expression", str]
KeyedForm = tuple[Literal["item"], "Expression", str]
ThroughForm = tuple[Literal["through"], str | None]
ObjectForm = tuple[Literal["this", "super"]]
LiteralForm = tuple[Literal["literal"], str]
WideLiteralForm = tuple[Literal["literal"], str, str]
PartsForm = tuple[Literal["list", "either"], *tuple["Expression", ...]]
DictForm = tuple[Literal["dict"], *tuple["Entry", ...]]
PairForm = tuple[Literal["first", "narrowed", "own"], "Expression", "Expression"]
GenericForm = tuple[Literal["generic"], "Expression", int]
OperatedForm = tuple[Literal["operated"], "Expression", "Expression", str, str]
RestForm = tuple[Literal["rest"], "Expression"]
SignatureForm = tuple[Literal["signature"], *tuple["Taken", ...]]

Known = (
    NameForm | MemberForm | NumberForm | DerivedForm | KeyedForm | CastForm | ThroughForm | ObjectForm | LiteralForm
    | WideLiteralForm | PartsForm | DictForm | PairForm | GenericForm | OperatedForm | SignatureForm
)  # fmt: skip
"""An expression of which something is known."""

Expression = Known | None
Taken = Expression | RestForm
"""What a parameter of a signature takes."""

Entry = tuple[str | None, Expression]
"""What stands in a container or among the arguments of a call: its constant key or keyword, and its value."""

Tag = Literal[
    "name", "outer", "member", "result", "item", "awaited", "instance", "through", "const", "symbol", "this",
    "super", "literal", "list", "dict", "either", "first", "narrowed", "own", "generic", "operated", "family",
    "passed", "signature", "called", "typeof", "typed", "partial", "model", "path", "all",
]  # fmt: skip
"""The tags of all forms, for sets of them."""


def list_of(elements: Iterable[Expression]) -> PartsForm:
    return ("list", *tuple(elements))


def dict_of(entries: Iterable[Entry]) -> DictForm:
    return ("dict", *tuple(entries))


def either_of(parts: Iterable[Expression]) -> PartsForm:
    return ("either", *tuple(parts))


def signature_of(parameters: Iterable[Taken]) -> SignatureForm:
    return ("signature", *tuple(parameters))


ENTRY: Final = "[each]"
"""The key of what a loop is at: the entry of a map, with its key, and the element of all else."""
KEYS: Final = "[keys]"
"""Under which a map holds its keys, beside its values."""


def place_key(place: int) -> str:
    """The constant key of a place in a list, or of any number."""
    return _PLACE_KEYS[place] if 0 <= place < len(_PLACE_KEYS) else f"[{place}]"


def part_key(first: str | None, last: str | None) -> str:
    """The key of a part of a list between two place keys, `[1:3]`; of one that begins nobody knows where, `[?:]`."""
    return f"[{first[1:-1]}:{last[1:-1] if last else ''}]" if first else "[?:]"


_MOST_TYPE_CHARACTERS: Final = 200
_PLACE_KEYS: Final = tuple(f"[{place}]" for place in range(64))  # one text each: most are small


def library_shape(form: Expression) -> Expression:
    """A type as it is read where its name is the library's: as what it holds."""
    return form[2] if form is not None and form[0] == "own" else form


def with_type_arguments(form: Expression, text: str) -> Expression:
    """The type that a variable is declared with, as written too where that gives a class type arguments."""
    if form is None or ("<" not in text and "[" not in text):
        return form
    if form[0] == "name" or form[0] == "member" or form[0] == "generic":
        return ("instance", form, text[:_MOST_TYPE_CHARACTERS])
    if form[0] == "instance":
        return ("instance", form[1], text[:_MOST_TYPE_CHARACTERS])
    return form


def last_name(form: Expression) -> str:
    """The name that a path ends in, `Box` of `shapes.Box`; empty for what is no path."""
    return form[-1] if form is not None and (form[0] == "name" or form[0] == "member") else ""
