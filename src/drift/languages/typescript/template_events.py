"""What markup runs when something happens: `(click)="save()"`, `@click="save"`, `on:click={save}`, `onClick={save}`.

A page that is shown runs what its markup calls, but not what it ties to events; so these are told apart.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.facts import MarkupBinding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from drift.languages.facts import FileFacts
    from drift.languages.markup import Span

EVENT: Final = "event"
_EVENT: Final = re.compile(
    rb"[\s](?:@|v-on:|on:|on-|on(?=[a-z])|\()([a-z][\w.:-]{0,60}+)\)?+=\s{0,4}+"
    rb"(?:\"([^\"]{0,2000}+)\"|'([^']{0,2000}+)'|\{([^{}]{0,2000}+)\})"
)
_NAME: Final = re.compile(rb"(?<![\w$])([A-Za-z_$][\w$]{0,80}+)\s{0,8}+(?=\(|\Z)")
_MOST: Final = 2_000


def with_events(facts: FileFacts, source: bytes, markup: Iterable[Span]) -> FileFacts:
    """The facts of a file with the functions that its markup names for events."""
    found = [one for span in markup for one in _events(source, span)][:_MOST]
    return facts._replace(markup_bindings=(*facts.markup_bindings, *found)) if found else facts


def _events(source: bytes, span: Span) -> Iterator[MarkupBinding]:
    line, counted = 1 + source.count(b"\n", 0, span.start), span.start
    for event in _EVENT.finditer(source, span.start, span.end):
        line, counted = line + source.count(b"\n", counted, event.start(1)), event.start(1)
        statement = event[2] or event[3] or event[4] or b""
        for name in dict.fromkeys(_NAME.findall(statement.strip())):
            yield MarkupBinding(0, line, "", event[1].decode(), EVENT, name.decode())
