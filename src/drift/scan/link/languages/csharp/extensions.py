"""Extension methods: functions of other classes that are called as if they were methods of an object.

C# finds them by name among the namespaces a file uses, and by the type of their first parameter. A method that
the object has itself comes first.
"""

from __future__ import annotations

from drift.languages import Call
from drift.languages.expressions import Expression
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import MOST_OVERLOADS, Analysis
from drift.scan.link.extended_names import extending_spaces
from drift.scan.link.hidden_types import is_type
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.keys import method_key, sharing_key, space_key
from drift.scan.link.languages.csharp.overloads import refuses
from drift.scan.link.languages.csharp.platform import WIDENED
from drift.scan.link.languages.csharp.refusals import are_refused
from drift.scan.link.semantics import Semantics
from drift.scan.link.values import Value, Values, is_instance, is_internal, symbol_of, symbol_value

_ENUM = "Enum"  # what every enum of the project is
_ROOTS = frozenset({"object", "Object", "dynamic"})  # what every object is


def extension_values(
    analysis: Analysis, call: Call, scope: int, *, values: Values, semantics: Semantics
) -> Values:
    """What a method call calls; the extension methods it may mean where the object has no such method of the project."""
    callee = call.callee
    assert callee is not None
    assert callee[0] == "member"
    is_of_type = call.text.startswith("typeof(") and _is_of_type(analysis, callee[1], scope)
    if (
        not is_of_type
        and any(map(is_internal, values))
        and not _give_way(analysis, call, scope, name=callee[2], values=values)
    ):
        return values
    table = analysis.program.table_of(scope)
    language = semantics.language
    analysis.program.note_stars(table)
    analysis.program.note(sharing_key(language))
    spaces = extending_spaces(analysis, scope)
    if not spaces:
        return values
    found = _visible(analysis, callee[2], spaces, language=language)
    found = [function for function in found if _takes(analysis, function, call)]
    found = _without_refusing(analysis, found, call, scope)
    if len(found) > MOST_OVERLOADS:
        return values
    if not found:
        outside = semantics.outside_extensions.get(callee[2])
        is_ours = analysis.program.is_provided(method_key(language, callee[2]))
        return (outside,) if outside is not None and not values and not is_ours else values
    objects = ("Type",) if is_of_type else analysis.evaluate(callee[1], scope)
    fitting = _fitting(analysis, found, objects)
    return tuple(("extension", symbol_value(function)) for function in fitting) or values


def _give_way(analysis: Analysis, call: Call, scope: int, *, name: str, values: Values) -> bool:
    """Whether members refuse a call that an extension method may take, of which most names have none."""
    language = analysis.program.table_of(scope).facts.language
    if not analysis.cached(("extensions", language, name), _named, language, name):
        return False
    return are_refused(analysis, call, scope, values)


def _is_of_type(analysis: Analysis, named: Expression, scope: int) -> bool:
    """Whether what is written after `typeof` is a class, which is given as its name: members are those of `Type`."""
    values = analysis.evaluate(named, scope)
    return bool(values) and all(is_type(analysis, one) for one in values)


def _visible(analysis: Analysis, name: str, spaces: tuple[str, ...], *, language: str) -> list[int]:
    """The extension methods of that name in the classes of these namespaces."""
    program = analysis.program
    found = []
    for function in analysis.cached(("extensions", language, name), _named, language, name):
        table = program.table_of(function)
        owner = table.symbols[program.symbol(function).parent].name
        if any(table.path in program.providing(space_key(language, space, owner)) for space in spaces):
            found.append(function)
    return found


def _named(analysis: Analysis, language: str, name: str) -> list[int]:
    program = analysis.program
    return [
        table.first + number
        for table in program.tables_at(program.providing(method_key(language, name)))
        for number, symbol in enumerate(table.symbols)
        if symbol.name == name and "extension" in program.symbol(table.first + number).modifiers
    ]


def _takes(analysis: Analysis, function: int, call: Call) -> bool:
    """Whether a function has parameters for the object and for what the call gives."""
    parameters = analysis.program.symbol(function).parameters
    count = len(call.arguments) + 1
    needed = sum(one.default_text is None and one.kind != "rest" for one in parameters)
    return needed <= count and (count <= len(parameters) or parameters[-1].kind == "rest")


def _without_refusing(analysis: Analysis, functions: list[int], call: Call, scope: int) -> list[int]:
    """Without those that do not take what is given: a library's may be meant, of whatever project's name it is."""
    if not functions or any(keyword for keyword, _ in call.arguments):
        return functions
    # The object is the first argument, and which of them takes that is asked apart.
    whole = call._replace(arguments=((None, None), *call.arguments))
    return [one for one in functions if not refuses(analysis, whole, scope, function=one)]


def _fitting(analysis: Analysis, functions: list[int], objects: Values) -> list[int]:
    """Those that take such an object for sure, else those that may; all of them where nothing is known of it."""
    if any(isinstance(value, int) and not is_instance(value) for value in objects):
        return []  # a class, not an object
    if not objects:
        return functions
    levels = {function: _fitness(analysis, function, objects) for function in functions}
    best = max(levels.values())
    return [function for function in functions if best and levels[function] == best]


def _fitness(analysis: Analysis, function: int, objects: Values) -> int:
    """Two where the first parameter is of the object's type, one where it may be, zero where it is not."""
    program = analysis.program
    first = program.symbol(function).parameters[0]
    declared = analysis.evaluate(first.type, program.parent(function))
    if not declared:
        return 1
    return max(_closeness(analysis, value, kind) for value in objects for kind in declared)


def _closeness(analysis: Analysis, value: Value, kind: Value) -> int:
    if isinstance(kind, str) and _last(kind) in _ROOTS:
        return 1
    if isinstance(value, int):
        return _class_closeness(analysis, symbol_of(value), kind)
    if isinstance(value, str):
        # Beyond a bare name it is what came of something outside, whose type nobody says.
        if "." in value:
            return 1
        return 0 if isinstance(kind, int) else 2 if isinstance(kind, str) and _last(kind) == value else 1
    if isinstance(kind, tuple) and value[0] == kind[0] == "literal":
        if value[1] == kind[1]:
            return 2
        return 1 if kind[1] in WIDENED.get(value[1], ()) else 0
    if isinstance(kind, tuple) and value[0] == kind[0] == "container":
        held, wanted = analysis.containers[value[1]].kind, analysis.containers[kind[1]].kind
        return 2 if held == wanted else 1 if wanted == "list" else 0
    return 1 if isinstance(kind, str) and value[0] == "container" else 0


def _class_closeness(analysis: Analysis, owner: int, kind: Value) -> int:
    line = line_of_descent(analysis, owner)
    if isinstance(kind, int):
        is_class = analysis.program.symbol(symbol_of(kind)).kind in TYPE_KINDS
        return 2 if is_class and symbol_of(kind) in line else 0
    outside = {_last(one) for one in line if isinstance(one, str)}
    if isinstance(kind, str):
        if _last(kind) == _ENUM and analysis.program.symbol(owner).kind == "enum":
            return 2
        return 2 if _last(kind) in outside else 1 if outside else 0
    return 1 if outside and kind[0] == "container" else 0


def _last(name: str) -> str:
    return name.rpartition(".")[2]
