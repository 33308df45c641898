"""What a person types: `drift` and `drift-mcp`."""

import gc
import sys

from drift.kernel.search_path import leave_out_working_directory

__all__ = ["main", "main_mcp"]

_HOOK = ["memory", "hook"]
_HOOK_WORDS = 4
_SCAN = ["scan"]
# A command makes fewer objects than this while it loads and answers; Python's own 700 have it look through them for
# nothing, a tenth of a short answer. Servers set their own.
_OBJECTS_BEFORE_SEARCH = 100_000


def main(words: list[str] | None = None) -> int:
    """Run one command line; returns its exit code."""
    leave_out_working_directory()
    # Only now: until here a module could have come from the working directory.
    if words is None and sys.argv[1:3] == _HOOK and len(sys.argv) == _HOOK_WORDS:
        # Started for each prompt and each use of a tool, and in need of none of what reads a command line; it ends before
        # there is garbage worth a look.
        gc.disable()
        from drift.cli.commands.memory_hook import main_hook

        return main_hook(sys.argv[-1])
    if words is None and sys.argv[1:2] == _SCAN:
        # It makes no cycles, ends when it is done, and has loaded a lot: searching that is a twentieth of a small scan.
        gc.disable()
    if words is None:
        gc.set_threshold(_OBJECTS_BEFORE_SEARCH, *gc.get_threshold()[1:])
    from drift.cli.entry import main as run_main

    return run_main(words)


def main_mcp(words: list[str] | None = None) -> int:
    """Run one command line of `drift-mcp`, which is `drift mcp`."""
    leave_out_working_directory()
    from drift.cli.entry import main_mcp as run_main  # as above

    return run_main(words)
