"""Functions that frameworks make of the names of routes, and which tests call for the paths of requests."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from drift.index.run_records import PathText

if TYPE_CHECKING:
    from drift.index import IndexReader

_MOST_PATHS_OF_NAME: Final = 4
_LAST_PART: Final = re.compile(r"[.:>]")


def made_by_names(reader: "IndexReader", endings: Iterable[str]) -> Iterator[tuple[PathText, str, bool]]:
    """The paths that functions make which Rails names after routes: `get edit_order_path(order)`."""
    named: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for one in reader.pages.route_names():
        for ending in endings:
            named[one.language][f"{one.name}{ending}"].append(one.path)
    for language, paths in named.items():
        files = reader.pages.test_files_in(language)
        words = {
            word: text
            for word, text in (reader.testing.call_texts(files).items() if files else ())
            if _LAST_PART.split(text)[-1] in paths
        }
        for call in reader.testing.calls_written(files, words) if words else ():
            for path in paths[_LAST_PART.split(call.text)[-1]][:_MOST_PATHS_OF_NAME]:
                yield PathText(call.caller_id, path, call.line, 1), path, True
