"""Where clients keep their files on this machine."""

import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from drift.cli.clients.table import McpClient, Scope
from drift.cli.parser import UsageError
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.project import StateDir
from drift.project.home import home_directory


@dataclass(frozen=True, slots=True)
class Places:
    """The directories that templates of client files name."""

    project: Path
    home: Path
    config: Path
    apps: Path
    codex: Path
    xdg: Path
    goose: Path
    search_path: str | None

    @classmethod
    def of(cls, environ: Mapping[str, str], project: Path, *, platform: str = sys.platform) -> "Places":
        """The places by the environment and the platform's customs."""
        home = home_directory(environ)
        if home is None:
            raise DriftError(
                ErrorCode.STORE_UNAVAILABLE,
                "There is no home directory to look for clients in.",
                Recovery(hint="Set HOME to your home directory."),
            )
        roaming = Path(environ.get("APPDATA") or home / "AppData" / "Roaming")
        xdg = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
        config = roaming if platform == "win32" else xdg
        apps = home / "Library" / "Application Support" if platform == "darwin" else config
        codex = Path(environ.get("CODEX_HOME") or home / ".codex")
        goose = roaming / "Block" / "goose" / "config" if platform == "win32" else xdg / "goose"
        return cls(project, home, config, apps, codex, xdg, goose, environ.get("PATH"))

    def fill(self, template: str) -> Path:
        """The path a template stands for."""
        names = ("project", "home", "config", "apps", "codex", "xdg", "goose")
        return Path(template.format(**{name: getattr(self, name) for name in names}))


def config_path(client: McpClient, scope: Scope | None, places: Places) -> Path:
    """The file of a scope, the client's usual one for None. A project's file must lie in the project."""
    wanted = check_scope(client, scope)
    path = places.fill(client.files[wanted])
    # Clients that allow comments read such a file in place of the other.
    with_comments = path.with_suffix(".jsonc")
    if path.suffix == ".json" and not path.exists() and with_comments.exists():
        path = with_comments
    # A repository may bring a link along that leads to a file of the user's.
    return StateDir(places.project).check(path) if wanted == "project" else path


def section_of(client: McpClient, scope: Scope | None, places: Places) -> tuple[str, ...]:
    """The way to the servers in the file of a scope."""
    section = client.sections.get(check_scope(client, scope), client.section)
    return tuple(part.format(project=places.project.as_posix()) for part in section)


def check_scope(client: McpClient, scope: Scope | None) -> Scope:
    """The scope, the client's usual one for None; wrong usage for one it has not."""
    wanted = scope or client.default_scope
    if wanted not in client.files:
        raise UsageError(f"scope: {client.title} has no {wanted} scope; allowed: {', '.join(client.files)}")
    return wanted


def is_present(client: McpClient, places: Places) -> bool:
    """Whether the client seems to be on this machine."""
    return any(_is_there(trace, places) for trace in client.traces)


def _is_there(trace: str, places: Places) -> bool:
    if trace.startswith("{"):
        return places.fill(trace).exists()
    return shutil.which(trace, path=places.search_path) is not None
