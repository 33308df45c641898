"""Changes callers ask for: add, import, remove, and the governed fields. Each under the lock, each audited."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Literal, NamedTuple

from drift.catalog.drafts import Bump, draft, merge, patch_governance
from drift.catalog.entry import Instruction
from drift.catalog.ids import ENDING, check_id
from drift.catalog.queries import find_twin, select_entries
from drift.catalog.refusals import refuse, refuse_entry, too_large
from drift.catalog.store import Store, Writer
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.similar import similar_names

ImportMode = Literal["skip", "overwrite", "merge"]

MOST_BATCH: Final = 1_000
MOST_IMPORTED: Final = 20_000
MOST_UNCONFIRMED: Final = 10


class Added(NamedTuple):
    """What came of adding: `created`, `overwritten` or `skipped`; read back where it was written."""

    id: str
    hash: str
    created: bool
    overwritten: bool
    skipped: bool
    verified: bool
    source_hash: str
    governance_hash: str


@dataclass(frozen=True, slots=True)
class EntryFailure:
    """An entry that was not taken, by its place and id, and why."""

    index: int
    error: str
    code: str
    id: str | None = None


class Imported(NamedTuple):
    """How many entries were taken and how."""

    hash: str
    imported: int
    skipped: int
    overwritten: int
    total: int
    errors: tuple[EntryFailure, ...]


class RemoveFailure(NamedTuple):
    """An id that could not be removed, and why."""

    id: str
    error: str
    code: str


class Removed(NamedTuple):
    """Which instructions are gone; `cascade_removals` were not asked for but depended on them."""

    hash: str
    removed_ids: tuple[str, ...]
    missing: tuple[str, ...]
    errors: tuple[RemoveFailure, ...]
    cascade_removals: tuple[str, ...]


class GovernanceUpdated(NamedTuple):
    """An instruction's version before and after."""

    id: str
    previous_version: str
    new_version: str
    hash: str


def add_entry(store: Store, entry: object, *, overwrite: bool, lax: bool, actor: str) -> Added:
    """Add one instruction, or put it in the place of the one there is."""
    if not isinstance(entry, Mapping):
        raise refuse_entry("missing entry", {}, hint='Wrap the instruction: {"entry": {"id": …, "body": …}}.')
    instruction_id = check_id(entry.get("id"))
    with store.writing() as writer:
        previous = writer.get(instruction_id)
        if previous is not None and not overwrite:
            if store.settings.is_create_strict:
                raise refuse_entry("duplicate id", entry, hint="Pass overwrite=true, or choose another id.")
            return _added(store, previous, verified=False, skipped=True)
        if previous is None and not overwrite:
            _refuse_broken(store, instruction_id, entry)
        _refuse_twin(store, instruction_id, entry)
        instruction = draft(entry, lax=lax, settings=store.settings, now=store.now(), previous=previous)
        action = "add" if previous is None else "overwrite"
        writer.put([instruction], action=action, actor=actor, is_given=True)
        return _added(
            store, instruction, verified=True, created=previous is None, overwritten=previous is not None
        )


def import_entries(
    store: Store,
    entries: Sequence[object],
    *,
    mode: ImportMode,
    validate: bool,
    batch_size: int,
    actor: str,
) -> Imported:
    """Add many instructions. One that is refused is reported and does not hold up the others."""
    if len(entries) > MOST_IMPORTED:
        raise too_large("entries", len(entries), MOST_IMPORTED, unit="entries")
    counts = {"imported": 0, "skipped": 0, "overwritten": 0}
    failures: list[EntryFailure] = []
    numbered = enumerate(entries)
    # Between two batches others may write: a long import does not shut them out.
    while batch := list(islice(numbered, max(1, min(batch_size, MOST_BATCH)))):
        with store.writing() as writer:
            _import_batch(
                store,
                writer,
                batch,
                mode=mode,
                lax=not validate,
                actor=actor,
                counts=counts,
                failures=failures,
            )
    return Imported(store.hash(looks=False), **counts, total=len(entries), errors=tuple(failures))


def remove_entries(
    store: Store, ids: Sequence[object], *, confirm: bool, cascade: bool, actor: str
) -> Removed:
    """Delete instructions for good."""
    wanted = list(dict.fromkeys(check_id(each) for each in ids))
    if not wanted:
        raise refuse("ids", "missing ids", hint="Name at least one instruction.")
    with store.writing() as writer:
        present = [each for each in wanted if store.files.stamp(each + ENDING) is not None]
        missing = [each for each in wanted if each not in set(present)]
        if missing and store.settings.is_remove_strict:
            raise refuse(
                "ids",
                f"not found: {', '.join(missing[:5])}",
                hint="Nothing was removed: MCP_INSTRUCTIONS_STRICT_REMOVE asks that every id exists.",
            )
        depending = _depending_on(store, present) if cascade else []
        total = len(present) + len(depending)
        if total > MOST_UNCONFIRMED and not confirm:
            raise refuse(
                "confirm",
                f"removing {total} instructions needs confirm=true",
                hint="Nothing was removed. Check the ids, then call again with confirm=true.",
                ids=[*present, *depending][:MOST_UNCONFIRMED],
            )
        removed, errors = _remove_each(writer, [*present, *depending], actor=actor)
    gone = set(removed)
    return Removed(
        store.hash(looks=False),
        tuple(removed),
        tuple(missing),
        tuple(errors),
        tuple(each for each in depending if each in gone),
    )


