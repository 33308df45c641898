"""An index kept up to date over edits says what a full scan of the same files says, in every language."""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from typing import NamedTuple

import pytest
from index_dump import dump_index

from drift.index import Layer, read_index_state
from drift.project import StateDir
from drift.scan import ScanOptions, scan
from drift.scan.detection import Detector

ONE_PROCESS = ScanOptions(jobs=0)
LINKS = ("imports", "edges", "calls", "refs")


class Edit(NamedTuple):
    """A project, and the texts of the files that change; None for one that goes."""

    files: dict[str, str]
    changes: dict[str, str | None]


TYPESCRIPT = {
    "m.ts": "export class A { run() {} }\nexport class B { run() {} }\nexport class H { f: A; static s: A; }\n",
    "u.ts": "import { H } from './m';\nexport function u(h: H) { h.f.run(); H.s.run(); }\n",
}
GO = {
    "go.mod": "module example.com/x\n",
    "a/a.go": (
        "package a\ntype A struct{}\nfunc (A) Run() {}\ntype B struct{}\nfunc (B) Run() {}\ntype H struct { F A }\n"
    ),
    "b/b.go": 'package b\nimport "example.com/x/a"\nfunc f(h a.H) { h.F.Run() }\n',
}
RUST = {
    "Cargo.toml": '[package]\nname = "x"\n',
    "src/lib.rs": "mod m;\nmod u;\n",
    "src/m.rs": (
        "pub struct A;\nimpl A { pub fn run(&self) {} }\npub struct B;\nimpl B { pub fn run(&self) {} }\n"
        "pub struct H { pub f: A }\n"
    ),
    "src/u.rs": "use crate::m::H;\npub fn u(h: H) { h.f.run(); }\n",
}
PHP = {
    "m.php": (
        "<?php\nnamespace N;\nclass A { function run() {} }\nclass B { function run() {} }\nclass H { public A $f; }\n"
    ),
    "u.php": "<?php\nnamespace N;\nfunction u(H $h) { $h->f->run(); }\n",
}
CPP = {
    "m.h": "struct A { void run(); };\nstruct B { void run(); };\nstruct H { A f; };\n",
    "u.cpp": '#include "m.h"\nvoid u(H h) { h.f.run(); }\n',
}
JAVA = {
    "p/H.java": "package p;\npublic class H { public A f; }\n",
    "p/A.java": "package p;\npublic class A { public void run() {} }\n",
    "p/B.java": "package p;\npublic class B { public void run() {} }\n",
    "p/U.java": "package p;\nclass U { void u(H h) { h.f.run(); } }\n",
}
CSHARP = {
    "M.cs": (
        "namespace N;\npublic class A { public void Run() {} }\npublic class B { public void Run() {} }\n"
        "public class H { public A F; }\n"
    ),
    "U.cs": "namespace N;\nclass U { void Use(H h) { h.F.Run(); } }\n",
}
RECORD = {
    "m.py": (
        "from dataclasses import dataclass\nfrom typing import Callable\n\n\n"
        "@dataclass\nclass P:\n    first: Callable\n"
    ),
    "u.py": (
        "from dataclasses import dataclass\nfrom typing import Callable\nfrom m import P\n\n\n"
        "def one(): pass\n\n\ndef two(): pass\n\n\n@dataclass\nclass H(P):\n    last: Callable\n\n\n"
        "H(one, two).last()\n"
    ),
}
UNIQUE = {
    "m.py": "class A:\n    def frobnicate(self): pass\n",
    "u.py": "def u(x):\n    x.frobnicate()\n",
}
WORKSPACE = {
    "package.json": '{"workspaces": ["packages/*"]}',
    "packages/core/package.json": '{"name": "@shop/prices", "main": "dist/main.js"}',
    "packages/app/u.ts": "import { run } from '@shop/prices';\nrun();\n",
}
MODULE = {
    "third/go.mod": "module example.com/weird\n",
    "cmd/m.go": 'package main\nimport "example.com/weird"\nfunc main() { weird.Run() }\n',
}
SHARED_FOLDER = {"pkg/x.js": "", "u.py": "import pkg\n"}


def replaced(files, path, old, new):
    assert old in files[path]
    return Edit(files, {path: files[path].replace(old, new)})


