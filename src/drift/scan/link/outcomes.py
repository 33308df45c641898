"""From what an analysis found to what is said of each call."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.callbacks import handed_over, is_of_request
from drift.scan.link.calling import Run
from drift.scan.link.definition_values import wrappers_of
from drift.scan.link.dispatching import dispatch_targets, through_own_bus
from drift.scan.link.extended_names import extended_name
from drift.scan.link.fitting import may_mean
from drift.scan.link.hierarchy import class_of
from drift.scan.link.keys import method_key
from drift.scan.link.links import OUTSIDE_CONFIDENCE, OVERRIDE_CONFIDENCE, CallLink, Outcome, Target
from drift.scan.link.named_objects import NAMED_AFTER, NAMED_AFTER_CONFIDENCE, call_by_name, runs_by_name
from drift.scan.link.overriding import (
    crowded_targets,
    is_settled_among_many,
    object_classes,
    of_own_line,
    override_targets,
    sharing_targets,
    without_siblings,
)
from drift.scan.link.reasons import OBJECT_UNKNOWN, OWN_CLASS, explain_target, explain_unknown
from drift.scan.link.scopes import find_name
from drift.scan.link.unique_names import (
    FAMILY_CONFIDENCE,
    LONE_ATTRIBUTE_CONFIDENCE,
    UNIQUE_NAME_CONFIDENCE,
    is_of_libraries,
    only_method,
)
from drift.scan.link.values import is_instance, is_symbol, plain_name, symbol_of


def call_link(analysis: Analysis, call: Call, scope: int, *, runs: tuple[Run, ...]) -> CallLink:
    """What is said of a call that was found to run these."""
    inside = _without_abstract(analysis, [run for run in runs if run.symbol is not None])
    found = {run.external for run in runs if run.external is not None}
    outside = sorted({plain_name(one) for one in found})
    if not inside:
        return _link_beyond(analysis, call, scope, found)
    # What is outside is one more thing the call may mean, unless it is only a built-in value's method.
    is_other = any(not _is_builtin(analysis, scope, name) for name in outside if name in found)
    count = _count_alternatives(analysis, inside) + (
        1 if is_other or _has_open_alternative(analysis, call, scope) else 0
    )
    targets = []
    for run in inside:
        assert run.symbol is not None
        reason = explain_target(analysis, call, scope, run=run)
        if call.callee is not None and call.callee[0] == "member" and reason != "super":
            owners = object_classes(analysis, call.callee[1], scope)
            reason = OWN_CLASS if is_settled_among_many(analysis, run.symbol, owners) else reason
        targets.append(Target(analysis.program.place(run.symbol), 1 / count, reason))
    outcome: Outcome = "resolved" if count == 1 else "ambiguous"
    extra = _overriders_of(analysis, call, scope, runs=inside) or _known_overriders(
        analysis, call, scope, runs=inside
    )
    extra += analysis.program.semantics_at(scope).connected(
        analysis, [run.symbol for run in inside if run.symbol is not None]
    )
    known = {target.place for target in (*targets, *extra)}
    extra += tuple(one for one in through_own_bus(analysis, call, scope) if one.place not in known)
    return CallLink(
        outcome, tuple(targets), extra, outside[0] if len(outside) == 1 else None, targets[0].reason
    )


def _count_alternatives(analysis: Analysis, runs: Sequence[Run]) -> int:
    """How many things a call may mean. What runs beside one of them, or is a decorator's around it, is none of its own."""
    runs = [run for run in runs if not run.is_beside] or runs
    if len(runs) == 1:
        return 1
    wrappers = {
        one
        for run in runs
        if run.symbol is not None
        for one in wrappers_of(analysis, run.symbol) - {run.symbol}
    }
    return sum(run.symbol not in wrappers for run in runs) or len(runs)


def _tells_fallbacks(analysis: Analysis, scope: int) -> bool:
    return analysis.program.table_of(scope).file_semantics.has_open_fallbacks


