"""C and C++: what their syntax means.

A `.c` file is read as C, a header as C++ when it says something that only C++ has. Includes are imports of
all names, with their quotes or brackets in the module text; `using` declarations and namespace aliases are
imports as well. A method defined out of line (`void A::f() {}`) is a method below the scope it stands in,
and its first parameter, the receiver, names its class. What is only declared has the modifier `declaration`. Unnamed
namespaces, structs and unions add no level of their own; what is in an unnamed namespace, and what is
`static` at file level, is private. `::f` is member f of `("name", "::")`.
A pointer or reference is what it points to, and so is a smart pointer. A function-like macro is a symbol
`macro`, an object-like one with a value a `constant`. Of the text of macros two things are read: what a
function-like one calls, as calls of the macro, and the namespaces that an object-like one opens, as namespaces
with the modifier `macro`.
"""

from drift.languages.cpp.assignments import ASSIGNMENT_HANDLERS
from drift.languages.cpp.classes import CLASS_HANDLERS
from drift.languages.cpp.declarations import DECLARATION_HANDLERS
from drift.languages.cpp.entries import note_slot_tests
from drift.languages.cpp.functions import FUNCTION_HANDLERS
from drift.languages.cpp.macros import MACRO_HANDLERS
from drift.languages.cpp.quieting import read_quietly
from drift.languages.cpp.statements import STATEMENT_HANDLERS
from drift.languages.cpp.type_forms import TYPE_HANDLERS
from drift.languages.cpp.units import UNIT_HANDLERS
from drift.languages.cpp.values import VALUE_HANDLERS
from drift.languages.facts import FileFacts

__all__ = ["extract"]

_HANDLERS = {
    **TYPE_HANDLERS,
    **VALUE_HANDLERS,
    **ASSIGNMENT_HANDLERS,
    **STATEMENT_HANDLERS,
    **FUNCTION_HANDLERS,
    **CLASS_HANDLERS,
    **DECLARATION_HANDLERS,
    **MACRO_HANDLERS,
    **UNIT_HANDLERS,
}


def extract(source: bytes, path: str) -> FileFacts:
    """The facts of a C or C++ file, whatever its bytes."""
    cpp = read_quietly(source, path)
    cpp.handlers, cpp.written = _HANDLERS, source
    with cpp.walking():
        cpp.visit(cpp.root)
        note_slot_tests(cpp)
    return cpp.finish("cpp")
