"""Decisions in single commits: dependencies exchanged, taken on or let go, breaks, moves, new parts of the project."""

import posixpath
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from drift.decisions.dependencies import Declared, Delta, names
from drift.decisions.form import Decision, DecisionCategory, DecisionCommit, Evidence
from drift.decisions.signs import clean_subject, is_breaking, is_telling, limit, names_it, signs, words_of
from drift.history import Commit
from drift.index.path_text import path_to_text
from drift.kernel.text import plural

_MOST_FILES: Final = 20
_DIGITS: Final = 10
_SIDE_SCOPES: Final = frozenset({"dev", "build"})


def find_in_dependencies(commit: Commit, delta: Delta, used: Mapping[str, int]) -> Iterator[Decision]:
    """What a commit decided about dependencies. `used` says in how many files each declared package is imported now."""
    added, removed = _of_product(delta.added), _of_product(delta.removed)
    most = limit("most_packages")
    if added and removed and len(added) <= most and len(removed) <= most:
        swap = _swap(commit, added, removed, used)
        if swap is not None:
            yield swap
            return
    if added and len(added) <= most and not removed:
        adopted = [
            each
            for each in added
            if used.get(each.name, 0) >= limit("least_users") and names_it(commit.subject, each.name)
        ]
        if adopted:
            yield _adoption(commit, adopted, used)
    if removed and len(removed) <= most and not added:
        dropped = [each for each in removed if names_it(commit.subject, each.name)]
        if dropped:
            yield _removal(commit, dropped)


def find_break(commit: Commit) -> Iterator[Decision]:
    """A commit whose subject says that it breaks something for whoever uses the project."""
    if is_breaking(commit) and is_telling(commit.subject):
        yield _decision(
            commit,
            "api-change",
            clean_subject(commit.subject),
            0.8 if "!:" in commit.subject else 0.65,
            (Evidence("breaking", commit.subject, _short(commit)),),
            keys=tuple(sorted(words_of(clean_subject(commit.subject)))),
        )


def find_moves(commit: Commit) -> Iterator[Decision]:
    """Many files that one commit moves from one folder to another."""
    moved: Counter[tuple[str, str]] = Counter()
    for change in commit.changes:
        if change.letter == "R" and change.old_path:
            pair = _moved_between(path_to_text(change.old_path), path_to_text(change.path))
            if pair is not None and not _is_aside(pair[1]):
                moved[pair] += 1
    if not moved:
        return
    (before, after), times = moved.most_common(1)[0]
    if times >= limit("least_moved"):
        made = f"Move {before or 'the root'} to {after or 'the root'}"
        yield _decision(
            commit,
            "architecture-change",
            _title(commit, made, (posixpath.basename(before), posixpath.basename(after))),
            min(0.9, 0.55 + 0.01 * times),
            (Evidence("move", f"{times} files from {before or '.'} to {after or '.'}", _short(commit)),),
            keys=(before, after),
            what=made,
        )


def find_layers(commit: Commit, born: Mapping[str, str], sizes: Mapping[str, int]) -> Iterator[Decision]:
    """A commit that began a folder which the project still has; `born` says which commit began each folder."""
    added = Counter(
        folder
        for change in commit.changes
        if change.letter == "A"
        for folder in _folders(path_to_text(change.path))
        if born.get(folder) == commit.hash
        and not _is_aside(folder)
        and sizes.get(folder, 0) >= limit("least_layer_now")
    )
    grown = [folder for folder, times in added.items() if times >= limit("least_layer")]
    outer = [each for each in grown if posixpath.dirname(each) not in grown]
    if not outer or len(outer) > 2:  # noqa: PLR2004 - the commit that began the project began everything
        return
    folder = max(outer, key=lambda each: (added[each], each))
    made = f"Introduce {folder}"
    yield _decision(
        commit,
        "architecture-change",
        _title(commit, made, (posixpath.basename(folder),)),
        0.6,
        (
            Evidence(
                "folder",
                f"{folder} began with {plural(added[folder], 'file')}, and has {sizes[folder]} now",
                _short(commit),
            ),
        ),
        keys=(folder,),
        what=made,
    )


def describe_commit(commit: Commit) -> DecisionCommit:
    return DecisionCommit(
        _short(commit), day_of(commit.time), commit.author[:60], " ".join(commit.subject.split())[:160]
    )


