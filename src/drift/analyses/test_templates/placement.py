"""Where the test of a file belongs: where it is already, where the project's layout puts it, or the usual place."""

import posixpath
from collections import Counter
from collections.abc import Mapping, Sequence
from heapq import nsmallest
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.callables import FUNCTION_KINDS
from drift.analyses.import_choice import family_of
from drift.analyses.index_cache import PerState
from drift.analyses.test_templates.building import suite_folder
from drift.analyses.test_templates.dialects import Dialect
from drift.analyses.test_templates.habits import tests_among
from drift.analyses.test_templates.naming import class_name
from drift.analyses.test_templates.pairs import (
    HEADERS,
    Pair,
    group_by_stem,
    is_of_type,
    is_same_unit,
    pair_up,
    propose,
    split_test_name,
    stem_key,
)
from drift.analyses.test_templates.projects import APART, find_test_projects
from drift.analyses.test_templates.rows import Convention
from drift.index.listing_queries import PathFilter
from drift.index.records import FileRecord
from drift.kernel.words import split_words

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.listing_queries import FileCalls

_NAMED_FREELY: Final = frozenset({"cpp", "python", "ruby", "script"})
"""Languages whose tests stand in folders of their own that need not mirror those of the code."""
_FOUND_BY_NAME: Final = frozenset({"go", "php", "python", "ruby"})
_MOST_DECLARED: Final = 20
_USUAL: Final = "no layout to learn from: the usual place of the language"
_SCRIPTS: Final = ("javascript", "typescript")
_MOST_NEAR: Final = 200  # tests that layout and habits are learnt from
_MOST_NAMED: Final = 50
_MOST_CALLERS: Final = 10


class Placement(NamedTuple):
    """The path of the test, why, what the layout rests on, and test files, nearest to the target first."""

    path: str
    reason: str
    pattern: Convention
    peers: tuple[str, ...]
    versions: Mapping[str, str] = MappingProxyType({})  # of what the test project declares
    implied: tuple[str, ...] = ()  # namespaces that the code under test uses without a word
    problem: str | None = None  # why no runner would find a test there


class _Layout(NamedTuple):
    """The files of a language: its tests of one type, or of all where it has none, and the sources by stem."""

    tests: tuple[str, ...]
    has_fitting: bool
    by_stem: Mapping[str, list[str]]


_layouts: Final = PerState[dict[tuple[str | None, str], _Layout]]()


def _layout(reader: "IndexReader", language: str | None, kind: str) -> _Layout:
    kept = _layouts.get(reader, dict)
    key = (_SCRIPTS[0] if language in _SCRIPTS else language, kind)
    if key not in kept:
        languages = _SCRIPTS if language in _SCRIPTS else (language,)
        tests, sources = (
            [
                path
                for each in languages
                for path in reader.listings.paths(PathFilter(language=each, role=role))
            ]
            for role in ("test", "source")
        )
        fitting = [path for path in tests if is_of_type(path, kind)]
        kept[key] = _Layout(tuple(fitting or tests), bool(fitting), group_by_stem(sources))
    return kept[key]


def place_test(
    reader: "IndexReader", root: Path, target: FileRecord, kind: str, dialect: Dialect
) -> Placement:
    """Where a test of the given type for a file belongs."""
    placed = _placed(reader, target, kind, dialect)
    if target.language == "php" and placed.reason == _USUAL:
        return _in_suite(root, target, kind, placed)
    if target.language not in APART:
        return placed
    tests = _layout(reader, target.language, kind).tests
    projects = find_test_projects(reader, root, target.path, tests, kind=kind)
    held = next((each for each in projects if each.holds(placed.path)), None)
    if held is not None:
        return placed._replace(versions=held.versions, implied=held.implied)
    if not projects:
        problem = f"no test project uses the one of {target.path}: make one, or the test is never compiled"
        return placed._replace(problem=problem)
    best = projects[0]
    near = tuple(path for path in tests if best.holds(path))
    marks = Counter(split_test_name(path).after for path in near or placed.peers)
    after = next((each for each, _count in marks.most_common() if each), "Tests")
    path = best.path_for(target.path, f"{after}.{target.path.rpartition('.')[2]}")
    reason = f"{best.name} is the test project that uses {best.of_folder or 'the project'}"
    pattern = Convention(f"{best.folder}/…/{{name}}{after}", len(near), len(tests))
    peers = (*_nearest(near, target.path), *(each for each in placed.peers if each not in near))
    return Placement(path, reason, pattern, peers, best.versions, best.implied)


