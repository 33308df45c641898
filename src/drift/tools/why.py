"""Why code is as it is: what is remembered of it, what led to that, and what the code and its history say."""

from collections.abc import Iterable, Iterator
from typing import Annotated, Final, NamedTuple

from drift.context.code_facts import CodeRow, Commits, Target
from drift.context.why import (
    PARTS,
    ROWS,
    SAYS_CHARS,
    FoundMemory,
    Part,
    StepRow,
    Verbosity,
    WhyData,
    WhyRow,
    name_of,
    rounded,
    says,
    sentence,
)
from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import invalid
from drift.kernel.text import plural, shorten
from drift.memory import LinkKind, Listing
from drift.memory.causes.chains import Chain, edges_now, follow, weigh
from drift.memory.causes.narrative import tell_chain
from drift.memory.decay import current_confidence
from drift.memory.search import Setting, search
from drift.memory.truth.staleness import SHARE_LEFT, find_stale
from drift.registry import Call, Intent, Length, tool
from drift.tools.memories.access import MEMORY, asking, counts_of, now_ms, store_of
from drift.tools.memories.code_facts import find_target, read_commits

_FEWEST_WORDS: Final = 2
_MOST_CHAINS: Final = 4


@tool(
    category="memory",
    title="Why is it so",
    tokens=(150, 3000),
    scopes=MEMORY,
    max_tokens=3000,
    is_bridge=True,
    examples=({"focus": "shop/pricing.py"}, {"focus": "why are prices in cents", "verbosity": "brief"}),
)
def drift_why(
    call: Call,
    focus: Annotated[str, Length(10_240), "File, symbol or question"],
    intent: Intent | None = None,
    include: Annotated[tuple[Part, ...], Length(9), "Parts wanted; all without"] = (),
    verbosity: Verbosity = "normal",
) -> Answer[WhyData]:
    """Why code is as it is: memories about it, the causes behind them, callers and commits, with sources."""
    if not focus.strip():
        raise invalid("focus", "is empty; name a file, a symbol or a question")
    parts = frozenset(include) or frozenset((*PARTS.values(), "other", "causal", "code"))
    target = find_target(call, focus)
    found = _find_memories(call, focus, target, intent=intent, parts=parts)[: ROWS[verbosity]]
    chains = _chains(call, found) if "causal" in parts else ()
    commits = read_commits(call, target.file) if target.file and "code" in parts else Commits()
    code = target.code if "code" in parts else None
    if found:
        store_of(call).touch(one.memory.id for one in found)
    told = _Told(call, focus, found, chains, code, commits)
    return told.answer(_unknown(call, target, found, chains, commits, parts))


def _find_memories(
    call: Call, focus: str, target: Target, *, intent: Intent | None, parts: frozenset[str]
) -> list[FoundMemory]:
    """Those linked to the place first, then those that share words with the question; current ones alone."""
    store = store_of(call)
    if not store.is_present:
        return []
    found: dict[str, FoundMemory] = {}
    for name in target.functions:
        for one in store.list(Listing(link=(LinkKind.FUNCTION, name)), limit=50).memories:
            found.setdefault(one.id, FoundMemory(one, f"linked to {name}"))
    if target.file:
        for one in store.list(Listing(file=target.file), limit=50).memories:
            found.setdefault(one.id, FoundMemory(one, f"linked to {target.file}"))
    for said in _by_words(call, focus, target, intent):
        found.setdefault(said.memory.id, said)
    return [one for one in found.values() if PARTS.get(one.memory.type, "other") in parts]


def _by_words(call: Call, focus: str, target: Target, intent: Intent | None) -> Iterator[FoundMemory]:
    store = store_of(call)
    files = (target.file,) if target.file else ()
    setting = Setting(now_ms(), intent, files, target.functions)
    with asking(call, focus) as closeness, store.reading() as connection:
        hits = search(connection, counts_of(call), focus, setting=setting, limit=30, closeness=closeness).hits
    memories = store.get_many(hit.row.id for hit in hits)
    asked = len({word for hit in hits for word in hit.words})
    named = name_of(target.file) if target.file and focus.strip() == target.file else ""
    for hit in hits:
        # One word of several is chance, and a folder and an ending are those of every file beside it.
        says_name = named in f"{memories[hit.row.id].title} {memories[hit.row.id].text}".casefold()
        if says_name and len(hit.words) >= min(_FEWEST_WORDS, asked):
            yield FoundMemory(memories[hit.row.id], f"shares {', '.join(hit.words[:4])}")


def _chains(call: Call, found: list[FoundMemory]) -> tuple[Chain, ...]:
    edges_of = edges_now(store_of(call))
    chains = (follow(one.memory.id, edges_of) for one in found)
    return tuple(one for one in chains if one.steps or one.conflicts)[:_MOST_CHAINS]


