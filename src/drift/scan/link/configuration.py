"""Which files beside the code say what imports mean, so that a change of theirs can matter to any file."""

from __future__ import annotations

from typing import Final

_READ: Final = frozenset(
    {
        "Cargo.toml",
        "Directory.Build.props",
        "composer.json",
        "go.mod",
        "lerna.json",
        "package.json",
        "pnpm-workspace.yaml",
    }
)
_LOOKED_FOR: Final = frozenset({"pyproject.toml", "setup.cfg", "setup.py"})


def is_configuration(path: str, *, is_there_anew: bool) -> bool:
    """Whether linking depends on the file: on what it says, or on whether there is one (`is_there_anew`)."""
    name = path.rpartition("/")[2]
    is_project = name.endswith(".csproj")
    is_script_config = name.startswith(("tsconfig", "jsconfig")) and name.endswith(".json")

    return is_project or is_script_config or name in _READ or (is_there_anew and name in _LOOKED_FOR)
