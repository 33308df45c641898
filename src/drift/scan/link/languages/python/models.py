"""What object-relational mappers make at run time: managers of models, what these give, and views that go by models.

A manager and a query set are a container of objects of the model, so that its elements, what it is gone through for and
what most of its methods give follow as they do for lists. Which names do what is data: `models.toml`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from drift.languages.expressions import DerivedForm, Expression, MemberForm, NameForm
from drift.languages.facts import Call
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import MOST_GIVEN, Analysis
from drift.scan.link.container_methods import OWN_KIND
from drift.scan.link.containers import element_values
from drift.scan.link.hierarchy import Line, line_of_descent
from drift.scan.link.keys import related_key
from drift.scan.link.languages.python.mapper_data import mapper
from drift.scan.link.languages.python.mapper_home import Home, mapper_home
from drift.scan.link.languages.python.named_models import named_models
from drift.scan.link.members import value_member
from drift.scan.link.names import definition_values
from drift.scan.link.tables import Definition
from drift.scan.link.values import (
    NOTHING,
    SYMBOL_MASK,
    MethodValue,
    Value,
    Values,
    as_instance,
    instance_value,
    is_instance,
    is_symbol,
    merge,
    plain_name,
    symbol_of,
    symbol_value,
)

_OPTIONS: Final = "_meta"
_SET_CLASS: Final = "_queryset_class"


def manager_values(analysis: Analysis, line: Line, name: str) -> Values:
    """What a mapper puts on a class: the manager of a model and what other models give it, and what managers are made of."""
    owner = line[0] if line else ""
    if isinstance(owner, str):
        return NOTHING
    home = mapper_home(analysis)
    if name in mapper().managers and _is_model(line, home):
        manager = (instance_value(home.manager),) if home is not None else NOTHING
        return (*manager, _all_of(analysis, owner))
    if home is not None and (found := _made_at_home(analysis, line, name, home)):
        return found
    return _given_back(analysis, line, name, home)


def _made_at_home(analysis: Analysis, line: Line, name: str, home: Home) -> Values:
    """What the mapper's own classes have that no text shows."""
    if name == _OPTIONS and home.model in line:
        return (instance_value(home.options),)
    if name == _SET_CLASS and home.base_manager in line:
        sets = (one for one in line if isinstance(one, int) and _is_query_set(analysis, one, home))
        return (symbol_value(next(sets, home.query_set)),)
    if home.forward_many in line or home.reverse_many in line:
        return value_member(analysis, instance_value(home.manager), name)
    return NOTHING


def _is_query_set(analysis: Analysis, owner: int, home: Home) -> bool:
    line = line_of_descent(analysis, owner)
    return home.query_set in line and home.base_manager not in line


def _given_back(analysis: Analysis, line: Line, name: str, home: Home | None) -> Values:
    """What models of other files give a model that they lead to."""
    program = analysis.program
    paths = program.providing(related_key(name))
    if not paths or not _is_model(line, home):
        return NOTHING
    found: list[Values] = []
    for table in program.tables_at(paths):
        program.note_stores(table, name)
        for store in table.late_stores.get(name, ())[:MOST_GIVEN]:
            led_to = analysis.evaluate(store.receiver, store.scope)
            if any(is_symbol(one) and symbol_of(one) in line for one in led_to):
                found.append(analysis.evaluate(store.value, store.scope))
    return merge(found)


def with_model(analysis: Analysis, owner: int, values: Values) -> Values:
    """What a class has for a member: beside a manager of the project's own all objects of the model.

    In the place of one of a library: what its methods give is known by their names alone.
    """
    sets = mapper().sets
    if values and all(isinstance(one, str) and plain_name(one).endswith(sets) for one in values):
        return (_all_of(analysis, owner),) if _is_model(line_of_descent(analysis, owner), None) else values
    if not any(is_instance(one) for one in values):
        return values
    home = mapper_home(analysis)
    if not any(is_instance(one) and _is_set(analysis, one, home) for one in values):
        return values
    line = line_of_descent(analysis, owner)
    return merge([values, (_all_of(analysis, owner),)]) if _is_model(line, home) else values


def mapped_values(analysis: Analysis, form: NameForm | DerivedForm, scope: int) -> Values:
    """The model that a text names; all objects of one that is named, as a relation of several hands them out."""
    if form[0] == "model" and isinstance(form[1], str):
        return named_models(analysis, form[1], scope)
    models = _classes(analysis, analysis.evaluate(form[1], scope)) if not isinstance(form[1], str) else ()
    home = mapper_home(analysis)
    manager = (instance_value(home.forward_many),) if home is not None and models else ()
    return (*manager, *(_all_of(analysis, symbol_of(one)) for one in models))


def _is_model(line: Line, home: Home | None) -> bool:
    known = mapper()
    if home is not None and home.model in line:
        return True
    return any(
        isinstance(one, str) and one.startswith(known.packages) and one.endswith(known.models) for one in line
    )


def _is_set(analysis: Analysis, value: int, home: Home | None) -> bool:
    known = mapper()
    line = line_of_descent(analysis, symbol_of(value))
    if home is not None and (home.base_manager in line or home.query_set in line):
        return True
    return any(isinstance(one, str) and plain_name(one).endswith(known.sets) for one in line)


def _all_of(analysis: Analysis, model: int) -> Value:
    kind = mapper().kind if mapper_home(analysis) is None else OWN_KIND
    value, made = analysis.container(("all of", model), kind, model)
    if made is not None:
        made.entries.append((None, ("instance", ("symbol", model & SYMBOL_MASK)), model))
    return value


