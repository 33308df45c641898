"""The calls that a Ruby project's own tests make, as pairs for `truth.py`.

    python benchmarks/truth_ruby.py PROJECT OUT.jsonl [-I FOLDER …] -- FILE.rb [ARGUMENT …]

Needs ruby. FILE.rb is run in PROJECT under a TracePoint, which tells of every method that is written in Ruby; the
caller is the nearest frame of Ruby code around it, so that a call through `each`, `map`, `send` or `new` is one of the
method that calls these. Code of a block is that of the method it stands in. Left out is what is called by code
outside the project.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

PRELUDE = r"""
project, out = ENV.delete("TRUTH_PROJECT"), ENV.delete("TRUTH_OUT")
if project
  seen = {}
  note = lambda do |from, path, line, name|
    around = from&.absolute_path
    seen[[around, from.lineno, path, line, name.to_s]] = true if around && around.start_with?(project)
  end
  trace = TracePoint.new(:call) do |point|
    note.(caller_locations(2, 1)&.first, point.path, point.lineno, point.method_id) if point.path.start_with?(project)
  end
  # What attr_reader and its like make is C code with a place in the source.
  places = Hash.new do |known, (owner, name)|
    path, line = begin owner.instance_method(name).source_location rescue nil end
    known[[owner, name]] = path && path.start_with?(project) ? [path, line] : false
  end
  accessors = TracePoint.new(:c_call) do |point|
    place = places[[point.defined_class, point.method_id]]
    note.(caller_locations(1, 1)&.first, *place, point.method_id) if place
  end
  at_exit do
    main = Process.pid
    at_exit do
      accessors.disable
      trace.disable
      require "json"
      File.write(out, seen.keys.map { |one| JSON.generate(one) }.join("\n")) if Process.pid == main
    end
  end
  trace.enable
  accessors.enable
end
"""


def run_traced(project: Path, folders: list[str], command: list[str]) -> list[tuple[str, int, str, int, str]]:
    with tempfile.TemporaryDirectory() as folder:
        prelude, out = Path(folder) / "prelude.rb", Path(folder) / "calls"
        prelude.write_text(PRELUDE, "utf-8")
        included = [part for each in folders for part in ("-I", each)]
        subprocess.run(
            ["ruby", "-W0", *included, "-r", str(prelude), *command],
            cwd=project,
            env={**os.environ, "TRUTH_PROJECT": f"{project}/", "TRUTH_OUT": str(out)},
            check=False,  # tests may fail and have made their calls all the same
        )
        return [tuple(json.loads(text)) for text in out.read_text("utf-8").splitlines()]


def make_pairs(project: Path, calls: list[tuple[str, int, str, int, str]]) -> Iterator[dict[str, object]]:
    for caller, line, callee, first, name in sorted(calls):
        yield {
            "caller": [str(Path(caller).relative_to(project)), line],
            "callee": [str(Path(callee).relative_to(project)), first],
            "name": name,
            "line": line,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description="Trace the calls that a Ruby project's tests make.")
    parser.add_argument("project", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("-I", dest="folders", action="append", default=[], help="a folder of the load path")
    parser.add_argument("command", nargs="+", help="the file that runs the tests, after --")
    arguments = parser.parse_args()
    project = arguments.project.resolve()
    calls = run_traced(project, arguments.folders, arguments.command)
    pairs = list(make_pairs(project, calls))
    arguments.out.write_text("".join(json.dumps(pair) + "\n" for pair in pairs), "utf-8")
    print(f"{len(pairs)} calls")


if __name__ == "__main__":
    main()
