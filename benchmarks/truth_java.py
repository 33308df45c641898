"""The calls of a Java project as javac understands them, for truth.py.

    python benchmarks/truth_java.py PROJECT OUT.jsonl [--under core/src] [--classpath 'a.jar:b.jar']

Needs a JDK of 17 or newer. All sources under the given folders (the whole project, unless told) are compiled together;
dependencies are looked for on the class path. Files that do not compile are left out, so nothing need be
complete, but calls from the rest into those files are told.

The target of a call is the method that the compiler chose, in the class that declares it; whether another overrides
it at run time is not told. `new T() {…}` makes a T. Code in a lambda is of the method around it. Method
references are of the kind `reference`, which truth.py neither asks for nor holds to be wrong. What the
compiler adds (calls of `super()`, `close` of resources, iterators, `toString` in texts) is left out.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

PROGRAM = Path(__file__).with_name("truth_java.java")
NO_CLASSES = frozenset({"module-info.java", "package-info.java"})


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the calls of a Java project as pairs.")
    parser.add_argument("project", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--under", action="append", type=Path, help="a folder of sources in the project")
    parser.add_argument("--classpath", default="")
    arguments = parser.parse_args()
    project = arguments.project.resolve()
    folders = [project / folder for folder in arguments.under or [Path()]]
    sources = sorted(
        {str(path) for folder in folders for path in folder.rglob("*.java") if path.name not in NO_CLASSES}
    )
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as listed:
        listed.write("\n".join(sources))
        listed.flush()
        command = ["java", str(PROGRAM), str(project), listed.name, arguments.classpath]
        with arguments.out.open("wb") as out:
            subprocess.run(command, stdout=out, check=True)


if __name__ == "__main__":
    main()
