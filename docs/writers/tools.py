"""docs/tools.md: every tool of every server, as the registry defines it."""

import json
from datetime import date
from itertools import groupby

from drift.registry import (
    CATEGORIES,
    Intent,
    Parameter,
    ServerName,
    Tier,
    Toolbox,
    ToolDefinition,
    View,
    consolidated_tools,
    list_surface,
    load_packs,
    parse_surface,
    short_list,
    tools_for,
)
from drift.registry.consolidated import Consolidated
from drift.registry.definition import SHARED_ARGUMENTS
from drift.tools import declared_tools
from writers.markdown import WARNING, code, codes, fence, page, table
from writers.schemas import members_of, type_of

_INTRO = """\
# Tools

Every tool is one function, and everything below comes from it. A tool can be called by its own name on its
server, through the server's dispatcher (`drift_tool`, `drift_memory_manage`), and in a terminal with
`drift call NAME`. What lists show depends on the [surface](#surfaces); what can be called does not.

Every tool also takes `project`, the name, id or path of a registered project (the server's own by default), and
`maxTokens`, the budget of the answer's text ({max_tokens}).

Every answer has `summary`, `data` and `meta`, and where they apply `pagination`, `nextActions` and `warnings`:
see [protocol.md](protocol.md#answers). The tables list the members of `data`."""

_SURFACES_INTRO = """\
## Surfaces

A surface is the set of tools a server lists. Choose one with `drift mcp analysis --surface NAME`, or with
`mcp.surface` in [drift.toml](configuration.md).

`entry` is the default: a few doors, through which every tool is reached, within 500 tokens with the instructions. `core`
lists the questions asked most, each as a tool of its own, within 1,500 tokens; `save_memory` and `recall` are among them
where the project has memories. It fits clients that search for tools, since each is found by its own words and costs
nothing before. `entry`, `core` and `simple` show the arguments most callers need; the tools take all of them there, too."""

_CONSOLIDATED_INTRO = """\
### The consolidated surface

{count} action-style tools, each a mapping onto the tools above. Options whose tools this version does not have
are not listed and answer `NOT_REGISTERED`."""

_PACKS_INTRO = """\
### Packs

A pack lists the tools of one kind of task (`--surface pack:NAME`). A project adds its own as JSON files in
`.drift/packs/`. Tools that this version does not have are left out of the list."""

_INTENTS_INTRO = """\
### Intents

With `mcp.intent` set, lists show only the tools that serve it."""

# Far in the past, so that the page does not change on the day a tool is retired.
_EVERYTHING = View(today=date.min)


def write_tools() -> str:
    """The whole page."""
    toolbox = declared_tools()
    return page(
        WARNING,
        _INTRO.format(max_tokens=type_of(SHARED_ARGUMENTS["maxTokens"])),
        *(_write_server(server, toolbox.of_server(server)) for server in ServerName),
        _SURFACES_INTRO,
        _write_surfaces(toolbox),
        _CONSOLIDATED_INTRO.format(count=len(consolidated_tools())),
        _write_consolidated(toolbox),
        _PACKS_INTRO,
        _write_packs(toolbox),
        _INTENTS_INTRO,
        table(("Intent", "Tools"), ((code(intent), _names(tools_for(intent), toolbox)) for intent in Intent)),
    )


def _write_server(server: ServerName, tools: Toolbox) -> str:
    overview = table(
        ("Tool", "What it does", "Category", "Tokens"),
        (
            (f"[{code(tool.name)}](#{tool.name})", tool.purpose, tool.category.name, _cost(tool))
            for tool in tools
        ),
    )
    by_category = groupby(tools, key=lambda tool: tool.category.name)
    return page(
        f"## drift-{server}",
        overview,
        *(_write_category(name, list(group)) for name, group in by_category),
    )


def _write_category(name: str, tools: list[ToolDefinition]) -> str:
    return page(f"### {name}", f"{CATEGORIES[name].purpose}.", *map(_write_tool, tools))


def _write_tool(tool: ToolDefinition) -> str:
    return page(
        f"#### {tool.name}",
        tool.description,
        f"*{_facts(tool)}*",
        _write_arguments(tool),
        _write_answer(tool),
        _write_examples(tool),
    )


