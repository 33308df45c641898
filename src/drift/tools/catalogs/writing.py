"""Actions that change instructions. Each needs MCP_ENABLE_MUTATION, and each change is audited."""

import time
from typing import Annotated, Any, Literal

from drift.catalog.groom import Groomed
from drift.catalog.mutations import Added, GovernanceUpdated
from drift.catalog.rows import (
    EnrichData,
    GroomData,
    ImportData,
    Known,
    ReloadData,
    RemoveData,
    RepairData,
    as_repair,
)
from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, Recovery
from drift.kernel.grooming import GroomMode
from drift.kernel.text import plural
from drift.registry import Call, Effect, Length, Range
from drift.tools.catalogs.access import actor_of, catalog_tool, mutating, reportable
from drift.tools.catalogs.reading import Id, find_changes

_MOST_ENTRIES = 20_000


@catalog_tool(
    title="Add an instruction",
    tokens=(50, 300),
    effect=Effect.WRITES,
    is_idempotent=False,
    examples=(
        {"entry": {"id": "use-uv", "body": "Install packages with uv."}, "lax": True, "overwrite": False},
    ),
)
def instructions_add(
    call: Call,
    entry: Annotated[dict[str, Any] | None, "id, body and others; with lax the rest is filled in"] = None,
    overwrite: bool = False,
    lax: bool = False,
) -> Answer[Added]:
    """Add an instruction; one that is there is skipped, or replaced with overwrite."""
    try:
        with mutating(call, entry) as catalog:
            done = catalog.add(entry, overwrite=overwrite, lax=lax, actor=actor_of(call))
    except DriftError as error:
        raise _not_created(error) from error
    word = "created" if done.created else "overwritten" if done.overwritten else "skipped: it is there"
    return Answer(f"{done.id} {word}", done)


@catalog_tool(
    title="Import instructions",
    tokens=(50, 2000),
    effect=Effect.WRITES,
    is_idempotent=False,
    examples=({"entries": [{"id": "use-uv", "body": "Install packages with uv."}], "validate": False},),
)
def instructions_import(
    call: Call,
    entries: Annotated[tuple[Any, ...], Length(_MOST_ENTRIES)],
    mode: Annotated[Literal["skip", "overwrite", "merge"], "For those that are there"] = "skip",
    validate: Annotated[bool, "false fills defaults in, as lax does"] = True,
    batch_size: Annotated[int, Range(1, 1000)] = 100,
) -> Answer[ImportData]:
    """Add many instructions; one that is refused does not stop the others."""
    started = time.perf_counter()
    with mutating(call) as catalog:
        done = catalog.import_entries(
            entries, mode=mode, validate=validate, batch_size=batch_size, actor=actor_of(call)
        )
    data = ImportData(
        done.hash,
        done.imported,
        done.skipped,
        done.overwritten,
        done.total,
        done.errors,
        _elapsed_ms(started),
    )
    counts = f"{done.imported} imported, {done.overwritten} overwritten, {done.skipped} skipped"
    return Answer(f"{counts}, {len(done.errors)} refused of {done.total}", data)


@catalog_tool(
    title="Remove instructions",
    tokens=(50, 500),
    effect=Effect.DESTROYS,
    examples=({"ids": ["old-rule"]},),
)
def instructions_remove(
    call: Call,
    ids: Annotated[tuple[str, ...], Length(1_000)],
    confirm: Annotated[bool, "Needed for more than 10"] = False,
    cascade: Annotated[bool, "Also what depends on them"] = False,
) -> Answer[RemoveData]:
    """Delete instructions for good."""
    with mutating(call) as catalog:
        done = catalog.remove(ids, confirm=confirm, cascade=cascade, actor=actor_of(call))
    data = RemoveData(
        done.hash,
        len(done.removed_ids),
        done.removed_ids,
        done.missing,
        len(done.errors),
        done.errors,
        done.cascade_removals if cascade else None,
    )
    return Answer(f"{plural(data.removed, 'instruction')} removed, {len(done.missing)} missing", data)


