"""docs/configuration.md: every setting and every environment variable."""

import json
from collections.abc import Mapping
from itertools import groupby

from drift.project import settings_table
from drift.project.home import HOME_VARIABLE
from drift.project.roots import ROOT_VARIABLE
from drift.project.settings import Setting
from writers.markdown import WARNING, code, codes, fence, page, table

_INTRO = """\
# Configuration

Drift needs no configuration. What a project wants otherwise stands in `drift.toml` in its root, and is
committed with it. A `DRIFT_*` variable wins over `drift.toml`, and that over the default; a blank variable
counts as unset. An unknown key, a wrong type or a value out of range is refused with `CONFIG_INVALID`, which
names the key, the place and what is allowed. `drift doctor` shows what is wrong.

A path in `drift.toml` must stay inside the project, because the file comes with the code, perhaps from a
stranger. A variable, which only you can set, may name any place."""

_SAMPLE_INTRO = """\
## drift.toml

All settings with their defaults:"""

_OTHER_VARIABLES = {
    ROOT_VARIABLE: "The project to work on, when none is given; else it is looked for upward from the working directory",
    HOME_VARIABLE: "Where the list of projects is kept; `~/.drift` by default",
    "NO_COLOR": "Any value switches colours off; they are off anyway when output is piped",
    "FORCE_COLOR": "Any value but 0 switches colours on, piped output included; `NO_COLOR` wins",
}

_VARIABLES_INTRO = """\
## Other variables

These are not settings of one project, so they have no key in `drift.toml`."""


def write_configuration() -> str:
    """The whole page."""
    settings = settings_table()
    sections = groupby(settings, key=_section)
    return page(
        WARNING,
        _INTRO,
        *(_write_section(name, list(rows)) for name, rows in sections),
        _VARIABLES_INTRO,
        table(
            ("Variable", "What it does"), ((code(name), about) for name, about in _OTHER_VARIABLES.items())
        ),
        _SAMPLE_INTRO,
        fence(_sample(settings), "toml"),
    )


def _section(setting: Setting) -> str:
    return setting.key.rpartition(".")[0]


def _write_section(name: str, settings: list[Setting]) -> str:
    rows = (
        (
            code(setting.key),
            setting.description,
            code(_toml(setting.default)),
            setting.kind.allowed,
            codes(setting.env_names),
        )
        for setting in settings
    )
    return page(f"## [{name}]", table(("Key", "What it does", "Default", "Allowed", "Variables"), rows))


def _sample(settings: list[Setting]) -> str:
    lines: list[str] = []
    for name, rows in groupby(settings, key=_section):
        lines += ["", f"[{name}]"]
        lines += [f"{row.key.rpartition('.')[2]} = {_toml(row.default)}" for row in rows]
    return "\n".join(lines).strip()


def _toml(value: object) -> str:
    """A default as drift.toml would say it; TOML and JSON write these the same way."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {item}" for key, item in value.items()) + "}"
    return json.dumps(list(value) if isinstance(value, tuple) else value)
