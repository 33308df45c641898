"""What statements do, one after the other and on every way there is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from drift.flow import ir
from drift.flow.assignment import assign
from drift.flow.checking import check_return
from drift.flow.folding import fold, truth
from drift.flow.narrowing import narrow
from drift.flow.questions import question
from drift.flow.run import Environment, Run, joined_environments
from drift.flow.values import EMPTY, MUCH, Unknown, Value, doubted, moved

_ROUNDS: Final = 2  # of a loop: what a round leaves behind, the next one meets


def execute(run: Run, statements: Iterable[ir.Statement]) -> None:
    """Run statements until the end, or until a place is left."""
    for each in statements:
        if not run.alive or not run.spend():
            return
        _RUNNERS[type(each)](run, each)


def _do(run: Run, form: ir.Do) -> None:
    run.evaluate(form.value)


def _return(run: Run, form: ir.Return) -> None:
    value = run.evaluate(form.value) if form.value is not None else EMPTY
    if value.taints:
        value = value.tainted(moved(value.taints, run.file, form.line, "returned"))
    check_return(run, value, form.line)
    run.give_back(value)
    run.alive = False


def _jump(run: Run, form: ir.Jump) -> None:
    if form.value is not None:
        run.evaluate(form.value)
    if form.kind != "raise":
        run.exits.append(run.env)
    run.alive = False


def _if(run: Run, form: ir.If) -> None:
    known = truth(run.evaluate(form.test).constant)
    if known is not None:
        execute(run, form.then if known else form.other)
        return
    before, outer = run.env, run.tests
    run.tests = (*outer, form.test)
    ends: list[Environment] = []
    for positive, block in ((True, form.then), (False, form.other)):
        run.env, run.alive = dict(before), True
        narrow(run, form.test, positive=positive)
        question(run, form.test, positive=positive)
        execute(run, block)
        if run.alive:
            ends.append(run.env)
    run.tests = outer
    _go_on(run, ends, before)


def _go_on(run: Run, ends: list[Environment], before: Environment) -> None:
    """Go on where the ways that do not leave come together."""
    run.alive = bool(ends)
    run.env = ends[0] if ends else before
    for each in ends[1:]:
        run.env = joined_environments(run.env, each)


def _loop(run: Run, form: ir.Loop) -> None:
    iterable = run.evaluate(form.iterable) if form.iterable is not None else None
    outer, run.exits = run.exits, []
    before = run.env
    known = truth(run.evaluate(form.test).constant) if form.test is not None and not form.runs_first else None
    state = dict(before)
    if known is not False:
        for _ in range(_ROUNDS):
            run.env, run.alive = dict(state), True
            if iterable is not None:
                _bind(run, form, iterable)
            elif form.test is not None:
                if not form.runs_first:
                    run.evaluate(form.test)
                narrow(run, form.test, positive=True)
            execute(run, form.body)
            ends = [*run.exits, *([run.env] if run.alive else [])]
            for each in ends:
                state = joined_environments(state, each)
            run.exits = []
    run.env, run.alive, run.exits = state, True, outer


def _bind(run: Run, form: ir.Loop, iterable: Value) -> None:
    if form.target is not None:
        assign(run, form.target, iterable.part(None), line=form.line)
    if form.key is not None:
        assign(run, form.key, Value(iterable.taints), line=form.line)


def _try(run: Run, form: ir.Try) -> None:
    before = run.env
    run.env = dict(before)
    execute(run, form.body)
    ends = [run.env] if run.alive else []
    thrown = joined_environments(before, run.env)
    for _name, block in form.handlers:
        run.env, run.alive = dict(thrown), True
        execute(run, block)
        if run.alive:
            ends.append(run.env)
    was_alive = bool(ends)
    _go_on(run, ends, thrown)
    run.alive = True
    execute(run, form.final)
    run.alive = run.alive and was_alive


def _switch(run: Run, form: ir.Switch) -> None:
    subject = run.evaluate(form.subject)
    outer, run.exits = run.exits, []
    before = run.env
    chosen = _chosen(run, form, subject)
    ends: list[Environment] = []
    has_default = False
    falling: Environment | None = None
    for number, case in enumerate(form.cases):
        has_default = has_default or not case.tests
        if chosen is not None and number != chosen and falling is None:
            continue
        run.env, run.alive = dict(before), True
        if chosen is None and case.tests:
            _match(run, form, case)
        if falling is not None:
            run.env = (
                falling if number != chosen and chosen is not None else joined_environments(run.env, falling)
            )
        tests, run.tests = (
            run.tests,
            (*run.tests, form.subject, *(test for each in form.cases for test in each.tests)),
        )
        execute(run, case.body)
        run.tests = tests
        falling = run.env if run.alive and form.falls else None
        if run.alive and not form.falls:
            ends.append(run.env)
    if falling is not None:
        ends.append(falling)
    ends += run.exits
    if (not has_default and chosen is None) or chosen == -1:
        ends.append(before)
    run.exits = outer
    _go_on(run, ends, before)


def _match(run: Run, form: ir.Switch, case: ir.Case) -> None:
    """In a case of constants the subject is one of them."""
    subject = form.subject.target if isinstance(form.subject, ir.Assign) else form.subject
    if not isinstance(subject, ir.Name):
        return
    if any(_is_pattern(run, each) for each in case.tests):
        value = run.env.get(subject.name, EMPTY)
        run.env[subject.name] = value.tainted(doubted(value.taints, MUCH))
    elif all(isinstance(each, ir.Literal) for each in case.tests):
        only = case.tests[0] if len(case.tests) == 1 else None
        constant = only.value if isinstance(only, ir.Literal) else None
        run.env[subject.name] = Value(constant=constant) if only is not None else EMPTY


def _is_pattern(run: Run, test: ir.Expression) -> bool:
    """Whether a case of Ruby is a pattern, and not a value."""
    if not run.form.gives_last:
        return False
    return isinstance(test, ir.Text) or (isinstance(test, ir.Literal) and str(test.value).startswith("/"))


def _chosen(run: Run, form: ir.Switch, subject: Value) -> int | None:
    """The case of a constant subject; -1 for none of them, None where it is not known."""
    if isinstance(subject.constant, Unknown):
        return None
    default = -1
    for number, case in enumerate(form.cases):
        if not case.tests:
            default = number
        for test in case.tests:
            same = fold("==", subject.constant, run.evaluate(test).constant)
            if isinstance(same, Unknown):
                return None
            if same:
                return number
    return default


def _define(run: Run, form: ir.Define) -> None:
    run.env[form.name] = (
        run.evaluate(form.function) if form.function.body is not None else Value(closure=None)
    )


def _block(run: Run, form: ir.Block) -> None:
    execute(run, form.body)


_RUNNERS: Final[dict[type, Callable[[Run, Any], None]]] = {
    ir.Do: _do,
    ir.Return: _return,
    ir.Jump: _jump,
    ir.If: _if,
    ir.Loop: _loop,
    ir.Try: _try,
    ir.Switch: _switch,
    ir.Define: _define,
    ir.Block: _block,
}
