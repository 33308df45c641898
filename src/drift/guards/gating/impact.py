"""Impact: how far a change reaches, and what it breaks elsewhere.

What it does: walks from the changed symbols to all that use them, and looks for imports and calls that no longer lead
anywhere and for calls that no longer fit what they call. What is certainly broken fails it, what may be is told.
Why it matters: a change that half of the product runs through wants another review than one that nothing does. What is far is
a matter of the project: reach is over its limit where it is more than so many and more than a share of all there are, for
in a service with a hundred routes every mend of its storage comes to a dozen.
Known limits: those of `broken_imports`, `gone_files`, `orphaned_calls` and `broken_calls`; a name that is made at run time
is not seen.
"""

from typing import Final

from drift.analyses.changes import find_changed_symbols
from drift.analyses.impact import find_impact
from drift.guards.broken_calls import find_broken_calls
from drift.guards.broken_imports import find_broken_imports
from drift.guards.gating.form import Found, Settings, Subject, new_ones, number, words
from drift.guards.gone_files import find_imports_of_gone
from drift.guards.orphaned_calls import find_orphaned_calls
from drift.index.records import SymbolRecord
from drift.kernel.text import plural
from drift.quality.gate import NotMeasurableError

IMPACT: Final = "impact-simulation"
SETTINGS: Final[Settings] = {
    "files": 20,
    "functions": 50,
    "entry_points": 10,
    "share": 0.5,
    "friction": 60,
    "depth": 5,
    "reach_fails": True,
    "sensitive": ("auth", "login", "password", "payment", "permission", "secret", "session", "token"),
}
_WEIGHTS: Final = {"files": 25, "functions": 25, "entry_points": 30}
_SENSITIVE: Final = 20


def check_impact(subject: Subject, settings: Settings) -> Found:
    """The gate. Needs a change."""
    change = subject.change
    if change is None:
        raise NotMeasurableError("all code was asked for, and nothing is changed by that")
    touched = find_changed_symbols(subject.reader, change.files.values())
    product = [each for each in touched.symbols if each.role != "test"]
    root = subject.project.root
    calls = find_broken_calls(subject.reader, root, change)
    told = subject.told(
        [
            *find_broken_imports(subject.reader, root, change),
            *find_imports_of_gone(subject.reader, root, change),
            *find_orphaned_calls(subject.reader, root, change),
            *calls.findings,
        ]
    )
    reached = dict.fromkeys(_WEIGHTS, 0)
    if product:
        depth = int(number(settings, "depth"))
        impact = find_impact(subject.reader, product, max_depth=depth, with_members=False)
        reached = {
            "files": len(impact.files), "functions": len(impact.product), "entry_points": len(impact.entries),
        }  # fmt: skip
    is_sensitive = _is_sensitive(product, words(settings, "sensitive"))
    limits_here = _limits(subject, settings) if product else dict.fromkeys(_WEIGHTS, 1.0)
    friction = sum(
        weight * min(1.0, reached[name] / max(1.0, limits_here[name])) for name, weight in _WEIGHTS.items()
    ) + (_SENSITIVE if is_sensitive else 0)
    over = [name for name in _WEIGHTS if reached[name] > limits_here[name]]
    over += ["friction"] if friction > number(settings, "friction") else []
    limits = f"; over the limit: {', '.join(each.replace('_', ' ') for each in over)}" if over else ""
    unread = f"; callers in {plural(calls.unread, 'more file')} not looked at" if calls.unread else ""
    message = (
        f"{plural(len(product), 'changed symbol')} of the product: {plural(reached['functions'], 'symbol')} in"
        f" {plural(reached['files'], 'file')} and {plural(reached['entry_points'], 'entry point')} use them,"
        f" friction {friction:.0f}{limits}{unread}"
    )
    details = {
        **reached, "friction": round(friction, 1), "sensitive": "yes" if is_sensitive else "no",
    }  # fmt: skip
    new = new_ones(told)
    is_kept = not any(each.severity == "error" for each in new) and not (over and settings["reach_fails"])
    return Found(is_kept, message, told, details, is_doubtful=bool(over or new))


def _limits(subject: Subject, settings: Settings) -> dict[str, float]:
    """How much may be reached: what is set, or the share of all there is where that is more."""
    reader, share = subject.reader, number(settings, "share")
    entries = reader.facts.entry_point_counts()
    every = {
        "files": sum(1 for each in reader.sites.files() if each.role == "source" and each.language),
        "functions": reader.symbols.count(),
        "entry_points": sum(count for kind, count in entries.items() if kind != "test"),
    }
    return {name: max(number(settings, name), share * every[name]) for name in _WEIGHTS}


def _is_sensitive(symbols: list[SymbolRecord], sensitive: tuple[str, ...]) -> bool:
    return any(word in f"{one.path} {one.qualname}".lower() for one in symbols for word in sensitive)
