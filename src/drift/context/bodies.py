"""What stands in the source files of a project, read when it is asked for: always the text as it is now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from drift.index.file_queries import FileStamp
from drift.index.path_text import text_to_path
from drift.kernel.reading import ProjectFiles

_MOST_FILE_BYTES: Final = 500_000
_MOST_BYTES: Final = 24_000_000
_PASSAGE_BYTES: Final = 2_000
_PASSAGE_STEP: Final = 1_500


class Corpus(NamedTuple):
    """Texts in lower case by path, and how many files were left out: too much to read, or gone since."""

    texts: Mapping[str, bytes]
    left_out: int


def read_corpus(root: Path, files: Iterable[FileStamp]) -> Corpus:
    """The texts of the files, the first of them up to a sum of bytes; long ones by their beginning."""
    texts: dict[str, bytes] = {}
    left_out = read_bytes = 0
    with ProjectFiles(root) as opener:
        for each in files:
            if read_bytes >= _MOST_BYTES:
                left_out += 1
                continue
            try:
                content = read_text(opener, each.path)
            except (OSError, ValueError):
                left_out += 1
                continue
            texts[each.path] = content.lower()
            read_bytes += len(content)
    return Corpus(texts, left_out)


def read_text(files: ProjectFiles, path: str) -> bytes:
    """The beginning of a file of the index, most often all. A link in its place is not followed."""
    return files.read_beginning(text_to_path(path), _MOST_FILE_BYTES, follow_links=False)


def count_terms(corpus: Corpus, terms: Sequence[str]) -> dict[str, dict[str, int]]:
    """For each term how often each file has it, as a word or within one; files without it are left out.

    Looking for parts of words does what splitting names and stemming would: `serializ` is in both
    `JSONSerializer` and `serialization`.
    """
    counts: dict[str, dict[str, int]] = {term: {} for term in terms}
    needles = {term: term.lower().encode("utf-8", "replace") for term in counts}
    # A name stands only where its parts do: looking for those first spares most of the texts the search.
    shortest_first = sorted(needles.items(), key=lambda pair: len(pair[1]))
    wanted = [
        (counts[term], needle, [counts[part] for part, inner in shortest_first[:number] if inner in needle])
        for number, (term, needle) in enumerate(shortest_first)
    ]
    for path, text in corpus.texts.items():
        for by_path, needle, parts in wanted:
            if all(path in part for part in parts) and (found := text.count(needle)):
                by_path[path] = found
    return counts


def weigh_passages(text: bytes, weights: Mapping[str, float]) -> float:
    """The weight of the terms that stand together in the best passage of a text, some fifty lines long."""
    needles = [(term.lower().encode("utf-8", "replace"), weight) for term, weight in weights.items()]
    return max(
        (sum(weight for needle, weight in needles if needle in passage) for passage in _passages(text)),
        default=0.0,
    )


def _passages(text: bytes) -> Iterator[bytes]:
    for start in range(0, max(1, len(text) - _PASSAGE_BYTES + _PASSAGE_STEP), _PASSAGE_STEP):
        yield text[start : start + _PASSAGE_BYTES]
