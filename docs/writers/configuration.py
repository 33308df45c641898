"""docs/configuration.md: every setting and every environment variable."""

import json
from collections.abc import Mapping
from itertools import groupby

from drift.project import settings_table
from drift.project.config import CONFIG_NAME
from drift.project.home import HOME_VARIABLE, USER_CONFIG_NAME
from drift.project.roots import ROOT_VARIABLE
from drift.project.setting_rows import Setting
from writers.markdown import WARNING, code, codes, fence, page, table

_INTRO = f"""\
# Configuration

Drift needs no configuration. What a project wants otherwise stands in `{CONFIG_NAME}` in its root, and is committed
with it; what you want for all projects stands in `{USER_CONFIG_NAME}` in Drift's home (`~/.drift`, or
`{HOME_VARIABLE}`), in the same form. A `DRIFT_*` variable wins over your own file, that over the project's, and that
over the default; a blank variable counts as unset. An unknown key, a wrong type or a value out of range is refused
with `CONFIG_INVALID`, which names the key, the place and what is allowed.

## What a repository may set

A project's `{CONFIG_NAME}` comes with the code, perhaps from a stranger. The column "In {CONFIG_NAME}" says what it may
do: *yes* chooses freely (a path must stay inside the project), *up to* a value only tightens, *no* is yours alone. What
it may not set is left out, the rest holds, and `drift status` and `drift doctor` name it with what to do: set the
variable, or the key in `{USER_CONFIG_NAME}`, for all projects or for one:

```toml
[mcp]
max_tokens = 6000

[projects."/home/me/work/shop".mcp]
http_port = 3100
```"""

_SAMPLE_INTRO = """\
## drift.toml

All settings with their defaults:"""

_OTHER_VARIABLES = {
    ROOT_VARIABLE: "The project to work on, when none is given; else it is looked for upward from the working directory",
    HOME_VARIABLE: "Where the list of projects and your own settings are kept; `~/.drift` by default",
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
            _repository(setting),
            codes(setting.env_names),
        )
        for setting in settings
    )
    return page(
        f"## [{name}]",
        table(("Key", "What it does", "Default", "Allowed", f"In {CONFIG_NAME}", "Variables"), rows),
    )


def _repository(setting: Setting) -> str:
    may_set, bound = setting.repository
    if may_set != "tighten":
        return may_set
    return f"up to {code(_toml(bound))}" if bound else "limits only"


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
