"""How the tests nearest to a file are written, counted over their text."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.index_cache import PerState
from drift.analyses.source_text import read_lines
from drift.analyses.test_templates.dialects import Dialect, Signs
from drift.analyses.test_templates.naming import learn_naming
from drift.analyses.test_templates.rows import Convention, ExampleTest
from drift.index.records import SymbolRecord

if TYPE_CHECKING:
    from drift.index import IndexReader

_MOST_READ: Final = 10
_MOST_LINES: Final = 300  # a file shows its style early
_MOST_NEAR: Final = 60
_MOST_LOOKED_AT: Final = 20  # files of tests that hold none are passed over
_MOST_FILE_LINES: Final = 100_000
_MOST_SAMPLES: Final = 300  # kept, of some ten thousand characters each
_MOST_OPENED: Final = 4  # whose symbols are asked for, too
_SCRIPT_TEST: Final = re.compile(r"<callback of (?:it|test)\b")
_BLOCK_TEST: Final = re.compile(r"<(?:it|test|specify|scenario|example|its)>")
_BLOCK_NAMES: Final = re.compile(r"^[^\S\n]*(?:it|test|specify|scenario)[ (](['\"])(.+?)\1", re.MULTILINE)
_SCRIPT_NAMES: Final = re.compile(r"^[^\S\n]*(?:it|test)(?:\.\w+)?\(\s*(['\"`])(.+?)\1", re.MULTILINE)
_PREVIEW_LINES: Final = 24
_SHORTEST_EXAMPLE: Final = 4
_NO_TESTS: Final = "no test in the project to learn from: the usual choice of the language"


class Sample(NamedTuple):
    """A test file that was read, and its tests and classes."""

    path: str
    text: str
    tests: tuple[SymbolRecord, ...]
    classes: tuple[SymbolRecord, ...]
    has_symbols: bool = True


class _Samples:
    """The samples of one state of an index, and what each was found to do."""

    def __init__(self) -> None:
        self.by_path: dict[str, Sample | None] = {}
        self.found: dict[tuple[str, int], str | None] = {}


_kept: Final = PerState[_Samples]()


class Habits(NamedTuple):
    """What most of the samples do, and the samples."""

    framework: Convention
    style: Convention
    naming: Convention | None
    mock: Convention | None
    assertion: Convention | None
    samples: tuple[Sample, ...]


def learn_habits(reader: "IndexReader", root: Path, paths: Iterable[str], dialect: Dialect) -> Habits:
    """The habits of test files, which come nearest first."""
    kept, samples = _kept.get(reader, _Samples), list[Sample]()
    listed = list(islice(paths, _MOST_NEAR))
    # The nearest first, then what is called a test rather than what only stands beside tests.
    listed[1:] = sorted(
        listed[1:],
        key=lambda path: "test" not in (name := path.rpartition("/")[2].lower()) and "spec" not in name,
    )
    for path in listed[:_MOST_LOOKED_AT]:
        sample = _sample(reader, root, path, kept, with_symbols=len(samples) < _MOST_OPENED)
        if sample is not None and any(each.search(sample.text) for each in dialect.framework.values()):
            samples.append(sample)
        if len(samples) == _MOST_READ:
            break
    names = [name for each in samples for name in _names(each)]
    none = (0, 0, _NO_TESTS)
    return Habits(
        _elect(samples, dialect.framework, kept) or Convention(dialect.default_framework, *none),
        _elect(samples, dialect.style, kept) or Convention(dialect.default_style, *none),
        learn_naming(names),
        _elect(samples, dialect.mock, kept),
        _elect(samples, dialect.assertion, kept),
        tuple(samples),
    )


def majority(texts: Iterable[str]) -> str | None:
    """What stands most often, the first of equals."""
    counts = Counter(texts)
    return counts.most_common(1)[0][0] if counts else None


def pick_example(samples: Sequence[Sample], root: Path) -> ExampleTest | None:
    """A test of a readable length from the nearest file that has one."""
    for sample in samples:
        fitting = [
            each
            for each in sample.tests
            if _SHORTEST_EXAMPLE <= each.end_line - each.line + 1 <= _PREVIEW_LINES
        ]
        for test in (fitting or sample.tests)[:1]:
            count = min(test.end_line - test.line + 1, _PREVIEW_LINES)
            lines = read_lines(root, sample.path, first=test.line, count=count)
            if lines:
                return ExampleTest(sample.path, test.line, "\n".join(lines))
    return None


def tests_among(symbols: Iterable[SymbolRecord]) -> tuple[SymbolRecord, ...]:
    """The symbols that are tests."""
    return tuple(
        each
        for each in symbols
        if "test" in each.modifiers or _SCRIPT_TEST.match(each.name) or _BLOCK_TEST.fullmatch(each.name)
    )


def _sample(
    reader: "IndexReader", root: Path, path: str, kept: _Samples, *, with_symbols: bool
) -> Sample | None:
    """A test file as it was when first read; some are read without their symbols."""
    if path not in kept.by_path or (with_symbols and not _has_symbols(kept.by_path[path])):
        while len(kept.by_path) >= _MOST_SAMPLES:
            kept.by_path.pop(next(iter(kept.by_path)), None)
        kept.by_path[path] = _read(reader, root, path, with_symbols=with_symbols)
    return kept.by_path[path]


def _has_symbols(sample: Sample | None) -> bool:
    return sample is None or sample.has_symbols


def _read(reader: "IndexReader", root: Path, path: str, *, with_symbols: bool) -> Sample | None:
    record = reader.files.at(path)
    if record is None:
        return None
    lines = read_lines(root, path, first=1, count=_MOST_FILE_LINES)
    # Rust has its tests behind the code they are of.
    text = "\n".join(lines[-_MOST_LINES:] if record.role != "test" else lines[:_MOST_LINES])
    symbols = reader.symbols.of_file(record.id) if with_symbols else []
    classes = tuple(each for each in symbols if each.kind == "class")
    return Sample(path, text, tests_among(symbols), classes, has_symbols=with_symbols)


def _names(sample: Sample) -> list[str]:
    if sample.path.rpartition(".")[2] in {"js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"}:
        # A name of one word would pass for an identifier.
        return [f"{name} " for _quote, name in _SCRIPT_NAMES.findall(sample.text)]
    if sample.path.endswith(".rb") and (found := _BLOCK_NAMES.findall(sample.text)):
        return [f"{name} " for _quote, name in found]
    return [each.name for each in sample.tests]


def _elect(samples: Sequence[Sample], signs: Signs, kept: _Samples) -> Convention | None:
    """The way most files have; each speaks for the first that fits it."""
    counts: Counter[str] = Counter()
    for sample in samples:
        key = sample.path, id(signs)  # signs live as long as the process
        if key not in kept.found:
            kept.found[key] = next((name for name, sign in signs.items() if sign.search(sample.text)), None)
        found = kept.found[key]
        if found is not None:
            counts[found.partition("#")[0]] += 1
    if not counts:
        return None
    best = max(counts, key=lambda name: (counts[name], name))
    return Convention(best, counts[best], len(samples))