def _in_suite(root: Path, target: FileRecord, kind: str, placed: Placement) -> Placement:
    """In the folder where the runner looks, in a file that has the name of its class, as loaders want it."""
    folder = suite_folder(root, kind)
    if folder is None:
        return placed
    inner, _, name = target.path.partition("/")[2].rpartition("/")
    words = [part[:1].upper() + part[1:] for part in (*inner.split("/"), class_name(name)) if part]
    path = f"{folder}/{'/'.join(words)}Test.php"
    return placed._replace(path=path, reason=f"in {folder}, where the settings of PHPUnit have its tests")


def _placed(reader: "IndexReader", target: FileRecord, kind: str, dialect: Dialect) -> Placement:
    layout = _layout(reader, target.language, kind)
    target = _definition(reader, target)
    near = _nearest(layout.tests, target.path)
    if family_of(target.language) == "rust" and kind == "unit":
        return _inline(reader, target, near)
    by_stem = layout.by_stem
    if target.role != "source":
        key = stem_key(target.path)
        by_stem = {**by_stem, key: [*by_stem.get(key, ()), target.path]}
    found = [path for path in near if _is_found(path, target)]
    pairs = pair_up(by_stem, found if layout.has_fitting else ())
    # Files of that name may stand beside tests without holding any, or hold those of a part.
    own = [each for each in pairs if is_same_unit(each.source, target.path) and _has_tests(reader, each.test)]
    if own:
        best = min(own, key=lambda each: (each.test.count("/"), len(each.test), each.test))
        pattern = _pattern(pairs, best)
        return Placement(best.test, "the test file that has its name", pattern, _first(best.test, near))
    # A test that has the name of another file is of that one, and one of Go is of its own folder.
    others = {each.test for each in pairs if not is_same_unit(each.source, target.path)}
    users = [each for each in _calling_tests(reader, target, kind) if _may_be_of(each.path, target, kind)]
    named = next(
        (each for each in users if each.path not in others and _is_named_after(each.path, target.path)), None
    )
    if named is not None:
        reason = f"it is named after the file, which it calls into ({named.calls} calls)"
        pattern = _pattern(pairs, Pair(target.path, named.path))
        return Placement(named.path, reason, pattern, _first(named.path, near))
    return _proposed(target, kind, dialect, pairs=pairs, near=near, callers=users)


def _definition(reader: "IndexReader", target: FileRecord) -> FileRecord:
    """The file that defines what a header declares, where that is another: tests stand by that."""
    if target.path.rpartition(".")[2] not in HEADERS:
        return target
    beside = target.path.rpartition("/")[0]
    declared = [each for each in reader.symbols.of_file(target.id) if each.kind in FUNCTION_KINDS]
    found = Counter(
        one.path
        for each in declared[:_MOST_DECLARED]
        for one in reader.symbols.qualified(each.qualname)
        if one.path.rpartition(".")[2] not in HEADERS and one.role == target.role
    )
    path = found.most_common(1)[0][0] if found else None
    record = reader.files.at(path) if path is not None and path.rpartition("/")[0] != beside else None
    is_named_so = record is not None and stem_key(record.path) == stem_key(target.path)
    return record if record is not None and is_named_so else target


def _is_found(test: str, target: FileRecord) -> bool:
    """Whether the name of a file makes it a test, where runners go by that: what helps tests stands beside them."""
    name = split_test_name(test)
    if name.ending in HEADERS:
        return False  # it declares what is run elsewhere
    return family_of(target.language) not in _FOUND_BY_NAME or bool(name.before or name.after)


