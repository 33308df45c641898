"""Writes the generated pages and blocks of the documentation, and the manifest of the tools.

`python docs/generate.py` writes what has changed. With `--check` it writes nothing, and exits with 1 when
something is out of date.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from drift.registry import write_manifest
from drift.tools import declared_tools
from writers import (
    Block,
    architecture_blocks,
    conventions_blocks,
    fill_blocks,
    how_true_blocks,
    protocol_blocks,
    quick_start_blocks,
    readme_blocks,
    write_configuration,
    write_errors,
    write_facts,
    write_tools,
)

ROOT = Path(__file__).parent.parent

# Files that are generated as a whole, and pages that people write around generated blocks.
PAGES: Mapping[str, Callable[[], str]] = {
    "docs/configuration.md": write_configuration,
    "docs/errors.md": write_errors,
    "docs/facts.md": write_facts,
    "docs/tools.md": write_tools,
    "src/drift/tools/manifest.json": lambda: write_manifest(declared_tools()),
}
BLOCKS: Mapping[str, Callable[[], Block]] = {
    "README.md": readme_blocks,
    "docs/architecture.md": architecture_blocks,
    "docs/conventions.md": conventions_blocks,
    "docs/how-true.md": how_true_blocks,
    "docs/protocol.md": protocol_blocks,
    "docs/quick-start.md": quick_start_blocks,
}


def outdated_pages() -> dict[Path, str]:
    """The pages that are not what the code says, with what they should be."""
    wanted = {ROOT / name: write() for name, write in PAGES.items()}
    for name, make_blocks in BLOCKS.items():
        path = ROOT / name
        wanted[path] = fill_blocks(path.read_text("utf-8"), make_blocks())
    return {path: text for path, text in wanted.items() if _current(path) != text}


def _current(path: Path) -> str | None:
    return path.read_text("utf-8") if path.exists() else None


def main(arguments: list[str]) -> int:
    """The exit code: 1 when a check found something to do."""
    is_check = arguments == ["--check"]
    if arguments and not is_check:
        sys.stderr.write(__doc__ or "")
        return 2
    outdated = outdated_pages()
    for path, text in outdated.items():
        if not is_check:
            path.write_text(text, "utf-8")
        print(f"{'out of date' if is_check else 'wrote'}: {path.relative_to(ROOT).as_posix()}")
    if is_check and outdated:
        print("Run: make docs")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