@catalog_tool(title="Reload the catalog", tokens=(50, 100), effect=Effect.WRITES)
def instructions_reload(call: Call) -> Answer[ReloadData]:
    """Read every file again."""
    with mutating(call) as catalog:
        done = catalog.reload()
    return Answer(
        f"{plural(done.count, 'instruction')} read",
        ReloadData(reloaded=True, hash=done.hash, count=done.count),
    )


@catalog_tool(
    title="Groom the catalog",
    tokens=(100, 500),
    effect=Effect.DESTROYS,
    examples=({"mode": {"dryRun": True, "mergeDuplicates": True}},),
)
def instructions_groom(call: Call, mode: GroomMode | None = None) -> Answer[GroomData]:
    """Put hashes and categories right, merge duplicates, drop what is deprecated; dryRun only tells."""
    started = time.perf_counter()
    wanted = mode or GroomMode()
    with mutating(call, changes=not wanted.dry_run) as catalog:
        done = catalog.groom(wanted, actor=actor_of(call))
    counts = {name: getattr(done, name) for name in Groomed.__slots__}
    would = "would change" if done.dry_run else "changed"
    changed = done.repaired_hashes + done.normalized_categories + done.purged_scopes
    gone = done.duplicates_merged + done.deprecated_removed
    return Answer(
        f"{done.scanned} looked at; {would} {changed}, merged or removed {gone}",
        GroomData(**counts, performance_ms=_elapsed_ms(started)),
    )


@catalog_tool(title="Repair stored hashes", tokens=(50, 2000), effect=Effect.WRITES)
def instructions_repair(
    call: Call,
    client_hash: Annotated[str | None, Length(200)] = None,
    known: Annotated[tuple[Known, ...] | None, Length(_MOST_ENTRIES)] = None,
) -> Answer[RepairData]:
    """Put stored hashes right; with clientHash or known, tell what the client lacks instead."""
    if client_hash is not None or known is not None:
        changes, warnings = find_changes(call, client_hash, known)
        return Answer("compared with the client", as_repair(changes), warnings=warnings)
    with mutating(call) as catalog:
        done = catalog.repair(actor=actor_of(call))
        data = RepairData(catalog.hash(), repaired=len(done), updated=done)
    return Answer(f"{plural(len(done), 'hash', 'hashes')} repaired", data)


@catalog_tool(title="Write governed defaults", tokens=(50, 500), effect=Effect.WRITES)
def instructions_enrich(call: Call) -> Answer[EnrichData]:
    """Write down governed fields that files leave out."""
    with mutating(call) as catalog:
        done = catalog.enrich(actor=actor_of(call))
        data = EnrichData(catalog.hash(), len(done), done)
    return Answer(f"{plural(len(done), 'instruction')} enriched", data)


@catalog_tool(
    title="Change governed fields",
    tokens=(50, 200),
    effect=Effect.WRITES,
    is_idempotent=False,
    examples=({"id": "use-uv", "patch": {"owner": "build-team"}, "bump": "minor"},),
)
def instructions_governance_update(
    call: Call,
    id: Id,  # noqa: A002 - the argument's name on the wire
    patch: Annotated[dict[str, Any], "owner, status, priority …; changeSummary for the log"],
    bump: Literal["major", "minor", "patch", "none"] = "patch",
) -> Answer[GovernanceUpdated]:
    """Change who answers for an instruction and how; its version rises, its change log tells."""
    with mutating(call) as catalog:
        done = catalog.governance_update(id, patch, bump=bump, actor=actor_of(call))
    return Answer(f"{done.id} is {done.new_version} now", done)


def _not_created(error: DriftError) -> DriftError:
    told = reportable(error)
    found = told.recovery
    details = {"created": False, **found.details}
    return DriftError(
        told.code, told.message, Recovery(found.hint, found.similar, found.alternative_tools, details=details)
    )


def _elapsed_ms(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
