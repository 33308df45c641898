"""Linking again after a change says exactly what linking from the start would."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from relink_cases import KeptLinks

PYTHON = (
    "",
    "def f(x): x.run()\n",
    "import os\n\n\ndef before(): pass\n\n\ndef f(x):\n    return before()\n",
    "class A:\n    def run(self): pass\n",
    "class A:\n    def run(self): return self.made\n    def only_here(self): self.run()\n    def __init__(self): self.made = A()\n",
    "from a import f\nfrom b import A\nf(A())\n",
    "from b import A\nclass B(A):\n    def run(self): return super().run()\ndef make(): return B()\nmake().run()\n",
    "from pkg.c import A\nimport pkg\nA().run()\npkg.d.f(A())\nA().made.run()\n",
    "from .c import *\nfrom .d import f\n",
    "from pkg import A, f\nf(A())\ndef again(a: A): a.run()\n",
    "from pkg.d import make\nmake().run()\nmake().made.only_here()\n",
    "def g(x): x.only_here()\n",
    "from apart.e import f\nf(1)\n",
    "from typing import Protocol\nclass P(Protocol):\n    def run(self): ...\ndef f(p: P): p.run()\n",
    "import pytest\n@pytest.fixture\ndef made():\n    from b import A\n    return A()\n",
    "def test_it(made): made.run()\n",
    "def f(x): return f(g(x))\ndef g(x): return f(x) or [g(x)]\nf(1)\n",
    "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass Box(Generic[T]):\n    def get(self) -> T: ...\nclass A: ...\n",
    "from a import Box\nfrom b import A\nclass Held(Box[A]): ...\nmade = Box[A]()\n",
    "from a import A, Box\nclass Held(Box[A]): ...\nmade = Box[A]()\n",
    "from pkg.c import Held, made\ndef use(h: Held): h.get().run()\nmade.get().run()\n",
)
PYTHON_FILES = (
    "a.py", "b.py", "pkg/__init__.py", "pkg/c.py", "pkg/d.py", "apart/e.py", "conftest.py", "test_x.py",
)  # fmt: skip

SCRIPT = (
    "",
    "export class A { run() { return this; } get made() { return new A(); } }\n",
    "export function before() {}\nexport class A { run() { return before(); } }\n",
    "import { A } from './a';\nexport class B extends A { run() { return super.run(); } }\n",
    "export * from './a';\n",
    "import { A } from './lib';\nnew A().run();\nnew A().made.run();\n",
    "export interface P { run(): void }\nexport function f(p: P) { p.run(); }\n",
    "import { B } from './b';\nexport const b = new B();\nb.run();\n",
    "const x = require('./a');\nx.f();\nexports.f = function () { return x; };\n",
    "var app = exports = module.exports = {};\napp.f = function () { this.run(); return this; };\napp.run = function () {};\n",
    "var d = require('./d'), made = function () {};\nmixin(made, d);\nmade.f().run();\nmodule.exports = made;\n",
    "function Old() { this.made = new Old(); }\nOld.prototype.run = function () { this.made.run(); };\nexports.A = Old;\nexports.f = function (g) { g.run(); };\n",
    "const e = require('./e');\ne.f().run(); new e.A().made.run(); e.run.call(1);\n",
    "export * from './lib';\nexport * from 'outside';\n",
)
SCRIPT_FILES = ("a.ts", "b.ts", "lib/index.ts", "c.ts", "d.js", "e.js")

GO = (
    "package p\n",
    "package p\ntype A struct{}\nfunc (a *A) Run() *A { return a }\n",
    "package p\nfunc (a *A) Stop() { a.Run().Stop() }\n",
    "package p\ntype Runner interface{ Run() *A }\nfunc use(r Runner) { r.Run() }\n",
    "package p\nfunc make1() *A { return &A{} }\nfunc main() { make1().Run(); helper() }\n",
    "package p\nvar before = 1\nfunc helper() { make1().Stop() }\n",
    'package q\nimport "example.com/m/p"\nfunc f(a *p.A) { a.Run() }\n',
)
GO_FILES = ("p/a.go", "p/b.go", "p/c_test.go", "q/d.go")

JAVA = (
    "package q;\nimport p.*;\nclass H { A self; A A() { return new A(); } void f(String @N ... s) { self.run(); A().run(); A.run(); } }\n",
    "package p;\n",
    "package p;\npublic class A { public A run() { return this; } }\n",
    "package p;\nclass Before {}\npublic class A { public A run() { return new A(); } void other() {} }\n",
    "package p;\nclass B extends A { public A run() { return super.run(); } }\n",
    "package q;\nimport p.A;\nclass C { A a; void f() { a.run().run(); g(new A()); } void g(A x) { x.other(); } }\n",
    "package q;\nimport p.*;\nclass D { void f(B b) { b.run(); } }\n",
    "package p;\ninterface R { void other(); }\nclass E implements R { public void other() {} }\n",
    "package p;\npublic class A { A() {} A run(int n) { return this; } B run(String s) { return null; } A self; }\n",
    'package p;\nclass B extends A { B(A a) {} B(B b) {} A run(long n) { return run(1).run("s"); } A run(Object... o) { return null; } }\n',
    "package q;\nimport p.*;\nclass F extends B { F(A a) { super(a); } void f(String... s) { run(1L); run(s); run('c', null); new B(self).run(A.class); } }\n",
    "package q;\nimport static out.Side.*;\nclass G extends out.Base { void f(p.A a) { getClass(); inherited(); a.run(p.A::new); a.run(x -> x); } }\n",
    "package p;\ninterface R { A run(java.util.function.Function<A, A> f); }\nabstract class A implements R { abstract A run(R r); }\n",
)
JAVA_FILES = ("p/A.java", "p/B.java", "q/C.java", "q/D.java")

PHP = (
    "<?php\n",
    "<?php\nnamespace P;\nclass A { function run() { return $this; } }\n",
    "<?php\nnamespace P;\nfunction before() {}\nclass A { function run() { return new A(); } function other() {} }\n",
    "<?php\nnamespace P;\nclass B extends A { function run() { return parent::run(); } }\n",
    "<?php\nnamespace Q;\nuse P\\A;\nfunction f(A $a) { $a->run()->run(); helper(); }\n",
    "<?php\nfunction helper() { return new \\P\\A(); }\n",
    "<?php\nnamespace P;\ntrait T { function twice() { return $this->run()->OTHER(); } \n/** @return static */\nstatic function make() {} }\n",
    "<?php\nnamespace P;\nclass A { use T; public $run; function run() { return self::make()->twice(); } }\n",
    "<?php\nnamespace P;\nclass C extends A implements I { use T; function other() { return static::make()->other(); } }\ninterface I { function run(); }\n",
    "<?php\nnamespace Q;\nuse P\\{A, B, C};\nfunction f($a) { if ($a instanceof A) { $a->run(); } if (! $a instanceof B) { return app(C::class)->other(); } return $a->run() ?? StrLen('x'); }\n",
)
PHP_FILES = ("a.php", "b.php", "c.php", "d.php")

CSHARP = (
    "namespace P;\nstatic class Y { public static void Run(this A a, int n) {} public static void Named(this System.Type t) {} }\n",
    "using P;\nnamespace Q;\nclass G { A A; void F(A a, System.Action<int> f) { a.Run(1); a.Run<int>(); typeof(A).Named(); new A().Run(); A.Run(f); } }\n",
    "namespace P;\nclass A { public A Run() { return this; } }\n",
    "namespace P;\nclass Before {}\nclass A { public A Run() { return new A(); } public void Other() {} }\n",
    "namespace P;\nclass B : A { public void Go() { Run().Run(); } }\n",
    "using P;\nnamespace Q;\nclass C { void F(A a) { a.Run(); new B().Go(); } }\n",
    "namespace P.Inner;\nclass D { void F(A a) { a.Other(); } }\n",
    "namespace P;\nstatic class X { public static A Twice(this A a, int n = 1) => a; public static bool Is(this string s) => true; }\n",
    "using P;\nnamespace Q;\nstatic class X { public static B Twice(this B b) => b; }\n",
    'using P;\nusing Q;\nnamespace R;\nclass E { void F(A a) { a.Twice().Run(); "a".Is(); a.Twice(2).Where(1); } }\n',
    "namespace P;\npartial class A { public void Part() { Run(); Rest(); } }\n",
    "namespace P;\npartial class A : B { public A Run() => this; void Rest() { Part(); Go(); } }\n",
    "namespace R.S;\nusing P;\nclass F { A A { get; } void G(B b) { A.Run(); Put(b); Put(A); new A(); } void Put(A a) {} void Put(B b) {} }\n",
    "namespace R.P;\nclass A { public void Run() {} public static implicit operator B(A a) => null; }\nclass B : A {}\n",
)
CSHARP_FILES = ("a.cs", "b.cs", "c.cs", "d.cs")

RUST = (
    "pub struct A;\nimpl A { pub fn run(&self) -> A { A } }\n",
    "pub fn before() {}\npub struct A;\nimpl A { pub fn run(&self) -> A { A } pub fn other(&self) {} }\n",
    "mod a;\nmod b;\nuse a::A;\nfn main() { A.run().other(); b::f(A); }\n",
    "use crate::a::A;\npub fn f(a: A) { a.run(); }\n",
    "pub trait R { fn run(&self); }\npub fn f(r: &dyn R) { r.run(); }\n",
    "mod b;\npub fn made() {}\nmod inner { pub fn f() { super::made(); self::g(); super::b::f(made!()); } fn g() {} }\n",
    "pub fn f(a: u8) { super::made(); self::f(1); crate::a::f(); my_made!(); }\n#[macro_export]\nmacro_rules! my_made { () => {} }\n",
    "macro_rules! made { () => {} }\npub enum E { One(u8), Two }\npub fn f() { E::One(1).run(); }\nimpl E { fn run(&self) {} }\n",
    "use crate::a::E;\nuse crate::a::E::One;\npub fn made() {}\npub fn g() { made!(|a: A, e: E| { a.run(); e.run() }); One(1); E::Two }\n",
)
RUST_FILES = ("src/main.rs", "src/a.rs", "src/b.rs")

CPP = (
    "",
    '#include "a.h"\nvoid A::run() { helper(); stop(); }\n',
    "namespace n { struct A { void run(); virtual void stop(); A* made; }; }\nusing B = n::A;\n",
    "struct A { void run(); void stop(); };\nvoid helper();\n",
    '#include "a.h"\nvoid helper() {}\nvoid A::stop() {}\nvoid f(A& a) { a.run(); ::helper(); n::helper(); }\n',
    '#include "b.h"\n#include "a.h"\nusing namespace n;\nvoid f(A& a) { a.stop(); a.made->run(); helper(); }\n',
    "#define BEGIN namespace n {\nnamespace n { inline namespace v { void helper(); } }\n",
    '#include "a.h"\nnamespace n { struct C : A { void stop() override; }; void g(B* b) { b->stop(); } }\n',
    "namespace n { void helper() {} }\nstatic void helper() {}\nvoid f() { helper(); n::helper(); }\n",
    "struct A { A(); A(int n); int operator[](int n); int operator[](int n) const; void run(); void run() const; };\n",
    "struct Z { Z() {} };\nstruct A : Z { A(); A(const char* s); int operator[](int n) const; };\ntypedef A* P;\n",
    '#include "a.h"\nA::A() {}\nint A::operator[](int n) const { return n; }\nvoid A::run() const {}\nusing P = A;\n',
    '#include "a.h"\nA made();\nA kept;\nvoid f(const A& a) { A b; P p; b[1]; a[1]; a.run(); made()[2]; A("x"); P q(1); }\n',
    "typedef unsigned N;\n#define S(t) t\nstruct A { A(N n = 1); A(const char* s); A& operator[](N n); A(int n); };\nA operator+(const A& a, int n);\n",
    "namespace n { A::A(N n) {}\nA& A::operator[](N n) { return *this; } }\nA::A(const char* s) {}\n",
    '#include "a.h"\n#include "b.h"\nstruct C { C() {} A held; };\nvoid f(C& c, N n) { A a(n); A b(S("x")); c.held[n] = a; a + 1; const A d; d[1u]; }\n',
)
CPP_FILES = ("a.h", "b.h", "a.cpp", "b.cpp", "lib/c.cpp")

WORLDS = {
    "cpp": (CPP_FILES, CPP),
    "python": (PYTHON_FILES, PYTHON),
    "script": (SCRIPT_FILES, SCRIPT),
    "go": (GO_FILES, GO),
    "java": (JAVA_FILES, JAVA),
    "php": (PHP_FILES, PHP),
    "csharp": (CSHARP_FILES, CSHARP),
    "rust": (RUST_FILES, RUST),
}
GO_MODULE = {"go.mod": "module example.com/m\n"}


@pytest.mark.parametrize("world", WORLDS)
def test_links_after_any_changes_are_those_of_a_fresh_start(world):
    files, bodies = WORLDS[world]
    projects = st.dictionaries(st.sampled_from(files), st.sampled_from(bodies), min_size=1)

    @settings(max_examples=40)
    @given(projects, st.lists(projects, min_size=1, max_size=4))
    def check(first, steps):
        texts = GO_MODULE | first
        kept = KeptLinks(texts)
        for step in steps:
            # What a step repeats goes away: edits, additions and deletions come in any mixture.
            for path, text in step.items():
                if texts.get(path) == text:
                    del texts[path]
                else:
                    texts[path] = text
            kept.change_to(texts)
            assert kept.links == KeptLinks(texts).links

    check()


def test_nothing_changed_links_nothing_again():
    kept = KeptLinks({"a.py": PYTHON[1], "b.py": PYTHON[3]})

    kept.change_to(kept.texts)

    assert kept.linked == []


def test_an_edit_inside_a_function_that_changes_no_value_links_its_file_alone():
    kept = KeptLinks({"a.py": "import os\ndef f(): return 1\n", "b.py": "from a import f\nf()\n"})

    kept.change_to(kept.texts | {"a.py": "import os\ndef f():\n    os.getcwd()\n    return 1\n"})

    assert kept.linked == ["a.py"]


def test_a_new_function_before_others_links_its_file_alone():
    kept = KeptLinks({"a.py": "def f(): return 1\n", "b.py": "from a import f\nf()\n"})

    kept.change_to(kept.texts | {"a.py": "def new(): pass\ndef f(): return 1\n"})

    assert kept.linked == ["a.py"]


def test_what_a_function_gives_back_matters_to_those_who_use_it():
    texts = {
        "a.py": "class A:\n def run(self): pass\ndef f(): return 1\n",
        "b.py": "from a import f\nf().run()\n",
        "c.py": "import a\n",
    }
    kept = KeptLinks(texts)

    kept.change_to(texts | {"a.py": "class A:\n def run(self): pass\ndef f(): return A()\n"})

    assert kept.linked == ["a.py", "b.py"]


def test_a_second_method_of_a_name_unsettles_calls_in_files_that_did_not_change():
    texts = {
        "a.py": "class A:\n def very_special(self): pass\n",
        "b.py": "def f(x): x.very_special()\n",
        "c.py": "",
    }
    kept = KeptLinks(texts)
    before = kept.links["b.py"]

    kept.change_to(texts | {"c.py": "class C:\n def very_special(self): pass\n"})

    assert before != kept.links["b.py"]
    assert kept.linked == ["b.py", "c.py"]


def test_a_module_of_a_common_name_matters_to_those_who_name_its_package():
    texts = {f"{one}/__init__.py": "" for one in ("first", "second")}
    texts |= {"first/base.py": "def f(): pass\n", "first/here.py": "from .base import f\nf()\n"}
    texts |= {"u.py": "from first.base import f\nf()\n", "v.py": "from second.base import f\nf()\n"}
    kept = KeptLinks(texts)

    kept.change_to({**texts, "second/base.py": "def f(): pass\n"})

    assert kept.linked == ["second/base.py", "v.py"]


def test_a_package_that_comes_whole_matters_to_those_who_name_it():
    texts = {
        "first/__init__.py": "",
        "first/base.py": "def f(): pass\n",
        "u.py": "import first.base as b\nb.f()\n",
    }
    kept = KeptLinks(texts)

    kept.change_to({**texts, "second/__init__.py": "", "second/base.py": ""})

    assert kept.linked == ["second/__init__.py", "second/base.py"]


def test_that_there_is_a_method_of_a_name_matters_once_and_not_again():
    texts = {"u.py": "def use(it):\n    with it: pass\n", "m.py": "", "n.py": ""}
    manager = "class A:\n    def __enter__(self): pass\n    def __exit__(self, *_): pass\n"
    kept = KeptLinks(texts)

    kept.change_to({**texts, "m.py": manager})
    first = kept.linked
    kept.change_to({**texts, "m.py": manager, "n.py": manager})

    assert first == ["m.py", "u.py"]
    assert kept.linked == ["n.py"]
