"""Search: lines of the project's texts by what is written in them."""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from drift.analyses.usages.search import Hit, Hits, Wish, find_text
from drift.index import IndexReader, Layer
from drift.kernel.answer import Answer, NextAction
from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.linear_patterns import PatternError
from drift.kernel.ranking import Ranked, Sort, as_found
from drift.kernel.similar import similar_names
from drift.kernel.text import plural, shorten
from drift.registry import Call, Length, Page, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer

Mode = Literal["literal", "regex", "identifier"]
Role = Literal["source", "test", "config", "generated", "vendored", "doc"]
HitKind = Literal["code", "comment", "string", "template", "doc", "config", "other"]

_LONGEST_LINE = 120


@dataclass(frozen=True, slots=True)
class HitRow:
    """A line that was found, and the symbol it stands in."""

    file: str
    line: int
    text: str
    symbol: str | None = None


@dataclass(frozen=True, slots=True)
class SearchData:
    """The lines by file: where a name is declared first, then the product, tests, other texts."""

    files: int
    hits: tuple[HitRow, ...]


@tool(
    category="surgical",
    title="Search text",
    tokens=(200, 1200),
    ttl=0,
    needs=Layer.SYMBOLS,
    examples=({"query": "total"}, {"query": "def \\w+_price", "mode": "regex", "language": "python"}),
)
def drift_search(
    call: Call,
    query: Annotated[str, Length(500), "Text, pattern, or words of a name"],
    *,
    mode: Annotated[Mode, "identifier: names with all the words, however joined"] = "literal",
    language: Annotated[str | None, Length(40), "python, go, …"] = None,
    role: Role | None = None,
    path: Annotated[str | None, Length(500), "Pattern: src/**/*.py, docs/"] = None,
    kind: Annotated[HitKind | None, "Only in this part of the texts"] = None,
    match_case: Annotated[bool | None, "Usually where the query has capitals"] = None,
    page: Page = Page(limit=40),
) -> Answer[SearchData]:
    """Lines of code, templates, settings and docs with a text, linear regex or identifier words; by file, ranked."""
    if not query.strip() or "\n" in query:
        raise invalid("query", "give a text of one line")
    wish = Wish(query, mode, match_case, language, role, path, kind)
    with opened_index(call) as reader:
        _check_language(reader, language)
        found = _find(reader, call.project.root, wish)
        hits = Ranked(found.hits, {"found": Sort(as_found)})
        some = "more than " if found.is_cut else ""
        counted = f"{some}{plural(len(found.hits), 'line')} in {plural(found.files, 'file')}"
        data = partial(_data, reader, found.files)
        answer = list_answer(call, page, hits, data, summary=f"{counted} with {_described(wish)}")
    return replace(answer, next=_next(answer.data.hits, wish), warnings=_cautions(found))


def _find(reader: IndexReader, root: Path, wish: Wish) -> Hits:
    try:
        return find_text(reader, root, wish)
    except PatternError as error:
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            f"query: {error}",
            Recovery(hint="Patterns are matched in linear time. mode=literal takes any text as it is."),
        ) from error


def _data(reader: IndexReader, files: int, shown: tuple[Hit, ...]) -> SearchData:
    return SearchData(files, tuple(_row(reader, hit) for hit in shown))


def _check_language(reader: IndexReader, language: str | None) -> None:
    if language is None:
        return
    known = reader.listings.languages()
    if language not in known:
        raise invalid(
            "language",
            f"no file is {language!r}; there are {', '.join(known) or 'none'}",
            similar=similar_names(language, known),
        )


def _row(reader: IndexReader, hit: Hit) -> HitRow:
    around = reader.symbols.at_line(hit.file_id, hit.line) if hit.file_id is not None else None
    name = around.qualname if around is not None and around.kind != "module" else None
    return HitRow(hit.path, hit.line, shorten(hit.text, _LONGEST_LINE), name)


def _described(wish: Wish) -> str:
    given = [f"{name} {value}" for name, value in wish._asdict().items() if name in _FILTERS and value]
    where = f" in {', '.join(given)}" if given else ""
    return f"{wish.mode} {wish.query!r}{where}"


_FILTERS = frozenset({"language", "role", "path", "kind"})


def _next(rows: tuple[HitRow, ...], wish: Wish) -> tuple[NextAction, ...]:
    if not rows:
        if wish.mode != "identifier" and wish.query.isprintable():
            return (
                NextAction(
                    "drift_search", {"query": wish.query, "mode": "identifier"}, "names of such words"
                ),
            )
        return (
            NextAction("drift_context", {"intent": "understand_code", "focus": wish.query}, "by meaning"),
        )
    first = next((row for row in rows if row.symbol), None)
    if first is None:
        return ()
    return (
        NextAction(
            "drift_references", {"symbol": f"{first.file}:{first.line}"}, "all uses of that symbol", "low"
        ),
    )


def _cautions(found: Hits) -> tuple[str, ...]:
    left_out = found.left_out_files
    cut = ("too many lines to list: narrow it by path, language, role or kind",) if found.is_cut else ()
    large = (f"{plural(left_out, 'file')} not looked through: the project is too large",) if left_out else ()
    return (*cut, *large)