def _calling_tests(reader: "IndexReader", target: FileRecord, kind: str) -> "list[FileCalls]":
    """The files of tests that call into the file, most calls first."""
    found = [
        each
        for each in reader.listings.calling_files(target.id)
        if each.role == "test" and is_of_type(each.path, kind)
    ]
    # Those that are named after the file first, so that not all have to be looked into.
    found.sort(key=lambda each: not _is_named_after(each.path, target.path))
    return [each for each in found[:_MOST_CALLERS] if _has_tests(reader, each.path)]


def _may_be_of(test: str, target: FileRecord, kind: str) -> bool:
    in_folder = test.rpartition("/")[0] == target.path.rpartition("/")[0]
    return in_folder or target.language != "go" or kind != "unit"


def _is_named_after(test: str, target: str) -> bool:
    """Whether a test has the name of the file, perhaps with that of its folder: test_assets_service of services/assets."""
    if stem_key(f"{split_test_name(test).stem}.") == stem_key(target):
        return True
    said, own = set(split_words(split_test_name(test).stem)), set(split_words(_said_name(target)))
    folders = {word.removesuffix("s") for part in target.split("/")[:-1] for word in split_words(part)}
    more = {word.removesuffix("s") for word in said - own}
    return (own <= said and more <= folders) or _ends_in_name(test, target)


def _said_name(path: str) -> str:
    """The name of a file without its ending, or that of its folder where it has none of its own."""
    folder, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0]
    return folder.rpartition("/")[2] if stem in {"__init__", "index", "mod"} else stem


def _ends_in_name(test: str, target: str) -> bool:
    """Whether a test is named after more than the file: DatabaseEloquentBuilderTest is of Eloquent/Builder."""
    name, stem = split_test_name(test), target.rpartition("/")[2].rpartition(".")[0]
    rest = name.stem.removesuffix(stem)
    # In the middle of a word it is another: Rebuilder is none of builder's.
    is_word = stem[:1].isupper() or rest.endswith(("_", "-", "."))
    return bool(name.before or name.after) and bool(rest) and rest != name.stem and is_word


def _proposed(
    target: FileRecord,
    kind: str,
    dialect: Dialect,
    *,
    pairs: Sequence[Pair],
    near: tuple[str, ...],
    callers: "Sequence[FileCalls]",
) -> Placement:
    proposal = propose(pairs, target.path)
    if proposal is not None:
        like = f"as {proposal.example.test} is to {proposal.example.source}"
        reason = f"{proposal.backers} of {proposal.total} pairs of source and test lead there, {like}"
        pattern = Convention(proposal.pattern, proposal.backers, proposal.total)
        return Placement(proposal.path, reason, pattern, _first(proposal.example.test, near))
    own = f"{target.path.rpartition('/')[0]}/tests.py".lstrip("/")
    if family_of(target.language) == "python" and kind == "unit" and own in near:
        usual = Convention("tests.py", 1, 1, "the module of tests that its package has")
        return Placement(own, "the tests of its package", usual, _first(own, near))
    if callers:
        reason = f"no source has a test of its name; of all tests this calls into the file most ({callers[0].calls} calls)"
        usual = Convention(
            "tests named by topic", len(callers), len(callers), "no pair of source and test has one name"
        )
        return Placement(callers[0].path, reason, usual, _first(callers[0].path, near))
    if near and kind == "unit" and family_of(target.language) in _NAMED_FREELY:
        return _beside(target, near)
    path = _usual(target, dialect.default_files[kind])
    return Placement(path, _USUAL, Convention(dialect.default_files[kind], 0, 0, _USUAL), near)


def _has_tests(reader: "IndexReader", path: str) -> bool:
    record = reader.files.at(path)
    return record is not None and bool(tests_among(reader.symbols.of_file(record.id)))


