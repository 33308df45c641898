"""The folder a client has open, for a server that was started without a project and not in one."""

import asyncio
import logging
import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from mcp.shared.exceptions import MCPDeprecationWarning, MCPError, NoBackChannelError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.pipeline import ServerRuntime
from drift.project import find_root
from drift.project.home import home_directory
from drift.project.roots import ROOT_VARIABLE, is_directory
from drift.protocol.sources import Context

logger = logging.getLogger(__name__)

_PATIENCE_SECONDS: Final = 5.0


class OpenFolder:
    """Has the server stand where the client works: asked for once, with the first call."""

    def __init__(self, runtime: ServerRuntime) -> None:
        self._runtime = runtime
        self._is_settled = runtime.is_root_given
        self._asking = asyncio.Lock()

    async def settle(self, context: Context) -> None:
        """Find the project of the client; PROJECT_NOT_FOUND where the server would stand at a home or a whole disk."""
        async with self._asking:
            if self._is_settled:
                return
            folders = [folder for folder in await _ask(context) if is_directory(folder)]
            self._stand(folders)
            self._is_settled = True

    def _stand(self, folders: list[Path]) -> None:
        root, environ = self._runtime.project.root, self._runtime.environ
        real = [Path(os.path.realpath(folder)) for folder in folders]
        is_wide = _is_wide(root, environ)
        if not is_wide and any(root.is_relative_to(folder) or folder.is_relative_to(root) for folder in real):
            return  # it was started where the client works
        if real:
            # A variable that named the project would have been heeded at the start.
            others = {name: value for name, value in environ.items() if name != ROOT_VARIABLE}
            self._runtime.stand_at(find_root(None, cwd=real[0], environ=others))
        elif is_wide:
            raise DriftError(
                ErrorCode.PROJECT_NOT_FOUND,
                f"No project is open: the server was started in {root}, and the client tells of no folder.",
                Recovery(
                    hint=f"Give the server its project (`drift mcp analysis PATH`), or set {ROOT_VARIABLE}."
                ),
            )


async def _ask(context: Context) -> list[Path]:
    """The client's roots on this machine; none from a client that has none to tell."""
    capabilities = context.session.client_capabilities
    has_roots = capabilities is not None and capabilities.roots is not None
    # Since 2026-07-28 there are no questions to a client outside of a call, and roots are on their way out.
    if not has_roots or context.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            async with asyncio.timeout(_PATIENCE_SECONDS):
                found = await context.session.list_roots()
    except (NoBackChannelError, MCPError, TimeoutError) as error:
        logger.warning("the client did not tell which folder is open: %s", error)
        return []
    return [path for root in found.roots if (path := _path_of(str(root.uri))) is not None]


def _path_of(uri: str) -> Path | None:
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    path = Path(url2pathname(parts.path) if os.name == "nt" else unquote(parts.path))
    return path if path.is_absolute() and "\0" not in str(path) else None


def _is_wide(root: Path, environ: Mapping[str, str]) -> bool:
    """Whether a directory is a home or the top of a file system, which nobody means as a project."""
    home = home_directory(environ)
    return root == Path(root.anchor) or (home is not None and root == Path(os.path.realpath(home)))
