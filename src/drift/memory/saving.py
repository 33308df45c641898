"""The one way a memory comes in: nothing secret in it, and not a second time."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from drift.kernel.connections import Connection
from drift.kernel.redaction import Finding, redact
from drift.memory.checks import AnyDraft, checked
from drift.memory.content import texts_in
from drift.memory.overlap import is_same_text, overlap, telling_words_of
from drift.memory.records import Draft, Memory
from drift.memory.search import WordCounts
from drift.memory.search.candidates import find_sharing
from drift.memory.search.questions import read_question
from drift.memory.storage.rows import read_by_number
from drift.memory.store import MemoryStore
from drift.memory.titles import make_title

_LOOKED_AT: Final = 1_000  # characters of a new memory that are searched for among the old
_COMPARED: Final = 8
# All that comes from outside but paths and ids; the last one is of memories, not of drafts.
_CLEANED: Final = (
    "title", "text", "content", "tags", "functions", "patterns", "constraints", "source", "kind", "created_by",
    "archive_reason",
)  # fmt: skip
_BETWEEN: Final = "\n\0\n"  # in no text that can be kept, so that nothing is found across two
NEARLY_SAME: Final = 0.9
RELATED: Final = 0.7


class Likeness(NamedTuple):
    """An earlier memory that says nearly the same, and how much of the words they share."""

    memory: Memory
    share: float


class Saved(NamedTuple):
    """What became of a memory to keep. `is_new` is False where the very same is there already."""

    memory: Memory
    is_new: bool
    redacted: tuple[Finding, ...]
    alike: tuple[Likeness, ...]


def save(store: MemoryStore, draft: Draft, *, actor: str, counts: WordCounts | None = None) -> Saved:
    """Keep a memory, without its secrets; the same words of the same type are not kept twice."""
    clean, findings = clean_draft(draft)
    complete = checked(clean)
    alike: tuple[Likeness, ...] = ()
    if store.is_present:
        # Looked for before the store is locked: what another process adds in between is at worst kept twice.
        with store.reading() as connection:
            alike = find_alike(connection, complete, counts=counts or WordCounts())
    same = next((one.memory for one in alike if _is_same(one.memory, complete)), None)
    if same is not None:
        return Saved(same, is_new=False, redacted=findings, alike=())
    return Saved(store.add(complete, actor=actor), is_new=True, redacted=findings, alike=alike)


def clean_draft(draft: AnyDraft) -> tuple[AnyDraft, tuple[Finding, ...]]:
    """The draft with every text of it redacted, and what was found."""
    findings: list[Finding] = []

    def clean(value: Any) -> Any:
        if isinstance(value, str):
            redacted = redact(value)
            findings.extend(redacted.findings)
            return redacted.text
        if isinstance(value, dict):
            # Fields of free form, such as the settings of an environment, have names from outside, too.
            return {clean(key): clean(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(clean(one) for one in value)
        return value

    cleaned = {name: clean(getattr(draft, name)) for name in _CLEANED if hasattr(draft, name)}
    return replace(draft, **cleaned), tuple(findings)


def retitle(memory: Memory, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes, with the title made anew where it was made from a text that changes."""
    is_reworded = "text" in changes or "content" in changes
    if "title" in changes or not is_reworded or memory.title != make_title(memory.text, memory.content):
        return dict(changes)
    return {**changes, "title": ""}


def may_hold_secrets(drafts: Iterable[Draft]) -> bool:
    """Whether the drafts must be looked at one by one: most are known to be clean at one look at all of them."""
    fields = [getattr(draft, name, None) for draft in drafts for name in _CLEANED]
    joined = _BETWEEN.join(_texts_and_names(fields))
    # A key without an end is one to the end of its text, which joining moves away.
    return "-----BEGIN" in joined or bool(redact(joined).findings)


def find_alike(
    connection: Connection, draft: Draft, *, counts: WordCounts, without: Iterable[str] = ()
) -> tuple[Likeness, ...]:
    """Current memories that share most of their words with a draft, most alike first."""
    said = _said(draft)
    question = read_question(said[:_LOOKED_AT])
    known = counts.roughly(connection, question)
    (words,) = telling_words_of([said])
    # What shares so much with the draft holds most of its words: none does where many are in no memory at all.
    if sum(not known.counts.get(word, 1) for word in words) > (1 - RELATED) * len(words):
        return ()
    left_out = frozenset(without)
    found = read_by_number(connection, find_sharing(connection, question, known, most=_COMPARED)).values()
    others = [memory for memory in found if memory.is_current and memory.id not in left_out]
    shares = [
        Likeness(memory, overlap(words, those))
        for memory, those in zip(others, telling_words_of([_said(one) for one in others]), strict=True)
    ]
    return tuple(sorted((one for one in shares if one.share >= RELATED), key=lambda one: -one.share))


def _texts_and_names(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield name
            yield from _texts_and_names(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts_and_names(one)


def _is_same(memory: Memory, draft: Draft) -> bool:
    return (
        memory.type == draft.type
        and memory.kind == draft.kind
        and memory.content == draft.content
        and is_same_text(memory.title, draft.title)
        and is_same_text(memory.text, draft.text)
    )


def _said(memory: Draft) -> str:
    return "\n".join((memory.title, memory.text, *texts_in(dict(memory.content))))
