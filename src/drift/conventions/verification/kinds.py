"""The five kinds of claims, each looked up where the truth about it is, and how often the claims of each client held."""

from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from typing import assert_never

from drift.conventions.curation import Evidence, verify
from drift.conventions.mining import Convention
from drift.conventions.picture import Picture
from drift.conventions.rows import require_convention
from drift.conventions.verification.form import ClaimObject, Hallucination, Kind, Told, VerifiedClaim
from drift.conventions.verification.ground import Ground
from drift.conventions.verification.relations import verify_relationship, verify_symbol
from drift.conventions.verification.security import verify_security
from drift.index import IndexReader
from drift.kernel.errors import needed
from drift.kernel.similar import similar_names
from drift.kernel.text import plural
from drift.project import Project
from drift.state import StateStore


def verify_claims(
    reader: IndexReader, project: Project, picture: Picture, claims: Sequence[ClaimObject]
) -> tuple[VerifiedClaim, ...]:
    """Whether each claim is so."""
    ground = Ground(project.root, reader)
    return tuple(_verify(claim, ground, reader, picture=picture) for claim in claims)


def count_claims(project: Project, verified: Sequence[VerifiedClaim], *, client: str, now: datetime) -> None:
    """Keep how the claims of a client came out; those that nothing could be said about are not counted."""
    with closing(StateStore(project.stores.state_db)) as store:
        for one in verified:
            if one.verified is not None:
                store.count_verification(client=client, kind=one.kind, passed=one.verified, at=now)


def claims_summary(verified: Sequence[VerifiedClaim]) -> str:
    """A line on some claims."""
    true = sum(one.verified is True for one in verified)
    false = sum(one.verified is False for one in verified)
    told = f"{plural(len(verified), 'claim')}: {true} verified, {false} not so"
    is_open = len(verified) - true - false
    return f"{told}, {is_open} that cannot be told" if is_open else told


def _verify(claim: ClaimObject, ground: Ground, reader: IndexReader, *, picture: Picture) -> VerifiedClaim:
    kind: Kind = claim.kind
    match kind:
        case "pattern":
            return _verify_pattern(claim, ground, picture)
        case "symbol":
            return verify_symbol(claim, ground, reader)
        case "relationship":
            return verify_relationship(claim, reader)
        case "convention":
            return _verify_convention(claim, picture)
        case "security":
            return verify_security(claim, reader)
        case _:
            assert_never(kind)


def _verify_pattern(claim: ClaimObject, ground: Ground, picture: Picture) -> VerifiedClaim:
    convention = require_convention(picture, needed("patternId", claim.pattern_id, when="kind=pattern"))
    told = Told("pattern", f"{convention.id} is in {', '.join(claim.files) or 'no file that is named'}")
    if not claim.files and not claim.snippets:
        return told.is_open("neither files nor snippets are named to look it up in")
    found = verify(picture, convention, ground.root, Evidence(claim.files, claim.snippets))
    shown = [f"{each.file}:{','.join(map(str, each.lines))}" for each in found.checks if each.lines]
    if found.verdict == "verified":
        return told.is_so(*shown)
    wrong = [f"{each.file}: {each.error}" for each in found.checks if each.error]
    is_missing = any((ground.root / each.file).exists() is False for each in found.checks if each.error)
    return told.is_not(
        "resource" if is_missing else "mapping", *(wrong or ["no file has the code that is shown"]), *shown
    )


def _verify_convention(claim: ClaimObject, picture: Picture) -> VerifiedClaim:
    named = needed("dimension", claim.dimension, when="kind=convention")
    told = Told("convention", f"{named}: {claim.variant or 'what it says'}")
    every = (*picture.mined.conventions, *picture.mined.undecided)
    dimension = named.partition(":")[0].partition("@")[0].partition("#")[0]
    fitting = [one for one in every if named in (one.id, one.dimension.id, *one.same_as)]
    if not fitting:
        if dimension in picture.rulebook.dimensions:
            return told.is_open("there are too few places in the project to say")
        return told.is_not(
            "naming",
            "no dimension is called so",
            similar=similar_names(dimension, picture.rulebook.dimensions),
        )
    convention = max(fitting, key=lambda one: len(one.sites))
    return _verify_share(told, convention, claim)


def _verify_share(told: Told, convention: Convention, claim: ClaimObject) -> VerifiedClaim:
    counts = ", ".join(f"{name} {tally.sites}" for name, tally in list(convention.tallies.items())[:5])
    shown = (f"{convention.id}: {counts} of {len(convention.sites)}",)
    variant = claim.variant or convention.variant
    tally = convention.tallies.get(variant)
    if tally is None:
        known = (*convention.tallies, *convention.dimension.variants)
        what: Hallucination = "mapping" if variant in convention.dimension.variants else "naming"
        return told.is_not(what, *shown, similar=similar_names(variant, known))
    share = tally.sites / len(convention.sites)
    least = claim.min_share
    holds = share >= least if least is not None else convention.is_decided and variant == convention.variant
    said = (f"share {share:.2f}", *shown)
    return told.is_so(convention.rule, *said) if holds else told.is_not("mapping", *said)
