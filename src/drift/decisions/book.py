"""Decisions that people confirmed or rejected: a file in .drift/rules/, reviewed and committed, which wins."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from drift.decisions.form import CATEGORIES, Decision, DecisionCategory
from drift.kernel.files import locked, write_atomically
from drift.project import StateDir
from drift.project.rule_files import read_rule_files

FILE: Final = "decisions.toml"
_LOCK_SECONDS: Final = 10.0
_MOST_CHARACTERS: Final = 4_000
_HEADER: Final = """\
# Decisions of this project that were confirmed or rejected. Review and commit it; `drift decisions` shows what they are.
# Drift writes this file anew with each: say why in `reason`, for comments are not kept.
"""
_TEXTS: Final = ("id", "title", "status", "category", "since", "by", "at", "reason", "decision")

Verdict = Literal["confirmed", "rejected"]


@dataclass(frozen=True, slots=True)
class Entry:
    """What was said of a decision, with enough of it to stand when its commits are gone."""

    id: str
    status: Verdict
    title: str
    category: DecisionCategory
    since: str
    decision: str = ""
    by: str | None = None
    at: str | None = None
    reason: str | None = None
    commits: tuple[str, ...] = ()


def read_book(state: StateDir) -> tuple[dict[str, Entry], tuple[str, ...]]:
    """What the files say, by id, and what is wrong with them."""
    found: dict[str, Entry] = {}
    problems: list[str] = []
    for file in read_rule_files(state):
        listed = file.tables.get("decision", [])
        if not isinstance(listed, list):
            problems.append(f"{file.place}: decision: must be a list of tables: write [[decision]]")
            continue
        for number, table in enumerate(listed, 1):
            try:
                entry = _entry(table)
                found[entry.id] = entry
            except ValueError as error:
                problems.append(f"{file.place}: decision {number}: {error}")
    return found, tuple(problems)


def write_entry(state: StateDir, entry: Entry) -> None:
    """Put what was said into the file, in the place of what was said before."""
    state.ensure()
    path = state.check(state.rules / FILE)
    path.parent.mkdir(exist_ok=True)
    with locked(path, timeout_seconds=_LOCK_SECONDS):
        known, _ = read_book(state)
        known[entry.id] = entry
        write_atomically(path, _HEADER + "".join(_text(known[id_]) for id_ in sorted(known)))


def apply_book(decisions: Iterable[Decision], book: Mapping[str, Entry]) -> tuple[Decision, ...]:
    """The decisions as people see them: what they confirmed is sure, and stays where history no longer shows it."""
    known = {each.id for each in decisions}
    told = [_decided(each, book[each.id]) if each.id in book else each for each in decisions]
    told += [_standing(entry) for id_, entry in book.items() if id_ not in known]
    return tuple(told)


def _decided(decision: Decision, entry: Entry) -> Decision:
    return replace(
        decision,
        status=entry.status,
        title=entry.title or decision.title,
        confidence=1.0 if entry.status == "confirmed" else decision.confidence,
        by=entry.by,
        reason=entry.reason,
    )


def _standing(entry: Entry) -> Decision:
    return Decision(
        entry.id, entry.title, entry.category, 1.0 if entry.status == "confirmed" else 0.0, entry.since, entry.since, (), (), (),
        "Its commits are no longer in the history at hand: " + ", ".join(entry.commits), entry.decision,
        status=entry.status, by=entry.by, reason=entry.reason,
    )  # fmt: skip


def _entry(table: Any) -> Entry:
    if not isinstance(table, dict):
        raise ValueError("must be a table")  # noqa: TRY004 - told with all else that is wrong
    texts = {key: table.get(key, "") for key in _TEXTS}
    commits = table.get("commits", [])
    is_list = isinstance(commits, list) and all(isinstance(each, str) for each in commits)
    if not is_list or not all(
        isinstance(each, str) and len(each) <= _MOST_CHARACTERS for each in texts.values()
    ):
        raise ValueError("what is said of it must be texts, `commits` a list of them")
    if not texts["id"]:
        raise ValueError("id: is missing")
    if texts["status"] not in ("confirmed", "rejected"):
        raise ValueError("status: must be confirmed or rejected")
    if texts["category"] not in CATEGORIES:
        raise ValueError(f"category: must be one of {', '.join(CATEGORIES)}")
    return Entry(
        texts["id"], texts["status"], texts["title"], texts["category"], texts["since"], texts["decision"],
        texts["by"] or None, texts["at"] or None, texts["reason"] or None, tuple(commits),
    )  # fmt: skip


def _text(entry: Entry) -> str:
    values = {key: getattr(entry, key) for key in _TEXTS}
    lines = [
        f"{key} = {json.dumps(value, ensure_ascii=False)}".replace("\x7f", "\\u007f")
        for key, value in values.items()
        if value
    ]
    return "\n[[decision]]\n" + "\n".join([*lines, f"commits = {json.dumps(list(entry.commits))}"]) + "\n"