def day_of(seconds: int) -> str:
    """The day of a time."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _of_product(declared: Collection[Declared]) -> list[Declared]:
    product = [each for each in declared if each.scope not in _SIDE_SCOPES]
    return product or list(declared)


def _swap(
    commit: Commit, added: list[Declared], removed: list[Declared], used: Mapping[str, int]
) -> Decision | None:
    ecosystems = {each.ecosystem for each in added} & {each.ecosystem for each in removed}
    if not ecosystems:
        return None
    new, old = names(added), names(removed)
    is_said = not frozenset(signs()["swapping"]).isdisjoint(words_of(commit.subject))
    named_new = [each for each in new if names_it(commit.subject, each)]
    named_old = [each for each in old if names_it(commit.subject, each)]
    is_named = bool(named_new or named_old)
    # What is used today, under another owner perhaps, was not replaced.
    still_used = {name.rpartition("/")[2] for name, times in used.items() if times}
    is_back = all(each.rpartition("/")[2] in still_used for each in old)
    if not is_said and not is_named and (len(new) > 1 or len(old) > 1 or is_back):
        return None
    confidence = 0.55 + 0.2 * is_said + 0.15 * bool(named_new) + 0.1 * bool(named_old)
    shown_old, shown_new = named_old or old, named_new or new
    made = f"Replace {' and '.join(shown_old[:2])} with {' and '.join(shown_new[:2])}"
    return _decision(
        commit,
        "technology-swap",
        _title(commit, made, (), is_told=is_named),
        confidence,
        (*_lines("added", added, commit), *_lines("removed", removed, commit)),
        keys=(*new, *old),
        what=made,
    )


def _adoption(commit: Commit, adopted: list[Declared], used: Mapping[str, int]) -> Decision:
    shown = names(adopted)
    users = sum(used.get(each, 0) for each in shown)
    made = f"Adopt {' and '.join(shown[:2])}"
    return _decision(
        commit,
        "technology-adoption",
        _title(commit, made, (), is_told=True),
        min(0.85, 0.55 + 0.02 * users),
        (
            *_lines("added", adopted, commit),
            Evidence("use", f"{plural(users, 'file')} import it today", ", ".join(shown)),
        ),
        keys=tuple(shown),
        what=made,
    )


def _removal(commit: Commit, dropped: list[Declared]) -> Decision:
    shown = names(dropped)
    is_said = not frozenset(signs()["removing"]).isdisjoint(words_of(commit.subject))
    made = f"Drop {' and '.join(shown[:2])}"
    return _decision(
        commit,
        "technology-removal",
        _title(commit, made, (), is_told=True),
        0.6 + 0.1 * is_said,
        tuple(_lines("removed", dropped, commit)),
        keys=tuple(shown),
        what=made,
    )


def _lines(kind: str, declared: Collection[Declared], commit: Commit) -> list[Evidence]:
    return [
        Evidence(f"dependency {kind}", f"{each.name} ({each.scope})", f"{_short(commit)}:{each.file}")
        for each in declared
    ]


def _title(commit: Commit, made: str, told: tuple[str, ...], *, is_told: bool = False) -> str:
    """The subject where it speaks of what was done, else what was done."""
    subject = clean_subject(commit.subject)
    speaks = is_told or any(each and each.lower() in subject.lower() for each in told)
    return subject if speaks and is_telling(commit.subject) else made


def _decision(
    commit: Commit,
    category: DecisionCategory,
    title: str,
    confidence: float,
    evidence: tuple[Evidence, ...],
    *,
    keys: tuple[str, ...] = (),
    what: str | None = None,
) -> Decision:
    files = [path_to_text(each.path) for each in commit.changes]
    day = day_of(commit.time)
    return Decision(
        f"DEC-{commit.hash[:_DIGITS]}-{category}",
        title,
        category,
        round(min(confidence, 0.95), 2),
        day,
        day,
        (describe_commit(commit),),
        tuple(files[:_MOST_FILES]),
        evidence,
        f"Commit {_short(commit)} of {day} by {commit.author[:60]}: {' '.join(commit.subject.split())[:160]}; {plural(len(files), 'file')} changed.",
        what or title,
        keys=keys,
    )


def _short(commit: Commit) -> str:
    return commit.hash[:_DIGITS]


def _moved_between(old: str, new: str) -> tuple[str, str] | None:
    """The folders that a file was moved between: the parts of its path that are not the same at both ends."""
    before, after = old.split("/"), new.split("/")
    if before[-1] != after[-1]:
        return None  # renamed, not moved
    left, right = before[:-1], after[:-1]
    while left and right and left[-1] == right[-1]:
        left, right = left[:-1], right[:-1]
    return ("/".join(left), "/".join(right)) if left != right else None


def _is_aside(folder: str) -> bool:
    """Whether a folder is of tests, pictures and the like, whose place decides little."""
    return not frozenset(signs()["aside"]).isdisjoint(folder.lower().split("/"))


def _folders(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: number + 1]) for number in range(min(len(parts), 4))]
