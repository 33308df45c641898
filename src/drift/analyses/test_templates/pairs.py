"""Which source each test file is of, and what that says about where another test belongs."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from drift.kernel.words import split_words

_MARKS: Final = (
    re.compile(r"^(?P<before>test_)(?P<stem>.+)$"),
    re.compile(
        r"^(?P<stem>.+?)(?P<after>[._-](?:unit[._-]|e2e[._-]|integration[._-])?(?:test|spec|tests|unittest))$"
    ),
    re.compile(r"^(?P<stem>.+?)(?P<after>(?:Unit|Integration)?(?:Tests?|Spec|IT|TestCase))$"),
    re.compile(r"^(?P<before>Test)(?P<stem>[A-Z].*)$"),
    re.compile(r"^(?P<before>test-|tests?_)(?P<stem>.+)$"),
)
_NO_SIGNS: Final = str.maketrans("", "", "-_.")
_MOST_ALIKE: Final = 24  # names that more files have, such as __init__, tell nothing
_SHARED_ENDINGS: Final = frozenset({"ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts"})
_CPP_ENDINGS: Final = frozenset({"c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx"})
HEADERS: Final = frozenset({"h", "hh", "hpp", "hxx"})
_CONTROLLER: Final = "_controller.rb"
_OTHER_TYPES: Final = re.compile(
    r"(?:^|[/._-])(?:e2e|end-to-end|integration|functional|acceptance)", re.IGNORECASE
)
_TYPE_WORDS: Final = {
    "integration": re.compile(r"(?:^|[/._-])(?:integration|functional|IT\.)", re.IGNORECASE),
    "e2e": re.compile(r"(?:^|[/._-])(?:e2e|end-to-end|acceptance)", re.IGNORECASE),
}


class FileName(NamedTuple):
    """A path taken apart; `before` and `after` are what marks the name as that of a test."""

    folder: str
    before: str
    stem: str
    after: str
    ending: str  # without the dot


class Pair(NamedTuple):
    """A source file and the file of its tests."""

    source: str
    test: str


class Proposal(NamedTuple):
    """A place for a test, how many pairs are laid out so of those that say anything, and one of them."""

    path: str
    pattern: str
    backers: int
    total: int
    example: Pair


@lru_cache(maxsize=4096)  # the same tests are near many files
def split_test_name(path: str) -> FileName:
    """The path of a test taken apart; a name without a mark is all stem."""
    folder, _, name = path.rpartition("/")
    stem, _, ending = name.rpartition(".")
    for mark in _MARKS:
        if found := mark.match(stem):
            parts = found.groupdict()
            return FileName(
                folder, parts.get("before") or "", parts["stem"], parts.get("after") or "", ending
            )
    return FileName(folder, "", stem, "", ending)


def is_of_type(path: str, kind: str) -> bool:
    """Whether a test's path fits the type of test: unit is what calls itself nothing else."""
    if kind == "unit":
        lowered = path.lower()
        # Plain looks first: thousands of paths are asked about.
        if not any(word in lowered for word in ("e2e", "end-", "integration", "functional", "acceptance")):
            return True
        return _OTHER_TYPES.search(path) is None
    return _TYPE_WORDS[kind].search(path) is not None


def find_pairs(sources: Iterable[str], tests: Iterable[str]) -> list[Pair]:
    """Each test with the source of the same name that shares most of its path; doubtful ones are left out."""
    return pair_up(group_by_stem(sources), tests)


def group_by_stem(sources: Iterable[str]) -> dict[str, list[str]]:
    """Sources by what their tests would be named after."""
    by_stem: defaultdict[str, list[str]] = defaultdict(list)
    for path in sources:
        by_stem[stem_key(path)].append(path)
        if path.endswith(_CONTROLLER):  # whose tests are named after what they ask for
            by_stem[stem_key(f"{path.removesuffix(_CONTROLLER)}.rb")].append(path)
    return dict(by_stem)


def pair_up(by_stem: Mapping[str, list[str]], tests: Iterable[str]) -> list[Pair]:
    """The same with sources that are grouped already."""
    pairs = []
    for test in tests:
        source = _source_of(split_test_name(test), by_stem)
        if source is not None:
            pairs.append(Pair(source, test))
    return pairs


def propose(pairs: Sequence[Pair], target: str) -> Proposal | None:
    """Where the pairs would put the target's test, those nearest to it weighing most."""
    weights: defaultdict[str, int] = defaultdict(int)
    backers: defaultdict[str, list[tuple[int, Pair]]] = defaultdict(list)
    for pair in pairs:
        path = _laid_out_like(pair, target)
        if path is not None:
            nearness = _shared(pair.source, target)
            weights[path] += 1 + nearness * nearness * nearness
            backers[path].append((nearness, pair))
    if not weights:
        return None
    best = max(weights, key=lambda path: (weights[path], path))
    total = sum(len(each) for each in backers.values())
    example = max(backers[best])[1]
    return Proposal(best, _pattern(example), len(backers[best]), total, example)


def stem_key(path: str) -> str:
    """The name of a file without its ending, whatever its case and the signs between its words."""
    return path.rpartition("/")[2].rpartition(".")[0].lower().translate(_NO_SIGNS)


