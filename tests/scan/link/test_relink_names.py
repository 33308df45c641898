"""What a file's links rest on beyond the text of its imports: where files come, what they say they are."""

import pytest
from relink_cases import KeptLinks

CASES = {
    "a module that a relative import names": (
        {"pkg/__init__.py": "", "pkg/a.py": "from .base import f\nf()\n"},
        {"pkg/base.py": "def f(): pass\n"},
    ),
    "a module that is imported from around": (
        {"pkg/__init__.py": "", "pkg/in/__init__.py": "", "pkg/in/a.py": "from .. import base\nbase.f()\n"},
        {"pkg/base.py": "def f(): pass\n"},
    ),
    "a package that a relative import names": (
        {"pkg/__init__.py": "", "pkg/a.py": "from .sub import f\nf()\n"},
        {"pkg/sub/__init__.py": "def f(): pass\n"},
    ),
    "a module that is a member of its package": (
        {
            "pkg/__init__.py": "",
            "pkg/sub.py": "",
            "u.py": "import pkg.sub\npkg.base.f()\n",
            "v.py": "from u import pkg\npkg.base.f()\n",
        },
        {"pkg/base.py": "def f(): pass\n"},
    ),
    "a folder that becomes a package, seen from elsewhere": (
        {
            "tools/x.py": "def f(): pass\n",
            "u.py": "import x\nx.f()\n",
            "v.py": "from tools import x\nx.f()\n",
        },
        {"tools/__init__.py": ""},
    ),
    "a package that imports begin in": (
        {"pyproject.toml": "", "lib/__init__.py": "", "u.py": "import base\nbase.f()\n"},
        {"lib/base.py": "def f(): pass\n"},
    ),
    "a folder of packages that is new": (
        {"pkg/__init__.py": "", "u.py": "import pkg.new.base as b\nb.f()\n"},
        {"pkg/new/base.py": "def f(): pass\n"},
    ),
    "a module that comes to answer for names": (
        {
            "n.py": "def __getattr__(name): pass\n",
            "m.py": "",
            "u.py": "import m\nm.x\n",
        },
        {"m.py": "def __getattr__(name): pass\n"},
    ),
    "a fixture beside tests of a package": (
        {"tests/a/__init__.py": "", "tests/a/test_x.py": "def test_it(given):\n    given.go()\n"},
        {
            "tests/a/conftest.py": (
                "import pytest\nclass A:\n    def go(self): pass\n@pytest.fixture\ndef given():\n    return A()\n"
            )
        },
    ),
    "a package clause in Go": (
        {
            "go.mod": "module x\n",
            "a/a.go": "package a\nfunc run() {}\n",
            "a/b.go": "package a\nfunc use() { run() }\n",
        },
        {"a/a.go": "package other\nfunc run() {}\n"},
    ),
    "a member of a class inside a function": (
        {
            "m.py": (
                "class A:\n    def run(self): pass\nclass B:\n    def run(self): pass\n"
                "def make():\n    class C:\n        def __init__(self):\n            self.x = A()\n    return C()\n"
            ),
            "u.py": "from m import make\nmake().x.run()\n",
        },
        {
            "m.py": (
                "class A:\n    def run(self): pass\nclass B:\n    def run(self): pass\n"
                "def make():\n    class C:\n        def __init__(self):\n            self.x = B()\n    return C()\n"
            )
        },
    ),
    "a second namespace": (
        {
            "m.h": "namespace a { void g(); }\n",
            "u.cpp": '#include "m.h"\nusing namespace a;\nvoid u() { f(); }\n',
        },
        {"m.h": "namespace a { void g(); }\nnamespace b { void f(); }\n"},
    ),
    "a namespace that becomes a struct": (
        {
            "m.h": "namespace aa { void f(); }\n",
            "u.cpp": "using namespace aa;\nvoid u() { f(); aa::f(); }\n",
        },
        {"m.h": "struct aa { static void f(); };\n"},
    ),
    "a free operator that comes to take the object": (
        {
            "m.h": "struct A {};\nstruct B {};\n",
            "o.h": '#include "m.h"\nA operator+(const B& a, const B& b);\n',
            "u.cpp": '#include "o.h"\nvoid u(A a, A b) { a + b; }\n',
        },
        {"o.h": '#include "m.h"\nA operator+(const A& a, const A& b);\n'},
    ),
    "a field that becomes an object": (
        {
            "k.h": "struct Lock { public: Lock() {} };\n",
            "m.h": '#include "k.h"\nstruct A { public: A(); Lock* lock; };\n',
            "u.cpp": '#include "m.h"\nA::A() {}\n',
        },
        {"m.h": '#include "k.h"\nstruct A { public: A(); Lock lock; };\n'},
    ),
    "the constructor of a field's class": (
        {
            "k.h": "struct Lock { public: Lock(int n) {} };\n",
            "m.h": '#include "k.h"\nstruct A { public: A(); Lock lock; };\n',
            "u.cpp": '#include "m.h"\nA::A() {}\n',
        },
        {"k.h": "struct Lock { public: Lock() {} };\n"},
    ),
    "a default that a declaration comes to give": (
        {
            "m.h": "struct A { public: int f(int n); int f(const char* s); };\n",
            "m.cpp": '#include "m.h"\nint A::f(int n) { return n; }\nint A::f(const char* s) { return 1; }\n',
            "u.cpp": '#include "m.h"\nvoid u(A a) { a.f(); }\n',
        },
        {"m.h": "struct A { public: int f(int n); int f(const char* s = 0); };\n"},
    ),
    "a number by another name": (
        {
            "n.h": "typedef int Count;\n",
            "m.h": "void f(int n) {}\nvoid f(unsigned n) {}\n",
            "u.cpp": '#include "n.h"\n#include "m.h"\nCount many();\nvoid u(Count n) { f(n); f(many()); }\n',
        },
        {"n.h": "typedef unsigned Count;\n"},
    ),
    "a macro that comes to stand for its argument": (
        {
            "t.h": "#define TEXT(t) count(t)\n",
            "m.h": '#include "t.h"\n#define STR(t) TEXT(t)\nvoid f(const char* s) {}\nvoid f(int n) {}\n',
            "u.cpp": '#include "m.h"\nvoid u() { f(STR("x")); }\n',
        },
        {"t.h": "#define TEXT(t) t\n"},
    ),
    "a copy that is withheld no more": (
        {
            "m.h": "class A { private: A(const A&); public: A(int n, int m = 0) {} };\n",
            "u.cpp": '#include "m.h"\nvoid u(Far f) { A a(f); }\n',
        },
        {"m.cpp": '#include "m.h"\nA::A(const A& a) {}\n'},
    ),
    "an index that comes to give a pointer": (
        {
            "m.h": "struct A { public: A& operator[](int n) { return *this; } A& operator=(const A& a) { return *this; } };\n",
            "u.cpp": '#include "m.h"\nvoid u(A a, A b) { a[1] = b; }\n',
        },
        {
            "m.h": "struct A { public: A* operator[](int n) { return this; } A& operator=(const A& a) { return *this; } };\n"
        },
    ),
    "a field that may no longer be changed": (
        {
            "m.h": "struct B { public: int f(); int f() const; };\nstruct A { public: B held; };\n",
            "u.cpp": '#include "m.h"\nvoid u(A& a) { a.held.f(); }\n',
        },
        {"m.h": "struct B { public: int f(); int f() const; };\nstruct A { public: const B held; };\n"},
    ),
    "the class of a file that is included": (
        {
            "m.h": "namespace n { struct B { public: int f(); }; }\n",
            "m.inl.h": "namespace n { int A::f() { return 1; } }\n",
            "u.cpp": '#include "m.h"\n#include "m.inl.h"\nvoid u(n::A& a) { a.f(); }\n',
        },
        {"m.h": "namespace n { struct A { public: int f(); }; }\n"},
    ),
    "a folder that becomes a package": (
        {
            "pkg/helper.py": "def run(): pass\n",
            "pkg/other.py": "class helper:\n    def run(): pass\n",
            "pkg/user.py": "from . import helper\nhelper.run()\n",
        },
        {"pkg/__init__.py": "from .other import helper\n"},
    ),
    "a class that a text names": (
        {"pkg/__init__.py": "", "pkg/other.py": "", "settings.py": 'CHOSEN = "pkg.names.Box"\n'},
        {"pkg/names.py": "class Box: pass\n"},
    ),
    "a package around a package": (
        {
            "a/b/__init__.py": "",
            "a/b/c.py": "def run(): pass\n",
            "u.py": "from b.c import run\nrun()\n",
        },
        {"a/__init__.py": ""},
    ),
    "the index of the folder itself": (
        {"a/u.ts": "import { run } from '.';\nrun();\n", "a/v.ts": ""},
        {"a/index.ts": "export function run() {}\n"},
    ),
    "the package at the root of a module": (
        {
            "go.mod": "module example.com/app\n",
            "cmd/m.go": 'package main\nimport "example.com/app"\nfunc main() { app.Run() }\n',
        },
        {"lib.go": "package app\nfunc Run() {}\n"},
    ),
    "the main file of a package": (
        {
            "package.json": '{"workspaces": ["packages/*"]}',
            "packages/core/package.json": '{"name": "@s/lib", "main": "src/main.ts"}',
            "packages/core/src/z.ts": "",
            "packages/app/u.ts": "import { run } from '@s/lib';\nrun();\n",
        },
        {"packages/core/src/main.ts": "export function run() {}\n"},
    ),
    "a mapped file": (
        {
            "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@app": ["src/entry.ts"]}}}',
            "src/z.ts": "",
            "u.ts": "import { run } from '@app';\nrun();\n",
        },
        {"src/entry.ts": "export function run() {}\n"},
    ),
    "an argument that a function comes to give back": (
        {
            "m.ts": "export function keep(run: any) { return 1 }\n",
            "u.ts": "import { keep } from './m'\nfunction go() {}\nconst kept = keep(go)\nkept()\n",
        },
        {"m.ts": "export function keep(run: any) { return run }\n"},
    ),
    "a member of the type of an option": (
        {
            "k.ts": "export class Box { open() {} }\n",
            "m.ts": "import { Box } from './k'\nexport interface Own { on: (b: string) => void }\n",
            "t.ts": "import { Own } from './m'\nexport function take(own: Own) {}\n",
            "u.ts": "import { take } from './t'\ntake({ on: (b) => b.open() })\n",
        },
        {"m.ts": "import { Box } from './k'\nexport interface Own { on: (b: Box) => void }\n"},
    ),
    "what the type of a value is of": (
        {
            "k.ts": "export function a() {}\nexport const b = 1\n",
            "m.ts": "import * as k from './k'\nexport type Run = typeof k.b\n",
            "u.ts": "import { Run } from './m'\nexport function use(run: Run) { run() }\n",
        },
        {"m.ts": "import * as k from './k'\nexport type Run = typeof k.a\n"},
    ),
    "a getter that becomes one of the class": (
        {
            "m.ts": "export class Box { get url() { return 1 } }\n",
            "u.ts": "import { Box } from './m'\nexport function use() { return Box.url }\n",
        },
        {"m.ts": "export class Box { static get url() { return 1 } }\n"},
    ),
    "a part of an intersection": (
        {
            "m.ts": "export interface A { go(): void }\nexport interface B { stay(): void }\nexport type Own = { n: 1 } & B\n",
            "u.ts": "import { Own } from './m'\nexport function use(own: Own) { own.go() }\n",
        },
        {
            "m.ts": "export interface A { go(): void }\nexport interface B { stay(): void }\nexport type Own = { n: 1 } & A\n"
        },
    ),
    "the first file of a crate": (
        {
            "core/Cargo.toml": '[package]\nname = "other-crate"\n',
            "core/src/z.rs": "",
            "app/Cargo.toml": '[package]\nname = "app"\n',
            "app/src/main.rs": "fn main() { other_crate::run(); }\n",
        },
        {"core/src/lib.rs": "pub fn run() {}\n"},
    ),
    "a struct that leaves its impl behind": (
        {
            "src/m.rs": "pub struct Store { }\nimpl Store { pub fn restock(&self) {} }\n",
            "src/u.rs": "pub fn use_it() { made_elsewhere().restock(); }\n",
        },
        {"src/m.rs": "impl Store { pub fn restock(&self) {} }\n"},
    ),
    "a getter of what the body of a class holds": (
        {
            "d.py": "class made:\n    pass\n",
            "m.py": "from d import made\nclass Box:\n    size = made()\n",
            "u.py": "from m import Box\ndef use(): return Box().size\n",
        },
        {"d.py": "class made:\n    def __get__(self, owner, kind): pass\n"},
    ),
    "a member that becomes a property by a call": (
        {
            "m.py": "class Box:\n    def _size(self): pass\n    size = 1\n",
            "u.py": "from m import Box\ndef use(): return Box().size\n",
        },
        {"m.py": "class Box:\n    def _size(self): pass\n    size = property(_size)\n"},
    ),
    "what an abstract method gives below": (
        {
            "m.py": "class Case:\n    def make(self): raise NotImplementedError\n    def run(self): self.make().open()\n",
            "b.py": "class Lid:\n    def open(self): pass\n    def close(self): pass\n",
            "u.py": "from m import Case\nclass Own(Case):\n    def make(self): pass\n",
        },
        {
            "u.py": "from m import Case\nfrom b import Lid\nclass Own(Case):\n    def make(self): return Lid()\n"
        },
    ),
    "a class of the global namespace": (
        {"m.php": "<?php\n", "u.php": "<?php\nfunction f() { (new Box)->open(); }\n"},
        {"m.php": "<?php\nclass Box { function open() {} }\n"},
    ),
    "a property that a method answers for": (
        {
            "m.php": "<?php\nclass Top { }\nclass Box extends Top { function __get($n) {} }\n",
            "u.php": "<?php\nfunction f(Box $b) { return $b->size; }\n",
        },
        {
            "m.php": "<?php\nclass Top { public $size; }\nclass Box extends Top { function __get($n) {} }\n",
        },
    ),
    "a second method that an interface leaves open": (
        {
            "p/I.java": "package p;\npublic interface I { void run(); }\n",
            "p/J.java": "package p;\npublic interface J { void run(String a, String b, String c); }\n",
            "p/T.java": "package p;\npublic class T { public void take(I i) {} public void take(J j) {} }\n",
            "p/U.java": "package p;\nclass U { void u(T t) { t.take((a) -> {}); } }\n",
        },
        {"p/I.java": "package p;\npublic interface I { void run(); void run(int a); }\n"},
    ),
}


@pytest.mark.parametrize(("files", "changes"), CASES.values(), ids=CASES)
@pytest.mark.parametrize("is_undone", [False, True])
def test_a_change_reaches_the_files_that_rest_on_it(files, changes, is_undone):
    states = [files, {**files, **changes}]
    if is_undone:
        states.reverse()
    kept = KeptLinks(states[0])
    before = dict(kept.links)

    kept.change_to(states[1])

    expected = KeptLinks(states[1]).links
    assert kept.links == expected
    unchanged = files.keys() - changes.keys()
    assert any(before.get(path) != expected.get(path) for path in unchanged)
