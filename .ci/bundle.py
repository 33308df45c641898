"""python .ci/bundle.py FOLDER: one file that desktop clients install with a click (.mcpb).

It holds the package as it stands in this checkout; the client's uv brings what it needs.
"""

import json
import re
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any, Final

_ROOT: Final = Path(__file__).resolve().parent.parent
_BESIDE: Final = ("pyproject.toml", "README.md", "LICENSE")
_VERSION: Final = re.compile(r'__version__ = "([^"]{1,40})"')
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)  # the earliest that the format knows: the same files are the same bytes
_READABLE: Final = 0o644 << 16


def manifest(project: dict[str, Any], version: str) -> dict[str, Any]:
    """What the client reads first: who this is, how it is started, what the person is asked."""
    command = [
        "run",
        "--directory",
        "${__dirname}",
        "--no-dev",
        "drift",
        "mcp",
        "analysis",
        "${user_config.project}",
    ]
    return {
        "manifest_version": "0.4",
        "name": project["name"],
        "display_name": "Drift",
        "version": version,
        "description": project["description"],
        "author": {"name": "The Drift developers", "url": "https://github.com/drift-mcp/drift"},
        "documentation": project["urls"]["Documentation"],
        "license": project["license"],
        "keywords": project["keywords"],
        "server": {
            "type": "uv",
            "entry_point": "src/drift/__main__.py",
            "mcp_config": {"command": "uv", "args": command},
        },
        "tools_generated": True,
        "user_config": {
            "project": {
                "type": "directory",
                "title": "Project",
                "description": "The folder with the code that Drift answers about",
                "required": True,
            }
        },
        "compatibility": {
            "platforms": ["darwin", "linux", "win32"],
            "runtimes": {"python": project["requires-python"]},
        },
    }


def bundle(folder: Path) -> Path:
    """Write the bundle into the folder; the same checkout gives the same bytes."""
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = _VERSION.findall((_ROOT / "src/drift/__init__.py").read_text(encoding="utf-8"))[0]
    package = (_ROOT / "src").rglob("*")
    files = sorted(
        path.relative_to(_ROOT).as_posix()
        for path in package
        if path.is_file() and "__pycache__" not in path.parts and not path.is_symlink()
    )
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{project['name']}-{version}.mcpb"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        _add(archive, "manifest.json", json.dumps(manifest(project, version), indent=2).encode())
        for name in (*_BESIDE, *files):
            _add(archive, name, (_ROOT / name).read_bytes())
    return target


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = _READABLE
    archive.writestr(entry, content)


if __name__ == "__main__":
    print(bundle(Path(sys.argv[1])))
