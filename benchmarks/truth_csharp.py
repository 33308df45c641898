"""The calls of a C# project as Roslyn understands them, for truth.py.

    python benchmarks/truth_csharp.py PROJECT OUT.jsonl --dotnet DOTNET --roslyn FOLDER
        [--under src/Library] [--assemblies FOLDER] [--define NET6_0]

Needs a .NET SDK of 3.1 or newer (`--dotnet` is its folder) and a folder with `Microsoft.CodeAnalysis.CSharp.dll` of 4.0
or newer and what stands beside it (the SDK's own `Roslyn/bincore` will do, if it is new enough). All sources
under the given folders (the whole project, unless told) are compiled as one assembly, against the SDK's reference
assemblies and those of further folders. Nothing need be complete: of a call that does not bind nothing is known,
nor of lines that the preprocessor leaves out.

The target of a call is the method that the compiler chose, in the class that declares it; whether another overrides
it at run time is not told. Code in a lambda is of the member around it, that of a field's initializer of the
class. Reads of properties, operators, and methods named and not called are of the kind `reference`, which
truth.py neither asks for nor holds to be wrong. What the compiler adds (`Dispose`, enumerators, `ToString`) is left
out; a call through a delegate is unknown.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

PROGRAM = Path(__file__).with_name("truth_csharp.cs")
LIBRARIES = (
    "Microsoft.CodeAnalysis", "System.Collections.Immutable", "System.Reflection.Metadata",
    "System.Runtime.CompilerServices.Unsafe",
)  # fmt: skip
NOT_SOURCES = frozenset({"bin", "obj", ".git", ".drift"})
ENVIRONMENT = {"DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1", "DOTNET_CLI_TELEMETRY_OPTOUT": "1"}


def newest(folder: Path, pattern: str) -> Path:
    """The last of what a pattern finds, where folders are named by version."""
    return max(folder.glob(pattern))


def _taking(libraries: Iterable[str]) -> dict[str, object]:
    """What makes the runtime take the libraries beside a program before its own, older ones."""
    files = {name: {"assemblyVersion": "99.0.0.0", "fileVersion": "99.0.0.0"} for name in libraries}
    return {
        "runtimeTarget": {"name": "any"},
        "targets": {"any": {"roslyn/1.0.0": {"runtime": files}}},
        "libraries": {"roslyn/1.0.0": {"type": "project", "serviceable": False, "sha512": ""}},
    }


def build(dotnet: Path, roslyn: Path, *, reference: Path, into: Path) -> Path:
    """The program, compiled, with Roslyn beside it."""
    program = into / "pairs.dll"
    command = [
        str(dotnet / "dotnet"), str(newest(dotnet, "sdk/*/Roslyn/bincore/csc.dll")), "-nologo", "-langversion:preview",
        "-warn:0", f"-out:{program}",
    ]  # fmt: skip
    beside = {path.name: path for path in roslyn.glob("*.dll") if path.name.startswith(LIBRARIES)}
    libraries = {path.name: path for path in reference.glob("*.dll")} | beside
    references = [f"-r:{library}" for library in libraries.values()]
    subprocess.run([*command, *references, str(PROGRAM)], check=True, env={**os.environ, **ENVIRONMENT})
    for library in beside.values():
        shutil.copy(library, into)
    (into / "pairs.deps.json").write_text(json.dumps(_taking(beside)), "utf-8")
    framework = newest(dotnet, "shared/Microsoft.NETCore.App/*")
    options = {"framework": {"name": "Microsoft.NETCore.App", "version": framework.name}}
    (into / "pairs.runtimeconfig.json").write_text(json.dumps({"runtimeOptions": options}), "utf-8")
    return program


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the calls of a C# project as pairs.")
    parser.add_argument("project", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--dotnet", type=Path, required=True, help="the folder of a .NET SDK")
    parser.add_argument(
        "--roslyn", type=Path, required=True, help="a folder with Microsoft.CodeAnalysis.CSharp.dll"
    )
    parser.add_argument("--under", action="append", type=Path, help="a folder of sources in the project")
    parser.add_argument("--assemblies", action="append", default=[], type=Path, help="a folder of libraries")
    parser.add_argument("--define", action="append", default=[], help="a symbol of the preprocessor")
    arguments = parser.parse_args()
    project, dotnet = arguments.project.resolve(), arguments.dotnet.resolve()
    folders = [project / folder for folder in arguments.under or [Path()]]
    sources = sorted(
        str(path)
        for path in {path for folder in folders for path in folder.rglob("*.cs")}
        if NOT_SOURCES.isdisjoint(path.relative_to(project).parts)
    )
    reference = newest(dotnet, "packs/Microsoft.NETCore.App.Ref/*/ref/*")
    assemblies = ":".join(str(folder) for folder in [reference, *arguments.assemblies])
    with tempfile.TemporaryDirectory() as held:
        program = build(dotnet, arguments.roslyn.resolve(), reference=reference, into=Path(held))
        listed = Path(held) / "sources.txt"
        listed.write_text("\n".join(sources), "utf-8")
        command = [
            str(dotnet / "dotnet"), "exec", str(program), str(project), str(listed), assemblies,
            ";".join(arguments.define),
        ]  # fmt: skip
        with arguments.out.open("wb") as out:
            subprocess.run(command, stdout=out, check=True, env={**os.environ, **ENVIRONMENT})


if __name__ == "__main__":
    main()
