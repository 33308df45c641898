"""The calls that a PHP project's own tests make, as pairs for `truth.py`.

    python benchmarks/truth_php.py PROJECT OUT.jsonl [--load FILE.php …] -- phpunit [ARGUMENT …]

Needs php, its extension xdebug, and PHPUnit (Debian: php-cli php-xdebug phpunit). The command is run in PROJECT, a
copy that may be written to: classes are loaded by the PSR-4 prefixes and files of composer.json, libraries from
/usr/share/php, and `vendor/autoload.php` is written where there is none. Files to load before it are given with
`--load`; the last argument of the command may be left to phpunit.xml.

Xdebug writes its function trace into a pipe, so that a run of any length needs no room. A call through a function of
PHP itself (`array_map`, `call_user_func`) is one of the function around it, as is one that `__call` stands for.
Left out are what is called by code outside the project, autoloaders, destructors, and generators that are run on
by a function in which their name does not occur.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import NamedTuple

# Starts the trace, and tells at the end where everything that was loaded is declared.
PRELUDE = r"""<?php
(function () {
    [$pipe, $places] = [getenv('TRUTH_PIPE'), getenv('TRUTH_PLACES')];
    if (!$pipe) { return; }
    putenv('TRUTH_PIPE');  // processes that the tests start are not traced
    register_shutdown_function(function () use ($places) {
        xdebug_stop_trace();
        $out = fopen($places, 'w');
        $tell = function (string $name, ReflectionFunctionAbstract $f) use ($out, &$loaders) {
            if ($f->getFileName() && !in_array("{$f->getFileName()}:{$f->getStartLine()}", $loaders)) {
                fwrite($out, json_encode([$name, $f->getFileName(), $f->getStartLine(), $f->getEndLine(),
                    $f->getShortName(), $f->isGenerator()], JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
            }
        };
        $loaders = array_map(fn ($one) => (new ReflectionFunction(Closure::fromCallable($one))), spl_autoload_functions());
        $loaders = array_map(fn ($one) => "{$one->getFileName()}:{$one->getStartLine()}", $loaders);
        foreach (get_defined_functions()['user'] as $name) {
            $function = new ReflectionFunction($name);
            $tell($function->getName(), $function);
        }
        foreach ([...get_declared_classes(), ...get_declared_traits()] as $name) {
            $class = new ReflectionClass($name);
            $shown = $class->isAnonymous()
                ? "{anonymous-class:{$class->getFileName()}:{$class->getStartLine()}-{$class->getEndLine()}}"
                : $class->getName();
            foreach ($class->getMethods() as $method) {
                if ($method->class === $class->getName()) { $tell("$shown::{$method->name}", $method); }
            }
        }
    });
    xdebug_start_trace($pipe, XDEBUG_TRACE_COMPUTERIZED | XDEBUG_TRACE_NAKED_FILENAME);
})();
"""

AUTOLOADER = r"""<?php
$prefixes = %s;
spl_autoload_register(function (string $class) use ($prefixes) {
    foreach ($prefixes as [$prefix, $folder]) {
        if (strncmp($class, $prefix, strlen($prefix)) === 0) {
            $file = "$folder/" . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
            if (is_file($file)) { require_once $file; return; }
        }
    }
    $file = '/usr/share/php/' . str_replace('\\', '/', $class) . '.php';
    if (is_file($file)) { require_once $file; }
}, true, true);  // before those of PHPUnit, which brings libraries of its own
foreach (%s as $file) { require_once $file; }
return new class { public function __call($name, $arguments) { return null; } };
"""

ENTRY_FIELDS = 10
CLOSURE = re.compile(r"\{closure:(?P<file>.*):(?P<first>\d+)-(?P<last>\d+)\}\Z")
INCLUDING = frozenset({"include", "include_once", "require", "require_once", "eval"})
UNASKED = frozenset({"__destruct", "spl_autoload_call"})
STANDING_IN = ("->__call", "::__callStatic")


class Place(NamedTuple):
    file: str
    first: int
    last: int
    name: str
    is_generator: bool = False


class Frame(NamedTuple):
    function: str
    is_user: bool
    included: str


Call = tuple[str, str, str, int]  # caller, method that may not be there, callee as the trace names them; line


def write_autoloader(project: Path, loaded: list[str]) -> None:
    target = project / "vendor" / "autoload.php"
    if target.exists():
        return
    composer = json.loads((project / "composer.json").read_text("utf-8"))
    prefixes: list[tuple[str, str]] = []
    files = list(loaded)
    for section in (composer.get("autoload", {}), composer.get("autoload-dev", {})):
        for prefix, folders in section.get("psr-4", {}).items():
            listed = [folders] if isinstance(folders, str) else folders
            prefixes += [(prefix, str(project / folder).rstrip("/")) for folder in listed]
        files += [str(project / name) for name in section.get("files", ()) if (project / name).exists()]
    prefixes.sort(key=lambda pair: -len(pair[0]))
    target.parent.mkdir(exist_ok=True)
    target.write_text(AUTOLOADER % (_php(prefixes), _php(files)), "utf-8")


def _php(value: object) -> str:
    return "json_decode(" + repr(json.dumps(value).replace("'", "\\u0027")) + ", true)"


def run_traced(project: Path, command: list[str]) -> tuple[set[Call], dict[str, Place]]:
    calls: set[Call] = set()
    program = shutil.which(command[0]) or command[0]
    with tempfile.TemporaryDirectory() as folder:
        prelude, pipe, places = (Path(folder) / name for name in ("prelude.php", "pipe", "places"))
        prelude.write_text(PRELUDE, "utf-8")
        os.mkfifo(pipe)
        reading = Thread(target=lambda: calls.update(read_calls(pipe)))
        reading.start()
        options = [
            "memory_limit=-1",
            "xdebug.mode=trace",
            "xdebug.start_with_request=no",
            "error_reporting=24575",
        ]
        options += ["xdebug.use_compression=0", f"auto_prepend_file={prelude}"]
        subprocess.run(
            ["php", *(part for option in options for part in ("-d", option)), program, *command[1:]],
            cwd=project,
            env={**os.environ, "TRUTH_PIPE": str(pipe), "TRUTH_PLACES": str(places)},
            check=False,  # tests may fail and have made their calls all the same
        )
        with suppress(
            OSError
        ):  # a run that failed at once never opened the pipe, and the reader waits for that
            os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
        reading.join()
        return calls, dict(read_places(places))


def read_places(path: Path) -> Iterator[tuple[str, Place]]:
    for text in path.read_text("utf-8").splitlines():
        shown, file, first, last, name, is_generator = json.loads(text)
        yield shown.lower(), Place(file, first, last, name, is_generator)


def read_calls(pipe: Path) -> Iterator[Call]:
    """Each call of user code by user code, with those through functions of PHP itself."""
    stack: list[Frame] = []
    with pipe.open(encoding="utf-8", errors="replace") as lines:
        for text in lines:
            fields = text.rstrip("\n").split("\t")
            if len(fields) < ENTRY_FIELDS or fields[2] != "0":
                continue
            level, name = int(fields[0]), fields[5]
            del stack[level - 1 :]
            frame = Frame(name, fields[6] == "1", fields[7].strip("'") or fields[8])
            is_call = frame.is_user and name not in INCLUDING and bool(stack)
            if is_call and (call := _caller(stack, frame, int(fields[9]))):
                yield call
            stack.append(frame)


def _caller(stack: list[Frame], called: Frame, line: int) -> Call | None:
    """The call of a function by the nearest user code around it, and by that around a method that is not there."""
    if called.function.rpartition("->")[2] in UNASKED:
        return None
    callers: list[str] = []
    for frame in reversed(stack):
        if frame.function in UNASKED:
            return None
        if frame.is_user:
            is_file = frame.function in INCLUDING or frame.function == "{main}"
            callers.append(f"file {frame.included}" if is_file else frame.function)
            # `__call` stands for a method that is not there, which the trace has as a frame of its own.
            if len(callers) > 1 or not called.function.endswith(STANDING_IN):
                return callers[-1], callers[0], called.function, line if stack[-1].is_user else 0
    return None


def find_place(function: str, places: dict[str, Place]) -> Place | None:
    if function.startswith("file "):
        return Place(function.removeprefix("file "), 1, 1, "")
    if found := CLOSURE.search(function):
        return Place(found["file"], int(found["first"]), int(found["last"]), "{closure}")
    return places.get(function.replace("->", "::").lower())


def _mentions(place: Place, name: str, sources: dict[str, list[str]]) -> bool:
    if place.file not in sources:
        sources[place.file] = Path(place.file).read_text("utf-8", errors="replace").splitlines()
    return any(name in text for text in sources[place.file][place.first - 1 : place.last])


def make_pairs(project: Path, calls: set[Call], places: dict[str, Place]) -> Iterator[dict[str, object]]:
    sources: dict[str, list[str]] = {}
    for outer_name, caller_name, callee_name, line in sorted(calls):
        caller = find_place(caller_name, places) or find_place(outer_name, places)
        callee = find_place(callee_name, places)
        if caller is None or callee is None:
            continue
        ends = [Path(place.file) for place in (caller, callee)]
        if not all(end.is_relative_to(project) and end.is_file() for end in ends):
            continue
        if callee.is_generator and not _mentions(caller, callee.name, sources):
            continue
        yield {
            "caller": [str(ends[0].relative_to(project)), caller.first],
            "callee": [str(ends[1].relative_to(project)), callee.first],
            "name": callee.name,
            "line": line or None,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description="Trace the calls that a PHP project's tests make.")
    parser.add_argument("project", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--load", action="append", default=[], help="a PHP file that the project needs")
    parser.add_argument("command", nargs="+", help="what runs the tests, after --")
    arguments = parser.parse_args()
    project = arguments.project.resolve()
    write_autoloader(project, arguments.load)
    calls, places = run_traced(project, arguments.command)
    pairs = list(make_pairs(project, calls, places))
    arguments.out.write_text("".join(json.dumps(pair) + "\n" for pair in pairs), "utf-8")
    print(f"{len(pairs)} calls of {len(places)} functions")


if __name__ == "__main__":
    main()