EDITS = {
    "the type of a field in TypeScript": replaced(TYPESCRIPT, "m.ts", "{ f: A", "{ f: B"),
    "the type of a static field": replaced(TYPESCRIPT, "m.ts", "s: A", "s: B"),
    "the type of a field in Go": replaced(GO, "a/a.go", "F A", "F B"),
    "the type of a field in Rust": replaced(RUST, "src/m.rs", "f: A", "f: B"),
    "the type of a field in PHP": replaced(PHP, "m.php", "A $f", "B $f"),
    "the type of a field in C++": replaced(CPP, "m.h", "A f", "B f"),
    "the type of a field in Java": replaced(JAVA, "p/H.java", "A f", "B f"),
    "the type of a field in C#": replaced(CSHARP, "M.cs", "A F", "B F"),
    "a field before those of a child": replaced(RECORD, "m.py", "first", "zero: Callable\n    first"),
    "the only method of a name becomes a property": replaced(
        UNIQUE, "m.py", "    def", "    @property\n    def"
    ),
    "a function becomes a class": Edit(
        {"m.py": "def f(): pass\n", "u.py": "from m import f\n"}, {"m.py": "class f: pass\n"}
    ),
    "a struct becomes an enum": Edit(
        {"src/lib.rs": "mod m;\nmod u;\n", "src/m.rs": "pub struct A;\n", "src/u.rs": "use crate::m::A;\n"},
        {"src/m.rs": "pub enum A {}\n"},
    ),
    "a variable becomes a function": Edit(
        {
            "m.js": "function g() {}\nexport var f = g;\n",
            "u.js": "import { f } from './m';\nf();\n",
        },
        {"m.js": "function g() {}\nexport function f() {}\nf = g;\n"},
    ),
    "the first source of a package": Edit(
        WORKSPACE, {"packages/core/src/main.ts": "export function run() {}\n"}
    ),
    "the first source of a module": Edit(MODULE, {"third/lib.go": "package weird\nfunc Run() {}\n"}),
    "the first source of a language in a folder": Edit(SHARED_FOLDER, {"pkg/sub/y.py": "def run(): pass\n"}),
}


def write(root, files):
    for path, text in files.items():
        place = root / path
        if text is None:
            place.unlink(missing_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)


def dump_of(root):
    return dump_index(StateDir(root).index_db)


def scanned_anew(files, root):
    shutil.rmtree(root, ignore_errors=True)
    write(root, files)
    scan(root, ONE_PROCESS)
    return dump_of(root)


def after(edit):
    return {path: text for path, text in {**edit.files, **edit.changes}.items() if text is not None}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
@pytest.mark.parametrize("is_undone", [False, True])
def test_an_edit_reaches_the_files_that_it_matters_to(tmp_path, edit, is_undone):
    states = [edit.files, after(edit)]
    if is_undone:
        states.reverse()
    before = scanned_anew(states[0], tmp_path / "edited")
    expected = scanned_anew(states[1], tmp_path / "fresh")

    write(tmp_path / "edited", {**dict.fromkeys(states[0]), **states[1]})
    scan(tmp_path / "edited", ONE_PROCESS)

    assert dump_of(tmp_path / "edited") == expected
    assert any(before[table] != expected[table] for table in LINKS)


@pytest.mark.parametrize(
    ("path", "before"),
    [("pyproject.toml", "[project]\n"), ("m.py", "\0\1" * 200), ("m.py", "# x\n" * 1_500_000)],
    ids=["a project file", "a binary file", "a file too large"],
)
def test_a_file_without_facts_that_changes_is_taken_in(tmp_path, path, before):
    files = {"u.py": "from m import f\n\n\nf()\n", "m.py": "def f(): pass\n", path: before}
    scanned_anew(files, tmp_path / "edited")
    files[path] = "def f():\n    pass\n" if path == "m.py" else "[project]\nname = 'shop'\n"

    write(tmp_path / "edited", files)
    report = scan(tmp_path / "edited", ONE_PROCESS)

    assert report.read == 1
    assert dump_of(tmp_path / "edited") == scanned_anew(files, tmp_path / "fresh")


def under(folder, files):
    return {f"{folder}/{path}": text for path, text in files.items()}


EVERYTHING = {
    **under("ts", TYPESCRIPT), **under("rs", RUST), **under("php", PHP), **under("cpp", CPP),
    **under("java", JAVA), **under("cs", CSHARP), **under("py", {**RECORD, "one.py": UNIQUE["m.py"]}),
    **GO,
}  # fmt: skip
WORD = re.compile(r"[A-Za-z_]\w*")


