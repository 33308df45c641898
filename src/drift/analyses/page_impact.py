"""What a change of a page that is no code may touch: who fills it, or a page that takes it in, and who uses those.

Why it matters: such a page has no symbols, so a change of it would seem to touch nothing.
Known limits: pages whose name is put together, and those that a framework finds by a name that nobody says.
"""

from typing import TYPE_CHECKING, Final

from drift.analyses.impact import Arrival, Impact, find_impact, package_of
from drift.analyses.running.filled_pages import find_filled_pages
from drift.index.ids import FileId, SymbolId, file_of_symbol, file_symbol
from drift.index.walk import Reached
from drift.kernel.text import plural

if TYPE_CHECKING:
    from drift.index import IndexReader

_MOST_DEEP: Final = 8  # pages in pages
_MOST_TOLD: Final = 5
_NOBODY: Final = "No code is seen to name this page or one that takes it in: settings, a framework, or a name that is put together may"


def find_page_impact(
    reader: "IndexReader", page: FileId, *, max_depth: int
) -> tuple[Impact, tuple[str, ...]]:
    """What a change of a page may touch, and in words which pages take it in, or that nobody is seen to show it."""
    pages = find_filled_pages(reader)
    start = file_symbol(page)
    level, around = {page}, {page}
    filling: dict[SymbolId, int] = {}
    for depth in range(1, _MOST_DEEP + 1):
        for here in level:
            for user in pages.fillers.get(here, {}):
                filling.setdefault(user, depth)
        level = {each for here in level for each in pages.takers.get(here, ())} - around
        around |= level
    # What the body of a class names its methods show.
    beyond = find_impact(reader, reader.symbols.many(filling), max_depth=max_depth)
    direct = tuple(Reached(user, 1, start) for user in filling)
    far = tuple(one._replace(depth=one.depth + 1) for one in beyond.product if one.symbol_id not in filling)
    places = reader.graph.file_places({file_of_symbol(one.symbol_id) for one in (*direct, *far)})
    impact = beyond._replace(
        starts=(start,),
        overridden=(),
        overriding=(),
        product=direct + far,
        tests=tuple(one._replace(depth=one.depth + 1) for one in beyond.tests),
        entries=tuple(Arrival(one.entry, one.depth + 1, one.path) for one in beyond.entries),
        files=tuple(places),
        packages=tuple(sorted({package_of(one) for one in places})),
    )
    return impact, (*_say_takers(reader, around - {page}), *(() if filling else (_NOBODY,)))


def _say_takers(reader: "IndexReader", pages: set[FileId]) -> tuple[str, ...]:
    paths = sorted(one.path for one in reader.graph.file_places(pages)) if pages else []
    if not paths:
        return ()
    more = f" and {plural(len(paths) - _MOST_TOLD, 'more page')}" if len(paths) > _MOST_TOLD else ""
    return (f"It is taken in by {', '.join(paths[:_MOST_TOLD])}{more}: who shows those shows it",)
