"""Whether a project's own memory answers: two years of a real repository as memories, and questions in other words.

    python benchmarks/memory_project.py MIRROR … [--memories 300] [--questions 60] [--misses]

MIRROR is a git directory whose changelog names issues by number, as its commits do. The same change is then told
twice, by two texts that were written apart: the changelog's entry, kept as a decision, rule or correction, and the
commit, kept as the episode that hooks would have captured, with the edits it made. A question about an entry is asked
in the words of the commit, everyday verbs exchanged (OTHER_WORDS); one question of six asks for the commit, in the
words of the entry. Pairs that share most of their words, or fewer than two, are left out. Files that were renamed are
told twice, where they were when they came and where they went, and nothing but these words says that the one replaces
the other: `old above new` counts answers with both in which the earlier stands first. Same mirror, same output. Beside
it plain FTS5 over title and text, the same without episodes, and bm25s where it is installed. Prints a table.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from memory_corpora import Note
from memory_recall import Finder, full_text, peer

from drift.kernel.words import split_words
from drift.memory import FileLink, Memory, MemoryStore
from drift.memory.embeddings import Meanings, Model, installed_model
from drift.memory.embeddings.texts import read_texts
from drift.memory.overlap import telling_words
from drift.memory.search import Setting, WordCounts, search
from drift.memory.search.questions import question_stop_words
from drift.memory.titles import make_title

DEPTHS: Final = (3, 5, 10)
DAY_MS: Final = 86_400_000
CHANGELOG: Final = re.compile(
    r"(?:^|/)(?:changes|changelog|history|release.?notes)\.(?:md|rst|txt|markdown)$", re.IGNORECASE
)
VERSION: Final = re.compile(r"^(?:#+\s*|Version\s+)?\[?v?\d+\.\d+[\w.]*\]?(?:\s|$)", re.IGNORECASE)
BULLET: Final = re.compile(r"^\s{0,4}[-*]\s+")
NUMBER: Final = re.compile(r"(?:#|(?:issue|pr|pull)(?:`|\{|`)?[:`}]*`?/?)(\d{1,6})\b")
REFERENCE: Final = re.compile(
    r"\(?\[?(?::(?:issue|pr|user):`[^`]*`|\{(?:issue|pr)\}`[^`]*`|(?:(?:closes|fixes|fix|refs|ref|see|issue)[\s:]+)?#\d+)"
    r"\]?(?:\([^)]*\))?[\s,.;)]*",
    re.IGNORECASE,
)
THANKS: Final = re.compile(r"\bThanks\b.{0,200}|\(\[@.{0,200}", re.DOTALL)
MARKUP: Final = re.compile(r":\w+:`([^`<]*)(?:<[^>]*>)?`|\{\w+\}`([^`]*)`|`{1,2}([^`]*)`{1,2}")
RENAMED: Final = re.compile(r"^R\d*\t(?P<old>[^\t]+)\t(?P<new>[^\t]+)$")
SAID_OF_RENAMES: Final = (
    "{old} was renamed to {new}",
    "Moved {old} to {new}",
    "{new} replaces {old}, which is gone",
)
MOST_RENAMES: Final = 13
# Words of commits, and how somebody who has not read them says the same.
OTHER_WORDS: Final = {
    "add": "introduce", "added": "introduced", "adds": "introduces", "remove": "get rid of", "removed": "gone",
    "fix": "problem with", "fixed": "problem with", "fixes": "problem with", "allow": "permit", "support": "handle",
    "supports": "handles", "raise": "throw", "raises": "throws", "return": "give back", "use": "rely on",
    "make": "turn", "improve": "better", "improved": "better", "update": "newer", "deprecate": "phase out",
    "deprecated": "phased out", "drop": "stop", "error": "failure", "errors": "failures", "argument": "parameter",
    "show": "display", "ensure": "guarantee", "handle": "cope with", "change": "alter", "create": "build",
    "check": "verify", "docs": "documentation", "ignore": "skip", "call": "invoke", "delete": "erase",
}  # fmt: skip
OPENINGS: Final = (
    "why did we {}",
    "what do we know about {}",
    "what is the rule for {}",
    "how does it work: {}",
)
FEWEST_SHARED: Final = 2  # words, else the two hardly speak of the same
MOST_SHARED: Final = 0.75
FEWEST_WORDS: Final = 3
MOST_EDITED: Final = 1_200


class Commit(NamedTuple):
    """A commit and the numbers it names."""

    id: str
    at_ms: int
    subject: str
    body: str
    numbers: frozenset[str]


class Entry(NamedTuple):
    """An entry of the changelog, its numbers and the time of its commit."""

    text: str
    numbers: frozenset[str]
    at_ms: int


class Asked(NamedTuple):
    """A question and the memory that answers it."""

    text: str
    answer: int


class Project(NamedTuple):
    """The memories in the order of time, and the questions."""

    memories: list[Memory]
    questions: list[Asked]
    replacements: list[tuple[int, int]]


def git(mirror: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", f"--git-dir={mirror}", *arguments], capture_output=True, check=True, timeout=120
    )
    return done.stdout.decode("utf-8", "replace")


def read_commits(mirror: Path) -> list[Commit]:
    """Those that name a number, newest first."""
    log = git(mirror, "log", "--no-merges", "-n", "6000", "--format=%H%x01%ct%x01%s%x01%b%x02")
    found = []
    for record in log.split("\x02"):
        fields = record.strip().split("\x01")
        if len(fields) == 4:
            numbers = frozenset(NUMBER.findall(f"{fields[2]} {fields[3]}"))
            found.append(Commit(fields[0], int(fields[1]) * 1000, fields[2], fields[3], numbers))
    return [one for one in found if one.numbers]


def read_entries(mirror: Path, commits: list[Commit]) -> list[Entry]:
    """The entries with a number that a commit names, each number once, newest first."""
    names = git(mirror, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    paths = sorted((one for one in names if CHANGELOG.search(one)), key=lambda one: (len(one), one))
    times = {number: one.at_ms for one in reversed(commits) for number in one.numbers}
    found: list[Entry] = []
    seen: set[str] = set()
    for path in paths:
        for text in _bullets(git(mirror, "show", f"HEAD:{path}")):
            numbers = frozenset(NUMBER.findall(text)) & times.keys() - seen
            said = " ".join(REFERENCE.sub(" ", THANKS.sub("", text)).split()).strip(" .,")
            if numbers and len(telling_words(said)) > FEWEST_WORDS:
                seen |= numbers
                found.append(Entry(f"{said}.", numbers, max(times[one] for one in numbers)))
    return found


def _bullets(text: str) -> Iterator[str]:
    lines: list[str] = []
    for line in [*text.splitlines(), "- "]:
        if BULLET.match(line) or not line.strip() or VERSION.match(line):
            if lines:
                yield " ".join(lines)
            lines = [BULLET.sub("", line).strip()] if BULLET.match(line) else []
        elif lines:
            lines.append(line.strip())


def make_project(mirror: Path, *, memories: int, questions: int) -> Project:
    """The newest part of the history that fills the memories."""
    commits = read_commits(mirror)
    entries = read_entries(mirror, commits)
    by_number: dict[str, list[Commit]] = {}
    for one in commits:
        for number in one.numbers:
            by_number.setdefault(number, []).append(one)
    wanted = memories * 2 // 5
    told = sorted(entries, key=lambda one: -one.at_ms)[:wanted]
    since = min(one.at_ms for one in told)
    related = {each for one in told for number in one.numbers for each in by_number[number]}
    others = [one for one in commits if one.at_ms >= since and one not in related]
    renames = read_renames(mirror)
    room = memories - len(told) - 2 * len(renames)
    captured = sorted(related, key=lambda one: one.id)[: room * 2 // 3]
    captured += others[:: max(1, len(others) // max(1, room // 6))][: room // 6]
    edits = [
        made for one in captured[:: max(1, len(captured) // (room // 3))] for made in _edits(mirror, one)
    ]
    kept: list[tuple[int, Memory, object]] = [(one.at_ms, _learned(one), one) for one in told]
    kept += [(one.at_ms, _episode(one), one) for one in captured]
    kept += [(at_ms, memory, None) for at_ms, memory in edits[: room - len(captured)]]
    kept += _told_renames(renames)
    kept.sort(key=lambda one: (one[0], one[1].text))
    made = [
        Memory(
            id=f"m_{number:07}", type=one.type, title=one.title or make_title(one.text, {}), text=one.text,
            kind=one.kind, files=one.files, recorded_at_ms=at_ms, updated_at_ms=at_ms, confidence=one.confidence,
        )
        for number, (at_ms, one, _source) in enumerate(kept)
    ]  # fmt: skip
    places = {id(source): place for place, (_at, _memory, source) in enumerate(kept) if source is not None}
    places_of_renames = {
        one: place for place, (_at, _memory, one) in enumerate(kept) if isinstance(one, tuple)
    }
    pairs = [(places_of_renames[one.old, "came"], places_of_renames[one.old, "went"]) for one in renames]
    about_files = [
        Asked(f"where do I find {' '.join(split_words(Path(one.old).stem))}, in which file?", new)
        for one, (_old, new) in zip(renames, pairs, strict=True)
    ]
    asked = _spread(_questions(told, captured, by_number, places), questions - len(about_files))
    return Project(made, [*asked, *about_files], pairs)


def _learned(entry: Entry) -> Memory:
    """The entry as what it would be kept as: a correction, a rule, a decision or a finding."""
    said = entry.text.lower()
    if re.match(r"(?:bugfix|fix|fixed|fixes|correct)\b", said):
        kind = "feedback"
    elif re.search(r"\b(?:must|never|always|should|require)", said):
        kind = "tribal"
    elif re.search(r"\b(?:remov|renam|deprecat|default|drop|no longer|instead|now|chang)", said):
        kind = "decision"
    else:
        kind = "insight"
    return _kept(kind, entry.text)


def _episode(commit: Commit) -> Memory:
    message = f"{commit.subject}\n\n{commit.body}".strip()[:MOST_EDITED]
    return Memory(
        id="", type="episodic", kind="change", title=f"Committed: {commit.subject}"[:200], text=message,
        confidence=0.8, recorded_at_ms=0, updated_at_ms=0,
    )  # fmt: skip


def _edits(mirror: Path, commit: Commit) -> Iterator[tuple[int, Memory]]:
    """What hooks keep of the edits of a commit: for each file the text that came in."""
    diff = git(mirror, "show", "--format=", "-U0", "--no-renames", commit.id)[:200_000]
    for part in diff.split("diff --git ")[1:3]:
        found = re.search(r"^\+\+\+ b/(.+)$", part, re.MULTILINE)
        added = "\n".join(
            line[1:] for line in part.splitlines() if line.startswith("+") and line[:3] != "+++"
        )
        if found and not CHANGELOG.search(found[1]) and len(telling_words(added)) > FEWEST_WORDS:
            yield (
                commit.at_ms,
                Memory(
                    id="", type="episodic", kind="change", title=f"Changed {found[1]}", text=added[:MOST_EDITED],
                    files=(FileLink(found[1]),), confidence=0.6, recorded_at_ms=0, updated_at_ms=0,
                ),
            )  # fmt: skip


class Rename(NamedTuple):
    """A file that was renamed: what was said when it came and when it went, and when."""

    old: str
    new: str
    came: Commit
    went: Commit


def read_renames(mirror: Path) -> list[Rename]:
    """The last renames of files of code, each name once, with the commits that made and renamed the file."""
    log = git(mirror, "log", "--no-merges", "-M", "--diff-filter=AR", "--name-status", "-n", "4000",
              "--format=%x02%H%x01%ct%x01%s%x01")  # fmt: skip
    added: dict[str, Commit] = {}
    renamed: list[tuple[str, str, Commit]] = []
    for record in log.split("\x02")[1:]:
        name, at, subject, files = record.split("\x01")
        commit = Commit(name, int(at) * 1000, subject, "", frozenset())
        for line in files.splitlines():
            found = RENAMED.match(line)
            if found and not found["old"].endswith((".md", ".rst", ".txt", ".html", ".png")):
                renamed.append((found["old"], found["new"], commit))
            elif line.startswith("A\t"):
                added[line[2:]] = commit
    known: dict[str, Rename] = {}
    for old, new, went in renamed:
        if old in added and added[old].at_ms < went.at_ms and Path(old).stem != Path(new).stem:
            known.setdefault(Path(new).stem, Rename(old, new, added[old], went))
    return list(known.values())[:MOST_RENAMES]


def _told_renames(renames: list[Rename]) -> Iterator[tuple[int, Memory, object]]:
    """Two memories of each: that the file holds something, and that it is elsewhere now."""
    for place, one in enumerate(renames):
        words = " ".join(split_words(Path(one.old).stem))
        first = f"The code for {words} is in {one.old} ({one.came.subject})."
        then = f"{SAID_OF_RENAMES[place % len(SAID_OF_RENAMES)].format(old=one.old, new=one.new)}."
        yield one.came.at_ms, _kept("insight", first), (one.old, "came")
        yield one.went.at_ms, _kept("decision", then), (one.old, "went")


def _kept(kind: str, text: str) -> Memory:
    return Memory(id="", type=kind, text=text, recorded_at_ms=0, updated_at_ms=0)


def _questions(
    told: list[Entry],
    captured: list[Commit],
    by_number: dict[str, list[Commit]],
    places: dict[int, int],
) -> Iterator[tuple[bool, Asked]]:
    """Every question that can be asked, and whether it asks for a commit."""
    for entry in told:
        place = places[id(entry)]
        commits = [one for number in sorted(entry.numbers, key=int) for one in by_number[number]]
        fair = [one for one in commits if _is_fair(_reword(one.subject), entry.text)]
        if fair:
            # Of several commits the one that says most.
            commit = max(fair, key=lambda one: (len(telling_words(one.subject)), one.id))
            opening = OPENINGS[len(commit.subject) % len(OPENINGS)]
            yield False, Asked(f"{opening.format(_reword(commit.subject))}?", place)
        there = [one for one in commits if one in captured and _is_fair(_reword(entry.text), one.subject)]
        if len(commits) == 1 and there:
            asked = " ".join(_reword(entry.text).split()[:14])
            yield True, Asked(f"which commit was it, and when: {asked}?", places[id(there[0])])


def _reword(text: str) -> str:
    plain = MARKUP.sub(lambda found: next(filter(None, found.groups()), ""), REFERENCE.sub(" ", text))
    plain = re.sub(r"^\s*(?:\[[^\]]*\]|\w+:)\s*", "", plain)
    return " ".join(OTHER_WORDS.get(word.lower(), word) for word in plain.split()).strip(" .,:")


def _is_fair(question: str, memory: str) -> bool:
    """Whether the two say it in different words, and yet speak of the same."""
    said, there = telling_words(question), telling_words(memory)
    share = len(said & there) / len(said) if said else 0.0
    return len(said) >= FEWEST_WORDS and len(said & there) >= FEWEST_SHARED and share <= MOST_SHARED


def _spread(asked: Iterator[tuple[bool, Asked]], wanted: int) -> list[Asked]:
    """As many as wanted, taken evenly: five of what was learned to one of a commit."""
    every = list(asked)
    of_commits = _evenly([one for is_commit, one in every if is_commit], wanted // 6)
    learned = [one for is_commit, one in every if not is_commit]
    return [*of_commits, *_evenly(learned, wanted - len(of_commits))]


def _evenly(some: Sequence[Asked], wanted: int) -> list[Asked]:
    if wanted <= 0:
        return []
    return (
        [some[place * len(some) // wanted] for place in range(wanted)] if len(some) > wanted else list(some)
    )


def drift_finder(project: Project, folder: Path, model: Model | None = None) -> Finder:
    store = MemoryStore.open(folder / f"{model is not None}" / "cortex.db")
    store.add_many(project.memories, actor="benchmark")
    counts, now_ms = WordCounts(), project.memories[-1].recorded_at_ms + DAY_MS
    meanings = Meanings(store.path, model) if model else None
    if meanings:
        meanings.fill(read_texts(store).texts, seconds=86_400)

    def find(question: str) -> list[int]:
        asking = meanings.asking(question) if meanings else nullcontext()
        with asking as closeness, store.reading() as connection:
            found = search(
                connection, counts, question, setting=Setting(now_ms), limit=max(DEPTHS), closeness=closeness
            )
        return [hit.row.number - 1 for hit in found.hits]

    return find


def without_episodes(project: Project) -> Finder:
    """Plain FTS5 over what was learned alone."""
    kept = [place for place, one in enumerate(project.memories) if one.type != "episodic"]
    find = full_text(_notes(project, kept), joint=" OR ", without=question_stop_words())
    return lambda question: [kept[place] for place in find(question)]


def _notes(project: Project, places: Sequence[int]) -> list[Note]:
    said = (project.memories[place] for place in places)
    return [Note(frozenset(), f"{one.title}\n{one.text}", "") for one in said]


def measure(name: str, project: Project, find: Finder, *, shows_misses: bool) -> None:
    found = {one: list(find(one.text)) for one in project.questions}
    ranks = [places.index(one.answer) + 1 if one.answer in places else 0 for one, places in found.items()]
    cells = [str(sum(0 < rank <= depth for rank in ranks)) for depth in DEPTHS]
    mrr = sum(1 / rank for rank in ranks if rank) / len(ranks)
    both = [(places.index(old), places.index(new)) for places in found.values()
            for old, new in project.replacements if old in places and new in places]  # fmt: skip
    wrong = sum(old < new for old, new in both)
    print(f"| {name} | {len(ranks)} | {' | '.join(cells)} | {mrr:.3f} | {wrong} of {len(both)} |", flush=True)
    for (asked, places), rank in zip(found.items(), ranks, strict=True):
        if shows_misses and not 0 < rank <= DEPTHS[0]:
            print(f"  {rank}: {asked.text}\n     wanted: {project.memories[asked.answer].text[:160]!r}")
            for place in places[:3]:
                one = project.memories[place]
                print(f"     - {one.type}: {one.title[:70]} / {one.text[:90]!r}")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("mirrors", nargs="+", type=Path)
    parser.add_argument("--memories", type=int, default=300)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--model", type=Path, default=installed_model())
    parser.add_argument(
        "--misses", action="store_true", help="show what Drift did not find in the first three"
    )
    options = parser.parse_args(arguments)
    model = Model(options.model) if options.model else None
    for mirror in options.mirrors:
        project = make_project(mirror, memories=options.memories, questions=options.questions)
        episodes = sum(one.type == "episodic" for one in project.memories)
        print(f"\n{mirror}: {len(project.memories)} memories, {episodes} of them episodes; "
              f"{len(project.replacements)} replaced\n")  # fmt: skip
        first = " | ".join(f"in first {depth}" for depth in DEPTHS)
        print(f"| search | questions | {first} | MRR | old above new |\n|---|---|---|---|---|---|---|")
        everything = _notes(project, range(len(project.memories)))
        plain = full_text(everything, joint=" OR ", without=question_stop_words())
        measure("FTS5 OR, stop words out", project, plain, shows_misses=False)
        measure("the same without episodes", project, without_episodes(project), shows_misses=False)
        if find_spec("bm25s"):
            measure("bm25s", project, peer(everything), shows_misses=False)
        with tempfile.TemporaryDirectory() as folder:
            measure("Drift", project, drift_finder(project, Path(folder)), shows_misses=options.misses)
            if model:
                found = drift_finder(project, Path(folder), model)
                measure("Drift, words and meaning", project, found, shows_misses=False)


if __name__ == "__main__":
    main(sys.argv[1:])