class Editor:
    """Edits as people make them and as accidents do, always the same for one seed."""

    def __init__(self, files, seed):
        self.files = dict(files)
        self.past = [dict(files)]
        self.chance = random.Random(seed)

    def edit(self):
        kinds = (self.rename_word, self.rename_word, self.move_line, self.drop_line, self.repeat_line)
        rarer = (self.swap_files, self.remove_file, self.rename_file, self.cut_off, self.go_back)
        self.chance.choice((*kinds, *kinds, *rarer))()
        self.past.append(dict(self.files))

    def any_path(self):
        return self.chance.choice(sorted(path for path in self.files if not path.endswith((".mod", ".toml"))))

    def rename_word(self):
        path = self.any_path()
        places = list(WORD.finditer(self.files[path]))
        if places:
            place, other = self.chance.choice(places), self.chance.choice(places)
            text = self.files[path]
            self.files[path] = text[: place.start()] + other.group() + text[place.end() :]

    def change_lines(self, change):
        path = self.any_path()
        lines = self.files[path].splitlines(keepends=True)
        if lines:
            change(lines, self.chance.randrange(len(lines)))
            self.files[path] = "".join(lines)

    def move_line(self):
        self.change_lines(lambda lines, at: lines.insert(self.chance.randrange(len(lines)), lines.pop(at)))

    def drop_line(self):
        self.change_lines(lambda lines, at: lines.pop(at))

    def repeat_line(self):
        self.change_lines(lambda lines, at: lines.insert(at, lines[at]))

    def swap_files(self):
        one = self.any_path()
        other = self.chance.choice([path for path in sorted(self.files) if path[-2:] == one[-2:]])
        self.files[one], self.files[other] = self.files[other], self.files[one]

    def remove_file(self):
        del self.files[self.any_path()]

    def rename_file(self):
        path = self.any_path()
        folder, _, name = path.rpartition("/")
        self.files[f"{folder}/new_{name}"] = self.files.pop(path)

    def cut_off(self):
        path = self.any_path()
        self.files[path] = self.files[path][: self.chance.randrange(len(self.files[path]) + 1)]

    def go_back(self):
        self.files = dict(self.chance.choice(self.past))


@pytest.mark.parametrize("seed", range(3))
def test_after_any_edits_in_any_language_the_index_is_that_of_a_full_scan(tmp_path, seed):
    editor = Editor(EVERYTHING, seed)
    root = tmp_path / "edited"
    scanned_anew(editor.files, root)

    for _ in range(8):
        before = dict(editor.files)
        for _ in range(editor.chance.choice((1, 1, 2, 4))):
            editor.edit()
        write(root, {**dict.fromkeys(before), **editor.files})
        scan(root, ONE_PROCESS)

        assert dump_of(root) == scanned_anew(editor.files, tmp_path / "fresh")


KILLED = """
import os, signal, sys
from pathlib import Path
from drift.scan import ScanOptions, scan
from drift.scan.detection import Detector

def die(phase, done, total):
    if (phase, done) == (sys.argv[2], int(sys.argv[3])):
        os.kill(os.getpid(), signal.SIGKILL)

scan(Path(sys.argv[1]), ScanOptions(jobs=0), progress=die)
"""


def scan_until(root, phase, done):
    """Kill a scan from within, at a moment that is the same every time."""
    command = [sys.executable, "-c", KILLED, str(root), phase, str(done)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
@pytest.mark.parametrize(("phase", "done"), [("discover", 0), ("extract", 1), ("link", 0), ("link", 2)])
def test_an_update_that_is_killed_leaves_the_old_index_and_the_next_scan_heals_it(tmp_path, phase, done):
    root, edit = tmp_path / "edited", EDITS["the type of a field in TypeScript"]
    before = scanned_anew(edit.files, root)
    write(root, edit.changes)

    scan_until(root, phase, done)

    assert dump_of(root) == before
    scan(root, ONE_PROCESS)
    assert dump_of(root) == scanned_anew(after(edit), tmp_path / "fresh")


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_a_first_linking_that_is_killed_leaves_an_index_that_claims_no_links(tmp_path):
    root = tmp_path / "new"
    write(root, TYPESCRIPT)

    scan_until(root, "link", 1)

    assert read_index_state(StateDir(root).index_db).layers == {Layer.FILES, Layer.SYMBOLS}
    assert dump_of(root)["edges"] == []
    scan(root, ONE_PROCESS)
    assert dump_of(root) == scanned_anew(TYPESCRIPT, tmp_path / "fresh")


@pytest.mark.parametrize("age_seconds", [0, 1, 3, 86_400])
@pytest.mark.parametrize("has_looked", [False, True])
def test_an_edit_that_keeps_size_and_time_is_seen(tmp_path, age_seconds, has_looked):
    file = tmp_path / "shop.py"
    file.write_text("def price():\n    pass\n")
    time_ns = time.time_ns() - age_seconds * 1_000_000_000
    os.utime(file, ns=(time_ns, time_ns))
    scan(tmp_path, ScanOptions(jobs=0))
    detector = Detector(tmp_path, {})
    if has_looked:
        assert [detector.detect().differing for _ in range(2)] == [0, 0]

    file.write_text("def taxes():\n    pass\n")
    os.utime(file, ns=(time_ns, time_ns))

    assert detector.detect().differing == 1
    assert scan(tmp_path, ScanOptions(jobs=0)).mode == "update"
