"""What expressions give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from drift.flow import ir
from drift.flow.assignment import assign, type_of
from drift.flow.checked import remembered
from drift.flow.checking import check_key
from drift.flow.folding import element, fold, truth
from drift.flow.narrowing import narrow
from drift.flow.questions import question
from drift.flow.run import ASKED, Run, joined_environments
from drift.flow.sources import key_of, of_address, of_key, source_value
from drift.flow.values import (
    EMPTY,
    LATER,
    NONE,
    UNKNOWN,
    Taints,
    Unknown,
    Value,
    formatted,
    join,
    joined,
    joined_taints,
    put_together,
)
from drift.libraries import Source

_EITHER: Final = frozenset({"or", "||", "??", "?:"})
_BOTH: Final = frozenset({"and", "&&"})
_MOST_DEPTH: Final = 120
_ELSEWHERE: Final = Source("variable set elsewhere", trust="unknown")


def evaluate(run: Run, form: ir.Expression) -> Value:
    """The value of an expression, with the effects of computing it."""
    if not run.spend() or run.depth > _MOST_DEPTH:
        return EMPTY
    run.depth += 1
    try:
        found: Value = _READERS[type(form)](run, form)
        if ASKED in run.env and found.taints and (left := remembered(run, form)) is not None:
            return left
        return found
    finally:
        run.depth -= 1


def _literal(_run: Run, form: ir.Literal) -> Value:
    return Value(constant=form.value)


def _name(run: Run, form: ir.Name) -> Value:
    name = form.name
    if (found := run.env.get(name)) is not None:
        return found
    if run.owner and (declared := _field_type(run, name)) is not None:
        stored = stored_field(run, name.lstrip("@$")) or EMPTY
        return stored.typed(stored.type or declared)
    if name.startswith("@") and run.owner and (kept := stored_field(run, name.lstrip("@"))) is not None:
        return kept
    if (found := run.outer.get(name)) is not None:
        return found
    if form.column >= 0 and (form.line, form.column) in run.context.targets:
        return run.machine.call(run, ir.Call(ir.Name(name, form.line), (), form.line, form.column))
    imported = run.context.imported.get(name)
    root = run.form.root
    type_name = imported or (f"{root}.{name}" if root else name)
    if imported is None and name in run.models.parameter_types:
        type_name = run.models.parameter_types[name]
    for source in run.models.sources.find((type_name,)):
        return source_value(run, source, form.line, type_name)
    if root == "php" and imported is None and name.startswith("$") and name not in run.form.self_names:
        # A variable that nothing here gives a value: whoever includes the file may.
        return source_value(run, _ELSEWHERE, form.line, type_name)
    return Value(type_name=type_name)


def _field_type(run: Run, name: str) -> str | None:
    from_class = run.context.fields.get(run.owner)  # type: ignore[call-overload] # ids are numbers
    declared = from_class.get(name.lstrip("@$")) if from_class else None
    return None if declared is None else type_of(run, declared)


def _member(run: Run, form: ir.Member) -> Value:
    owner = evaluate(run, form.owner)
    return read_member(run, form, owner)


def read_member(run: Run, form: ir.Member, owner: Value) -> Value:
    """A field of a value."""
    type_name = f"{owner.type}.{form.name}" if owner.type else ""
    is_self = isinstance(form.owner, ir.Name) and form.owner.name in run.form.self_names
    found = owner.part(form.name, type_name)
    if is_self:
        found = _own_field(run, form, found)
    if type_name:
        for source in run.models.sources.find((type_name,)):
            return source_value(run, source, form.line, type_name)
    found = of_address(found, form.name)
    if (not found.type or is_self) and form.name in run.models.parameter_types:
        return found.typed(run.models.parameter_types[form.name])
    return found


def _own_field(run: Run, form: ir.Member, found: Value) -> Value:
    stored = stored_field(run, form.name)
    declared = _field_type(run, form.name) or ""
    if stored is not None:
        kept = join(found, stored)
        found = Value(
            kept.taints,
            constant=found.constant,
            fields=kept.fields,
            is_whole=found.is_whole,
            type_name=kept.type,
            closure=found.closure,
        )
    return found.typed(declared) if declared else found


def stored_field(run: Run, name: str) -> Value | None:
    """What other methods put into a field; after an answer to a request only another request can read it."""
    stored = run.results.stored.get((run.owner, name))
    return _later(run, stored) if stored is not None and stored.all_taints() else stored


def _later(run: Run, value: Value) -> Value:
    taints = {
        origin: taint._replace(doubt=LATER)
        if origin.parameter in run.handlers and origin.parameter != run.unit
        else taint
        for origin, taint in value.taints.items()
    }
    fields = {key: _later(run, each) for key, each in value.fields.items()} if value.fields else value.fields
    return Value(taints, fields=fields, type_name=value.type)


def _index(run: Run, form: ir.Index) -> Value:
    owner = evaluate(run, form.owner)
    key = evaluate(run, form.key) if form.key is not None else EMPTY
    if not isinstance(owner.constant, Unknown) and not isinstance(owner.constant, bool):
        return Value(constant=element(owner.constant, key.constant))
    name = key_of(key.constant)
    if name in run.form.clean_keys:
        return EMPTY
    if name is not None and owner.type:
        for source in run.models.sources.find((f"{owner.type}.{name}",)):
            return source_value(run, source, form.line, f"{owner.type}.{name}")
    found = of_key(owner.part(name), name)
    return found if found.type or not owner.type else found.typed(owner.type)


def _text(run: Run, form: ir.Text) -> Value:
    return put_together([evaluate(run, each) for each in form.parts], is_text=True)


def _operation(run: Run, form: ir.Operation) -> Value:
    sign = form.operator
    left = evaluate(run, form.left)
    if sign in _EITHER or sign in _BOTH:
        return _logical(run, form, left)
    right = evaluate(run, form.right)
    if sign in run.form.joins:
        return _put(sign, left, right)
    if sign == "%":
        return _formatted(left, right)
    if sign == "/" and left.type.endswith("Path"):  # parts of a path
        return put_together((left, right)).typed(left.type)
    constant = fold(sign, left.constant, right.constant)
    if sign == "|" and (left.taints or right.taints):  # sets, and results of several
        return Value(joined_taints(left.all_taints(), right.all_taints()), constant=constant)
    return Value(constant=constant)


def _put(sign: str, left: Value, right: Value) -> Value:
    constant = fold(sign, left.constant, right.constant)
    if left.fields is not None and right.fields is not None and left.is_whole and right.is_whole:
        parts = [*left.fields.values(), *right.fields.values()]
        return Value(fields={str(number): each for number, each in enumerate(parts)}, is_whole=True)
    return Value(put_together((left, right), is_text=True).taints, constant=constant)


def _formatted(left: Value, right: Value) -> Value:
    if isinstance(left.constant, str):
        return formatted(left.constant, (right,))
    if left.taints or right.taints:
        return Value(put_together((left, right)).taints)
    return Value(constant=fold("%", left.constant, right.constant))


def _logical(run: Run, form: ir.Operation, left: Value) -> Value:
    known = truth(left.constant)
    is_or = form.operator in _EITHER
    if known is not None and not (form.operator == "??" and left.constant is not None):
        if known is is_or:
            return left
        return evaluate(run, form.right)
    before = run.env
    run.env = dict(before)
    narrow(run, form.left, positive=not is_or)
    question(run, form.left, positive=not is_or)
    right = evaluate(run, form.right)
    run.env = joined_environments(before, run.env)
    if is_or:
        return join(left, right)
    return Value(joined_taints(left.all_taints(), right.all_taints()), type_name=right.type)


def _not(run: Run, form: ir.Not) -> Value:
    known = truth(evaluate(run, form.operand).constant)
    return Value(constant=UNKNOWN if known is None else not known)


def _choice(run: Run, form: ir.Choice) -> Value:
    known = truth(evaluate(run, form.test).constant)
    if known is not None:
        return evaluate(run, form.then if known else form.other)
    before = run.env
    run.env = dict(before)
    narrow(run, form.test, positive=True)
    question(run, form.test, positive=True)
    then, after = evaluate(run, form.then), run.env
    run.env = dict(before)
    narrow(run, form.test, positive=False)
    question(run, form.test, positive=False)
    other = evaluate(run, form.other)
    run.env = joined_environments(after, run.env) if after is not before else run.env
    run.env = {
        name: before.get(name, value) if value is not before.get(name) else value
        for name, value in run.env.items()
    }
    return join(then, other)


def _items(run: Run, form: ir.Items) -> Value:
    fields = {str(number): evaluate(run, each) for number, each in enumerate(form.items)}
    return Value(fields=fields, is_whole=True)


def _table(run: Run, form: ir.Table) -> Value:
    fields: dict[str, Value] = {}
    taints: Taints = NONE
    is_whole = True
    for key, given in form.entries:
        value = evaluate(run, given)
        if key is None:
            is_whole = False
            fields |= value.fields or {}
            taints = joined_taints(taints, value.taints)
            continue
        constant = key_of(evaluate(run, key).constant) if not isinstance(key, ir.Name) else key.name
        if constant is None:
            fields["*"] = join(fields["*"], value) if "*" in fields else value
        else:
            fields[constant] = value
            check_key(run, constant, value, form.line, form=given)
    return Value(taints, fields=fields, is_whole=is_whole, type_name=form.type)


def _cast(run: Run, form: ir.Cast) -> Value:
    value = evaluate(run, form.value)
    kind = form.type.strip()
    if kind.lower() in run.form.clean_types or kind in run.form.clean_types:
        return Value(constant=value.constant)
    return value.typed(type_of(run, kind) or value.type)


def _assign(run: Run, form: ir.Assign) -> Value:
    words = run.words
    if isinstance(form.target, ir.Name | ir.Member):
        run.words = (*words, form.target.name)
    value = evaluate(run, form.value)
    run.words = words
    if form.operator and form.operator not in {"||", "??", "&&"}:
        old = evaluate(run, form.target)
        if form.operator in run.form.joins:
            value = _put("+", old, value) if old.fields is None else old.with_part(None, value)
        else:
            value = Value(constant=fold(form.operator, old.constant, value.constant))
    elif form.operator:
        value = join(evaluate(run, form.target), value)
    assign(run, form.target, value, line=form.line, type_text=form.type)
    return value


def _opaque(run: Run, form: ir.Opaque) -> Value:
    found = [evaluate(run, each) for each in form.parts]
    if len(found) == 1:
        return found[0]
    return Value(joined(found).all_taints())


def _function(run: Run, form: ir.Function) -> Value:
    run.machine.run_closure(run, form, ())
    return Value(closure=form)


def _call(run: Run, form: ir.Call) -> Value:
    return run.machine.call(run, form)


_READERS: Final[dict[type, Callable[[Run, Any], Value]]] = {
    ir.Literal: _literal,
    ir.Name: _name,
    ir.Member: _member,
    ir.Index: _index,
    ir.Text: _text,
    ir.Operation: _operation,
    ir.Not: _not,
    ir.Choice: _choice,
    ir.Items: _items,
    ir.Table: _table,
    ir.Cast: _cast,
    ir.Assign: _assign,
    ir.Opaque: _opaque,
    ir.Function: _function,
    ir.Call: _call,
}
