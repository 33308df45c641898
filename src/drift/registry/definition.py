"""What is known of a tool before it is called: plain data, from its function or from the manifest."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from drift.index import Layer
from drift.kernel.arguments import Page
from drift.kernel.text import first_sentence
from drift.kernel.wire import Json
from drift.registry.categories import Category
from drift.registry.deprecation import Deprecation
from drift.registry.schema import Schema, listed
from drift.registry.scopes import PERSON, Scope
from drift.registry.tool_code import ToolCode

LEAST_TOKENS = 100

# Every tool takes these two; the pipeline acts on them, the tool's function never sees them.
SHARED_ARGUMENTS: Mapping[str, Schema] = {
    "project": {"type": "string", "maxLength": 4096},
    "maxTokens": {"type": "integer", "minimum": LEAST_TOKENS, "maximum": 100_000},
}
ENVELOPE_SCHEMA: Schema = {"type": "object", "required": ["meta"]}


class Tier(StrEnum):
    """How a call counts against the rate limits. Relayed calls count once, as what they relay to."""

    NORMAL = "normal"
    EXPENSIVE = "expensive"
    RELAY = "relay"


class Effect(StrEnum):
    """What a call may change. Clients approve reading tools without asking."""

    READS = "reads"
    WRITES = "writes"
    DESTROYS = "destroys"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool, by its name on the wire."""

    wire: str
    is_required: bool = False
    default: Json = None
    """What an absent one means, as a caller would write it."""
    is_project_file: bool = False
    may_be_elsewhere: bool = False
    """Whether it may also name a place in another registered project, and so choose that one."""
    must_exist: bool = False
    page: Page | None = None
    """What a page is where the call says nothing of it, if the argument is one."""

    @property
    def is_page(self) -> bool:
        return self.page is not None


@dataclass(frozen=True, eq=False)
class ToolDefinition:
    """Everything a surface, the pipeline, the command line and the docs say about a tool."""

    name: str
    load: Callable[[], ToolCode] = field(repr=False)
    """Loads the tool's module where nobody has yet."""
    category: Category
    title: str
    description: str
    tokens: tuple[int, int]
    ttl_seconds: int
    input_schema: Schema
    """The strict schema calls are checked against."""
    output_schema: Schema
    """The schema of `structuredContent`. An error has `code` and `message` in place of `data`."""
    parameters: tuple[Parameter, ...] = ()
    tier: Tier = Tier.NORMAL
    effect: Effect = Effect.READS
    is_idempotent: bool = True
    scopes: frozenset[Scope] = frozenset()
    action_scopes: Mapping[str, frozenset[Scope]] = field(default_factory=dict)
    """What single values of the argument `action`, and arguments that are true, need besides."""
    person_actions: Mapping[str, str] = field(default_factory=dict)
    """Those that only a person may do, each with the command to type."""
    needs: Layer | None = None
    first_links: str | None = None
    """The argument that names a symbol, of a tool that can answer once the files that mention it are linked."""
    languages: frozenset[str] = frozenset()
    version: int = 1
    deprecation: Deprecation | None = None
    method: str | None = None
    """The JSON-RPC method that it is, too."""
    is_snake: bool = False
    """Whether the names in its arguments and answers are in snake_case, as those of the methods by their own name."""
    max_tokens: int | None = None
    is_bridge: bool = False
    """Whether drift-analysis has the tool, too, shown where the project has memories."""
    is_long: bool = False
    """Whether its work grows with what it is given, so that no time fits all: it ends when done or cancelled."""
    is_async: bool = False
    has_stamp: bool = False
    """Whether its answers tell of more than the index: their age is told by the code's stamp, too."""
    asks: frozenset[str] = frozenset()
    """Arguments a person may be asked for where they are missing."""
    examples: tuple[Mapping[str, Any], ...] = ()

    def rights_for(self, arguments: Mapping[str, Any]) -> frozenset[str]:
        """The scopes a call with these arguments needs, PERSON among them where no scope is enough."""
        named = arguments.get("action")
        actions = [named] if isinstance(named, str) else []
        actions += [name for name, value in arguments.items() if value is True]
        person = {PERSON} if self.person_actions.keys() & actions else set()
        return self.scopes.union(person, *(self.action_scopes.get(action, ()) for action in actions))

    def effect_of(self, arguments: Mapping[str, Any]) -> Effect:
        """What a call with these arguments may do: where writing is a matter of the action, other actions read."""
        if self.effect is not Effect.WRITES or not self.action_scopes or Scope.WRITE in self.scopes:
            return self.effect
        named = arguments.get("action")
        known = {*self.action_scopes, *self.person_actions}
        is_writing = named is not None and (not isinstance(named, str) or named in known)
        is_writing |= any(arguments.get(each) not in (None, False) for each in known)
        return Effect.WRITES if is_writing else Effect.READS

    @property
    def is_relay(self) -> bool:
        return self.tier is Tier.RELAY

    @property
    def is_timed(self) -> bool:
        """Whether a call may last only so long; what a relay waits for has a limit of its own, or none."""
        return not (self.is_long or self.is_relay)

    @cached_property
    def code(self) -> ToolCode:
        """What a call runs."""
        return self.load()

    @cached_property
    def purpose(self) -> str:
        return first_sentence(self.description)

    @cached_property
    def file_parameters(self) -> tuple[Parameter, ...]:
        """Those that name files or folders of the project."""
        return tuple(parameter for parameter in self.parameters if parameter.is_project_file)

    @cached_property
    def listed_input_schema(self) -> Schema:
        """The same arguments as tools/list shows them, without the bounds every argument has."""
        shown = listed(self.input_schema)
        shown["properties"] |= {"project": {"type": "string"}, "maxTokens": {"type": "integer"}}
        return shown

    @property
    def annotations(self) -> dict[str, bool]:
        """The MCP hints; Drift works on this machine alone, so nothing is open-world."""
        hints = {"readOnlyHint": self.effect is Effect.READS, "openWorldHint": False}
        if self.effect is not Effect.READS:
            hints |= {"destructiveHint": self.effect is Effect.DESTROYS, "idempotentHint": self.is_idempotent}
        return hints
