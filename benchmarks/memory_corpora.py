"""Public data sets as memories and questions about them, one reader for each form.

| form | files | memories | questions |
|---|---|---|---|
| locomo | a folder of conversations, github.com/snap-research/locomo, `data/locomo10.zip` | turns; facts | marked evidence |
| beam | folders of chats, github.com/mohammadtavakoli78/BEAM, `chats/500K/1` … | what the user said; both sides | source ids |
| longmemeval | a file of LongMemEval, whole or a sample of it | turns; sessions | turns and sessions that answer |
| smart | a folder with the texts, questions and judgements of Cranfield, CISI and the like | abstracts | judged ones |
| cosqa | a file of CoSQA, github.com/microsoft/CodeXGLUE, `cosqa-dev.json` | functions | queries with a true answer |
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

NO_ANSWER: Final = 5  # LoCoMo's category of questions that have none
SMART_ENDS: Final = ((".all", ".all.1400"), (".qry",), (".rel", "qrel"))
TURN: Final = re.compile(r"D\d+:\d+")


class Note(NamedTuple):
    """A memory, the names of the evidence it is, and the session it was made in."""

    evidence: frozenset[str]
    text: str
    session: str


class Case(NamedTuple):
    """A question and what answers it."""

    question: str
    evidence: frozenset[str]


class Corpus(NamedTuple):
    """One store of memories and what is asked of it."""

    notes: list[Note]
    cases: list[Case]


Corpora = dict[str, list[Corpus]]
"""For each way of making memories of a data set the stores."""


def read_locomo(folder: Path, half: slice) -> Corpora:
    read = [_conversation(path) for path in sorted(folder.rglob("*.json"))[half]]
    return {"turns": [one for one, _ in read], "facts": [one for _, one in read]}


def _conversation(path: Path) -> tuple[Corpus, Corpus]:
    """The turns and the facts of a conversation, each with the questions that can be answered from them."""
    given = json.loads(path.read_text("utf-8"))
    turns, facts = [], []
    for key, value in given.items():
        if re.fullmatch(r"session_\d+", key):
            turns += [_turn(path.stem, key, one) for one in value]
        elif re.fullmatch(r"session_\d+_observation", key):
            facts += [
                Note(_evidence(path.stem, where), text, path.stem + key)
                for said in value.values()
                for text, where in said
            ]
    cases = [
        Case(one["question"], _evidence(path.stem, one.get("evidence")))
        for one in given["qa"]
        if one["category"] != NO_ANSWER
    ]
    return _answerable(turns, cases), _answerable(facts, cases)


def _turn(conversation: str, session: str, one: dict[str, Any]) -> Note:
    shown = f" [{one['blip_caption']}]" if one.get("blip_caption") else ""
    text = f"{one['speaker']}: {one['text']}{shown}"
    return Note(_evidence(conversation, one["dia_id"]), text, conversation + session)


def _evidence(conversation: str, where: object) -> frozenset[str]:
    return frozenset(f"{conversation}:{turn}" for turn in TURN.findall(str(where)))


def read_beam(folder: Path, half: slice) -> Corpora:
    chats = [_chat(path.parent) for path in sorted(folder.rglob("chat.json"))[half]]
    return {"user": [one for one, _ in chats], "both sides": [one for _, one in chats]}


def _chat(folder: Path) -> tuple[Corpus, Corpus]:
    batches = json.loads((folder / "chat.json").read_text("utf-8"))
    messages = [
        (one["role"], Note(frozenset({str(one["id"])}), one["content"], f"{number}-{place}"))
        for number, batch in enumerate(batches)
        for place, turn in enumerate(batch["turns"])
        for one in turn
    ]
    questions = json.loads((folder / "probing_questions/probing_questions.json").read_text("utf-8"))
    cases = [
        Case(one["question"], frozenset(map(str, _numbers(one.get("source_chat_ids")))))
        for some in questions.values()
        for one in some
    ]
    user = [note for role, note in messages if role == "user"]
    return _answerable(user, cases), _answerable([note for _, note in messages], cases)


def _numbers(value: object) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    elif isinstance(value, dict):
        yield from _numbers(list(value.values()))
    elif isinstance(value, list):
        for one in value:
            yield from _numbers(one)


def read_longmemeval(path: Path, half: slice) -> Corpora:
    """All histories of the file in one store: a sample has only the sessions that answer some question."""
    rows = _rows(path)
    turns: dict[str, Note] = {}
    sessions: dict[str, Note] = {}
    by_turn, by_session = [], []
    for row in rows[half]:
        answering = set()
        for name, said in zip(row["haystack_session_ids"], row["haystack_sessions"], strict=True):
            for place, one in enumerate(said):
                key = f"{name}:{place}"
                turns.setdefault(key, Note(frozenset({key}), one["content"], name))
                answering |= {key} if one.get("has_answer") else set()
            text = "\n".join(f"{one['role']}: {one['content']}" for one in said)
            sessions.setdefault(name, Note(frozenset({name}), text, name))
        by_turn.append(Case(row["question"], frozenset(answering)))
        by_session.append(Case(row["question"], frozenset(row["answer_session_ids"])))
    made = (
        {"turns": _answerable(list(turns.values()), by_turn)} if any(one.evidence for one in by_turn) else {}
    )
    made["sessions"] = _answerable(list(sessions.values()), by_session)
    return {name: [one] for name, one in made.items()}


def _rows(path: Path) -> list[dict[str, Any]]:
    """Of a file or of each in a folder; samples have the rows under `data`."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    read = [json.loads(one.read_text("utf-8")) for one in files]
    return [_row(row) for one in read for row in (one["data"] if isinstance(one, dict) else one)]


