"""The checks of one text: each a function from a text in its project to findings, all of them in one list."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from drift.analyses.import_style import advise_imports
from drift.analyses.source_text import read_lines
from drift.analyses.testing.signs import load_signs
from drift.conventions.text_sites import TextSites, deviations, sites_of_draft
from drift.guards.bare_names import Missing
from drift.guards.constraints import ConstraintStatus, verifying
from drift.guards.draft_scene import scene_of
from drift.guards.existing_code import existing_code
from drift.guards.missing_names import missing_names
from drift.guards.overlay import OverlaidCall, OverlaidFile, Overlay
from drift.guards.signatures import mismatches
from drift.guards.waiting import Left, unawaited
from drift.index.path_text import path_to_text, text_to_path
from drift.index.records import SymbolRecord
from drift.languages.facts import CallTrait, Handling, HandlingTrait, Symbol
from drift.quality.findings import Finding, finding
from drift.scan.link.links import Target

if TYPE_CHECKING:
    from drift.conventions.picture import Picture
    from drift.project import Project

_SIGNALS: Final = frozenset({"KeyboardInterrupt", "CancelledError", "StopIteration", "StopAsyncIteration"})
"""Errors by which somebody is told to end, and who ends has nothing more to do about them."""
_BROAD: Final = frozenset(
    {
        "",
        "Exception",
        "BaseException",
        "Throwable",
        "\\Exception",
        "\\Throwable",
        "Error",
        "System.Exception",
        "StandardError",
    }
)
"""Errors that may be anything."""
_HEARD: Final = (
    HandlingTrait.RETHROWS | HandlingTrait.THROWS_OTHER | HandlingTrait.LOGS | HandlingTrait.PASSES_ON | HandlingTrait.USES_ERROR
)  # fmt: skip
_TO_TOOLS: Final = ("noqa", "pragma", "type:", "nosec", "pylint", "eslint", "nolint", "phpcs", "@ts-")
"""How comments begin that are for tools, and give no reason."""
_MEANT_TO_PASS: Final = re.compile(r"\b(?:ignored?|expected|unused)\s{0,4}[):]")
"""How an error is called of which nothing is to be done: the name says why."""
_SURE_SCORE: Final = 0.85
_MOST_HELPER_LINES: Final = 200


@dataclass(frozen=True)
class Subject:
    """A text, the project around it, and what the project does by convention; None where that is not asked for."""

    root: Path
    overlay: Overlay
    file: OverlaidFile
    project: "Project | None" = None
    picture: "Picture | None" = None
    statuses: tuple[ConstraintStatus, ...] = ("approved", "custom", "discovered")
    """Which constraints count; to find out what nobody decided about costs a look at the whole project."""

    @property
    def path(self) -> str:
        return self.file.path

    @cached_property
    def sites(self) -> TextSites | None:
        """What the text decides, and by which conventions; None where nobody asks for conventions."""
        if self.picture is None:
            return None
        return sites_of_draft(self.overlay.reader, self.picture, self.overlay.linking, path=self.path)


Check = Callable[[Subject], Iterable[Finding]]


def check_syntax(subject: Subject) -> Iterator[Finding]:
    """Places that a parser makes nothing of."""
    for problem in subject.file.facts.problems:
        yield finding(
            "text/syntax",
            f"Line {problem.line}: {problem.message}",
            file=subject.path,
            lines=(problem.line, problem.line),
            snippet=problem.message,
        )
    if subject.file.draft.fault is not None:
        yield finding(
            "text/syntax", subject.file.draft.fault, file=subject.path, snippet=subject.file.draft.fault
        )


def check_names(subject: Subject) -> Iterator[Finding]:
    """Names that nobody has."""
    for missing in missing_names(subject.overlay, subject.file):
        brought = _import_for(subject, missing)
        yield finding(
            "names/unknown",
            _say_missing(missing, brought),
            file=subject.path,
            lines=(missing.line, missing.line),
            symbol=symbol_at(subject.file, missing.line),
            snippet=missing.text,
            severity="error" if missing.grade == "certain" else "warning",
            evidence={"name": missing.name, "grade": missing.grade},
            suggestion=brought or (f"Did you mean {missing.nearest}?" if missing.nearest else None),
        )


def _import_for(subject: Subject, missing: Missing) -> str | None:
    """The import that brings a bare name which the project has elsewhere."""
    if missing.what != "function" or not subject.overlay.reader.symbols.named(missing.name, limit=1):
        return None
    advice = advise_imports(subject.overlay.reader, subject.root, [missing.name], subject.path)
    return "\n".join(advice.statements) if advice is not None and advice.statements else None


def _say_missing(missing: Missing, brought: str | None) -> str:
    if brought is not None:
        return f"{missing.name} is not imported: {brought}"
    if missing.what == "module":
        return f"There is no {missing.name} to import"
    whose = (
        f"{missing.owner} has no {missing.name}"
        if missing.owner
        else f"Nothing in sight is called {missing.name}"
    )
    if missing.grade == "likely":
        whose = (
            f"{missing.owner or 'What is in sight'} seems to have no {missing.name}, and nobody else calls it"
        )
    near = f"; the nearest is {missing.nearest}" if missing.nearest else ""
    return whose + near + (f" ({missing.place.path})" if missing.place is not None else "")


def check_arguments(subject: Subject) -> Iterator[Finding]:
    """Calls that do not fit what they call."""
    for one in mismatches(subject.overlay, subject.file):
        yield finding(
            "calls/arguments",
            f"{one.text}: {one.problem}; it is {one.signature} in {one.place.path}",
            file=subject.path,
            lines=(one.line, one.line),
            symbol=symbol_at(subject.file, one.line),
            snippet=f"{one.text} {one.problem}",
            evidence={"signature": one.signature},
            suggestion=f"Call it as {one.signature}",
        )


def check_handlers(subject: Subject) -> Iterator[Finding]:
    """Handlers that do nothing with the error, and do not say why in a comment or by its name."""
    comments = (each for each in subject.file.facts.comments if not each.text.startswith(_TO_TOOLS))
    said = {line for each in comments for line in range(each.line, each.end_line + 1)}
    for one in subject.file.facts.handlings:
        is_named = _MEANT_TO_PASS.search(subject.file.lines[one.line - 1]) is not None
        is_silent = one.is_empty and not is_named and said.isdisjoint(range(one.line, one.end_line + 1))
        is_signal = bool(one.types) and all(each.rpartition(".")[2] in _SIGNALS for each in one.types)
        if one.kind in {"catch", "check"} and is_silent and not is_signal and not one.traits & _HEARD:
            yield _swallowed(subject, one)


def _swallowed(subject: Subject, handling: Handling) -> Finding:
    named = ", ".join(handling.types) or "any error"
    is_broad = any(each in _BROAD for each in handling.types or ("",)) and handling.kind == "catch"
    return finding(
        "errors/swallowed",
        f"{named} is caught and nothing is done about it",
        file=subject.path,
        lines=(handling.line, handling.end_line),
        symbol=symbol_at(subject.file, handling.line),
        snippet=named,
        # One certain error that may be expected is often meant to be passed over, and so is what a test provokes.
        severity="warning" if is_broad and subject.file.draft.rows.file.role != "test" else "info",
    )


def check_awaits(subject: Subject) -> Iterator[Finding]:
    """Calls of asynchronous functions of the project that nobody waits for."""
    yield from (tell_unawaited(subject.file, each) for each in unawaited(subject.overlay, subject.file))


def tell_unawaited(file: OverlaidFile, left: Left) -> Finding:
    """The finding at a call that nobody waits for."""
    call = left.call.call
    # A script may mean to go on while it runs; in Python nothing runs at all.
    goes_on = bool(left.call.traits & CallTrait.DROPPED) and file.facts.language != "python"
    return finding(
        "async/not-awaited",
        f"{left.called.name} is asynchronous and nobody waits for it",
        file=file.path,
        lines=(call.line, call.line),
        symbol=symbol_at(file, call.line),
        snippet=call.text,
        severity="warning" if goes_on else None,
        suggestion=f"await {call.text}(…)",
    )


def check_assertions(subject: Subject) -> Iterator[Finding]:
    """Tests that check nothing, neither themselves nor through functions of the project that do."""
    facts = subject.file.facts
    for entry in facts.entry_points:
        if entry.kind != "test" or entry.handler is not None:
            continue
        symbol = facts.symbols[entry.symbol]
        if symbol.kind not in {"function", "method"}:
            continue
        calls = calls_within(subject.file, symbol)
        if asserts_itself(subject.file, symbol, calls):
            continue
        if any(_may_assert(one.call.text) for one in calls):
            continue
        if any(_helper_asserts(subject, one.link.targets) for one in calls):
            continue
        yield finding(
            "testing/no-assertion",
            f"{_title_of(subject.file, entry.symbol)} checks nothing",
            file=subject.path,
            lines=(symbol.line, symbol.end_line),
            symbol=subject.file.names[entry.symbol],
            snippet=symbol.name,
        )


def _title_of(file: OverlaidFile, symbol: int) -> str:
    """What a test is called: where it is handed to a function that runs it, the text that goes with it."""
    for number, call in enumerate(file.facts.calls):
        if any(value == ("symbol", symbol) for _, value in call.arguments):
            detail = file.details.get(number)
            if detail is not None and detail.literal:
                return f"{call.text} {detail.literal!r}"
    return file.facts.symbols[symbol].name


def calls_within(file: OverlaidFile, symbol: Symbol) -> list[OverlaidCall]:
    """The calls between the first and the last line of a symbol."""
    return [one for one in file.calls() if symbol.line <= one.call.line <= symbol.end_line]


def asserts_itself(file: OverlaidFile, symbol: Symbol, calls: Iterable[OverlaidCall]) -> bool:
    """Whether the text of a test has an assertion: as a statement, or among its calls."""
    if _asserts("\n".join(file.lines[symbol.line - 1 : symbol.end_line])):
        return True
    return any(load_signs().is_assertion(file.facts.language, one.call.text) for one in calls)


def _asserts(body: str) -> bool:
    return any(
        line.lstrip().startswith(("assert ", "assert(", "assert!", "assert_")) for line in body.splitlines()
    )


def _may_assert(text: str) -> bool:
    lower = text.lower()
    return any(
        word in lower for word in ("assert", "expect", "verify", "check", "should", "raises", "snapshot")
    )


def _helper_asserts(subject: Subject, targets: Iterable[Target]) -> bool:
    """Whether a function of the project that a test calls has an assertion in it."""
    signs, overlay = load_signs(), subject.overlay
    for place in (target.place for target in targets):
        record = overlay.reader.files.at(path_to_text(place.path))
        if record is None:
            return True  # of a file that is not there yet
        symbol = overlay.symbol_id(place)
        known = overlay.reader.symbols.get(symbol) if symbol is not None else None
        if record.role == "test" and known is not None and _is_checking(subject, known):
            return True
        facts = overlay.linking.sources.facts_of(place.path)
        inside = (call.text for call in facts.calls if _is_within(facts.symbols, call.scope, place.symbol))
        if any(signs.is_assertion(facts.language, text) for text in inside):
            return True
    return False


def _is_checking(subject: Subject, helper: SymbolRecord) -> bool:
    """Whether the text of a helper of tests has an assertion: a statement of one is no call."""
    count = min(helper.end_line - helper.line + 1, _MOST_HELPER_LINES)
    body = "\n".join(read_lines(subject.root, text_to_path(helper.path), first=helper.line, count=count))
    return _may_assert(body)


def _is_within(symbols: Sequence[Symbol], scope: int, outer: int) -> bool:
    while scope > 0:
        if scope == outer:
            return True
        scope = symbols[scope].parent
    return False


def check_existing(subject: Subject) -> Iterator[Finding]:
    """Functions that the project already has."""
    for one in existing_code(subject.root, subject.overlay, subject.file):
        yield finding(
            "duplication/exists",
            f"{one.name} in {one.path}:{one.line} does this ({one.why})",
            file=subject.path,
            lines=one.lines,
            symbol=one.symbol,
            snippet=f"{one.path} {one.name}",
            evidence={"likeness": one.likeness, "path": one.path, "function": one.name},
            suggestion=f"Call {one.name} of {one.path}",
        )


def check_conventions(subject: Subject) -> Iterator[Finding]:
    """Sites that do otherwise than the conventions of their place."""
    for placed in deviations(subject.sites) if subject.sites is not None else ():
        convention, site = placed.convention, placed.site
        assert convention is not None
        score = convention.measures.score
        yield finding(
            "conventions/deviation",
            f"{convention.rule} ({convention.followed} of {len(convention.sites)} places); here: {site.variant}",
            file=subject.path,
            lines=(site.line, site.end_line),
            symbol=symbol_at(subject.file, site.line),
            snippet=f"{convention.dimension.id} {site.variant}",
            severity="warning" if score >= _SURE_SCORE else "info",
            evidence={
                "convention": convention.id,
                "variant": site.variant,
                "expected": convention.variant,
                "followed": convention.followed,
                "sites": len(convention.sites),
                "score": round(score, 3),
            },
        )


def check_constraints(subject: Subject) -> Iterator[Finding]:
    """Constraints that people approved or wrote, and those the project keeps nearly everywhere."""
    if subject.project is None or not subject.file.draft.language:
        return
    reader = subject.overlay.reader
    wanted = verifying.wanted(reader, subject.project, statuses=subject.statuses)
    with scene_of(subject.overlay, subject.path) as scene:
        yield from verifying.evaluate_all(scene, wanted).violations


TEXT_CHECKS: Final[tuple[Check, ...]] = (
    check_syntax,
    check_names,
    check_arguments,
    check_awaits,
    check_handlers,
    check_assertions,
    check_existing,
    check_conventions,
    check_constraints,
)
"""All that is looked for in a text."""


def check_text(subject: Subject, checks: Iterable[Check] = TEXT_CHECKS) -> list[Finding]:
    """What the checks find in a text."""
    return [one for check in checks for one in check(subject)]


def symbol_at(file: OverlaidFile, line: int) -> str | None:
    """The qualified name of the innermost symbol around a line; None at the top of a file."""
    inner = [
        number
        for number, symbol in enumerate(file.facts.symbols)
        if number and symbol.line <= line <= symbol.end_line
    ]
    return file.names[inner[-1]] if inner else None
