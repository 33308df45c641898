"""Sinks that data gets to, and weaknesses that a call or a setting shows by itself."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from drift.flow import ir
from drift.flow.findings import Finding, Hit, Place, finding_of
from drift.flow.grading import first_doubt
from drift.flow.models import Given, holds, is_like
from drift.flow.run import Run
from drift.flow.values import MOST_PATH, Taints, Unknown, Value
from drift.libraries import Check, Sink, kinds

_WORD: Final = re.compile(r"[A-Z]{2,40}(?![a-z])|[A-Z]?[a-z]{1,40}")
_PLACE: Final = re.compile(r"\?|%s|(?<!:):[a-z_]")  # of what is bound, in a statement
# Where data of unknown origin is mentioned, too.
UNSETTLED: Final = frozenset(
    {
        "sql",
        "command",
        "code",
        "deserialization",
        "template",
        "ldap",
        "xpath",
        "nosql",
        "xss",
        "path",
        "ssrf",
        "redirect",
    }
)
# The name under which is kept for which kinds the answer to a request is harmless: one that is not shown as a page.
ANSWER: Final = "<answer>"
_SHELL_FLAGS: Final = frozenset({"-c", "/c", "/C", "-Command", "-command"})
# What a setting may ask for.
_SETTINGS: Final = frozenset(
    {"tls-off", "weak-tls", "debug", "csrf-off", "cors", "insecure-cookie", "permissions"}
)
_EXPOSURE: Final = "secret-exposure"
_MOST_PARTS: Final = 4


@cache
def words(name: str) -> frozenset[str]:
    """A list of words.toml."""
    text = files("drift.flow").joinpath("words.toml").read_text(encoding="utf-8")
    return frozenset(tomllib.loads(text)[name])


def words_in(name: str) -> frozenset[str]:
    """The words of a name."""
    return frozenset(each.lower() for each in _WORD.findall(name))


def shown_name(names: Iterable[str], form: ir.Expression) -> str:
    """What is called, as written."""
    parts: list[str] = []
    while isinstance(form, ir.Member | ir.Call | ir.Index) and len(parts) < _MOST_PARTS:
        if isinstance(form, ir.Member):
            parts.append(form.name)
            form = form.owner
        else:
            form = form.callee if isinstance(form, ir.Call) else form.owner
    if isinstance(form, ir.Name):
        parts.append(form.name)
    return ".".join(reversed(parts)) or next(iter(names), "")


def check_sinks(
    run: Run, names: tuple[str, ...], given: Given, form: ir.Call, *, is_read: bool = False
) -> None:
    """Tell of data that a call is given where it does harm; code that is read tells for itself."""
    for sink in run.models.sinks.find(names) if not is_read else ():
        if not holds(sink.when, given) or (
            sink.unless is not None and holds(sink.unless, given) is not False
        ):
            continue
        if sink.kind == "xss" and (answer := run.env.get(ANSWER)) and answer.constant == sink.kind:
            continue
        if sink.kind == _EXPOSURE:
            _check_secrets(run, sink, form)
            continue
        for value in given.chosen(sink.arguments):
            if sink.not_types and value.type.endswith(sink.not_types):
                continue
            if sink.kind == "xss" and _is_object(value):
                continue  # sent as JSON
            is_led = sink.first or _is_answer(value) or (sink.kind == "sql" and _is_bound(value))
            taints = _leading(value) if is_led else _in_reach(value)
            if taints:
                _hit(run, sink, taints, line=form.line, name=shown_name(names, form.callee))


def _is_object(value: Value) -> bool:
    """Whether a value is an object with fields, not a text or a list."""
    return bool(value.fields) and all(key[:1].isalpha() or key[:1] in "_$" for key in value.fields or ())


def _is_answer(value: Value) -> bool:
    """Whether a list is an answer of a framework: what is told, then status and headers."""
    second = value.fields.get("1") if value.fields is not None and value.is_whole else None
    return second is not None and (isinstance(second.constant, int) or second.fields is not None)


def _is_bound(value: Value) -> bool:
    """Whether a list is a statement and what is bound to its places: `["name LIKE ?", name]`."""
    first = value.fields.get("0") if value.fields is not None and value.is_whole else None
    return first is not None and isinstance(first.constant, str) and bool(_PLACE.search(first.constant))


def _in_reach(value: Value) -> Taints:
    """Data in a value and its parts; what lies deeper belongs to objects that are only held."""
    return value.all_taints(MOST_PATH)


def _leading(value: Value) -> Taints:
    """Of a list the first, the program or the host; of a text whatever is in it."""
    if value.fields is not None and value.is_whole:
        flag = value.fields.get("1")
        if flag is not None and flag.constant in _SHELL_FLAGS:  # `sh -c`: what follows is a script
            return {origin: taint._replace(leads=True) for origin, taint in value.all_taints().items()}
        first = value.fields.get("0")
        return first.all_taints() if first is not None else {}
    return value.all_taints()


def _hit(run: Run, sink: Sink, taints: Taints, *, line: int, name: str) -> None:
    for origin, taint in taints.items():
        hit = Hit(
            origin,
            taint,
            sink.kind,
            sink.confidence,
            run.file,
            line,
            name,
            sink.built,
            sink.first,
            sink.whole,
            run.unit,
        )
        settle(run, hit)


def settle(run: Run, hit: Hit) -> None:
    """Enter data of a source as a finding, data of a parameter as something callers decide."""
    if hit.origin.function:
        if hit.kind not in hit.taint.safe:
            run.hits.append(hit)
    elif hit.counts and (hit.origin.trust != "unknown" or hit.kind in UNSETTLED):
        run.results.add(finding_of(hit))


def check_assigned(run: Run, name: str, value: Value, line: int) -> None:
    """Tell of data that is written where it does harm."""
    taints = value.all_taints()
    if taints:
        for sink in run.models.assigned.find((name,)):
            _hit(run, sink, taints, line=line, name=name.lstrip("?."))


def check_return(run: Run, value: Value, line: int) -> None:
    """Tell of data in what the handler of a route gives back."""
    if not run.is_handler:
        return
    if value.fields is not None and value.is_whole and "0" in value.fields:
        value = value.fields["0"]
    elif value.fields is not None:
        return
    if value.taints:
        for sink in run.models.sinks.find(("return.handler",)):
            _hit(run, sink, value.taints, line=line, name="return")


def _check_secrets(run: Run, sink: Sink, form: ir.Call) -> None:
    for argument in form.arguments:
        name = next(_secrets(argument.value), None)
        if name is not None:
            _add(
                run,
                sink.kind,
                sink.confidence,
                form.line,
                name=f"{shown_name((), form.callee)}({name})",
                label="",
            )
            return


def _secrets(form: ir.Expression, depth: int = 0) -> Iterator[str]:
    """Names of secrets in a text that is put together, or given as it is."""
    if isinstance(form, ir.Name | ir.Member):
        if _is_secret(form.name):
            yield form.name
    elif depth <= _MOST_PARTS:
        for part in _put_in(form):
            yield from _secrets(part, depth + 1)


def _is_secret(name: str) -> bool:
    """Whether a name is that of a secret itself: its last word says what it is, `password_field` is a field."""
    said = [each.lower() for each in _WORD.findall(name)]
    is_key = len(said) > 1 and said[-1] == "key" and said[-2] in {"api", "private", "secret"}
    before = set(said[:-2] if is_key else said[:-1])
    return bool(said) and (is_key or said[-1] in words("secrets")) and not before & words("not_secrets")


def _put_in(form: ir.Expression) -> tuple[ir.Expression, ...]:
    if isinstance(form, ir.Text):
        return form.parts
    if isinstance(form, ir.Operation) and form.operator in {"+", ".", "%"}:
        return form.left, form.right
    if isinstance(form, ir.Items):
        return form.items
    if isinstance(form, ir.Call) and isinstance(form.callee, ir.Member) and form.callee.name == "format":
        return tuple(each.value for each in form.arguments)
    return ()


def check_call(run: Run, names: tuple[str, ...], given: Given, form: ir.Call) -> None:
    """Tell of a call that is a weakness by itself."""
    for check in run.models.checks.find(names):
        if holds(check.when, given) is not True:
            continue
        if check.unless is not None and holds(check.unless, given) is not False:
            continue
        # Without a word around that says what it is for, it is mentioned only.
        level = check.confidence if _has_context(run, check) else "low"
        _add(run, check.kind, level, form.line, name=shown_name(names, form.callee), label=check.label)


def check_key(run: Run, key: str, value: Value, line: int, *, form: ir.Expression | None = None) -> None:
    """Tell of a setting that is a weakness by itself; where a condition chooses it, `form` shows that."""
    for check in run.models.keys.get(key, ()):
        shown: object = value.constant
        if isinstance(shown, Unknown):
            if not value.type:
                continue
            shown = value.type
        if any(is_like(shown, each) for each in check.values) and _has_context(run, check):
            facts = {"chosen"} if isinstance(form, ir.Choice) else _around(run)
            name = f"{key} = {shown}"
            _add(run, check.kind, check.confidence, line, name=name, label=check.label, facts=facts)


def _has_context(run: Run, check: Check) -> bool:
    if not check.context:
        return True
    around = {word for name in (*run.words, run.name) for word in words_in(name)}
    return any(word in around for word in check.context)


def _is_asked_for(run: Run) -> bool:
    """Whether a place stands under a condition, or in a function, whose name says that it is asked for."""
    asked = {word for test in run.tests for name in _named(test) for word in words_in(name)}
    return bool(asked & words("settings") or words_in(run.name.rpartition(".")[2]) & words("named_settings"))


def _named(form: ir.Expression, depth: int = 0) -> Iterator[str]:
    """The names and texts in a condition."""
    if isinstance(form, ir.Name | ir.Member):
        yield form.name
    elif isinstance(form, ir.Literal) and isinstance(form.value, str):
        yield form.value
    for each in _sides(form) if depth < _MOST_PARTS else ():
        yield from _named(each, depth + 1)


def _sides(form: ir.Expression) -> tuple[ir.Expression, ...]:
    if isinstance(form, ir.Operation):
        return form.left, form.right
    if isinstance(form, ir.Call):
        return (form.callee, *(each.value for each in form.arguments))
    if isinstance(form, ir.Not):
        return (form.operand,)
    if isinstance(form, ir.Index):
        return (form.owner,) if form.key is None else (form.owner, form.key)
    if isinstance(form, ir.Member):
        return (form.owner,)
    return form.parts if isinstance(form, ir.Opaque) else ()


def _add(
    run: Run,
    kind_name: str,
    confidence: str,
    line: int,
    *,
    name: str,
    label: str,
    facts: Iterable[str] = (),
) -> None:
    kind = kinds()[kind_name]
    if confidence != "low" and kind_name in _SETTINGS and _is_asked_for(run):
        confidence = "low"
    reasons: tuple[str, ...] = (kind.doubt,)
    if confidence == "high" and (doubt := first_doubt(kind_name, {*facts, *_facts(run)})):
        confidence, reasons = "medium", (kind.doubt, doubt)
    run.results.add(
        Finding(
            kind=kind,
            severity=kind.severity,
            confidence="high" if confidence == "high" else "medium" if confidence == "medium" else "low",
            file=run.file,
            line=line,
            name=name,
            path=(Place(run.file, line, f"{name}: {label or kind.title}"),),
            source="",
            function=run.unit,
            reasons=reasons,
        )
    )


def _around(run: Run) -> set[str]:
    """`default` where the names around say that something else may be given in its place."""
    return {"default"} if any(words_in(name) & words("defaults") for name in run.words) else set()


def _facts(run: Run) -> set[str]:
    """What grading.toml may speak of where a call or a setting is weak by itself."""
    said = words_in(run.name.rpartition(".")[2])
    found = {"decrypts"} if words_in(run.name) & words("decrypts") else set()
    return found | {"takes-away"} if said & words("takes_away") else found
