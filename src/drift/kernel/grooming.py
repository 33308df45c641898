"""What grooming a catalog does: here, because the tool names it without loading the catalog and its store."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GroomMode:
    """What to tidy. Hashes and categories are put right unless switched off."""

    dry_run: bool = False
    merge_duplicates: bool = False
    remove_deprecated: bool = False
    normalize_categories: bool = True
    purge_legacy_scopes: bool = False
    update_hashes: bool = True
