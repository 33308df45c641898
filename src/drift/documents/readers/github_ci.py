"""Workflows of GitHub: jobs, variables that are set, and the secrets and variables that are asked for."""

import re
from collections.abc import Iterator
from typing import Final

from drift.documents.items import Item, short
from drift.documents.nodes import read_nodes
from drift.documents.readers.variables import set_variables

_ASKED: Final = re.compile(r"\b(secrets|vars)\.([A-Za-z_]\w{0,200})")
_KINDS: Final = {"secrets": "secret", "vars": "read"}


def read(text: str, _kind: str) -> Iterator[Item]:
    """The jobs in their order, then what is asked for, each once."""
    for document in read_nodes(text):
        yield from set_variables(document.get("env"), None)
        for name, job in document.get("jobs").pairs():
            yield Item(job.line, "job", short(name))
            yield from set_variables(job.get("env"), short(name))
            for step in job.get("steps").children():
                yield from set_variables(step.get("env"), short(name))
    seen = set()
    for number, line in enumerate(text.split("\n"), 1):
        for space, name in _ASKED.findall(line) if "${{" in line or "if:" in line else ():
            if (space, name) not in seen:
                seen.add((space, name))
                yield Item(number, _KINDS[space], name)
