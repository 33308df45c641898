"""What assignments do to names, fields and elements."""

from __future__ import annotations

import re
from typing import Final

from drift.flow import ir
from drift.flow.checking import check_assigned, check_key
from drift.flow.run import ASKED, Run
from drift.flow.sources import key_of, of_address, source_value
from drift.flow.values import EMPTY, MOST_PATH, NONE, Unknown, Value, join, moved

_TYPE: Final = re.compile(r"[A-Za-z_$][\w.$\\]{0,200}")


def type_of(run: Run, text: str) -> str:
    """The name of a declared type, in full where it is imported; empty where it says nothing of methods."""
    plain = text.strip().lstrip("*&?:[]\\ ").removeprefix("final ")
    if plain in run.form.text_types or text.strip() in run.form.text_types or plain in run.form.clean_types:
        return ""
    found = _TYPE.match(plain)
    if found is None:
        return ""
    name = found.group().replace("\\", ".")
    first, dot, rest = name.partition(".")
    return run.context.imported.get(first, first) + dot + rest


def is_clean(run: Run, text: str) -> bool:
    """Whether values of a declared type cannot carry a text that somebody chose."""
    return bool(text) and text.strip().removeprefix("final ") in run.form.clean_types


def assign(run: Run, target: ir.Expression, value: Value, *, line: int, type_text: str = "") -> None:
    """Give a value to what stands left of an assignment."""
    if type_text:
        value = _declared(run, value, type_text)
    if value.taints and isinstance(target, ir.Name | ir.Member):
        value = value.tainted(moved(value.taints, run.file, line, f"assigned to {target.name}"))
    _store(run, target, value, line=line)


def _declared(run: Run, value: Value, text: str) -> Value:
    if is_clean(run, text):
        return Value(NONE, constant=value.constant)
    declared = type_of(run, text)
    if not declared or (value.type and value.type.rpartition(".")[2] == declared.rpartition(".")[2]):
        return value
    return value.typed(declared)


def _store(run: Run, target: ir.Expression, value: Value, *, line: int, is_given: bool = True) -> None:
    """Put a value into its place; `is_given` says that it is written there itself, not a part of it."""
    if isinstance(target, ir.Name):
        run.env[target.name] = value
        check_key(run, target.name, value, line)
        if target.name.startswith("@") and run.owner:
            _keep(run, target.name.lstrip("@"), value)
    elif isinstance(target, ir.Member):
        check_key(run, target.name, value, line)
        _store_member(run, target, value, line=line, is_given=is_given)
    elif isinstance(target, ir.Index):
        _store_element(run, target, value, line=line)
    else:
        _unpack(run, target, value, line=line)


def _unpack(run: Run, target: ir.Expression, value: Value, *, line: int) -> None:
    """Give the parts of a value to the names of a pattern."""
    if isinstance(target, ir.Items):
        last = len(target.items) - 1
        for number, each in enumerate(target.items):
            # The last of several results of Go says whether there was an error.
            is_error = run.form.ends_in_error and number == last > 0 and value.fields is None
            _store(run, each, EMPTY if is_error else _taken(value, number), line=line)
    elif isinstance(target, ir.Table):
        for key, each in target.entries:
            name = key.value if isinstance(key, ir.Literal) else None
            _store(run, each, unpacked(run, value, None if name is None else str(name), line), line=line)
    elif isinstance(target, ir.Cast | ir.Opaque):
        for part in (target.value,) if isinstance(target, ir.Cast) else target.parts[:1]:
            _store(run, part, value, line=line)


def unpacked(run: Run, value: Value, key: str | None, line: int) -> Value:
    """A field that a pattern takes out of a value, as reading it would."""
    type_name = f"{value.type}.{key}" if value.type and key else ""
    if type_name:
        for source in run.models.sources.find((type_name,)):
            return source_value(run, source, line, type_name)
    return of_address(value.part(key, type_name), key or "")


def _taken(value: Value, number: int) -> Value:
    """What the name at a place of a list of names gets."""
    if value.fields and str(number) in value.fields:
        return value.fields[str(number)]
    if value.fields is not None:
        return value.part(None)
    return Value(value.taints, type_name=value.type if number == 0 else "")


def _store_member(run: Run, target: ir.Member, value: Value, *, line: int, is_given: bool) -> None:
    owner = run.evaluate(target.owner)
    run.env.pop(ASKED, None)
    if is_given:
        check_assigned(run, f"{owner.type or '?'}.{target.name}", value, line)
    if isinstance(target.owner, ir.Name) and target.owner.name in run.form.self_names:
        _keep(run, target.name, value)
    if isinstance(target.owner, ir.Name | ir.Member | ir.Index):
        _store(run, target.owner, owner.with_part(target.name, value), line=line, is_given=False)


def _store_element(run: Run, target: ir.Index, value: Value, *, line: int) -> None:
    owner = run.evaluate(target.owner)
    run.env.pop(ASKED, None)
    key = run.evaluate(target.key) if target.key is not None else EMPTY
    name = key_of(key.constant)
    if name is not None:
        check_key(run, name, value, line)
    check_assigned(run, owner.type or "?", value, line)
    if key.taints:
        check_assigned(run, owner.type or "?", key, line)
    if target.key is None and owner.fields is not None and owner.is_whole:
        name = str(len(owner.fields))
    if isinstance(target.owner, ir.Name | ir.Member | ir.Index):
        _store(run, target.owner, owner.with_part(name, value), line=line)


def _keep(run: Run, name: str, value: Value) -> None:
    """Remember data of sources that gets into a field, for other methods of the type."""
    if not run.owner:
        return
    key = (run.owner, name)
    kept = _of_sources(value)
    known = run.results.stored.get(key)
    taints = kept.all_taints()
    if taints and (known is None or not taints.keys() <= known.all_taints().keys()):
        run.results.stored[key] = join(known or EMPTY, kept)
        run.results.changed.add(run.owner)
    elif known is None and isinstance(value.constant, Unknown) and (value.type or value.fields is not None):
        run.results.stored[key] = kept


def _of_sources(value: Value, depth: int = 0) -> Value:
    """A value with the data of sources alone, each in the field it is in."""
    taints = {origin: taint for origin, taint in value.taints.items() if not origin.function}
    fields: dict[str, Value] | None = None
    if value.fields is not None and depth <= MOST_PATH:
        found = {name: _of_sources(each, depth + 1) for name, each in value.fields.items()}
        fields = {name: each for name, each in found.items() if each.all_taints()}
    return Value(taints, fields=fields, type_name=value.type)