def _unknown(
    call: Call,
    target: Target,
    found: list[FoundMemory],
    chains: tuple[Chain, ...],
    commits: Commits,
    parts: frozenset[str],
) -> tuple[str, ...]:
    is_present = store_of(call).is_present
    notes = (
        (not is_present, "no memory has been saved in this project yet"),
        (is_present and not found, "no memory bears on it"),
        (bool(found) and not chains and "causal" in parts, "no edge says what led to these memories"),
        ("code" in parts and target.problem is not None, str(target.problem)),
        ("code" in parts and target.file is None, "it names no file or symbol that is known"),
        (commits.problem is not None, f"commits: {commits.problem}"),
    )
    return tuple(note for is_so, note in notes if is_so)


class _Told(NamedTuple):
    """Everything that was found, to be put into words."""

    call: Call
    focus: str
    found: list[FoundMemory]
    chains: tuple[Chain, ...]
    code: CodeRow | None
    commits: Commits

    def answer(self, unknown: tuple[str, ...]) -> Answer[WhyData]:
        rows = {part: tuple(self._rows(part)) or None for part in (*PARTS.values(), "other")}
        steps = tuple(self._steps())
        believed = [row.confidence for part in rows.values() if part for row in part]
        narrative = (*self._code_sentences(), *map(sentence, self.found), *self._chain_sentences())
        data = WhyData(
            focus=shorten(self.focus, 200),
            sources=tuple(dict.fromkeys(self._sources())),
            narrative=narrative or None,
            narrative_confidence=rounded(weigh(believed)),
            causal_chain=steps or None,
            chain_confidence=rounded(weigh([row.strength for row in steps])),
            tribal_knowledge=rows["tribal"],
            decisions=rows["decisions"],
            pattern_rationales=rows["patterns"],
            procedures=rows["procedures"],
            incidents=rows["incidents"],
            code_smells=rows["smells"],
            other=rows["other"],
            code=self.code,
            commits=self.commits.rows or None,
            unknown=unknown or None,
        )
        counts = (
            plural(len(self.found), "memory", "memories"),
            plural(len(steps), "causal step"),
            plural(self.commits.total, "commit"),
        )
        return Answer(f"{shorten(self.focus, 80)}: {', '.join(counts)}", data, next=self._next())

    def _rows(self, part: str) -> Iterator[WhyRow]:
        at_ms = now_ms()
        for memory, by in self.found:
            if PARTS.get(memory.type, "other") == part:
                note = find_stale(self.call.project.root, (memory,)).get(memory.id)
                left = current_confidence(memory, now_ms=at_ms) * (1.0 if note is None else SHARE_LEFT)
                said = shorten(says(memory), SAYS_CHARS)
                yield WhyRow(memory.id, memory.type, said, round(left, 2), by, note)

    def _steps(self) -> Iterator[StepRow]:
        told = set()  # two of the memories may be ends of one edge
        for chain in self.chains:
            for step in chain.steps:
                if step.edge in told:
                    continue
                told.add(step.edge)
                yield StepRow(
                    chain.start,
                    step.memory,
                    str(step.side),
                    step.depth,
                    str(step.edge.relation),
                    round(step.edge.strength, 2),
                )

    def _code_sentences(self) -> Iterator[str]:
        if self.code is not None and self.code.callers is not None:
            yield (
                f"{self.code.kind} {self.code.name} at {self.code.place} has {plural(self.code.callers, 'caller')} "
                f"in {plural(self.code.calling_files or 0, 'file')} and "
                f"{plural(self.code.direct_tests or 0, 'test')} that use it directly."
            )
        elif self.code is not None:
            yield f"{self.code.place} is used by {plural(self.code.calling_files or 0, 'file')}."
        if self.commits.rows:
            last = self.commits.rows[0]
            yield (
                f"It changed in {plural(self.commits.total, 'commit')} within {self.commits.days} days, "
                f"last on {last.date}: {last.summary} ({last.commit})."
            )

    def _chain_sentences(self) -> Iterable[str]:
        if not self.chains:
            return ()
        memories = store_of(self.call).get_many(one for chain in self.chains for one in chain.ids)
        return dict.fromkeys(told for chain in self.chains for told in tell_chain(chain, memories))

    def _sources(self) -> Iterator[str]:
        yield from (one.memory.id for one in self.found)
        yield from (one for chain in self.chains for one in chain.ids)
        if self.code is not None:
            yield self.code.place
        yield from (row.commit for row in self.commits.rows)

    def _next(self) -> tuple[NextAction, ...]:
        if self.chains:
            start = self.chains[0].start
            return (
                self.call.suggest("drift_memory_explain", "see the evidence of each step", memory_id=start),
            )
        if self.found:
            return (self.call.suggest("drift_memory_get", "read it in full", id=self.found[0].memory.id),)
        return (NextAction("drift_memory_suggest", {}, "see what is worth recording", "low"),)
