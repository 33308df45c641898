"""What is found: a weakness with its place, the way data takes to it, and how sure that is."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from drift.flow.grading import facts_of, first_doubt
from drift.flow.values import LATER, Origin, Step, Taint
from drift.libraries import Confidence, Kind, kinds

LEVELS: tuple[Confidence, ...] = ("high", "medium", "low")
_MOST_PLACES = 400
_SHOWN = 30
# What who starts a program may do harm with; which files it reads and where it sends users is theirs to set.
_LOCAL = frozenset({"command", "code", "sql", "deserialization", "template", "xxe"})
# What somebody else's browser must be made to do; nobody harms themselves.
_BY_OTHERS = frozenset({"xss", "redirect"})
_SEVERITIES = ("critical", "high", "medium", "low")


class Place(NamedTuple):
    """A place on the way of data."""

    file: int
    line: int
    what: str


class Hit(NamedTuple):
    """Data that gets to a sink; of a parameter, to be settled by who calls the function."""

    origin: Origin
    taint: Taint
    kind: str
    confidence: Confidence
    file: int
    line: int
    name: str
    needs_built: bool = False
    needs_lead: bool = False
    needs_whole: bool = False
    function: int = 0  # that the sink is in

    @property
    def counts(self) -> bool:
        """Whether the data is as the sink must have it to do harm."""
        taint = self.taint
        return (
            self.kind not in taint.safe
            and (taint.is_built or not self.needs_built)
            and (taint.leads or not self.needs_lead)
            and not (taint.is_built and self.needs_whole)
            and (not self.origin.kinds or self.kind in self.origin.kinds)
        )


class Finding(NamedTuple):
    """A weakness."""

    kind: Kind
    severity: str
    confidence: Confidence
    file: int
    line: int
    name: str  # what is called or set
    path: tuple[Place, ...]  # from the source to the sink
    source: str  # what the data is; empty where no data has to get there
    function: int  # the symbol it is in
    entry: int = 0  # the function in which the data comes in
    reasons: tuple[str, ...] = ()

    def key(self, path: str, function: str) -> str:
        """A lasting id: the same while kind, file, function and what is called stay, whatever moves around it."""
        text = f"{self.kind.name}\0{path}\0{function}\0{self.name}\0{self.source}"
        return f"{self.kind.name}-{hashlib.blake2b(text.encode(), digest_size=5).hexdigest()}"


def way_of(step: Step | None) -> tuple[Place, ...]:
    """The places of a way, from its beginning; of a long one its ends."""
    found: list[Place] = []
    ways = [step]
    while ways and len(found) < _MOST_PLACES:
        at = ways.pop()
        if at is None:
            continue
        ways.append(at.previous)
        if at.inner is not None:
            ways.append(at.inner)
        elif not found or found[-1] != Place(at.file, at.line, at.what):
            found.append(Place(at.file, at.line, at.what))
    found.reverse()
    return tuple(found if len(found) <= _SHOWN else found[: _SHOWN // 2] + found[-_SHOWN // 2 :])


def finding_of(hit: Hit) -> Finding:
    """The finding that data of a source at a sink is."""
    kind = kinds()[hit.kind]
    level = 2 if hit.taint.doubt else LEVELS.index(hit.confidence)
    reasons = [kind.doubt]
    severity = _SEVERITIES.index(kind.severity) if kind.severity in _SEVERITIES else 2
    if hit.origin.trust == "local":
        level, severity = level + (1 if hit.kind in _LOCAL else 2), severity + 1
        reasons.append("the data is given by who starts the program")
    elif hit.origin.trust == "stored":
        level += 1
        reasons.append("the data comes from a store or another server")
    elif hit.origin.trust == "unknown":
        level, severity = 2, severity + 1
        reasons.append("who calls the function is not known, nor what they give it")
    elif hit.origin.trust == "header" and hit.kind in _BY_OTHERS:
        level += 1
        reasons.append("no page elsewhere can make a browser send such a header")
    elif hit.origin.trust == "encoded" and hit.kind == "xss":
        level += 1
        reasons.append("browsers encode quotes and angle brackets in an address")
    path = (*way_of(hit.taint.step), Place(hit.file, hit.line, f"{hit.name}: {kind.title}"))
    if level == 0 and (doubt := first_doubt(kind.name, facts_of(hit.taint, path))):
        level = 1
        reasons.append(doubt)
    if hit.taint.doubt == 1:
        reasons.append("it goes through code that is not read, and is assumed to come out again")
    elif hit.taint.doubt == LATER:
        reasons.append("one request keeps it in a field that another reads")
    elif hit.taint.doubt > 1:
        reasons.append("something on the way looks like a check of it")
    return Finding(
        kind=kind,
        severity=_SEVERITIES[min(severity, 3)],
        confidence=LEVELS[min(level, 2)],
        file=hit.file,
        line=hit.line,
        name=hit.name,
        path=path,
        source=hit.origin.label,
        function=hit.function,
        entry=hit.origin.function or hit.origin.parameter,
        reasons=tuple(reasons),
    )