def _has_open_alternative(analysis: Analysis, call: Call, scope: int) -> bool:
    """Whether a variable is called that may hold something that is not known: `given || function () {}`."""
    callee = call.callee
    if callee is None or callee[0] != "name" or not _tells_fallbacks(analysis, scope):
        return False
    found = find_name(analysis, callee[1], scope)
    return found is not None and any(
        not any(map(is_symbol, analysis.evaluate(part, found.scope)))
        for definition in found.definitions
        if definition.value is not None and definition.value[0] == "either"
        for part in definition.value[1:]
        if part is not None and part[0] != "literal"
    )


def _is_of_wrappers(analysis: Analysis, call: Call, scope: int) -> bool:
    """Whether a method is called that types have which wrap another: they are what is most often asked."""
    semantics, callee = analysis.program.semantics_at(scope), call.callee
    if callee is None or callee[0] != "member" or not semantics.wraps_root_members:
        return False
    return callee[2] in semantics.root_members


def _link_beyond(analysis: Analysis, call: Call, scope: int, found: Collection[str]) -> CallLink:
    """What is said of a call that runs nothing of the project, as far as was found out."""
    if not found:
        return _open_link(analysis, call, scope, explain_unknown(analysis, call, scope))
    outside = sorted({plain_name(one) for one in found})
    # Several names are kept apart by none: the first by name would be a guess.
    called = sorted({extended_name(analysis, scope, one) for one in outside})
    name = called[0] if len(called) == 1 else None
    handlers = dispatch_targets(analysis, call, scope, outside) or analysis.program.semantics_at(
        scope
    ).run_outside(analysis, call, scope, outside)
    if handlers:
        outcome: Outcome = "resolved" if len(handlers) == 1 else "ambiguous"
        return CallLink(outcome, handlers, (), name, "dispatched")
    if _may_be_own(analysis, call, scope, found):
        named_link = _link_by_name(analysis, call, scope) or _named_link(
            analysis, call, scope, is_from_outside=True
        )
        return named_link or CallLink("unknown", reason=OBJECT_UNKNOWN)
    below = _below_outside(analysis, call, scope)
    if below:
        return CallLink("ambiguous", (), below, name, "override")
    reason = "builtin" if all(_is_builtin(analysis, scope, one) for one in called) else "import"
    return CallLink("external", external_name=name, reason=reason)


def _open_link(analysis: Analysis, call: Call, scope: int, reason: str) -> CallLink:
    """What is said of a call of which it was not found out what it runs."""
    handlers = dispatch_targets(analysis, call, scope, ())
    if handlers:
        outcome: Outcome = "resolved" if len(handlers) == 1 else "ambiguous"
        return CallLink(outcome, handlers, (), reason="dispatched")
    by_name = _link_by_name(analysis, call, scope) if reason == OBJECT_UNKNOWN else None
    if by_name is not None:
        return by_name
    if is_of_request(analysis, call, scope):
        return CallLink("external", reason="callback")
    giver = handed_over(analysis, call, scope)
    is_from_outside = giver is not None and not _is_builtin(analysis, scope, giver)
    named_link = (
        _named_link(analysis, call, scope, is_from_outside=is_from_outside)
        if reason == OBJECT_UNKNOWN
        else None
    )
    if named_link is not None:
        return named_link
    mixed_in = _mixed_in_link(analysis, call, scope)
    if mixed_in is not None:
        return mixed_in
    if giver is not None and not _is_own_name(analysis, call, scope):
        # A member of what was given has no name of its own outside.
        is_given = call.callee is not None and call.callee[0] == "name"
        return CallLink("external", external_name=plain_name(giver) if is_given else None, reason="callback")
    if reason == OBJECT_UNKNOWN and _is_only_builtin(analysis, call, scope):
        return CallLink("external", reason="builtin")
    named = _named_by_none(analysis, call, scope)
    if named is not None:
        return CallLink("external", external_name=named, reason="import")
    return CallLink("unknown", reason=reason)


