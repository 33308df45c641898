"""The list of measured sections, which the site shows in full."""

from collections.abc import Mapping
from pathlib import Path

from site_pages import Source, read_measured, read_source
from site_pages.sheets import plain_text, section
from writers.blocks import Block

ROOT = Path(__file__).parent.parent.parent


def how_true_blocks() -> Block:
    """Links to every section that holds figures, by group."""
    groups = read_measured()
    names = {target.partition("#")[0] for group in groups for target in group.sections}
    sources = {name: read_source(ROOT, f"docs/{name}") for name in names}
    written = (
        f"**{group.title}**: {', '.join(_write_link(target, sources) for target in group.sections)}."
        for group in groups
    )
    return {"measured": "\n\n".join(written)}


def _write_link(target: str, sources: Mapping[str, Source]) -> str:
    name, _, anchor = target.partition("#")
    source = sources[name]
    title = plain_text(section(source.tokens, anchor)[1])
    return f"[{source.title if title == source.title else f'{source.title}: {title}'}]({target})"
