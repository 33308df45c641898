"""Memories that hold on one branch of git: told there, and elsewhere only when the branch is merged or gone.

The branch is a tag of the memory, `branch:NAME`, so that it travels with exports and files and is edited like any tag.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.memory.store import MemoryStore

PREFIX: Final = "branch:"
_TAGGED: Final = """
SELECT memories.id, links.target FROM links JOIN memories USING (number)
WHERE links.kind = 'tag' AND links.target >= 'branch:' AND links.target < 'branch;'
"""
_MOST_BYTES: Final = 1_000_000


class BranchView(NamedTuple):
    """What the branch that is checked out has to do with memories of branches."""

    hidden: frozenset[str] = frozenset()
    """Ids of those that hold elsewhere."""
    marks: Mapping[str, str] = {}
    """What is said of those that are told, by id."""


def branch_tag(root: Path) -> str:
    """The tag of a memory that holds on the branch that is checked out. Raises where there is none."""
    # Starts processes, which a hook on every prompt mostly need not know of.
    from drift.project.git import git_branch

    here = git_branch(root)
    if here is None:
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            "scope: no branch is checked out here",
            Recovery(hint="Check one out, or keep it with scope=project.", details={"argument": "scope"}),
        )
    return f"{PREFIX}{here}"


def branch_tags(scope: str, root: Path) -> tuple[str, ...]:
    """The tags that a scope brings: one where it is this branch, else none."""
    return (branch_tag(root),) if scope == "branch" else ()


def view_branches(store: MemoryStore, root: Path) -> BranchView:
    """Which memories are hidden where this branch is checked out; git is asked only where any has a branch."""
    if not store.is_present:
        return BranchView()
    with store.reading() as connection:
        rows = connection.execute(_TAGGED).fetchall()
    if not rows:
        return BranchView()
    named: dict[str, list[str]] = {}
    for memory_id, tag in rows:
        named.setdefault(memory_id, []).append(tag.removeprefix(PREFIX))
    from drift.project.git import git_branch  # as above

    here, there, merged = git_branch(root), _branches(root), _branches(root, "--merged=HEAD")
    marks = {
        memory_id: [
            said for name in names if (said := _say(name, here, there=there, merged=merged or frozenset()))
        ]
        for memory_id, names in named.items()
    }
    return BranchView(
        frozenset(memory_id for memory_id, said in marks.items() if not said),
        {memory_id: said[0] for memory_id, said in marks.items() if said},
    )


def _say(name: str, here: str | None, *, there: frozenset[str] | None, merged: frozenset[str]) -> str:
    """What is said of a memory of a branch; empty where it is not told."""
    if name == here:
        return f"of branch {name}"
    if there is None or name not in there:
        return f"of branch {name}, which is gone"
    return f"of branch {name}, merged" if name in merged else ""


def _branches(root: Path, *options: str) -> frozenset[str] | None:
    """The branches there are; None where git does not say."""
    from drift.project.git import run_git  # as above

    try:
        found = run_git(
            root, "for-each-ref", "--format=%(refname:short)", *options, "refs/heads/", max_bytes=_MOST_BYTES
        )
    except DriftError:
        return None
    return frozenset(found.text.splitlines()) if found.exit_code == 0 and not found.is_cut else None
