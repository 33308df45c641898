"""All tools there are, found by name, in one fixed order."""

from collections.abc import Iterable, Iterator
from types import ModuleType

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.similar import similar_names
from drift.kernel.text import shorten
from drift.kernel.wire import snake
from drift.registry.categories import CATEGORIES, ServerName
from drift.registry.declaration import MARK
from drift.registry.definition import ToolDefinition

_CATEGORY_ORDER = {name: position for position, name in enumerate(CATEGORIES)}
_LISTING = ("drift_discover", "drift_memory_discover", "catalog_discover")


class Toolbox:
    """The registered tools. The newest version of a tool goes by its plain name."""

    def __init__(self, tools: Iterable[ToolDefinition]) -> None:
        ordered = sorted(
            tools, key=lambda tool: (_CATEGORY_ORDER[tool.category.name], tool.name, -tool.version)
        )
        self._by_name: dict[str, ToolDefinition] = {}
        for tool in ordered:
            versioned = f"{tool.name}_v{tool.version}"
            if versioned in self._by_name:
                raise ValueError(f"two tools are called {tool.name} in version {tool.version}")
            self._by_name[versioned] = tool
            self._by_name.setdefault(tool.name, tool)
        self._newest = tuple(tool for tool in ordered if self._by_name[tool.name] is tool)
        self._all = tuple(ordered)

    def __iter__(self) -> Iterator[ToolDefinition]:
        return iter(self._newest)

    def __len__(self) -> int:
        return len(self._newest)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    @property
    def every_version(self) -> tuple[ToolDefinition, ...]:
        return self._all

    def of_server(self, server: ServerName) -> "Toolbox":
        """The tools of one server; to drift-analysis belong also those that bridge to the memories."""
        is_analysis = server is ServerName.ANALYSIS
        return Toolbox(
            tool for tool in self._all if tool.category.server is server or (is_analysis and tool.is_bridge)
        )

    def find(self, name: str) -> ToolDefinition | None:
        """The tool of that name. A seed's slash stands for an underscore, and so does its hump (`instructions/getEnhanced`)."""
        by_slash = name.replace("/", "_")
        return self._by_name.get(name) or self._by_name.get(by_slash) or self._by_name.get(snake(by_slash))

    def get(self, name: str) -> ToolDefinition:
        """The tool of that name, or an error with the names nearest to it."""
        # Agents leave out the word that nearly all names begin with.
        found = self.find(name) or self._by_name.get(f"drift_{name}")
        if found is not None:
            return found
        known = [tool.name for tool in self]
        listing = next((each for each in _LISTING if each in self._by_name), None)
        raise DriftError(
            ErrorCode.TOOL_NOT_FOUND,
            f"There is no tool named {shorten(name, 80)!r}",
            Recovery(
                hint=f"Call {listing} to see the tools there are." if listing else None,
                similar=similar_names(name, known),
            ),
        )


def collect_tools(modules: Iterable[ModuleType]) -> Toolbox:
    """The toolbox of every `@tool` function in the given modules."""
    found = [
        getattr(value, MARK)
        for module in modules
        for value in vars(module).values()
        if hasattr(value, MARK) and getattr(value, "__module__", None) == module.__name__
    ]
    return Toolbox(found)
