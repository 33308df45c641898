"""Duplicated code: clusters of clones, how much of each file they hold, and the function that would replace them.

What it does: reads the statements of the chosen files and finds those that repeat: word for word (exact), with other names
in the same places throughout (renamed), with a few statements put in, left out or changed (gapped), or by what is called in
which control flow (semantic). Why it matters: a fault mended in one copy lives on in the others.
Example: two views that differ in the model they load are a renamed clone, whose parameter is the model.
Known limits: clones are runs of statements within a block; one in which statements stand in another order is found as
the parts that kept theirs. Lines of semantic clones do not count as duplicated. Migrations and what else tools write once
(clones/written_once.toml) are left apart, unless nothing else is asked about.
"""

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from drift.analyses.graph_rows import shown_name
from drift.index.ids import FileId
from drift.index.path_text import text_to_path
from drift.kernel.errors import invalid
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.reading import ProjectFiles
from drift.kernel.text import plural
from drift.quality.clones import (
    CLONE_KINDS,
    Cluster,
    CodeFile,
    Corpus,
    Kind,
    Least,
    StatementReader,
    Statements,
    find_clones,
    leave_apart,
    propose,
)

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.records import FileRecord, SymbolRecord
    from drift.quality.scope import Scope

DetectionType = Literal["exact", "renamed", "gapped", "semantic", "all"]

DEFAULT_THRESHOLD: Final = 0.85
DEFAULT_MIN_LINES: Final = 5
_TOKENS_A_LINE: Final = 10  # of a clone at least: short lines are declarations, which look alike everywhere
_MOST_FILE_BYTES: Final = 20_000_000
_MOST_KEPT_STATEMENTS: Final = 2_000_000  # of all files together; a hundred bytes each
_MOST_RESULTS: Final = 4
_MOST_PLACES: Final = 20
_MOST_WORDED: Final = 100  # files whose names and literals are held for the rows of one answer


@dataclass(frozen=True, slots=True)
class ClonePlace:
    """Where a clone stands, and in which symbol."""

    file: str
    line: int
    end_line: int
    symbol: str | None


@dataclass(frozen=True, slots=True)
class ExtractionRow:
    """The function to keep or to make; `parameters` are what differs, `saved_lines` what would go."""

    way: Literal["keep", "extract"]
    function: str
    parameters: tuple[str, ...]
    saved_lines: int


@dataclass(frozen=True, slots=True)
class CloneRow:
    """Clones of each other. `similarity` is the share of statements, or of calls and control flow, they have in common."""

    id: str
    kind: Kind
    similarity: float
    lines: int
    tokens: int
    copies: int
    places: tuple[ClonePlace, ...]
    extract: ExtractionRow


@dataclass(frozen=True, slots=True)
class ClonedFileRow:
    """How much of a file's code stands elsewhere, too."""

    file: str
    duplicated_lines: int
    share: float
    clusters: int


class Options(NamedTuple):
    """What is looked for; `threshold` is how alike semantic clones have to be."""

    kinds: frozenset[Kind] = CLONE_KINDS
    min_lines: int = DEFAULT_MIN_LINES
    threshold: float = DEFAULT_THRESHOLD

    @property
    def least(self) -> Least:
        return Least(self.min_lines, self.min_lines * _TOKENS_A_LINE)


_ALL: Final = Options()


