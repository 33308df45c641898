"""A program of the tests in a process of its own that need not import everything anew: a copy of this one."""

import atexit
import gc
import logging
import os
import subprocess
import sys
import threading
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

import drift.cli
from drift.memory import opened
from drift.scan import pool
from drift.tools.catalogs import access

# Where the descriptors of the standard streams stand among what `Popen` hands on: the child's and ours by turns.
_STREAMS = slice(10, 16)
# What tests before had open. It is the other process's to close, so here nothing may let go of it.
_INHERITED: list[Any] = []


class Forked(subprocess.Popen):
    """Runs a function as a program's main, and is otherwise used like any process that was started.

    Importing the protocol's SDK costs more than a second of CPU, forking a few hundredths. Where the start of a program
    is what is tested, start it.
    """

    def __init__(self, main: Callable[[], None], **streams: Any) -> None:
        self._main = main
        super().__init__([main.__module__], **streams)

    def _execute_child(self, *given: Any) -> None:
        stdin, stdin_ours, stdout_ours, stdout, stderr_ours, stderr = given[_STREAMS]
        with warnings.catch_warnings():
            # From 3.12 on: a copy has none of the threads. What runs here needs none, and starts its own.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.pid = os.fork()
        if self.pid == 0:
            _become(self._main, (stdin, stdout, stderr))
        self._child_created = True
        self._close_pipe_fds(stdin, stdin_ours, stdout_ours, stdout, stderr_ours, stderr)


def _become(main: Callable[[], None], streams: tuple[int, int, int]) -> None:
    """Leave behind what is the tests', run the program and end as an interpreter does."""
    code = 1
    try:
        gc.freeze()  # garbage of the tests may hold files, which are not this process's to close
        atexit._clear()
        for own, given in enumerate([os.dup(max(given, own)) for own, given in enumerate(streams)]):
            os.dup2(given, own)
        _let_go_of_others()
        sys.stdin, sys.stdout, sys.stderr = map(_standard, (0, 1, 2), "rww")
        logging.getLogger().handlers.clear()
        warnings.resetwarnings()
        code = _run(main)
        threading._shutdown()  # waits for threads that are no daemons
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    except BaseException:  # noqa: BLE001 -- nobody else would tell
        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(code)


def _standard(number: int, mode: str) -> TextIO:
    return open(number, mode, closefd=False, encoding="utf-8")


def _let_go_of_others() -> None:
    """Keep no pipe open that others wait to be closed.

    The numbers stay taken: they belong to objects that close them some time, whatever they mean by then.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in map(int, os.listdir("/dev/fd")):  # noqa: PTH208 -- names, not paths
        if number > 2 and number != nothing:
            with suppress(OSError):  # that of the listing is closed again
                os.fstat(number)
                os.dup2(nothing, number)


def _run(main: Callable[[], None]) -> int:
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 -- as an interpreter does
        traceback.print_exc()
        return 1
    return 0


def start_drift(
    *words: str, cwd: Path, environ: dict[str, str], prepare: Callable[[], None] = int, **streams: Any
) -> Forked:
    """`drift` with these words, at home in this directory and these variables alone."""

    def main() -> None:
        prepare()
        _INHERITED.extend([dict(opened._stores), dict(access._catalogs), pool._STAND_BY._kept])
        opened._stores.clear()
        access._catalogs.clear()
        pool._STAND_BY._kept = None
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(environ)
        sys.argv[:] = ["drift", *words]
        sys.exit(drift.cli.main())

    return Forked(main, **streams)
