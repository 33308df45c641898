"""The word for how a target was found, or for why there is none.

scope        the name is defined in a scope around the call
import       the name is imported, or a member of something imported
package      the name is of another file of the package
builtin      the name is the language's own
self         a method of the object's own class
inherited    a method of an ancestor of the object's class
own-class    a method that the object's class has of an ancestor, where very many others have their own instead of it
super        a method of a parent, asked for as such
constructor  a class is called
annotation   the object's class is declared
assigned     the object or function was given to a name
attribute    the object or function is held in a member
returned     the object or function is what a call gave back
element      the object or function is held in a container
parameter    the object or function is an argument of another call
decorator    a decorator put it in the place of what is named
unique-name  it is the only method of that name
named-after  the object is called as a class in sight is that has the method
override     it may run in the place of a target, by its class
held         the constant that is called holds what runs
dispatched   a framework runs it for what it is handed
signal       a signal that is connected with it is sent
connected    it is registered for a signal, which runs it
callback     a function given away to be called
named        a text names it in full, from where imports begin
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from drift.languages.expressions import Expression, Tag
from drift.languages.facts import Call
from drift.languages.kinds import CODE_KINDS, VALUE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.calling import Run
from drift.scan.link.hierarchy import class_around, class_of, line_of_descent
from drift.scan.link.scopes import Found, find_name
from drift.scan.link.values import is_symbol, symbol_of

OBJECT_UNKNOWN: Final = "object not known"
OWN_CLASS: Final = "own-class"
GUESSED: Final = frozenset({"unique-name", "named-after"})
"""Of targets that names alone tell: right nine times out of ten."""

_BY_DEFINITION: Final = {"import": "import", "parameter": "parameter", "value": "assigned"}

_BY_FORM: Final[Mapping[Tag, str]] = {
    "result": "returned",
    "item": "element",
    "symbol": "scope",
    "outer": "scope",
    "partial": "assigned",
}


def explain_target(analysis: Analysis, call: Call, scope: int, *, run: Run) -> str:
    """How what a call runs was found."""
    if call.kind == "decorator" and call.callee is not None and call.callee[0] == "result":
        return "decorator"
    if run.is_constructor:
        return "constructor"
    callee = call.callee
    assert callee is not None
    if callee[0] == "name":
        return _explain_name(analysis, callee[1], scope, run)
    if callee[0] != "member":
        return _BY_FORM.get(callee[0], "assigned")
    return _explain_member(analysis, callee[1], scope, run)


def _explain_name(analysis: Analysis, name: str, scope: int, run: Run) -> str:
    assert run.symbol is not None
    symbol = analysis.program.symbol(run.symbol)
    found = find_name(analysis, name, scope)
    if found is None:
        same_file = analysis.program.table_of(scope) is analysis.program.table_of(run.symbol)
        return "scope" if same_file else "package"
    if not found.definitions:
        return "inherited"
    word = _explain_definition(analysis, found)
    return "decorator" if word == "scope" and symbol.name != name else word


def _explain_member(analysis: Analysis, owner: Expression, scope: int, run: Run) -> str:
    assert run.symbol is not None
    assert owner is not None
    if owner[0] == "this":
        here = class_around(analysis, scope)
        owner_class = class_of(analysis, run.symbol)
        if owner_class is None:
            return "attribute"
        return "self" if owner_class == here else "inherited"
    if owner[0] == "super":
        return "super"
    if owner[0] in {"result", "awaited"}:
        return "returned"
    if owner[0] == "item":
        return "element"
    if owner[0] == "instance":
        return "annotation"
    if owner[0] == "outer":
        return "import"
    if owner[0] == "member":
        root = _root_of(owner)
        is_imported = root is not None and _definition_kind(analysis, root, scope) == "import"
        return "import" if is_imported else "attribute"
    if owner[0] == "name":
        is_of_parent = _is_of_parent(analysis, owner, scope, run)
        return "super" if is_of_parent else _explain_owner(analysis, owner[1], scope)
    return "assigned"


def _is_of_parent(analysis: Analysis, owner: Expression, scope: int, run: Run) -> bool:
    """Whether a method is asked of a class by its name that is above the one at hand: `Base::start()` of an object."""
    if run.symbol is None or run.is_virtual or "static" in analysis.program.symbol(run.symbol).modifiers:
        return False
    if analysis.program.symbol(run.symbol).kind not in CODE_KINDS:
        return False
    named = {symbol_of(value) for value in analysis.evaluate(owner, scope) if is_symbol(value)}
    here = class_around(analysis, scope) if named else None
    return here is not None and not named.isdisjoint(line_of_descent(analysis, here)[1:])


def _explain_owner(analysis: Analysis, name: str, scope: int) -> str:
    found = find_name(analysis, name, scope)
    if found is None:
        return "import"
    if not found.definitions:
        return "attribute"
    definition = found.definitions[0]
    if definition.kind == "parameter":
        parameter = analysis.program.symbol(found.scope).parameters[definition.number]
        return "annotation" if parameter.type is not None else "parameter"
    return _explain_definition(analysis, found)


def _explain_definition(analysis: Analysis, found: Found) -> str:
    """How a name comes by its meaning; a variable is known by what it is given, else by its type."""
    definitions = found.definitions
    if definitions[0].kind == "symbol":
        table = analysis.program.table_of(found.scope)
        if table.symbols[definitions[0].number].kind not in VALUE_KINDS:
            return "scope"
        is_given = any(definition.value is not None for definition in definitions)
        return "assigned" if is_given else "annotation"
    if definitions[0].kind == "value" and definitions[0].value is None:
        return "annotation"
    return _BY_DEFINITION[definitions[0].kind]


def _root_of(expression: Expression) -> str | None:
    while expression is not None and expression[0] == "member":
        expression = expression[1]
    return expression[1] if expression is not None and expression[0] == "name" else None


def _definition_kind(analysis: Analysis, name: str, scope: int) -> str | None:
    found = find_name(analysis, name, scope)
    return found.definitions[0].kind if found is not None and found.definitions else None


def _is_of_trait(analysis: Analysis, owner: Expression, scope: int) -> bool:
    """Whether an object is of whatever class uses the trait at hand."""
    if owner != ("this",) or not analysis.program.semantics_at(scope).has_traits_of_any_class:
        return False
    around = class_around(analysis, scope)
    return around is not None and analysis.program.symbol(around).kind == "trait"


def explain_unknown(analysis: Analysis, call: Call, scope: int) -> str:
    """Why nothing is known of what a call runs."""
    callee: Expression = call.callee
    if callee is None:
        return "not a name"
    if callee[0] in {"name", "outer"}:
        if find_name(analysis, callee[1], scope) is None:
            table = analysis.program.table_of(scope)
            return "undefined name" if not table.stars else "name from outside"
        return "value not known"
    if callee[0] == "member":
        is_known = analysis.evaluate(callee[1], scope) and not _is_of_trait(analysis, callee[1], scope)
        return "no such member" if is_known else OBJECT_UNKNOWN
    return "value not known"
