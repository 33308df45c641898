"""Code that nobody uses, each with the reasons why it may be alive."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Literal

from drift.analyses.dead_code import DeadSymbol, find_dead_code
from drift.analyses.markup import list_markup
from drift.index import IndexReader, Layer
from drift.index.path_text import text_to_path
from drift.kernel.answer import Answer, NextAction
from drift.kernel.reading import ProjectFiles
from drift.kernel.text import plural
from drift.registry import Call, Page, Tier, tool
from drift.registry.indexes import opened_index
from drift.tools.listing import Key, Sort, sort_page

_LEVELS = ("high", "medium", "low")
_MOST_FILE_BYTES = 5_000_000
_MOST_TEXT_BYTES = 200_000_000  # of the whole project; what is beyond is not looked through


def _key(one: DeadSymbol) -> Key:
    return -one.confidence, one.symbol.path, one.symbol.line, one.symbol.qualname


_SORTS: dict[str, Sort[DeadSymbol]] = {
    "confidence": Sort(_key, "desc"),
    "lines": Sort(lambda one: (-one.lines,), "desc"),
    "file": Sort(lambda one: (one.symbol.path, one.symbol.line)),
}


@dataclass(frozen=True, slots=True)
class DeadRow:
    """A symbol with no known use: how sure that is, how many lines would go, why it may be alive."""

    symbol: str
    kind: str
    file: str
    line: int
    lines: int
    confidence: float
    level: str
    doubts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeadCodeData:
    """What nobody uses, the surest first. `by_level` counts all, `left_out_exports` what may be used from outside."""

    by_level: dict[str, int]
    lines: int
    left_out_exports: int
    symbols: tuple[DeadRow, ...]


@tool(
    category="analysis",
    title="Dead code",
    tokens=(200, 2000),
    tier=Tier.EXPENSIVE,
    serves_old=lambda _arguments: True,
    needs=Layer.CALLS,
    examples=({}, {"path": "shop/", "minLevel": "high"}, {"withExports": True}),
)
def drift_dead_code(
    call: Call,
    path: Annotated[str | None, "Only files that begin so"] = None,
    min_level: Annotated[Literal["high", "medium", "low"], "Least confidence"] = "medium",
    with_exports: Annotated[bool, "Also what is exported on purpose"] = False,
    with_test_only: Annotated[bool, "Also what only tests use"] = False,
    page: Page = Page(limit=20, sorts=tuple(_SORTS)),
) -> Answer[DeadCodeData]:
    """Functions, methods and classes nobody calls, references, overrides or imports, with confidence and doubts."""
    beginning = "" if path == "." else (path or "").removeprefix("./")
    with opened_index(call) as reader:
        is_known = not beginning or any(one.path.startswith(beginning) for one in reader.files.stamps())
        found = find_dead_code(
            reader,
            _texts(call, reader),
            with_exports=with_exports,
            with_test_only=with_test_only,
        )
    wanted = [one for one in found.found if one.symbol.path.startswith(beginning)]
    left_out = sum(one.path.startswith(beginning) for one in found.left_out_exports)
    levels = _LEVELS[: _LEVELS.index(min_level) + 1]
    listed = [one for one in wanted if one.level in levels]
    shown, pagination = sort_page(call, page, listed, sorts=_SORTS)
    data = DeadCodeData(
        {level: sum(one.level == level for one in wanted) for level in _LEVELS},
        sum(one.lines for one in listed),
        left_out,
        tuple(map(_row, shown)),
    )
    less_sure = data.by_level["low"] if min_level != "low" else 0
    return Answer(
        f"{plural(len(listed), 'symbol')} with no known use ({data.by_level['high']} high confidence), "
        f"{plural(data.lines, 'line')}; {plural(left_out, 'exported one')} left out",
        data,
        pagination=pagination,
        next=tuple(
            call.suggest(
                "drift_callers",
                "look once more before deleting",
                symbol=f"{one.symbol.path}:{one.symbol.line}",
            )
            for one in shown[:1]
        )
        or _after_none(less_sure, path=path),
        warnings=() if is_known else (f"no indexed file begins with {path!r}",),
    )


def _texts(call: Call, reader: IndexReader) -> Iterator[tuple[str, bytes]]:
    """Pages with markup and the files the index knows, as they are now; one that cannot be read has nothing to say.

    Pages come first: of a name that stands in many places only the first are kept.
    """
    room = _MOST_TEXT_BYTES
    known = ((one.path, one.size) for one in reader.files.stamps())
    pages = ((path, 0) for path in list_markup(call.project.root))
    with ProjectFiles(call.project.root) as files:
        for path, size in chain(pages, known):
            if size > room:
                continue
            text = _read(files, text_to_path(path))
            room -= len(text)
            call.check_cancelled()
            yield path, text


def _read(files: ProjectFiles, path: str) -> bytes:
    try:
        return files.read_beginning(path, _MOST_FILE_BYTES)
    except OSError:  # deleted or forbidden since the scan, or a link that leads out of the project
        return b""


def _row(one: DeadSymbol) -> DeadRow:
    symbol = one.symbol
    return DeadRow(
        symbol.qualname,
        symbol.kind,
        symbol.path,
        symbol.line,
        one.lines,
        one.confidence,
        one.level,
        tuple(f"{doubt.kind}: {doubt.evidence}" for doubt in one.doubts),
    )


def _after_none(less_sure: int, *, path: str | None) -> tuple[NextAction, ...]:
    if not less_sure:
        return ()
    arguments = {"minLevel": "low", **({"path": path} if path else {})}
    why = f"see {less_sure} that may well be used in ways calls do not show"
    return (NextAction("drift_dead_code", arguments, why),)
