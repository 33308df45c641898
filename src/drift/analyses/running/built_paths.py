"""Paths that tests build of parts: `request.AppendPath("orders").AppendPath(id).Post()`.

What it does: puts the parts of one chain together, what is no text as a part that any text fits; where a call is given
several parts, the texts of its lines are put where a route has them.
Known limits: parts that are added in other functions; of several texts in one call more than a few.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.routes import Routes
from drift.index.ids import SymbolId
from drift.index.run_records import PathText

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.run_records import BuiltPart

_OPEN: Final = "{}"
_MOST_PARTS: Final = 8
_LINES_OF_CHAIN: Final = 6
_LAST: Final = re.compile(r"[.:>]\s{0,9}(\w{1,80})\Z")


class _Chain(NamedTuple):
    """The parts of a path that one chain of calls names, and the lines they stand in."""

    caller: SymbolId
    line: int
    last: int
    parts: tuple[str, ...]


def built_paths(reader: "IndexReader", routes: Routes) -> list[tuple[PathText, str, bool]]:
    """The paths that chains of calls in tests build, as far as a route has them."""
    chains = list(_chains(reader))
    said = _said(reader, chains)
    return [
        (PathText(chain.caller, path, chain.line, 1), path, False)
        for chain in chains
        if (path := _path(chain, said[chain.caller], routes)) is not None
    ]


def _chains(reader: "IndexReader") -> Iterator[_Chain]:
    building = _rules()
    words = [word for word, text in reader.starts.texts_of_test_calls() if _is_building(text, building)]
    open_chain: _Chain | None = None
    for call in reader.starts.building(words) if words else ():
        parts = _parts_of(call)
        is_more = (
            open_chain is not None
            and open_chain.caller == call.caller_id
            and call.line - open_chain.last <= _LINES_OF_CHAIN
            and _is_continued(call.text, building)
        )
        if is_more and open_chain is not None:
            open_chain = open_chain._replace(last=call.line, parts=(*open_chain.parts, *parts))
            continue
        if open_chain is not None:
            yield open_chain
        open_chain = _Chain(call.caller_id, call.line, call.line, parts)
    if open_chain is not None:
        yield open_chain


def _is_building(text: str, building: re.Pattern[str]) -> bool:
    last = _LAST.search(text)
    return last is not None and building.fullmatch(last[1]) is not None


def _is_continued(text: str, building: re.Pattern[str]) -> bool:
    """Whether what a part is added to has such parts already."""
    return any(building.fullmatch(each) for each in re.findall(r"\.\s{0,9}(\w{1,80})\s{0,9}\(", text))


def _parts_of(call: "BuiltPart") -> tuple[str, ...]:
    """The parts that a call adds; its text is the first of them that is one."""
    if call.literal is None:
        return (_OPEN,) * max(call.given, 1)
    first = [each for each in call.literal.split("?")[0].split("/") if each]
    return (*first, *(_OPEN,) * (call.given - 1))


def _said(reader: "IndexReader", chains: list[_Chain]) -> Mapping[SymbolId, dict[int, list[str]]]:
    """The texts of those who build paths, by line."""
    found: dict[SymbolId, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    callers = {chain.caller for chain in chains if _OPEN in chain.parts}
    for _, line, value, symbol in reader.starts.texts_of(callers) if callers else ():
        found[symbol][line].append(value)
    return found


def _path(chain: _Chain, said: Mapping[int, list[str]], routes: Routes) -> str | None:
    """The path of a chain that a route has: with as many texts in the place of open parts as fit one."""
    if len(chain.parts) > _MOST_PARTS or all(each == _OPEN for each in chain.parts):
        return None
    holes = [place for place, each in enumerate(chain.parts) if each == _OPEN]
    lines = range(chain.line, chain.last + 1)
    words = [
        each for line in lines for each in said.get(line, ()) if each not in chain.parts and "/" not in each
    ]
    words = [each for each in words if re.fullmatch(r"[\w.-]{1,60}", each)]
    for count in range(min(len(words), len(holes)), -1, -1):
        for some in combinations(words, count):
            for places in combinations(holes, count):
                parts = list(chain.parts)
                for place, word in zip(places, some, strict=True):
                    parts[place] = word
                path = "/" + "/".join(parts)
                if routes.has_words(path, some):
                    return path
    return None


@cache
def _rules() -> re.Pattern[str]:
    tables = tomllib.loads(files("drift.analyses.running").joinpath("clients.toml").read_text("utf-8"))
    return re.compile(tables["building"]["calls"])
