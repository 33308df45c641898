"""Twice the code is about twice the work to link, also where classes lead in circles: counted in calls of functions."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from drift.scan.extractors import extractor_of
from drift.scan.link import Linker, MemorySources, hierarchy
from drift.scan.link.languages.csharp import overloads as csharp_overloads
from drift.scan.link.languages.java import overloads as java_overloads
from drift.scan.link.languages.java import receivers as java_receivers
from drift.scan.link.link import link

MOST_GROWTH = 2.6  # of the work where the code doubles
MOST_ANCESTORS = 20
SMALL = 60  # classes; more than the bounds, so that both sizes have met them


def steps_to_link(language: str, texts: dict[str, str]) -> int:
    """How many calls of functions it takes to link the files."""
    facts = {path: extractor_of(language)(text.encode(), path) for path, text in texts.items()}
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        link(MemorySources(facts, {}))
    finally:
        sys.setprofile(None)
    return count


def join(count: int, write: Callable[[int, int, int], str]) -> str:
    return "".join(write(number, (number + 1) % count, (number + 7) % count) for number in range(count))


CIRCLES = {
    "python": ("a.py", "", lambda n, one, two: f"class C{n}(C{one}, C{two}):\n def f(self): self.g()\n"),
    "go": (
        "a.go",
        "package a\n",
        lambda n, one, two: f"type C{n} struct{{ *C{one}; *C{two} }}\nfunc u{n}(x C{n}) {{ x.G() }}\n",
    ),
    "rust": ("src/lib.rs", "", lambda n, one, two: f"trait C{n}: C{one} + C{two} {{ fn f(&self) {{ self.g(); }} }}\n"),
    "php": ("a.php", "<?php\n", lambda n, one, two: f"trait C{n} {{ use C{one}, C{two}; function f() {{ $this->g(); }} }}\n"),
    "ruby": ("a.rb", "", lambda n, one, two: f"module C{n}\ninclude C{one}, C{two}\ndef f = g\nend\n"),
    "java": ("C.java", "", lambda n, one, two: f"interface C{n} extends C{one}, C{two} {{ default void f{n}() {{ g(); }} }}\n"),
    "csharp": ("C.cs", "", lambda n, one, two: f"interface C{n} : C{one}, C{two} {{ void F{n}() {{ G(); }} }}\n"),
    "cpp": ("c.cpp", "", lambda n, one, two: f"struct C{n} : C{one}, C{two} {{ void f() {{ g(); }} }};\n"),
    "typescript": ("c.ts", "", lambda n, one, two: f"interface C{n} extends C{one}, C{two} {{}}\nfunction f{n}(c: C{n}) {{ c.g(); }}\n"),
}  # fmt: skip


@pytest.mark.parametrize("language", CIRCLES)
def test_classes_that_descend_from_themselves_twice_are_linked_with_work_in_line_with_their_number(
    language, monkeypatch
):
    monkeypatch.setattr(hierarchy, "_MOST_ANCESTORS", MOST_ANCESTORS)
    path, head, write = CIRCLES[language]

    small, large = (steps_to_link(language, {path: head + join(n, write)}) for n in (SMALL, 2 * SMALL))

    assert large < MOST_GROWTH * small


def test_the_ancestors_of_a_class_that_descends_from_itself_are_the_nearest_first():
    text = (
        "class A(B, C): pass\nclass B(D):\n def f(self): pass\nclass C(A):\n def f(self): pass\n"
        " def g(self): pass\nclass D(A):\n def g(self): pass\nA().f()\nA().g()\n"
    )
    facts = {"a.py": extractor_of("python")(text.encode(), "a.py")}

    said = dict(
        zip(
            (call.text for call in facts["a.py"].calls),
            link(MemorySources(facts, {}))["a.py"].calls,
            strict=True,
        )
    )

    symbols = facts["a.py"].symbols
    owners = {
        text: symbols[symbols[said[text].targets[0].place.symbol].parent].name for text in ("A().f", "A().g")
    }
    assert owners == {"A().f": "B", "A().g": "C"}


def ring_of_python(n: int, count: int) -> tuple[str, str]:
    text = f"from m{(n + 1) % count} import *\nfrom m{(n + 3) % count} import *\n"
    return f"m{n}.py", f"{text}def f{n}(): f{(n + count // 2) % count}(); nope()\n"


def ring_of_rust(n: int, count: int) -> tuple[str, str]:
    text = f"pub use crate::m{(n + 1) % count}::*;\npub use crate::m{(n + 3) % count}::*;\n"
    return f"src/m{n}.rs", f"{text}pub fn f{n}() {{ f{(n + count // 2) % count}(); nope(); }}\n"


def ring_of_typescript(n: int, count: int) -> tuple[str, str]:
    text = f"export * from './m{(n + 1) % count}';\nexport * from './m{(n + 3) % count}';\n"
    use = f"import * as q from './m{(n + 1) % count}';\n"
    return f"m{n}.ts", f"{text}{use}export function f{n}() {{ q.f{(n + count // 2) % count}(); q.nope(); }}\n"


@pytest.mark.parametrize(
    ("language", "write"),
    [("python", ring_of_python), ("rust", ring_of_rust), ("typescript", ring_of_typescript)],
)
def test_each_of_the_modules_that_import_each_other_whole_is_asked_once_for_a_name(language, write):
    small, large = (
        steps_to_link(language, dict(write(n, count) for n in range(count))) for count in (25, 50)
    )

    assert large < 2 * MOST_GROWTH * small  # each asks all others, so four times is what there is to do


GENERATIONS = {
    "deep": "class C{n}(C{before}):\n def f{n}(self): self.f{n}()\n",
    "diamonds": (
        "class L{n}(C{before}):\n def f(self): pass\nclass R{n}(C{before}):\n def f(self): pass\n"
        "class C{n}(L{n}, R{n}):\n def f(self): super().f()\n"
    ),
}


@pytest.mark.parametrize(("shape", "count", "most"), [("deep", 160, 4_000), ("diamonds", 60, 20_000)])
def test_the_ancestors_of_many_generations_are_gone_through_once_for_each_class(shape, count, most):
    text = "class C0: pass\n" + "".join(GENERATIONS[shape].format(n=n, before=n - 1) for n in range(1, count))

    assert steps_to_link("python", {"a.py": text}) < most * count


def test_a_class_of_very_many_generations_knows_its_two_hundred_nearest_ancestors():
    text = "class C0: pass\n" + "".join(
        f"class C{n}(C{n - 1}):\n def f{n}(self): pass\n" for n in range(1, 400)
    )
    facts = {"a.py": extractor_of("python")(f"{text}C399().f210()\nC399().f150()\n".encode(), "a.py")}

    calls = link(MemorySources(facts, {}))["a.py"].calls

    targets = [
        [facts["a.py"].symbols[target.place.symbol].name for target in call.targets if target.confidence == 1]
        for call in calls
    ]
    assert ["f210"] in targets
    assert ["f150"] not in targets


def test_asking_a_table_for_each_of_its_keys_goes_through_it_once():
    def write(n: int, one: int, _two: int) -> str:
        return f" k{n}: function () {{ T.k{one}(); }},\n"

    small, large = (
        steps_to_link("javascript", {"a.js": f"const T = {{\n{join(count, write)}}};\n"})
        for count in (400, 800)  # more than the entries that are looked at for their values
    )

    assert large < MOST_GROWTH * small


def test_entries_of_a_table_that_are_made_of_one_another_are_found_out_once_each():
    def write(count: int) -> str:
        rows = (
            f"table['a'] = table['b'] or table['c{n}']\ntable['b'] = table['a'] or table['c{n}']\n"
            f"table['c{n}'] = table['a'] or table['b']\n"
            for n in range(count)
        )
        return f"def start(): pass\ntable = {{'a': start}}\n{''.join(rows)}table['a']()\n"

    small, large = (steps_to_link("python", {"a.py": write(count)}) for count in (2, 4))

    assert large < 3 * small


def test_names_are_looked_for_in_the_namespaces_of_a_path_alone():
    def write(n: int, one: int, two: int) -> str:
        return f"namespace a{n} {{ using namespace a{one}; void f{n}() {{ f{two}(); }} }}\n"

    small, large = (steps_to_link("cpp", {"a.cpp": join(count, write)}) for count in (40, 80))

    assert large < 2 * MOST_GROWTH * small  # each name in each namespace, not in each block for each of them


def test_a_name_passed_on_through_hundreds_of_modules_ends_in_no_fault():
    count = 400
    texts = {f"m{n}.py": f"from m{n + 1} import f\nf()\n" for n in range(count)}
    texts[f"m{count}.py"] = "def f(): pass\n"
    facts = {path: extractor_of("python")(text.encode(), path) for path, text in texts.items()}

    linked = list(Linker(MemorySources(facts, {})).link_all())

    assert [each.path for each in linked if each.fault is not None] == []


OVERLOADS = {
    "csharp": (
        "A.cs",
        "void F(T{n} a) {{ F(null); F(x => x.G()); F(new T{one}()); }}\n",
        "class T{n} {{}}\n",
    ),
    "java": (
        "A.java",
        "void f(T{n} a) {{ f(null); f(x -> x.g()); f(new T{one}()); }}\n",
        "class T{n} {{}}\n",
    ),
}


@pytest.mark.parametrize("language", OVERLOADS)
def test_functions_of_one_name_beyond_number_are_held_against_a_call_no_more(language, monkeypatch):
    for module in (csharp_overloads, java_overloads):
        monkeypatch.setattr(module, "MOST_OVERLOADS", 30)
        monkeypatch.setattr(module, "MOST_COMPARED", 8)
    monkeypatch.setattr(java_receivers, "MOST_OVERLOADS", 30)
    path, method, kind = OVERLOADS[language]

    def write(count: int) -> dict[str, str]:
        methods = join(count, lambda n, one, _: method.format(n=n, one=one))
        return {path: f"class A {{\n{methods}}}\n" + join(count, lambda n, _one, _two: kind.format(n=n))}

    few, some, many = (steps_to_link(language, write(count)) / count for count in (10, 30, 120))

    assert some < 5 * few  # in line with the functions, not with their square
    assert many < 2 * some  # four times as many functions


def test_java_methods_that_override_others_of_one_name_are_compared_once_for_all_calls():
    def write(count: int) -> dict[str, str]:
        methods = join(count, lambda n, _one, _two: f"void f(T{n} a) {{}}\n")
        calls = join(count, lambda n, _one, _two: f"class T{n} {{ void g(A a) {{ a.f(this); }} }}\n")
        return {"A.java": f"interface I {{\n{methods}}}\nclass A implements I {{\n{methods}}}\n{calls}"}

    few, some = (steps_to_link("java", write(count)) / count for count in (10, 30))

    assert some < 4 * few  # in line with the functions, not with their square