def _beside(target: FileRecord, near: tuple[str, ...]) -> Placement:
    """In the folder of the nearest test, named as most tests are."""
    folders = set(target.path.split("/")[:-1])
    # By folder alone: what has the name of the file elsewhere is of something else.
    near = tuple(sorted(near, key=lambda path: -_nearness(path.rpartition("/")[0], target.path, folders)))
    names = [split_test_name(path) for path in near]
    marks = Counter((each.before, each.after) for each in names)
    (before, after), count = marks.most_common(1)[0]
    if not before and not after and family_of(target.language) == "python":
        before = "test_"  # or no runner finds it
    stem, _, ending = target.path.rpartition("/")[2].rpartition(".")
    ending = names[0].ending if family_of(target.language) == "cpp" else ending
    path = f"{names[0].folder}/{before}{stem}{after}.{ending}".lstrip("/")
    reason = f"no source has a test of its name yet; {names[0].folder or 'the root'} has the nearest test, {near[0]}"
    return Placement(path, reason, Convention(f"{before}{{name}}{after}.{ending}", count, len(near)), near)


def _inline(reader: "IndexReader", target: FileRecord, near: tuple[str, ...]) -> Placement:
    """Unit tests of Rust stand in the file itself, which everything private to it can be seen from."""
    inside: dict[str, None] = {}
    beside: dict[str, None] = {}
    for each in reader.facts.entry_points("test", limit=5_000):
        if each.symbol.language == "rust":
            (beside if each.symbol.role == "test" else inside)[each.symbol.path] = None
    count, total = len(inside), len(inside) + len(beside)
    own = "it has tests already" if target.path in inside else "unit tests in Rust see what is private to it"
    reason = f"in the file itself: {own}; {count} of {total} files with tests are sources"
    samples = [path for path in _nearest(list(inside), target.path) if path != target.path]
    samples = [*([target.path] if target.path in inside else []), *samples]
    usual = _USUAL if not total else None
    pattern = Convention("mod tests in the source file", count, total, usual)
    return Placement(target.path, reason, pattern, (*samples, *near))


def _pattern(pairs: Sequence[Pair], best: Pair) -> Convention:
    name = split_test_name(best.test)
    same = [
        each
        for each in pairs
        if (split_test_name(each.test).before, split_test_name(each.test).after) == (name.before, name.after)
    ]
    return Convention(f"{name.before}{{name}}{name.after}.{name.ending}", len(same), len(pairs))


def _first(path: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    return (path, *(each for each in paths if each != path))


def _nearest(tests: Sequence[str], target: str) -> tuple[str, ...]:
    """The tests whose names or folders have most to do with the target's, best first."""
    folders = set(target.split("/")[:-1])
    stem = target.rpartition("/")[2].rpartition(".")[0].lower()
    by_folder: dict[str, int] = {}
    ranked = []
    for path in tests:
        folder, _, name = path.rpartition("/")
        nearness = by_folder.get(folder)
        if nearness is None:
            nearness = by_folder[folder] = _nearness(folder, target, folders)
        ranked.append((stem not in name.lower(), -nearness, path))
    named = nsmallest(_MOST_NAMED, (each for each in ranked if not each[0]))
    others = nsmallest(_MOST_NEAR, ((nearness, path) for _, nearness, path in ranked))
    return tuple(dict.fromkeys([*(path for _, _, path in named), *(path for _, path in others)]))


def _nearness(folder: str, target: str, folders: set[str]) -> int:
    """How many folders two paths have in common, those they begin with counting twice."""
    mine = folder.split("/")
    shared = len(posixpath.commonprefix([mine, target.split("/")[:-1]]))
    return shared + sum(part in folders for part in mine)


def _usual(target: FileRecord, pattern: str) -> str:
    folder, _, name = target.path.rpartition("/")
    stem, _, ending = name.rpartition(".")
    project, _, inner = folder.partition("/")
    crate = folder.partition("src")[0] if "src" in folder.split("/") else ""
    path = pattern.format(
        folder=folder,
        stem=stem if stem != "__init__" else folder.rpartition("/")[2] or "package",
        ending=f".{ending}",
        project=project or "Project",
        inner=inner,
        package=(target.package or "").replace(".", "/"),
        path=target.path,
        crate=crate,
    )
    if "src/main/java" in folder:
        home = folder.partition("src/main/java")[0]
        path = f"{home}{path}"
    return posixpath.normpath(path.lstrip("/"))