class Duplicates:
    """The clones of a scope, and the measures made of them."""

    def __init__(
        self, root: Path, corpus: Corpus, clusters: Sequence[Cluster], notes: tuple[str, ...]
    ) -> None:
        self.clusters = clusters
        self.notes = notes
        self.corpus = corpus
        self._root = root
        self._known_words: dict[str, dict[int, bytes]] = {}
        self._known_rows: dict[Cluster, CloneRow] = {}
        cloned = _cloned_statements(corpus, clusters)
        self.lines: Mapping[str, int] = {
            one.path: _count_lines(one.statements, range(len(one.statements))) for one in corpus.files
        }
        """The lines with statements, by file."""
        self.cloned: Mapping[str, int] = {
            one.path: _count_lines(one.statements, cloned[number])
            for number, one in enumerate(corpus.files)
            if number in cloned
        }
        """Those of them that are in clones."""

    @property
    def percentage(self) -> float:
        """How much of all lines with statements lies in clones."""
        return round(100 * sum(self.cloned.values()) / max(1, sum(self.lines.values())), 2)

    def share(self, path: str) -> float | None:
        """The part of a file's lines that lies in clones; None for a file without statements."""
        lines = self.lines.get(path)
        return self.cloned.get(path, 0) / lines if lines else None

    @property
    def counts(self) -> dict[str, int]:
        """How many clusters there are of each kind."""
        return dict(Counter(one.kind for one in self.clusters))

    @property
    def summary(self) -> str:
        files = plural(len(self.cloned), "file")
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in self.counts.items())
        told = f" ({kinds})" if kinds else ""
        return f"{plural(len(self.clusters), 'cluster')} of clones in {files}{told}; {self.percentage} % of the code"

    def files(self) -> list[ClonedFileRow]:
        """The files with clones, those with most duplicated lines first."""
        clusters: Counter[str] = Counter()
        for cluster in self.clusters:
            clusters.update({self.corpus.file_of(place.first).path for place in cluster.fragments})
        rows = [
            ClonedFileRow(path, count, round(count / self.lines[path], 3), clusters[path])
            for path, count in self.cloned.items()
        ]
        return sorted(rows, key=lambda row: (-row.duplicated_lines, row.file))

    def ranked(self) -> Ranked[Cluster]:
        """The clusters, those first that would save most lines."""
        return Ranked(self.clusters, self._sorts(), identity=self._identify)

    def rows(self, reader: "IndexReader", shown: Iterable[Cluster]) -> tuple[CloneRow, ...]:
        """Some clusters as an answer shows them."""
        return tuple(self._known_rows.get(one) or self._row(reader, one) for one in shown)

    def _sorts(self) -> dict[str, Sort[Cluster]]:
        return {
            "weight": Sort(lambda one: (-_weight(self.corpus, one), one.fragments[0].first), "desc"),
            "size": Sort(lambda one: (-self.corpus.tokens(one.fragments[0]), one.fragments[0].first), "desc"),
            "file": Sort(lambda one: (one.fragments[0].first,)),
        }

    def _identify(self, cluster: Cluster) -> str:
        """An id that moved lines leave alone: the kind, the files, and what the statements say."""
        digest = blake2b(cluster.kind.encode(), digest_size=8)
        for place in cluster.fragments:
            digest.update(self.corpus.file_of(place.first).path.encode("utf-8", "surrogatepass"))
            digest.update(bytes(self.corpus.operands_of(place)))
        return digest.hexdigest()

    def _row(self, reader: "IndexReader", cluster: Cluster) -> CloneRow:
        corpus = self.corpus
        symbols: list[SymbolRecord | None] = []
        for place in cluster.fragments:
            first, last = corpus.lines(place)
            symbols.append(_holder(reader, corpus.file_of(place.first).file_id, first, last))
        places = [
            ClonePlace(
                corpus.file_of(place.first).path, *corpus.lines(place), shown_name(symbol) if symbol else None
            )
            for place, symbol in zip(cluster.fragments, symbols, strict=True)
        ]
        way = propose(corpus, cluster, symbols, self._words(cluster))
        one = places[0]
        # The contents stay as they are, and with them what stands where: to read files again takes longest.
        row = self._known_rows[cluster] = CloneRow(
            self._identify(cluster),
            cluster.kind,
            cluster.similarity,
            one.end_line - one.line + 1,
            corpus.tokens(cluster.fragments[0]),
            len(places),
            tuple(places[:_MOST_PLACES]),
            ExtractionRow(way.way, way.function, way.parameters, way.saved_lines),
        )
        return row

    def _words(self, cluster: Cluster) -> dict[int, bytes]:
        """The texts of the operands in the file of the first place."""
        file = self.corpus.file_of(cluster.fragments[0].first)
        known = self._known_words.get(file.path)
        if known is None:
            if len(self._known_words) >= _MOST_WORDED:
                self._known_words.clear()
            known = self._known_words[file.path] = _read_words(self._root, file)
        return known


def _read_words(root: Path, file: CodeFile) -> dict[int, bytes]:
    try:
        with ProjectFiles(root) as files:
            content = files.read(text_to_path(file.path), _MOST_FILE_BYTES, follow_links=False)
    except OSError:
        return {}  # it is gone since: what differs cannot be told, where it stood can
    read = StatementReader().read(content, file.language, with_words=True)
    return read.words if read else {}


def find_duplicates(
    reader: "IndexReader",
    root: Path,
    scope: "Scope",
    options: Options = _ALL,
    *,
    check: Callable[[], None] = lambda: None,
) -> Duplicates:
    """The clones among the files of a scope. The same contents get the same answer without the work.

    `check` is called now and then, and ends the search by raising.
    """
    key = _key(root, scope, options)
    known = _kept.result(key)
    if known is not None:
        return known
    files, apart = leave_apart(scope.files)
    corpus, notes = _read(root, files, check)
    found = find_clones(
        reader, corpus, kinds=options.kinds, least=options.least, threshold=options.threshold, check=check
    )
    result = Duplicates(root, corpus, found.clusters, (*scope.notes, *notes, *apart, *found.notes))
    _kept.keep(key, result)
    return result