def _facts(tool: ToolDefinition) -> str:
    facts = [f"{_cost(tool)} tokens", str(tool.effect)]
    facts.append("scope " + " ".join(sorted(tool.scopes)) if tool.scopes else "scope of what it calls")
    facts.append(f"kept for {tool.ttl_seconds} s" if tool.ttl_seconds else "never cached")
    if tool.tier is Tier.EXPENSIVE:
        facts.append("counts as costly")
    if tool.needs is not None:
        facts.append(f"needs the {tool.needs} layer of the index")
    if tool.languages:
        facts.append("for " + ", ".join(sorted(tool.languages)))
    if tool.method is not None:
        facts.append(f"also the JSON-RPC method `{tool.method}`")
    if tool.version > 1:
        facts.append(f"version {tool.version}")
    if tool.deprecation is not None:
        facts.append(tool.deprecation.notice(tool.name).removesuffix("."))
    return "; ".join(facts) + "."


def _cost(tool: ToolDefinition) -> str:
    least, most = tool.tokens
    return f"{least:,} to {most:,}"


def _write_arguments(tool: ToolDefinition) -> str:
    schema = tool.listed_input_schema
    own = {name: inner for name, inner in schema["properties"].items() if name not in SHARED_ARGUMENTS}
    defaults = {parameter.wire: _default(parameter) for parameter in tool.parameters}
    rows = [
        (code(path), kind, defaults.get(path, "required" if is_required else ""), about)
        for path, kind, is_required, about in members_of({**schema, "properties": own})
    ]
    return table(("Argument", "Type", "Default", "About"), rows) if rows else "No arguments of its own."


def _default(parameter: Parameter) -> str:
    if parameter.is_required:
        return "required"
    if parameter.default is None or parameter.is_page:
        return ""
    return code(json.dumps(parameter.default))


def _write_answer(tool: ToolDefinition) -> str:
    data = tool.output_schema.get("properties", {}).get("data")
    if data is None:
        return "Answers as the tool it calls does."
    rows = (
        (code(path), kind, "always" if is_sure else "when it applies")
        for path, kind, is_sure, _about in members_of(data)
    )
    return table(("Answer", "Type", "There"), rows)


def _write_examples(tool: ToolDefinition) -> str:
    shown = [f"drift call {tool.name} --args '{json.dumps(example)}'" for example in tool.examples]
    return fence("\n".join(shown), "sh") if shown else ""


def _write_surfaces(toolbox: Toolbox) -> str:
    rows = []
    for server in ServerName:
        for name in ("entry", "core", "consolidated", "full"):
            shown = list_surface(
                parse_surface(name), toolbox.of_server(server), load_packs(), server=server, view=_EVERYTHING
            )
            absent = [] if name != "entry" else [n for n in short_list("entry", server) if n not in toolbox]
            later = f" (with later versions: {codes(absent)})" if absent else ""
            rows.append((f"drift-{server}", code(name), codes(tool.name for tool in shown) + later))
    return table(("Server", "Surface", "Tools listed"), rows)


def _write_consolidated(toolbox: Toolbox) -> str:
    rows = (
        (
            code(group.name),
            code(group.selector or ""),
            _options(group, toolbox, is_registered=True),
            _options(group, toolbox, is_registered=False),
        )
        for group in consolidated_tools().values()
    )
    return table(("Tool", "Selector", "Options and what they call", "With later versions"), rows)


def _options(group: Consolidated, toolbox: Toolbox, *, is_registered: bool) -> str:
    chosen = {
        name: option for name, option in group.options.items() if (option.tool in toolbox) is is_registered
    }
    return ", ".join(
        f"{code(name)} → {code(option.tool)}" if name else code(option.tool)
        for name, option in chosen.items()
    )


def _write_packs(toolbox: Toolbox) -> str:
    rows = (
        (code(pack.name), pack.description, _names(frozenset(pack.tools), toolbox))
        for pack in load_packs().by_name.values()
    )
    return table(("Pack", "For", "Tools"), rows)


def _names(names: frozenset[str], toolbox: Toolbox) -> str:
    there = sorted(name for name in names if name in toolbox)
    missing = len(names) - len(there)
    later = f"{missing} with later versions" if missing else ""
    return ", ".join(filter(None, (codes(there), later)))
