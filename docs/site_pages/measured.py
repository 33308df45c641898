"""Measured figures of all pages, gathered on one without a second copy."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from markdown_it.token import Token

from site_pages.sheets import MARKDOWN, Source, headings, plain_text, section


@dataclass(frozen=True, slots=True)
class Measured:
    """A group of sections, each as `page.md#anchor`."""

    title: str
    sections: tuple[str, ...]


def read_measured() -> tuple[Measured, ...]:
    """The groups, as `measured.toml` beside this module has them."""
    text = (Path(__file__).parent / "measured.toml").read_text("utf-8")
    return tuple(Measured(one["title"], tuple(one["sections"])) for one in tomllib.loads(text)["group"])


def gather_measured(page: Source, sources: Mapping[str, Source]) -> Source:
    """The page with the tables of every measured section below it, each under a link to where it stands."""
    tokens = [*section(page.tokens, next(headings(page.tokens))[2])]
    first_part = next((at for at, level, _ in headings(tokens) if level > 1), len(tokens))
    gathered = tokens[:first_part]
    for group in read_measured():
        gathered += _headed(group.title, 2)
        for target in group.sections:
            name, _, anchor = target.partition("#")
            source = sources[f"docs/{name}"]
            part = section(source.tokens, anchor)
            title = (
                f"{source.title}: {plain_text(part[1])}"
                if plain_text(part[1]) != source.title
                else source.title
            )
            gathered += [*_headed(title, 3), *MARKDOWN.parse(f"[Where it stands, with the rest]({target})")]
            gathered += list(_tables(part)) or list(_without_heading(part))
    return Source(page.path, page.title, gathered)


def _headed(title: str, level: int) -> list[Token]:
    tokens = MARKDOWN.parse(f"{'#' * level} {title.replace('`', '')}")
    tokens[0].attrSet("id", "-".join(title.lower().replace(":", "").replace(",", "").split()))
    return tokens


def _tables(part: Sequence[Token]) -> Iterator[Token]:
    """The tables of a section, each with the paragraph that introduces it."""
    paragraph: Sequence[Token] = ()
    at = 0
    while at < len(part):
        token = part[at]
        if token.level == 0 and token.type == "paragraph_open":
            paragraph = part[at : at + 3]
            at += 3
        elif token.level == 0 and token.type == "table_open":
            end = next(place for place in range(at, len(part)) if part[place].type == "table_close")
            yield from (*paragraph, *part[at : end + 1])
            paragraph = ()
            at = end + 1
        else:
            at += 1


def _without_heading(part: Sequence[Token]) -> Sequence[Token]:
    return part[3:]