def kinds_of(wanted: DetectionType) -> frozenset[Kind]:
    """The kinds that a type of detection means."""
    return CLONE_KINDS if wanted == "all" else frozenset({wanted})


def refuse_gpu(*, wanted: bool) -> None:
    """Say why there is no help from one: the work is a walk over links, which it does no faster."""
    if wanted:
        raise invalid("gpu", "nothing here runs on one", hint="Leave it out: the search takes seconds.")


def _read(
    root: Path, files: Sequence["FileRecord"], check: Callable[[], None]
) -> tuple[Corpus, tuple[str, ...]]:
    found, unread = [], []
    reading = StatementReader()
    with ProjectFiles(root) as opened:
        for one in files:
            check()
            statements = _kept.statements(one, reading, opened)
            if statements is None:
                unread.append(one.path)
            elif len(statements):
                found.append(CodeFile(one.path, one.role, statements, one.id, one.language or ""))
    if not unread:
        return Corpus(found), ()
    note = f"{len(unread):,} files were not compared, such as {unread[0]}: changed since the scan, or of no known syntax"
    return Corpus(found), (note,)


class _Kept:
    """What is held between questions: the statements of contents, and the last results."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # calls of several clients run side by side
        self._statements: dict[tuple[str, str], Statements] = {}
        self._count = 0
        self._results: dict[bytes, Duplicates] = {}

    def result(self, key: bytes) -> Duplicates | None:
        return self._results.get(key)

    def keep(self, key: bytes, result: Duplicates) -> None:
        with self._lock:
            self._results[key] = result
            while len(self._results) > _MOST_RESULTS:
                self._results.pop(next(iter(self._results)))

    def statements(
        self, one: "FileRecord", reading: StatementReader, files: ProjectFiles
    ) -> Statements | None:
        """The statements of a file as the index knows it; None where it has changed or cannot be read."""
        key = one.hash, one.language or ""
        held = self._statements.get(key)
        if held is not None:
            return held
        try:
            content = files.read(text_to_path(one.path), _MOST_FILE_BYTES, follow_links=False)
        except OSError:
            return None
        found = reading.read(content, one.language or "") if len(content) == one.size else None
        if found is not None:
            with self._lock:
                self._count += len(found)
                if self._count > _MOST_KEPT_STATEMENTS:
                    self._statements.clear()
                    self._count = len(found)
                self._statements[key] = found
        return found


_kept: Final = _Kept()


def _key(root: Path, scope: "Scope", options: Options) -> bytes:
    digest = blake2b(repr((str(root), sorted(options.kinds), *options[1:])).encode())
    for one in scope.files:
        digest.update(f"{one.id}\0{one.path}\0{one.hash}\0".encode("utf-8", "surrogatepass"))
    return digest.digest()


def _cloned_statements(corpus: Corpus, clusters: Iterable[Cluster]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    for cluster in clusters:
        if cluster.kind != "semantic":
            for place in cluster.fragments:
                number = corpus.file_number(place.first)
                start = corpus.starts[number]
                found[number].update(range(place.first - start, place.last - start + 1))
    return found


def _count_lines(statements: Statements, chosen: Iterable[int]) -> int:
    """The lines that some statements stand on, each once."""
    count, last = 0, 0
    for one in sorted(chosen):
        first, end = max(statements.lines[one], last + 1), statements.end_lines[one]
        if end >= first:
            count += end - first + 1
            last = end
    return count


def _holder(reader: "IndexReader", file_id: int, first: int, last: int) -> "SymbolRecord | None":
    """The innermost symbol around some lines."""
    symbol = reader.symbols.at_line(FileId(file_id), first)
    # A file ends with its last statement, and pages of components go on behind it: it has nothing around it.
    while symbol is not None and symbol.end_line < last and symbol.kind != "module":
        symbol = reader.symbols.get(symbol.parent_id) if symbol.parent_id is not None else None
    return symbol


def _weight(corpus: Corpus, cluster: Cluster) -> int:
    """The tokens that would go with all copies but one, of semantic clones less: they have to be rewritten."""
    sizes = [corpus.tokens(place) for place in cluster.fragments]
    saved = sum(sizes) - max(sizes)
    return saved // 4 if cluster.kind == "semantic" else saved
