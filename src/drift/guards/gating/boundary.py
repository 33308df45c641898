"""Security boundaries: nothing goes round the guards that stand before its neighbours, or where a rule forbids it.

What it does: names routes without a guard where the routes beside them have one, new accesses to protected tables that
a route without a guard comes to, and whatever `.drift/rules/boundaries.toml` forbids.
Why it matters: a route that was added in a hurry is the usual way in.
Known limits: guards that are set for all routes at start are not seen, nor are tables that nothing near an access names.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from drift.analyses.data_access import AccessPoint, data_of
from drift.analyses.data_access.naming import folded
from drift.analyses.impact import find_impact
from drift.guards.changed_lines import Change
from drift.guards.gating.form import Found, Settings, Subject, new_ones, number, words
from drift.index.records import EntryPointRecord, SymbolRecord
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import plural, shorten
from drift.quality import Finding, Rule, finding
from drift.security import (
    BoundaryRule,
    BoundaryRuleError,
    Routes,
    find_crossings,
    is_open,
    read_boundary_rules,
)

BOUNDARY: Final = "security-boundary"
ROUTE_RULE: Final = "security/unguarded-route"
ACCESS_RULE: Final = "security/unguarded-access"
SETTINGS: Final[Settings] = {
    "tables": ("users", "payments", "credentials", "tokens"),
    "depth": 5,
    "auth": ("authenticate", "authorize", "checkAuth", "requireAuth"),
    "min_guarded": 0.9,
    "min_routes": 5,
    "new_access": False,
}
_MOST_SHOWN: Final = 80


def check_boundary(subject: Subject, settings: Settings) -> Found:
    """The gate. Of all code routes and rules are told; what accesses are new only a change can say."""
    rules = boundary_rules(subject)
    routes = Routes(subject.reader, words(settings, "auth"))
    findings = [*open_routes(routes, settings, subject.change), *_crossings(subject, rules)]
    if subject.change is not None and not settings["new_access"]:
        findings += _new_accesses(subject, routes, subject.change, settings)
    told = subject.told(findings)
    new = new_ones(told)
    message = f"{plural(len(routes.entries), 'route')}, {routes.guarded} with a guard; {plural(len(new), 'new way')} round one"
    details = {"routes": len(routes.entries), "guarded": routes.guarded, "rules": len(rules)}
    return Found(not new, message, told, details, tuple(map(_described, rules)))


def boundary_rules(subject: Subject) -> tuple[BoundaryRule, ...]:
    """The project's own rules. One that cannot be read fails: one that is left out would let everything pass."""
    try:
        return read_boundary_rules(subject.project.state)
    except BoundaryRuleError as error:
        hint = Recovery(hint="docs/security.md tells what a boundary may say.")
        raise DriftError(ErrorCode.CONFIG_INVALID, str(error), hint) from error


def open_routes(routes: Routes, settings: Settings, change: Change | None) -> Iterator[Finding]:
    """Routes without the guard of those beside them, of a change the new ones."""
    found = routes.open_beside_guarded(
        min_routes=int(number(settings, "min_routes")),
        min_guarded=number(settings, "min_guarded"),
        is_new=change.has_line if change is not None else None,
    )
    for entry, place, guarded, beside in found:
        yield finding(
            ROUTE_RULE,
            f"{shorten(entry.detail, _MOST_SHOWN)} has no guard; {guarded} of {beside} routes beside it have one",
            file=place,
            lines=(entry.line, entry.line),
            symbol=entry.symbol.qualname,
            snippet=entry.detail,
            evidence={"guarded": guarded, "routes": beside},
        )


def _crossings(subject: Subject, rules: tuple[BoundaryRule, ...]) -> Iterator[Finding]:
    if not rules:
        return
    data = data_of(subject.reader, subject.project.root)
    for each in find_crossings(subject.reader, data, rules):
        if subject.change is not None and not subject.change.has_line(each.file, each.line):
            continue
        told = f"{each.told}. {each.rule.description}" if each.rule.description else each.told
        yield finding(
            _rule_id(each.rule),
            told,
            file=each.file,
            lines=(each.line, each.line),
            symbol=each.symbol,
            snippet=each.told,
            severity=each.rule.severity,
        )


def _rule_id(rule: BoundaryRule) -> str:
    return f"boundaries/{rule.id}"


def _described(rule: BoundaryRule) -> Rule:
    title = rule.description.rstrip(".") or f"Boundary {rule.id}"
    return Rule(_rule_id(rule), rule.severity, title, "A boundary of this project.", title)


def _new_accesses(subject: Subject, routes: Routes, change: Change, settings: Settings) -> Iterator[Finding]:
    """Accesses on new lines to a protected table, and the route without a guard that comes to them."""
    protected = frozenset(map(folded, words(settings, "tables")))
    data = data_of(subject.reader, subject.project.root)
    points = [
        each
        for each in data.points
        if _is_protected(each, protected) and change.has_line(each.file, each.line)
    ]
    symbols = {one.id: one for one in subject.reader.symbols.many({each.symbol_id for each in points})}
    for point in points:
        symbol = symbols.get(point.symbol_id)
        way = _open_way(subject, routes, [symbol] if symbol else [], int(number(settings, "depth")))
        if symbol is not None and way is not None:
            yield finding(
                ACCESS_RULE,
                f"{symbol.qualname} uses {point.table}, and {shorten(way.detail, _MOST_SHOWN)} comes to it without a guard",
                file=point.file,
                lines=(point.line, point.line),
                symbol=symbol.qualname,
                snippet=str(point.table),
                evidence={"route": shorten(way.detail, _MOST_SHOWN)},
            )


def _is_protected(point: AccessPoint, protected: frozenset[str]) -> bool:
    return any(folded(name) in protected for name in (point.table, point.model) if name)


def _open_way(
    subject: Subject, routes: Routes, symbols: Iterable[SymbolRecord], depth: int
) -> EntryPointRecord | None:
    """A route without a guard from which the symbols are run."""
    starts = list(symbols)
    found = find_impact(subject.reader, starts, max_depth=depth, with_members=False)
    reached = [*(each.id for each in starts), *(each.entry.symbol_id for each in found.entries)]
    ways = [entry for symbol in reached for entry in routes.of_symbol(symbol)]
    return next((each for each in ways if not routes.is_guarded(each) and not is_open(each)), None)
