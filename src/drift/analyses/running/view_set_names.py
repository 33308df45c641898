"""The names that routers of Django's REST framework give to routes of view sets: `order-list`, `order-pay`."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.run_records import Registered

ACTIONS: Final = ("action", "decorators.action", "detail_route", "list_route")
_URL_NAME: Final = re.compile(r"""\burl_name\s*=\s*["']([^"']{1,100})["']""")
# queryset = Order.objects.all(): what a view set is named after where its registration does not say.
_OF_MODEL: Final = re.compile(r"=\s*(?:\w{1,80}\.){0,4}?(\w{1,80})\.(?:_default_manager|[a-z_]*objects)\b")
_QUERYSET: Final = "queryset"
_ALL: Final = "list"
_ONE: Final = "detail"


class ViewSetNames:
    """The view sets that registrations stand for, and the names of the routes of each."""

    def __init__(self, reader: "IndexReader", registered: Iterable["Registered"]) -> None:
        # One registration stands for two routes: to all objects, and to one of them.
        times = Counter((one.symbol, one.line, one.handler) for one in registered)
        self._view_sets = {handler for (_, _, handler), count in times.items() if count > 1}
        self._actions = (
            {one.symbol_id: _end_of(one.name, one.text) for one in reader.running.decorated(ACTIONS)}
            if self._view_sets
            else {}
        )
        self._models = self._read_models(reader)

    def of(self, view_set: SymbolId, beside: Iterable[str]) -> Sequence[str]:
        """What the names of the routes of a view set begin with: texts beside its registration, and its model."""
        return sorted({*beside, *self._models.get(view_set, ())}) if view_set in self._view_sets else ()

    def end_of(self, handler: SymbolId, *, is_of_one: bool) -> str:
        """What the name of a route ends with: that of its action, else whether it is about one object."""
        return self._actions.get(handler) or (_ONE if is_of_one else _ALL)

    def _read_models(self, reader: "IndexReader") -> Mapping[SymbolId, Collection[str]]:
        found: dict[SymbolId, set[str]] = defaultdict(set)
        for view_set in self._view_sets:
            for member in reader.symbols.members(view_set):
                model = _OF_MODEL.search(member.signature or "") if member.name == _QUERYSET else None
                if model is not None:
                    found[view_set].add(model[1].lower())
        return found


def _end_of(name: str, decorator: str) -> str:
    said = _URL_NAME.search(decorator)
    return said[1] if said else name.replace("_", "-")