def _row(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a sample in the form of the whole: its turns are told apart by their dates alone."""
    if "conversation" not in row:
        return row
    dated: dict[str, list[dict[str, Any]]] = {}
    for turn in row["conversation"]:
        dated.setdefault(f"{row['id']} {turn.get('date')}", []).append(turn)
    return {
        "question": row["questions"][0]["question"],
        "haystack_session_ids": list(dated),
        "haystack_sessions": list(dated.values()),
        "answer_session_ids": list(dated),
    }


def read_smart(folder: Path, half: slice) -> Corpora:
    """A collection as the SMART system has it: texts, questions and judgements in three files."""
    texts, asked, judgements = (_only(folder, *ends) for ends in SMART_ENDS)
    notes = [
        Note(frozenset({number}), re.sub(r"\n?\.[TABWX]\n", "\n", text.partition("\n.X\n")[0]).strip(), "")
        for number, text in _records(texts)
    ]
    judged: dict[str, set[str]] = {}
    for line in judgements.read_text().splitlines():
        question, note, grade = line.split()[:3]
        if int(grade) >= 0:
            judged.setdefault(question, set()).add(note)
    # The judgements count the questions; Cranfield's own numbers have gaps.
    cases = [
        Case(" ".join(re.sub(r"\n?\.[TABW]\n", "\n", text).split()), frozenset(judged.get(str(place), ())))
        for place, (_number, text) in enumerate(_records(asked), start=1)
    ]
    return {folder.name: [_answerable(notes, cases[half])]}


def _only(folder: Path, *ends: str) -> Path:
    return next(path for path in sorted(folder.iterdir()) if path.name.lower().endswith(ends))


def _records(path: Path) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\.I ", path.read_text("latin-1"), flags=re.MULTILINE)[1:]:
        number, _, text = part.partition("\n")
        yield number.strip(), text


def read_cosqa(path: Path, half: slice) -> Corpora:
    rows = json.loads(path.read_text("utf-8"))
    codes = {row["code"]: Note(frozenset({row["code"]}), row["code"], "") for row in rows}
    cases = [Case(row["doc"], frozenset({row["code"]})) for row in rows if row["label"] == 1]
    return {"functions": [_answerable(list(codes.values()), cases[half])]}


def _answerable(notes: list[Note], cases: list[Case]) -> Corpus:
    there = frozenset().union(*(note.evidence for note in notes))
    kept = (Case(case.question, case.evidence & there) for case in cases)
    return Corpus(notes, [case for case in kept if case.evidence])


READERS: Final[Mapping[str, Callable[[Path, slice], Corpora]]] = {
    "locomo": read_locomo,
    "beam": read_beam,
    "longmemeval": read_longmemeval,
    "smart": read_smart,
    "cosqa": read_cosqa,
}
