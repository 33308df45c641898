"""What a call of a tool runs: its function, and those that are asked beside it."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, get_type_hints

from drift.kernel.arguments import Page, page_schema
from drift.kernel.wire import camel, plain
from drift.project import Project
from drift.registry.schema import decode

Stamp = Callable[[Project, Mapping[str, str]], str]
"""Tells from a project and the server's variables; it may read files and must not raise DriftError."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a function, by its name there and by its name on the wire."""

    name: str
    wire: str
    annotation: Any
    default: Any

    @property
    def is_required(self) -> bool:
        return self.default is inspect.Parameter.empty

    @property
    def page(self) -> Page | None:
        """What a page is where the call says nothing of it, if the argument is one."""
        if self.annotation is not Page:
            return None
        return self.default if isinstance(self.default, Page) else Page()


@dataclass(frozen=True, eq=False)
class ToolCode:
    """A tool's function, with what goes with it."""

    function: Callable[..., Any]
    stamp: Stamp | None = None
    """Another text for every change of what the answer tells beside the index, such as memories."""
    asks: Mapping[str, Callable[[], Sequence[str]]] = field(default_factory=dict)
    """For arguments a person may be asked for what there is to choose from."""
    serves_old: Callable[[Mapping[str, Any]], bool] | None = None
    """Of a tool that takes long: whether an old answer to these arguments, told as old, is better than a long wait."""
    is_snake: bool = False
    """Whether arguments have their names on the wire as they are, not in camelCase."""

    @cached_property
    def hints(self) -> Mapping[str, Any]:
        return get_type_hints(self.function, include_extras=True)

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        """Those of the function but the first, which is the call."""
        _call, *declared = inspect.signature(self.function).parameters.values()
        write = plain if self.is_snake else camel
        return tuple(Argument(p.name, write(p.name), self.hints[p.name], p.default) for p in declared)

    def bind(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Checked wire arguments as keyword arguments of the function; absent ones keep their defaults."""
        bound: dict[str, Any] = {}
        for argument in self.arguments:
            if (page := argument.page) is not None:
                paging = {name: given[name] for name in page_schema(page) if name in given}
                bound[argument.name] = replace(page, **paging)
            elif argument.wire in given:
                bound[argument.name] = decode(argument.annotation, given[argument.wire])
        return bound