def _source_of(name: FileName, by_stem: Mapping[str, list[str]]) -> str | None:
    alike = by_stem.get(name.stem.lower().translate(_NO_SIGNS), ())
    if len(alike) > _MOST_ALIKE:
        return None
    found = [path for path in alike if _fits(path, name.ending)]
    if len(found) <= 1:
        return found[0] if found else None
    # A header and its source are one: of the two the one that is written like the test.
    found.sort(key=lambda path: path.rpartition(".")[2] != name.ending)
    one_each = list({path.rpartition(".")[0]: path for path in reversed(found)}.values())
    ranked = sorted(((_likeness(path, name.folder), path) for path in one_each), reverse=True)
    return ranked[0][1] if len(ranked) == 1 or ranked[0][0] > ranked[1][0] else None


def is_same_unit(path: str, other: str) -> bool:
    """Whether two files are one to a test: a header and its source."""
    endings = {path.rpartition(".")[2], other.rpartition(".")[2]}
    return path == other or (path.rpartition(".")[0] == other.rpartition(".")[0] and endings <= _CPP_ENDINGS)


def _fits(path: str, ending: str) -> bool:
    own = path.rpartition(".")[2]
    return own == ending or {own, ending} <= _SHARED_ENDINGS or {own, ending} <= _CPP_ENDINGS


def _likeness(path: str, folder: str) -> int:
    """How many names of folders two paths share, in whatever place: a mirror has most of them."""
    mine, others = path.split("/")[:-1], folder.split("/")
    return 2 * len({*mine} & {*others}) - len({*mine} - {*others})


def _laid_out_like(pair: Pair, target: str) -> str | None:
    """The path of the target's test, if it lay to the target as the pair's test does to its source."""
    name = split_test_name(pair.test)
    folder, _, file = target.rpartition("/")
    stem, _, ending = file.rpartition(".")
    home = _moved(pair.source.rpartition("/")[0], name.folder, folder)
    if home is None or (not name.before and not name.after and home == folder):
        return None
    source_ending = pair.source.rpartition(".")[2]
    is_like = source_ending == name.ending and ending not in HEADERS
    own_ending = ending if is_like else name.ending
    if pair.source.endswith(_CONTROLLER) and not name.stem.endswith("_controller"):
        if not target.endswith(_CONTROLLER):
            return None
        return f"{home}/{name.before}{stem.removesuffix('_controller')}{name.after}.{own_ending}".lstrip("/")
    own = _restyled(stem, pair.source.rpartition("/")[2].rpartition(".")[0], name.stem)
    return f"{home}/{name.before}{own}{name.after}.{own_ending}".lstrip("/")


def _restyled(stem: str, source: str, test: str) -> str:
    """A name written as the test's is to its source's: array_helper as ArrayHelper, or the other way round."""
    if source == test:
        return stem
    if test == _pascal(source):
        return _pascal(stem)
    return "_".join(split_words(stem)) if test == "_".join(split_words(source)) else stem


def _pascal(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in split_words(name))


def _moved(source: str, test: str, target: str) -> str | None:
    """The folder that is to `target` what `test` is to `source`; None where it cannot be told."""
    if source == test:
        return target
    if f"{test}/".startswith(f"{source}/") or not source:
        below = test[len(source) :].strip("/")
        return f"{target}/{below}".strip("/") if source or "/" not in below else None
    old, new = _differing(source.split("/"), test.split("/"))
    return _replaced(target.split("/") if target else [], old, new)


def _differing(source: list[str], test: list[str]) -> tuple[list[str], list[str]]:
    """Both without the folders they end in alike."""
    same = 0
    while same < min(len(source), len(test)) and source[-1 - same] == test[-1 - same]:
        same += 1
    return source[: len(source) - same], test[: len(test) - same]


def _replaced(target: list[str], old: list[str], new: list[str]) -> str | None:
    if target[: len(old)] == old:
        return "/".join([*new, *target[len(old) :]])
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    inner, outer = old[start:], new[start:]
    for place in range(len(target) - len(inner) + 1):
        if inner and target[place : place + len(inner)] == inner:
            return "/".join([*target[:place], *outer, *target[place + len(inner) :]])
    return _renamed(target, old, new)


def _renamed(target: list[str], old: list[str], new: list[str]) -> str | None:
    """With the name of the source's last folder in the test's, such as Shop in Shop.Tests, that of the target's."""
    if not old or not target or not new or old[-1] not in new[-1] or old[:-1] != target[: len(old) - 1]:
        return None
    if len(target) < len(old):
        return None
    own = target[len(old) - 1]
    return "/".join([*new[:-1], new[-1].replace(old[-1], own), *target[len(old) :]])


def _pattern(pair: Pair) -> str:
    name = split_test_name(pair.test)
    where = f"{name.folder}/" if name.folder != pair.source.rpartition("/")[0] else "beside: "
    return f"{where}{name.before}{{name}}{name.after}.{name.ending}"


def _shared(path: str, other: str) -> int:
    mine, others = path.split("/")[:-1], other.split("/")[:-1]
    same = 0
    while same < min(len(mine), len(others)) and mine[same] == others[same]:
        same += 1
    return same
