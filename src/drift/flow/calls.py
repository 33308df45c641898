"""What calls give and do: of library functions as their models say, of functions of the project as they were found to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from drift.flow import ir
from drift.flow.assignment import assign
from drift.flow.checking import ANSWER, check_call, check_key, check_sinks, words, words_in
from drift.flow.containers import call_container, is_container
from drift.flow.folding import call_on_constant
from drift.flow.models import Given, holds
from drift.flow.questions import question_call, question_result
from drift.flow.run import Run
from drift.flow.sources import decoded, of_key, source_value
from drift.flow.substitution import Arguments, apply_summary
from drift.flow.texts import replaced, text_result
from drift.flow.values import (
    EMPTY,
    MUCH,
    NONE,
    ROOTED,
    Taints,
    Unknown,
    Value,
    cleaned,
    doubted,
    join,
    joined,
    joined_taints,
    put_together,
)
from drift.index import SymbolId
from drift.libraries import Selector

_COMPREHENSION: Final = "<comprehension>"
_TAG: Final = "<template>"
_SURE: Final = 0.75
_MOST_NAME: Final = 200


class Site(NamedTuple):
    """A call that is being run."""

    form: ir.Call
    name: str
    names: tuple[str, ...]
    receiver: Value | None
    given: Given


def call(run: Run, form: ir.Call) -> Value:
    """The value a call gives, with all it does."""
    if isinstance(form.callee, ir.Name) and form.callee.name == _COMPREHENSION:
        return _comprehension(run, form)
    site = _site(run, form)
    check_sinks(run, site.names, site.given, form, is_read=_is_read(run, site))
    check_call(run, site.names, site.given, form)
    key = site.given.values[0].constant if site.given.values else None
    for source in run.models.sources.find(site.names):
        value = source_value(run, source, form.line, site.names[0])
        if source.argument == "result":
            _run_closures(run, site)
            return of_key(_filtered(run, site, value), key)
        _write(run, site, source.argument, value)
    result = of_key(_result(run, site), key)
    _run_closures(run, site)
    question_call(run, site.name, form)
    return result


def _filtered(run: Run, site: Site, value: Value) -> Value:
    """What a source gives that is told to check it, such as `filter_input`."""
    for row in run.models.sanitizers.find(site.names):
        if row.when is not None and holds(row.when, site.given):
            value = value.tainted(cleaned(value.taints, row.kinds))
    return value


def _is_read(run: Run, site: Site) -> bool:
    """Whether a call that looks like a sink surely leads to functions of the project, whose own calls tell."""
    targets = run.context.targets.get((site.form.line, site.form.column))
    if not targets or not run.models.sinks.find(site.names):
        return False
    return all(
        confidence >= _SURE and (summary := run.summaries(callee)) is not None and summary.is_known
        for callee, confidence in targets
    )


def _comprehension(run: Run, form: ir.Call) -> Value:
    before = run.env
    run.env = dict(before)
    found = joined([run.evaluate(each.value) for each in form.arguments][-1:])
    run.env = before
    return Value(found.all_taints(), fields={"*": found}, is_whole=True)


def _site(run: Run, form: ir.Call) -> Site:
    callee = form.callee
    receiver: Value | None = None
    names: list[str] = []
    external = run.context.external.get((form.line, form.column))
    if external and not isinstance(
        callee, ir.Index
    ):  # of one that is chosen when it runs, only the owner is known
        names.append(external)
    name = ""
    if isinstance(callee, ir.Member):
        receiver = run.evaluate(callee.owner)
        name = callee.name
        names.append(f"{receiver.type or '?'}.{name}")
    elif isinstance(callee, ir.Name):
        name = callee.name
        # A variable of which nothing is known is no function of a library that is called alike.
        if known := run.evaluate(callee).type:
            names.append(known)
    else:
        receiver = run.evaluate(callee)
        if form.is_tagged and receiver.type:
            names.append(receiver.type)
    if form.is_tagged:  # what it is given is not one text: models know it by a name of its own
        names = [f"{each}.{_TAG}" for each in names]
    return Site(form, name, tuple(dict.fromkeys(names)), receiver, _given(run, form, receiver))


def _given(run: Run, form: ir.Call, receiver: Value | None) -> Given:
    values: list[Value] = []
    keywords: dict[str, Value] = {}
    around = run.words
    if isinstance(form.callee, ir.Member | ir.Name) and words_in(form.callee.name) & words("defaults"):
        run.words = (*around, form.callee.name)
    for argument in form.arguments:
        # Functions are run when it is known what they are called with.
        value = (
            Value(closure=argument.value)
            if isinstance(argument.value, ir.Function)
            else run.evaluate(argument.value)
        )
        if argument.keyword is not None:
            keywords[argument.keyword] = value
            check_key(run, argument.keyword, value, form.line, form=argument.value)
        elif argument.is_spread and value.fields and value.is_whole:
            values += value.fields.values()
        else:
            values.append(value)
    run.words = around
    return Given(tuple(values), keywords, receiver)


def _result(run: Run, site: Site) -> Value:
    form, given = site.form, site.given
    targets = run.context.targets.get((form.line, form.column))
    if (
        targets is None
        and isinstance(form.callee, ir.Name)
        and (own := run.env.get(form.callee.name))
        and own.closure
    ):
        return run.machine.run_closure(run, own.closure, given.values)
    if targets:
        found = _project_result(run, site, targets)
        if found is not None:
            return found
    if (constant := _constant(site)) is not None:
        return constant
    if (harmless := _made_harmless(run, site)) is not None:
        return harmless
    changed = call_container(site.name, given)
    if changed is not None:
        if changed.receiver is not None:
            _write(run, site, "receiver", changed.receiver)
        return changed.result
    return _library_result(run, site)


def _made_harmless(run: Run, site: Site) -> Value | None:
    """What a sanitizer gives, or what undoes one; None where the call is none."""
    given = site.given
    kinds: set[str] = set()  # several rows may speak of one function
    for sanitizer in run.models.sanitizers.find(site.names):
        if sanitizer.argument == "answer":
            if holds(sanitizer.when, given):
                run.env[ANSWER] = Value(constant=",".join(sanitizer.kinds))
            continue
        if sanitizer.when is not None and not holds(sanitizer.when, given):
            continue
        if sanitizer.rooted and not _is_rooted(given):
            continue
        if sanitizer.undoes:
            taken = given.chosen([*_places(given)])
            raw = {
                decoded(origin): each._replace(safe=frozenset())
                for origin, each in joined(taken).all_taints().items()
            }
            return Value(raw, type_name=site.names[0])
        if not sanitizer.validates:
            kinds.update(sanitizer.kinds)
    if not kinds:
        return None
    taken = given.chosen([*_places(given)])
    return Value(_sanitized(taken, site, tuple(kinds)), type_name=site.names[0])


def _is_rooted(given: Given) -> bool:
    """Whether a slash stands before all data of the first argument."""
    taints = given.values[0].all_taints() if given.values else {}
    return bool(taints) and all(ROOTED in each.safe for each in taints.values())


def _places(given: Given) -> Iterable[Selector]:
    yield "*"
    if given.receiver is not None:
        yield "receiver"


def _sanitized(values: Iterable[Value], site: Site, kinds: tuple[str, ...]) -> Taints:
    found: Taints = NONE
    for value in values:
        if value is site.receiver and not value.taints:
            continue
        found = joined_taints(found, cleaned(value.all_taints(), kinds))
    return found


def _library_result(run: Run, site: Site) -> Value:
    """What a function outside the project gives: as models say, else whatever it is given may come out again."""
    given = site.given
    propagators = run.models.propagators.find(site.names)
    for row in propagators:
        moved = joined(given.chosen(row.sources))
        if row.target == "receiver" and _is_service(run, site):
            continue
        if row.target != "result" and moved.all_taints():
            old = given.at(row.target) or EMPTY
            added = (
                Value(moved.all_taints())
                if old.fields is not None
                else put_together((old, Value(constant="…"), moved))
            )
            _write(run, site, row.target, join(old, added))
    told = [row for row in propagators if row.target == "result"]
    type_name = _result_type(run, site)
    if (text := text_result(site.name, given, type_name)) is not None:
        return text
    if told:
        taken = [value for row in told for value in given.chosen(row.sources)]
        return Value(joined(taken).all_taints(), type_name=type_name)
    if (found := _read_result(run, site, type_name) or replaced(site.name, given)) is not None:
        return found
    return _anything(site, type_name, is_told=bool(propagators))


def _read_result(run: Run, site: Site, type_name: str) -> Value | None:
    """What a method of Ruby gives that only asks or reads a field; None of others."""
    if site.name.endswith("?"):  # a question: yes or no
        return EMPTY
    receiver = site.receiver
    if not run.form.gives_last or site.form.arguments or receiver is None:
        return None
    of_caller = bool(receiver.taints) and all(origin.function for origin in receiver.taints)
    return receiver.part(site.name, type_name) if of_caller or _has_names(receiver) else None


def _anything(site: Site, type_name: str, *, is_told: bool) -> Value:
    """What a function gives of which nothing is known: whatever it is given may come out again."""
    given, receiver = site.given, site.receiver
    if site.name in words("builds"):
        before = [receiver] if receiver is not None and not receiver.type else []
        parts = [*before, *given.values, *given.keywords.values()]
        return Value(put_together(parts).taints, type_name=type_name)
    taints: Taints = NONE
    for value in (*given.values, *given.keywords.values()):
        if value.closure is None:
            taints = joined_taints(taints, value.all_taints())
    doubt = MUCH if words_in(site.name) & words("checks") else 0 if site.form.is_new or is_told else 1
    taints = doubted(taints, doubt) if doubt and taints else taints
    if receiver is not None:
        own = receiver.all_taints()
        taints = joined_taints(taints, doubted(own, 2) if doubt == MUCH and own else own)
    fields = given.keywords if site.form.is_new and given.keywords else None
    return Value(taints, fields=fields, type_name=type_name)


def _has_names(value: Value) -> bool:
    """Whether the parts of a value are fields, not elements."""
    return bool(value.fields) and not any(key == "*" or key.isdigit() for key in value.fields or ())


def _is_service(run: Run, site: Site) -> bool:
    """Whether the receiver is held in a field and not known to keep what it is given, as a list is."""
    held = site.form.callee.owner if isinstance(site.form.callee, ir.Member) else None
    if site.name not in words("asks") or site.receiver is None:
        return False
    if isinstance(held, ir.Name):
        fields = run.context.fields.get(SymbolId(run.owner), {})
        if held.name in run.env or held.name not in fields:
            return False
    elif not isinstance(held, ir.Member):
        return False
    kind = site.receiver.type
    return (
        site.receiver.fields is None
        and not is_container(kind)
        and not kind.endswith(tuple(words("builders")))
    )


def _result_type(run: Run, site: Site) -> str:
    for row in run.models.results.find(site.names):
        return row.type
    best = site.names[0] if site.names else ""
    if best.startswith("?."):
        return best
    return best if len(best) < _MOST_NAME else ""


def _constant(site: Site) -> Value | None:
    receiver = site.receiver
    if site.form.callee == ir.Name("require", site.form.line) and site.given.values:
        module = site.given.values[0].constant
        return Value(type_name=module) if isinstance(module, str) else None
    if receiver is None or isinstance(receiver.constant, Unknown):
        return None
    found = call_on_constant(receiver.constant, site.name, [each.constant for each in site.given.values])
    return None if isinstance(found, Unknown) else Value(constant=found)


def _project_result(run: Run, site: Site, targets: Iterable[tuple[SymbolId, float]]) -> Value | None:
    """What functions of the project give, joined; None where none of them can be read."""
    results: list[Value] = []
    for callee, confidence in targets:
        summary = run.summaries(callee)
        if summary is None or not summary.is_known:
            continue
        doubt = 0 if confidence >= _SURE else 1
        arguments = Arguments(
            callee, site.given, site.receiver, site.form.line, site.name, doubt, is_new=site.form.is_new
        )
        outcome = apply_summary(run, summary, arguments)
        results.append(question_result(site.name, outcome.result))
        for place, value in outcome.written.items():
            _write(run, site, "receiver" if place < 0 else place, value)
    return joined(results) if results else None


def _write(run: Run, site: Site, selector: Selector, value: Value) -> None:
    """Change what a call was given: its receiver or an argument."""
    target: ir.Expression | None = None
    if selector == "receiver":
        target = site.form.callee.owner if isinstance(site.form.callee, ir.Member) else None
    elif isinstance(selector, int) and selector < len(site.form.arguments):
        target = site.form.arguments[selector].value
    if isinstance(target, ir.Call) and isinstance(target.callee, ir.Member):
        target = target.callee.owner  # `builder.append(a).append(b)`
    if isinstance(target, ir.Name | ir.Member | ir.Index):
        assign(run, target, value, line=site.form.line)


def _run_closures(run: Run, site: Site) -> None:
    """Run the functions a call is given: on elements of its receiver."""
    closures = [
        each.closure
        for each in (*site.given.values, *site.given.keywords.values())
        if each.closure is not None
    ]
    if not closures:
        return
    receiver = site.given.receiver
    handed = receiver.part(None) if receiver is not None and receiver.all_taints() else EMPTY
    for closure in closures:
        if closure.body is not None:
            values = (handed,) if handed.all_taints() else ()
            run.machine.run_closure(run, closure, values)
