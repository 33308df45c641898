"""Finds the files where a task will be done: signs of many kinds, weighed and brought together."""

from collections.abc import Iterable, Mapping
from math import log
from typing import Final, NamedTuple

from drift.analyses.lookup import Found, find_symbols
from drift.analyses.prominence import is_showing
from drift.context.bodies import Corpus, count_terms, read_corpus
from drift.context.evidence import (
    Weights,
    count_names,
    value_terms,
    weigh_best_passages,
    weigh_bodies,
    weigh_definitions,
    weigh_names,
    weigh_pairs,
    weigh_paths,
    weigh_scope,
    weigh_uses,
)
from drift.context.focus import Focus, Place, read_focus
from drift.context.history import Likeness, find_alike, read_past, weigh_habits, weigh_same
from drift.context.leaning import MANY, UPRIGHT, Leaning, weigh_leaning
from drift.index import FileId, IndexReader
from drift.index.file_queries import FileStamp
from drift.project import StateDir

# Found by measuring with benchmarks/localize.py; docs/context.md tells on which projects. Each kind is first
# brought to between 0 and 1 by its best file, or by what there was to find, so these compare kinds.
_KINDS: Final[Mapping[str, float]] = {
    "place": 3.0,
    "body": 1.0,
    "passage": 0.25,
    "pair": 1.0,
    "name": 0.4,
    "definition": 0.25,
    "use": 0.2,
    "path": 0.5,
    "folder": 0.55,
    "scope": 0.5,
    "likeness": 1.7,
    "habit": 0.12,
    "importers": 0.12,
    "size": 0.1,
    "active": 0.3,
}
# What of a file's score remains when it is none of the source.
_ROLES: Final[Mapping[str, float]] = {"source": 1.0, "config": 0.7, "generated": 0.3}
# What of it remains where the file shows or measures the product: rarely where a task is done.
_SHOWING_SHARE: Final = 0.6
# These tell of the file alone, not of the task: they order files that have other signs.
_PRIORS: Final = frozenset({"habit", "importers", "size", "guard", "entry"})
# By how much a kind may exceed what there was to find: words found often add up to more than found once.
_MOST_OF_POSSIBLE: Final = 1.5
_MOST_EXACT: Final = 10
_LONGEST_EXACT: Final = 200
_MOST_PASSAGES: Final = 60


class Question(NamedTuple):
    """What is asked: the task in plain words, and the file the person looks at."""

    text: str
    active_file: str | None = None


class FoundFile(NamedTuple):
    """A file that matters, and what each kind of sign adds to its score."""

    id: FileId
    path: str
    role: str
    score: float
    signs: Mapping[str, float]


class Located(NamedTuple):
    """The files that matter, best first, and what they were found by."""

    files: tuple[FoundFile, ...]
    focus: Focus
    corpus: Corpus
    counts: Mapping[str, Mapping[str, int]]  # by term and path: how often it stands in the text
    naming: Mapping[str, Mapping[str, int]]  # by term and path: how many symbols have it in their name
    alike: Mapping[str, Likeness]
    places: Mapping[str, int | None]
    roles: Mapping[str, str]  # of every file of the project
    problems: tuple[str, ...]


def locate(
    reader: IndexReader,
    state: StateDir,
    question: Question,
    *,
    most: int = 30,
    leaning: Leaning = UPRIGHT,
) -> Located:
    """The files where the task will be done, best first."""
    shares = {**_ROLES, **leaning.roles}
    focus = read_focus(question.text)
    stamps = reader.files.stamps()
    candidates = [each for each in stamps if each.language and each.role in shares]
    corpus = read_corpus(state.root, sorted(candidates, key=lambda each: each.size))
    written = count_terms(corpus, [*focus.terms, *focus.names])
    counts = {term: written[term] for term in focus.terms}
    uses = {name: written[name] for name in focus.names}
    past = read_past(state.root)
    paths = {each.id: each.path for each in candidates}
    known = frozenset(paths.values())
    alike = find_alike(past, focus.terms, known)
    exact = find_exact(reader, question.text)
    places = find_named_files(focus.places, stamps) | {
        each.path: each.line for each in exact.symbols[:_MOST_EXACT]
    }
    naming = count_names(reader, focus.terms, paths)
    kinds = _gather(reader, focus, corpus, counts, paths)
    kinds |= {
        "name": weigh_names(naming, focus.terms, len(paths)),
        "use": weigh_uses(corpus, uses, focus.names),
        "place": dict.fromkeys(places, 1.0),
        "likeness": {path: each.weight for path, each in alike.items()},
        "habit": weigh_habits(past, known),
        "active": {question.active_file: 1.0} if question.active_file else {},
        "size": {each.path: log(1 + each.size) for each in candidates},
    }
    possible = {
        "pair": sum(value_terms(counts, focus.terms, len(corpus.texts)).values()),
        "likeness": weigh_same(past, focus.terms),
    }
    signs = _bring_together(kinds, possible, _KINDS)
    files = _rank(signs, stamps, named=frozenset(places), shares=shares)
    if leaning.signs:
        more = weigh_leaning(leaning, reader, corpus, paths, [each.id for each in files])
        for path, own in _bring_together(more, MANY, leaning.signs).items():
            signs.setdefault(path, {}).update(own)
        files = _rank(signs, stamps, named=frozenset(places), shares=shares)
    roles = {each.path: each.role for each in stamps}
    problems = _problems(corpus, past.problem) + _exact_problems(question.text.strip(), exact)
    return Located(files[:most], focus, corpus, counts, naming, alike, places, roles, problems)