def _link_by_name(analysis: Analysis, call: Call, scope: int) -> CallLink | None:
    """Where a call leads if its object is of the class that it is called after."""
    assumed, runs = call_by_name(call), runs_by_name(analysis, call, scope)
    if assumed is None or not runs:
        return None
    link = call_link(analysis, assumed, scope, runs=runs)
    targets = tuple(
        one._replace(confidence=one.confidence * NAMED_AFTER_CONFIDENCE, reason=NAMED_AFTER)
        for one in link.targets
    )
    return link._replace(targets=targets, reason=NAMED_AFTER)


# `json::parse`: a function of a module, which no method is; what stands for a type is another matter.
_WORDS: Final = re.compile(r"[^\W_]{1,80}|[?!]$")
_OF_MODULE: Final = re.compile(r"(?<![\w$])(?!self|static|parent|super|crate)[a-z]\w{0,80}::\w{1,80}$")


def _named_link(
    analysis: Analysis, call: Call, scope: int, *, is_from_outside: bool = False
) -> CallLink | None:
    """The only method of the name that is called, whose ever it is; what came from outside may as well be outside."""
    if call.callee is None or call.callee[0] != "member" or _is_of_wrappers(analysis, call, scope):
        return None
    if _OF_MODULE.search(call.text):
        return None
    name, semantics = call.callee[2], analysis.program.semantics_at(scope)
    if is_from_outside and (
        not semantics.telling_words or is_of_libraries(name) or _count_words(name) < semantics.telling_words
    ):
        return None
    method = only_method(analysis, scope, name)
    if method is None or (is_from_outside and method == scope) or not may_mean(analysis, method, call, scope):
        return None  # or it hands the question on to something of a library
    extra = override_targets(analysis, (method,))
    if semantics.is_lone_attribute(analysis, method, call, scope):
        target = Target(analysis.program.place(method), LONE_ATTRIBUTE_CONFIDENCE, "unique-name")
        return CallLink("ambiguous", (target,), extra, reason="unique-name")
    confidence = OUTSIDE_CONFIDENCE if is_from_outside else UNIQUE_NAME_CONFIDENCE
    target = Target(analysis.program.place(method), FAMILY_CONFIDENCE if extra else confidence, "unique-name")
    return CallLink("resolved", (target,), extra, reason="unique-name")


def _count_words(name: str) -> int:
    """Of how many words a name is; a mark at its end is one."""
    return len(_WORDS.findall(name))


def _mixed_in_link(analysis: Analysis, call: Call, scope: int) -> CallLink | None:
    """The only method of a bare name that nothing defines, where it is one of a module: settings may mix that in."""
    semantics, callee = analysis.program.semantics_at(scope), call.callee
    if not semantics.mixes_into_callers:
        return None
    while callee is not None and callee[0] == "first":
        callee = callee[1]
    if callee is None or callee[0] != "name" or find_name(analysis, callee[1], scope) is not None:
        return None
    method = only_method(analysis, scope, callee[1])
    owner = None if method is None else class_of(analysis, method)
    if method is None or owner is None or analysis.program.symbol(owner).kind != "trait":
        return None
    if not may_mean(analysis, method, call, scope):
        return None
    target = Target(analysis.program.place(method), UNIQUE_NAME_CONFIDENCE, "unique-name")
    return CallLink("resolved", (target,), reason="unique-name")


def _may_be_own(analysis: Analysis, call: Call, scope: int, found: Collection[str]) -> bool:
    """Whether a call may be of the project though its object came from outside: nobody says of what class that is."""
    known = analysis.program.semantics_at(scope).outside_names.is_known
    return not any(map(known, found)) and _is_own_name(analysis, call, scope)


def _is_own_name(analysis: Analysis, call: Call, scope: int) -> bool:
    """Whether a member is called of whose name the project has one."""
    callee, program = call.callee, analysis.program
    if callee is None or callee[0] != "member":
        return False
    languages = program.semantics_at(scope).languages
    return any(program.is_provided(method_key(language, callee[2])) for language in languages)