def update_governance(
    store: Store, instruction_id: object, patch: Mapping[str, Any], *, bump: Bump, actor: str
) -> GovernanceUpdated:
    """Change governed fields of one instruction; its version rises and its history tells."""
    known_id = check_id(instruction_id)
    with store.writing() as writer:
        previous = writer.get(known_id)
        if previous is None:
            raise not_found(store, known_id)
        changed = patch_governance(previous, patch, bump=bump, now=store.now())
        writer.put([changed], action="governanceUpdate", actor=actor)
        return GovernanceUpdated(known_id, previous.version, changed.version, store.hash(looks=False))


def not_found(store: Store, instruction_id: str) -> DriftError:
    """There is no such instruction; those with a like name are named."""
    ids = [each.id for each in store.read(lambda found: select_entries(found, limit=2_000))[0]]
    return refuse(
        "id",
        f"not found: {instruction_id}",
        code=ErrorCode.RESOURCE_NOT_FOUND,
        hint="List or search the instructions for the id.",
        similar=similar_names(instruction_id, ids),
    )


def _import_batch(
    store: Store,
    writer: Writer,
    batch: list[tuple[int, object]],
    *,
    mode: ImportMode,
    lax: bool,
    actor: str,
    counts: dict[str, int],
    failures: list[EntryFailure],
) -> None:
    planned: dict[str, Instruction] = {}  # by the id in lower case
    for index, entry in batch:
        given = entry if isinstance(entry, Mapping) else {}
        try:
            if not isinstance(entry, Mapping):
                raise refuse_entry("is not an object", {})
            known_id = check_id(entry.get("id"))
            earlier = planned.get(known_id.lower())
            if earlier is not None and earlier.id != known_id:
                raise _same_on_some_systems(known_id, earlier.id, entry)
            previous = earlier or writer.get(known_id)
            if previous is None and mode == "skip":
                _refuse_broken(store, known_id, entry)
            if previous is not None and mode == "skip":
                counts["skipped"] += 1
                continue
            _refuse_twin(store, known_id, entry)
            whole = merge(previous, entry) if previous is not None and mode == "merge" else entry
            made = draft(
                whole, lax=lax or mode == "merge", settings=store.settings, now=store.now(), previous=previous
            )
        except DriftError as error:
            shown = given.get("id")
            known = shown[:120] if isinstance(shown, str) else None
            said = error.recovery.details.get("error", error.message)
            failures.append(EntryFailure(index, str(said), str(error.code), known))
            continue
        planned[known_id.lower()] = made
        counts["overwritten" if previous is not None else "imported"] += 1
    writer.put(list(planned.values()), action="import", actor=actor, is_given=mode != "merge")


def _remove_each(writer: Writer, ids: list[str], *, actor: str) -> tuple[list[str], list[RemoveFailure]]:
    removed: list[str] = []
    errors: list[RemoveFailure] = []
    for each in ids:
        try:
            removed += writer.remove([each], action="remove", actor=actor)
        except DriftError as error:
            errors.append(RemoveFailure(each, error.message, str(error.code)))
    return removed, errors


def _depending_on(store: Store, ids: list[str]) -> list[str]:
    """What depends on these, directly or through others, in the order of the ids."""
    entries, _ = store.read(select_entries, looks=False)
    gone, depending = set(ids), set[str]()
    while new := {each.id for each in _still(entries, gone) if gone.intersection(each.dependencies)}:
        gone |= new
        depending |= new
    return sorted(depending)


def _still(entries: Sequence[Instruction], gone: set[str]) -> Iterator[Instruction]:
    return (each for each in entries if each.id not in gone)


def _refuse_twin(store: Store, instruction_id: str, entry: Mapping[str, Any]) -> None:
    twin = store.read(lambda found: find_twin(found, instruction_id), looks=False)
    if twin is not None:
        raise _same_on_some_systems(instruction_id, twin, entry)


def _refuse_broken(store: Store, instruction_id: str, entry: Mapping[str, Any]) -> None:
    """A file that cannot be read holds somebody's work all the same."""
    if store.files.stamp(instruction_id + ENDING) is not None:
        raise refuse_entry(
            f"{instruction_id}{ENDING} exists but cannot be read",
            entry,
            hint="Mend the file by hand, or pass overwrite=true to replace it.",
        )


def _same_on_some_systems(instruction_id: str, twin: str, entry: Mapping[str, Any]) -> DriftError:
    return refuse_entry(
        f"id {instruction_id!r} differs from {twin!r} in case only",
        entry,
        hint="Such files are one and the same on Windows and macOS. Choose another id.",
    )


def _added(
    store: Store,
    instruction: Instruction,
    *,
    verified: bool,
    created: bool = False,
    overwritten: bool = False,
    skipped: bool = False,
) -> Added:
    return Added(
        instruction.id,
        store.hash(looks=False),
        created=created,
        overwritten=overwritten,
        skipped=skipped,
        verified=verified,
        source_hash=instruction.source_hash,
        governance_hash=instruction.governance_hash,
    )
