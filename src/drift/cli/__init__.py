"""What a person types: `drift` and `drift-mcp`."""

from drift.kernel.search_path import leave_out_working_directory

__all__ = ["main", "main_mcp"]


def main(words: list[str] | None = None) -> int:
    """Run one command line; returns its exit code."""
    leave_out_working_directory()
    # Only now: until here a module could have come from the working directory.
    from drift.cli.entry import main as run_main

    return run_main(words)


def main_mcp(words: list[str] | None = None) -> int:
    """Run one command line of `drift-mcp`, which is `drift mcp`."""
    leave_out_working_directory()
    from drift.cli.entry import main_mcp as run_main  # as above

    return run_main(words)
