"""Which of the routes that a view set is registered for it answers, and which verbs a view does: view_sets.toml."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final

from drift.index.route_rows import ANY_METHOD, RouteRow, ViewSetRow

_LIMITS: Final = "http_method_names"
_WORD: Final = re.compile(r"""["'](\w{1,20})["']""")
_MIXIN: Final = "Mixin"
_NO_PARENT: Final = "object"
_VERBS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
NO_ROUTE: Final = "USE"
"""The word for what is registered and answers nothing itself: a route without an action, as long as its class stays so."""


class ViewSets:
    """What the classes that routes lead to are, as far as they are view sets."""

    def __init__(self, rows: tuple[ViewSetRow, ...]) -> None:
        self._parents: dict[int, set[str]] = {}
        self._members: dict[int, dict[str, str]] = {}
        for row in rows:
            if row.is_parent:
                name = re.split(r"[\[(]", row.text)[0].rpartition(".")[2]
                self._parents.setdefault(row.handler_id, set()).add(name)
            else:
                self._members.setdefault(row.handler_id, {}).setdefault(row.name, row.text)

    def method_of(self, route: RouteRow) -> str:
        """The methods of a route that its class answers; nothing where there is none, all where that is not known."""
        if route.method == ANY_METHOD:
            return ",".join(self._verbs(route.handler_id or 0)) or ANY_METHOD
        actions = self._actions(route.handler_id) if route.handler_id is not None else None
        if actions is None or "," not in route.method:
            return route.method
        is_of_one = route.path.rstrip("/").endswith("}")
        rules = _rules()["actions"]
        answered = {rules[each]["method"] for each in actions if rules[each]["of_one"] == is_of_one}
        answered = self._limited(route.handler_id or 0, answered)
        return ",".join(each for each in route.method.split(",") if each in answered)

    def _verbs(self, handler: int) -> list[str]:
        """What a view answers, in the usual order; nothing where a parent outside may answer anything."""
        parents, known = self._parents.get(handler, set()), _rules()["views"]
        named = {each for each in parents if not each.endswith(_MIXIN)} - {_NO_PARENT}
        if not named or named - known.keys():
            return []
        own = {each.upper() for each in self._members.get(handler, {})}
        inherited = {verb for each in named for verb in known[each]}
        answered = self._limited(handler, own | inherited)
        return [each for each in _VERBS if each in answered]

    def _limited(self, handler: int, answered: set[str]) -> set[str]:
        """Without what a class says that it does not answer."""
        limits = self._members.get(handler, {}).get(_LIMITS)
        return answered if limits is None else answered & {each.upper() for each in _WORD.findall(limits)}

    def _actions(self, handler: int) -> set[str] | None:
        parents = self._parents.get(handler, set())
        known = _rules()["parents"]
        others = {each for each in parents - known.keys() if not each.endswith(_MIXIN)}
        is_view_set = any(each.endswith("ViewSet") for each in parents)
        if others or not is_view_set:
            return None
        brought: set[str] = {action for each in parents for action in known.get(each, ())}
        return brought | {each for each in self._members.get(handler, {}) if each in _rules()["actions"]}


@cache
def _rules() -> dict[str, Any]:
    return tomllib.loads(files("drift.scan").joinpath("view_sets.toml").read_text("utf-8"))
