"""Keeps a catalog tidy: hashes, categories, duplicates, what is deprecated. A dry run counts the same."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from drift.catalog.entry import Instruction
from drift.catalog.normalisation import fill_times, normalise, split_scopes
from drift.catalog.queries import select_hashes
from drift.catalog.reading import Loaded
from drift.catalog.store import Store, Writer
from drift.catalog.times import format_time
from drift.catalog.usage import Usage
from drift.kernel.grooming import GroomMode

_LATEST: Final = "~"  # sorts behind every time: what has none is not the earliest


@dataclass(frozen=True, slots=True)
class Groomed:
    """What was changed, or in a dry run would be. `files_rewritten` counts files on disk: 0 then."""

    previous_hash: str
    hash: str
    scanned: int
    repaired_hashes: int
    normalized_categories: int
    deprecated_removed: int
    duplicates_merged: int
    usage_pruned: int
    files_rewritten: int
    purged_scopes: int
    dry_run: bool
    notes: tuple[str, ...]


class _Plan(NamedTuple):
    rewritten: dict[str, Instruction]
    removed: tuple[str, ...]
    repaired_hashes: int
    normalized_categories: int
    duplicates_merged: int
    purged_scopes: int


def groom_catalog(store: Store, mode: GroomMode, *, usage: Usage, actor: str) -> Groomed:
    """Groom the catalog, or tell what that would do."""
    with store.foretelling() if mode.dry_run else store.writing() as writer:
        previous_hash = store.hash()
        loaded = _load_all(store, writer)
        plan = _plan(loaded, mode, now=format_time(store.now()))
        kept = loaded.keys() - set(plan.removed)
        pruned = usage.prune(kept, dry_run=mode.dry_run)
        if not mode.dry_run:
            writer.put(list(plan.rewritten.values()), action="groom", actor=actor)
            writer.remove(plan.removed, action="groom-remove", actor=actor)
        store.counters.repairs += 0 if mode.dry_run else plan.repaired_hashes
        return Groomed(
            previous_hash=previous_hash,
            hash=store.hash(),
            scanned=len(loaded),
            repaired_hashes=plan.repaired_hashes,
            normalized_categories=plan.normalized_categories,
            deprecated_removed=len(plan.removed),
            duplicates_merged=plan.duplicates_merged,
            usage_pruned=pruned,
            files_rewritten=0 if mode.dry_run else len(plan.rewritten),
            purged_scopes=plan.purged_scopes,
            dry_run=mode.dry_run,
            notes=_notes(plan, mode),
        )


def repair_hashes(store: Store, *, actor: str) -> tuple[str, ...]:
    """Rewrite the files whose stored hash does not fit their body; their ids."""
    with store.writing() as writer:
        rows = store.read(select_hashes, looks=False)
        wrong = [name for name, actual, stored in rows if stored is not None and stored != actual]
        found = [entry for name in wrong if (entry := writer.get(name)) is not None]
        writer.put(found, action="repair", actor=actor)
        store.counters.repairs += len(found)
        return tuple(entry.id for entry in found)


def enrich_entries(store: Store, *, actor: str) -> tuple[str, ...]:
    """Write down governed fields that files leave out; the ids of those that were rewritten."""
    with store.writing() as writer:
        changed = []
        for each in _load_all(store, writer).values():
            whole = normalise(fill_times(each.instruction.as_wire(), store.now()))
            if dict(each.given) != whole.as_wire():
                changed.append(whole)
        writer.put(changed, action="enrich", actor=actor)
        return tuple(each.id for each in changed)


def _load_all(store: Store, writer: Writer) -> dict[str, Loaded]:
    rows = store.read(select_hashes, looks=False)
    found = ((name, writer.load(name)) for name, *_ in rows)
    return {name: loaded for name, loaded in found if loaded is not None}


def _plan(loaded: Mapping[str, Loaded], mode: GroomMode, *, now: str) -> _Plan:
    wrong = [name for name, each in loaded.items() if mode.update_hashes and _has_wrong_hash(each)]
    untidy = [name for name, each in loaded.items() if mode.normalize_categories and _is_untidy(each)]
    scoped = [name for name, each in loaded.items() if mode.purge_legacy_scopes and _scope_words(each)]
    current = {name: each.instruction for name, each in loaded.items()}
    merged = _merge_duplicates(current.values()) if mode.merge_duplicates else {}
    deprecated = {
        name for name, entry in merged.items() if not current[name].is_deprecated and entry.is_deprecated
    }
    current |= merged
    removed = _removable(current) if mode.remove_deprecated else ()
    touched = dict.fromkeys((*wrong, *untidy, *scoped, *merged))
    rewritten = {name: replace(current[name], updated_at=now) for name in touched if name not in set(removed)}
    # A file that is written again loses its old words for scopes whatever it is written for.
    purged = sum(_scope_words(loaded[name]) for name in rewritten)
    return _Plan(rewritten, removed, len(wrong), len(untidy), len(deprecated), purged)


def _has_wrong_hash(loaded: Loaded) -> bool:
    return loaded.stored_hash is not None and loaded.stored_hash != loaded.instruction.source_hash


def _scope_words(loaded: Loaded) -> int:
    return split_scopes(loaded.given.get("categories", ())).words


def _is_untidy(loaded: Loaded) -> bool:
    topical = [word for word in loaded.given.get("categories", ()) if not split_scopes([word]).words]
    return topical != list(loaded.instruction.categories)


def _merge_duplicates(entries: Iterable[Instruction]) -> dict[str, Instruction]:
    """What becomes of instructions with the same body for the same people: one holds, the others point to it."""
    groups: defaultdict[tuple[object, ...], list[Instruction]] = defaultdict(list)
    for entry in entries:
        if not entry.is_deprecated:
            groups[entry.source_hash, entry.scope].append(entry)
    merged: dict[str, Instruction] = {}
    for group in groups.values():
        if len(group) > 1:
            primary, *others = sorted(group, key=lambda entry: (entry.created_at or _LATEST, entry.id))
            whole = _join(primary, group)
            if whole != primary:
                merged[primary.id] = whole
            merged |= {other.id: _deprecate(other, primary.id) for other in others}
    return merged


def _join(primary: Instruction, group: list[Instruction]) -> Instruction:
    risks = [entry.risk_score for entry in group if entry.risk_score is not None]
    given = {
        **primary.as_wire(),
        "categories": sorted({name for entry in group for name in entry.categories}),
        "priority": min(entry.priority for entry in group),
        **({"riskScore": max(risks)} if risks else {}),
    }
    return normalise(given)


def _deprecate(entry: Instruction, successor: str) -> Instruction:
    given = {
        **entry.as_wire(),
        "requirement": "deprecated",
        "status": "deprecated",
        "deprecatedBy": successor,
    }
    return normalise(given)


def _removable(entries: Mapping[str, Instruction]) -> tuple[str, ...]:
    """The deprecated ones whose place is taken by one that stays, at the end of however long a chain."""
    removable = []
    for name, entry in entries.items():
        seen = {name}
        successor = entries.get(entry.deprecated_by or "") if entry.is_deprecated else None
        while successor is not None and successor.id not in seen:
            if not successor.is_deprecated or successor.deprecated_by not in entries:
                removable.append(name)
                break
            seen.add(successor.id)
            successor = entries.get(successor.deprecated_by or "")
    return tuple(sorted(removable))


def _notes(plan: _Plan, mode: GroomMode) -> tuple[str, ...]:
    notes = []
    if mode.dry_run:
        notes += [f"would-rewrite:{len(plan.rewritten)}", f"would-remove:{len(plan.removed)}"]
    if plan.purged_scopes and not mode.purge_legacy_scopes:
        notes.append(f"scopes-rewritten-along:{plan.purged_scopes}")
    return tuple(notes)
