"""Expressions that a condition asked about and that are written again behind it: `if ok(request.args["to"])`."""

from __future__ import annotations

from typing import Final

from drift.flow import ir
from drift.flow.run import ASKED, Run
from drift.flow.values import Value

_MOST_DEPTH: Final = 6
_READS: Final = ("get", "param", "input", "query", "header", "cookie")


def remember(run: Run, form: ir.Expression, value: Value) -> None:
    """Keep what an expression gives where a condition is met, for when it is written again."""
    text = _said(form)
    if text is None or isinstance(form, ir.Name):
        return
    known = run.env.get(ASKED)
    run.env[ASKED] = Value(fields={**(known.fields or {} if known is not None else {}), text: value})


def remembered(run: Run, form: ir.Expression) -> Value | None:
    """What a condition left of an expression; None where none asked about it."""
    known = run.env.get(ASKED)
    text = _said(form) if known is not None else None
    return known.fields.get(text) if known is not None and known.fields and text is not None else None


def _said(form: ir.Expression | None, depth: int = 0) -> str | None:
    """How an expression is written; None where writing it again may give something else."""
    if depth > _MOST_DEPTH:
        return None
    if isinstance(form, ir.Name):
        return form.name
    if isinstance(form, ir.Literal):
        return repr(form.value)
    if isinstance(form, ir.Member):
        owner = _said(form.owner, depth + 1)
        return None if owner is None else f"{owner}.{form.name}"
    if isinstance(form, ir.Index):
        parts = [_said(form.owner, depth + 1), _said(form.key, depth + 1)]
        return None if None in parts else f"{parts[0]}[{parts[1]}]"
    return _said_call(form, depth) if isinstance(form, ir.Call) and not form.is_new else None


def _said_call(form: ir.Call, depth: int) -> str | None:
    name = form.callee.name if isinstance(form.callee, ir.Member | ir.Name) else ""
    if not form.arguments and not name.lower().startswith(_READS):
        return None  # the next line, the next token
    parts = [_said(form.callee, depth + 1), *(_said(each.value, depth + 1) for each in form.arguments)]
    return None if None in parts else f"{parts[0]}({','.join(map(str, parts[1:]))})"