def _gather(
    reader: IndexReader,
    focus: Focus,
    corpus: Corpus,
    counts: Mapping[str, Mapping[str, int]],
    paths: Mapping[FileId, str],
) -> dict[str, Weights]:
    """The signs that the index and the texts give."""
    bodies = weigh_bodies(corpus, counts, focus.terms)
    likely = sorted(bodies, key=lambda path: (-bodies[path], path))[:_MOST_PASSAGES]
    own, folders = weigh_paths(focus, paths)
    importers = reader.places.importer_counts()
    return {
        "body": bodies,
        "passage": weigh_best_passages(corpus, counts, focus.terms, likely),
        "pair": weigh_pairs(corpus, counts, focus),
        "definition": weigh_definitions(reader, focus, paths),
        "path": own,
        "folder": folders,
        "scope": weigh_scope(focus, paths),
        "importers": {paths[file]: log(1 + count) for file, count in importers.items() if file in paths},
    }


def find_exact(reader: IndexReader, text: str) -> Found:
    """The symbols that the whole text names, where it is one name and no prose."""
    name = text.strip()
    if not name or len(name) > _LONGEST_EXACT or len(name.split()) > 1:
        return Found(())
    if name.isalpha() and name.islower():
        # A word such as `login`: perhaps a symbol, but no misspelt one, and asking for names like it takes long.
        return Found(tuple(each for each in reader.symbols.named(name) if each.kind != "module"))
    return find_symbols(reader, name)


def find_named_files(places: tuple[Place, ...], stamps: list[FileStamp]) -> dict[str, int | None]:
    """The files of the project that paths in a text mean, with their lines; an ending counts where it fits one."""
    by_name: dict[str, list[str]] = {}
    for each in stamps:
        by_name.setdefault(each.path.rpartition("/")[2], []).append(each.path)
    found: dict[str, int | None] = {}
    for place in places:
        fitting = [
            path
            for path in by_name.get(place.path.rpartition("/")[2], ())
            # A stack trace names files by where they lay on another machine: then the project's path is the ending.
            if f"/{path}".endswith(f"/{place.path}") or f"/{place.path}".endswith(f"/{path}")
        ]
        if len(fitting) == 1:
            found[fitting[0]] = place.line or found.get(fitting[0])
    return found


def _bring_together(
    kinds: Mapping[str, Weights], possible: Mapping[str, float], values: Mapping[str, float]
) -> dict[str, dict[str, float]]:
    """What each kind of sign adds to the score of each file.

    A kind is measured by its best file; where it is known what there was to find, by that: then the best of
    weak signs stays weak.
    """
    signs: dict[str, dict[str, float]] = {}
    for kind, weights in kinds.items():
        highest = max(weights.values(), default=0.0)
        if highest <= 0:
            continue
        unit = max(highest / _MOST_OF_POSSIBLE, possible[kind]) if kind in possible else highest
        for path, value in weights.items():
            if value > 0:
                signs.setdefault(path, {})[kind] = values[kind] * value / unit
    return signs


def _rank(
    signs: Mapping[str, Mapping[str, float]],
    stamps: Iterable[FileStamp],
    *,
    named: frozenset[str],
    shares: Mapping[str, float],
) -> tuple[FoundFile, ...]:
    found = [
        FoundFile(stamp.id, stamp.path, stamp.role, sum(own.values()) * _share(stamp, own, shares), own)
        for stamp in stamps
        if (own := signs.get(stamp.path)) is not None
        and own.keys() - _PRIORS
        and (stamp.role in shares or stamp.path in named)
    ]
    return tuple(sorted(found, key=lambda each: (-each.score, each.path)))


def _share(stamp: FileStamp, signs: Mapping[str, float], shares: Mapping[str, float]) -> float:
    """What remains of a score for the part the file plays; all of it where the focus names the file."""
    if "place" in signs:
        return 1.0
    return shares.get(stamp.role, 1.0) * (_SHOWING_SHARE if is_showing(stamp.path) else 1.0)


def _exact_problems(text: str, exact: Found) -> tuple[str, ...]:
    if len(exact.symbols) > 1:
        return (f"{text!r} means {len(exact.symbols)} symbols; Class.method or path:line chooses one",)
    return (f"No symbol is named {text!r}; similar: {', '.join(exact.similar)}",) if exact.similar else ()


def _problems(corpus: Corpus, past_problem: str | None) -> tuple[str, ...]:
    unread = f"{corpus.left_out} files were not searched by text" if corpus.left_out else None
    return tuple(problem for problem in (unread, past_problem) if problem)
