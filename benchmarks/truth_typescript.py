"""Write the calls of a TypeScript or JavaScript project as the TypeScript compiler resolves them.

    mkdir TOOLS && npm install --prefix TOOLS typescript@5 @types/node @types/react
    python benchmarks/truth_typescript.py PROJECT OUT.jsonl --tools TOOLS

Needs Node and the packages above, and nothing of the project's own: imports are resolved by the nearest tsconfig, by
the names of the packages in the project, and in TOOLS, where types of further packages may be installed.

Calls, constructions, tagged templates, JSX elements, bare decorators and accesses of getters and setters are
told of. A call of something declared without code (an interface, an abstract method, an overload) is one of its
implementation where there is exactly one. A line with no callee stands where the compiler does not know what runs: it
says `any`, the function is a value of a declared type, or the code stands behind a declaration file. What JSDoc says
wrongly is believed.
"""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path

RESOLVER = Path(__file__).with_suffix(".mjs")
HEAP_MB = 4096


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Resolve the calls of a project with the TypeScript compiler."
    )
    parser.add_argument("project", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tools", type=Path, required=True, help="folder in which typescript is installed")
    arguments = parser.parse_args()
    if not (arguments.tools / "node_modules" / "typescript").is_dir():
        parser.error(
            f"{arguments.tools} has no typescript: npm install --prefix {arguments.tools} typescript@5"
        )
    places = (arguments.tools, arguments.project, arguments.out)
    command = ["node", f"--max-old-space-size={HEAP_MB}", str(RESOLVER), *map(str, places)]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