def _below_outside(analysis: Analysis, call: Call, scope: int) -> tuple[Target, ...]:
    """What may run of the project where a method of a type outside is called that classes of the project are below."""
    callee = call.callee
    if callee is None or callee[0] != "member":
        return ()
    semantics = analysis.program.semantics_at(scope)
    found = semantics.methods_below_outside(analysis, callee[1], scope, callee[2])
    return sharing_targets(analysis, found, OUTSIDE_CONFIDENCE)


def _is_only_builtin(analysis: Analysis, call: Call, scope: int) -> bool:
    """Whether a method is called that built-in values have, and nothing of the project."""
    table = analysis.program.table_of(scope)
    name = call.callee[2] if call.callee is not None and call.callee[0] == "member" else None
    if name not in analysis.program.semantics(table).builtin_methods:
        return False
    languages = analysis.program.semantics(table).languages
    return not any(analysis.program.is_provided(method_key(language, name)) for language in languages)


def _named_by_none(analysis: Analysis, call: Call, scope: int) -> str | None:
    """The name of a called member that no class of the project has, so that its code is elsewhere, whose ever it is."""
    semantics, callee = analysis.program.semantics_at(scope), call.callee
    if not semantics.declares_all_members or callee is None or callee[0] != "member" or not callee[2]:
        return None
    return None if analysis.program.is_provided(method_key(semantics.language, callee[2])) else str(callee[2])


def _is_builtin(analysis: Analysis, scope: int, name: str) -> bool:
    rules = analysis.program.semantics(analysis.program.table_of(scope))
    prefix = rules.builtin_prefix
    return name.startswith(prefix) if prefix else name.partition(".")[0] in rules.builtins


def _without_abstract(analysis: Analysis, runs: list[Run]) -> list[Run]:
    """Without methods that have no body, where others of that name are found that have one."""
    program = analysis.program
    if len(runs) < 2:  # noqa: PLR2004  # one is no choice
        return runs
    concrete = [
        run
        for run in runs
        if run.symbol is not None and "abstract" not in program.symbol(run.symbol).modifiers
    ]
    names = {program.symbol(run.symbol).name for run in concrete if run.symbol is not None}
    return [
        run
        for run in runs
        if run in concrete or run.symbol is None or program.symbol(run.symbol).name not in names
    ]


def _known_overriders(
    analysis: Analysis, call: Call, scope: int, *, runs: Sequence[Run]
) -> tuple[Target, ...]:
    """Where too many methods may run in the place of one to name them, those of the class that the object is made of."""
    taken = [run.symbol for run in runs if run.is_virtual and run.symbol is not None]
    known = analysis.program.semantics_at(scope).known_overriders(analysis, call, scope, methods=taken)
    return tuple(
        Target(analysis.program.place(one), OVERRIDE_CONFIDENCE / len(known), "override") for one in known
    )


def _overriders_of(analysis: Analysis, call: Call, scope: int, *, runs: list[Run]) -> tuple[Target, ...]:
    taken = tuple(run.symbol for run in runs if run.symbol is not None)
    virtual = tuple(run.symbol for run in runs if run.is_virtual and run.symbol is not None)
    if not virtual:
        return ()
    extra = override_targets(analysis, virtual, taken=taken)
    if call.callee is not None and call.callee[0] == "member":
        if extra:
            owners = object_classes(analysis, call.callee[1], scope)
            extra = without_siblings(analysis, virtual, extra, owners=owners)
        else:
            objects = analysis.evaluate(call.callee[1], scope)
            owners = tuple(symbol_of(one) for one in objects if is_instance(one))
            extra = crowded_targets(analysis, virtual, owners=owners)
    # Asked last, as most methods are overridden by none.
    is_exact = extra and analysis.program.semantics_at(scope).has_exact_receiver(analysis, call, scope)
    return of_own_line(analysis, virtual, extra) if is_exact else extra
