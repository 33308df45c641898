"""Classes of Django's admin: who asks for a page of the admin runs the class that is registered for the model.

Example: `client.get("/admin/shop/order/")` and `reverse("admin:shop_order_changelist")` run the methods of
`@admin.register(Order) class OrderAdmin`.
Known limits: which of its methods a page asks for is not told apart; classes that are registered by a call are not known.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from drift.analyses.running.edges import Run
from drift.index.ids import SymbolId, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader

_ASKED: Final = 0.9
_OF_CLASS: Final = 0.6  # a page of a list and one of an object ask for different methods
_HELD: Final = 0.7
_REGISTERING: Final = re.compile(r"(?:\w{1,80}\.){0,4}admin\.register|register")
_MODELS: Final = re.compile(r"\(([\w.,\s]{1,300})")
_ACTIONS: Final = ("changelist", "add", "change", "delete", "history")
_FOLDER: Final = "admin"
_Page = tuple[str, str]
"""The application and the model of a page, as its path has them."""


def admin_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which tests run which classes of the admin, and what these run."""
    names = [each for each in reader.running.decorator_names() if _REGISTERING.fullmatch(each)]
    marks = [one for one in reader.running.decorated(names) if one.kind == "class"] if names else []
    if not marks:
        return
    paths = reader.pages.paths({file_of_symbol(one.symbol_id) for one in marks})
    pages: dict[_Page, set[SymbolId]] = defaultdict(set)
    for mark in marks:
        application = _application(paths.get(file_of_symbol(mark.symbol_id), ""))
        said = _MODELS.search(mark.text)
        for part in said[1].split(",") if said is not None else ():
            pages[application, part.strip().rpartition(".")[2].lower()].add(mark.symbol_id)
    for asking, page in _asked(reader, pages):
        yield from (Run(asking, one, _ASKED) for one in pages.get(page, ()))
    classes = {one.symbol_id for one in marks}
    for owner in classes:
        yield from (
            Run(owner, one.id, _OF_CLASS) for one in reader.symbols.members(owner) if one.kind == "method"
        )
    for owner, held, _ in reader.objects.in_bodies(classes):
        yield Run(owner, held, _HELD)
        yield from (
            Run(held, one.id, _OF_CLASS) for one in reader.symbols.members(held) if one.kind == "method"
        )


def _asked(reader: "IndexReader", pages: dict[_Page, set[SymbolId]]) -> Iterator[tuple[SymbolId, _Page]]:
    """What asks for pages of the admin, by path and by name."""
    for text in reader.running.paths_in_tests():
        parts = text.value.partition("?")[0].strip("/").split("/")
        if _FOLDER in parts:
            said = parts[parts.index(_FOLDER) + 1 :]
            if len(said) > 1:
                yield text.symbol_id, (said[0], said[1])
    named = {f"{app}_{model}_{action}": (app, model) for app, model in pages for action in _ACTIONS}
    for text in reader.running.names_in_tests(named):
        page = named.get(text.value.rpartition(":")[2])
        if page is not None:
            yield text.symbol_id, page


def _application(path: str) -> str:
    """The folder of an application, whose admin is a file or a folder of files."""
    above = [each for each in path.split("/")[:-1] if each != _FOLDER]
    return above[-1] if above else ""