def may_be_mapped(analysis: Analysis, name: str) -> bool:
    """Whether a mapper of the project may have put something under a name that it reads by code of its own."""
    if mapper_home(analysis) is None:
        return False
    return name in mapper().managers or analysis.program.is_provided(related_key(name))


def mapped_readers(
    analysis: Analysis, owner: int, name: str, *, definitions: Iterable[Definition] = ()
) -> tuple[int, ...]:
    """What a mapper of the project runs where a member of a model is read that it put there."""
    home = mapper_home(analysis)
    if home is None:
        return ()
    line = line_of_descent(analysis, owner)
    if not _is_model(line, home):
        return ()
    forms = {one.value[0] for one in definitions if one.kind == "value" and one.value is not None}
    if not forms:
        if name in mapper().managers:
            return (home.manager_reader,)
        given = _given_back(analysis, line, name, home)
        is_one = bool(given) and all(is_instance(one) and not _is_set(analysis, one, home) for one in given)
        return (home.one_reader,) if is_one else (home.many_reader,) if given else ()
    if "all" in forms or "instance" in forms:
        return (home.many_reader,) if "all" in forms else (home.object_reader,)
    values = definition_values(analysis, owner, name)
    is_manager = any(is_instance(one) and _is_set(analysis, one, home) for one in values)
    return (home.manager_reader,) if is_manager else ()


def passed_through(analysis: Analysis, function: int, call: Call) -> tuple[Expression, ...]:
    """What classes and objects a mapper of the project makes of a query set: managers that have its methods."""
    home, callee = mapper_home(analysis), call.callee
    if home is None or callee is None or callee[0] != "member":
        return ()
    if function == home.from_set and call.arguments:
        return (callee[1], call.arguments[0][1])
    return (("instance", callee[1]),) if function == home.as_manager else ()


def forwarding_methods(
    analysis: Analysis, callee: MemberForm, scope: int, methods: Collection[int]
) -> tuple[int, ...]:
    """What runs between a manager and the method of its query set that is called on it."""
    home = mapper_home(analysis)
    if home is None:
        return ()
    parent = analysis.program.parent
    if not any(_is_query_set(analysis, parent(one), home) for one in methods):
        return ()
    owners = [symbol_of(one) for one in analysis.evaluate(callee[1], scope) if is_instance(one)]
    lines = [line_of_descent(analysis, one) for one in owners]
    managers = {home.base_manager, home.forward_many, home.reverse_many}
    return (home.forwarding,) if any(managers.intersection(line) for line in lines) else ()


def set_result(analysis: Analysis, method: MethodValue, call: Call, scope: int) -> Values | None:
    """What a method of a manager gives, by its name; None where it is none that is known."""
    known = mapper()
    _, container, name = method
    if name in known.element:
        return element_values(analysis, (container,))
    if name in known.same:
        return (container,)
    if name in known.paired:
        key = ("paired", container, scope, call.line, call.column)
        value, made = analysis.container(key, "list", scope)
        if made is not None and isinstance(container, tuple) and container[0] == "container":
            made.entries.append((None, ("held", container[1]), scope))
        return (value,)
    return None


def mapped_result(analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
    """What functions and methods of a mapper outside give that go by the models of the project."""
    known, last = mapper(), name.rpartition(".")[2]
    if name in known.user_models:
        return named_models(analysis, name.rpartition(".")[2], scope) or None
    if name in known.fetching or name in known.listing:
        return _fetched(analysis, call, scope, is_list=name in known.listing)
    callee = call.callee
    if callee is None or callee[0] != "member":
        return None
    if last in known.views:
        return _of_view(analysis, name, callee[1], scope)
    owner = name.removesuffix(f".{last}")
    if not owner.endswith(known.sets):
        return None
    if last == "as_manager":
        return (
            tuple(as_instance(one) for one in _classes(analysis, analysis.evaluate(callee[1], scope))) or None
        )
    if last == "from_queryset" and call.arguments:
        return _classes(analysis, analysis.evaluate(call.arguments[0][1], scope)) or None
    # A method of a project's own manager goes on from itself.
    own = tuple(one for one in analysis.evaluate(callee[1], scope) if is_instance(one))
    return own if own and last in known.same else None


def _fetched(analysis: Analysis, call: Call, scope: int, *, is_list: bool) -> Values | None:
    given = analysis.evaluate(call.arguments[0][1], scope) if call.arguments else NOTHING
    objects = [as_instance(one) for one in _classes(analysis, given)]
    held = element_values(analysis, tuple(one for one in given if isinstance(one, tuple)))
    found = merge([tuple(objects), tuple(one for one in held if is_instance(one))])
    if not found:
        return None
    return (
        found
        if not is_list
        else tuple(_all_of(analysis, symbol_of(one)) for one in found if isinstance(one, int))
    )


def _of_view(analysis: Analysis, name: str, view: Expression, scope: int) -> Values | None:
    """What a method of a framework's view gives, by what a member of the class says."""
    for row in mapper().views[name.rpartition(".")[2]]:
        if not name.startswith(row["package"]):
            continue
        held = analysis.evaluate(("member", view, row["member"]), scope)
        inside = tuple(one for one in held if not isinstance(one, str))
        if row["gives"] == "object":
            return tuple(as_instance(one) for one in _classes(analysis, inside)) or None
        sets = tuple(one for one in inside if isinstance(one, tuple))
        return (sets if row["gives"] == "same" else element_values(analysis, sets)) or None
    return None


def _classes(analysis: Analysis, values: Values) -> tuple[int, ...]:
    symbol = analysis.program.symbol
    return tuple(one for one in values if is_symbol(one) and symbol(symbol_of(one)).kind in TYPE_KINDS)
