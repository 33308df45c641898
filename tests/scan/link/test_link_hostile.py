"""Names, circles and sizes that no project should have cost no file its links: the linker meets no fault of its own."""

import random
import re
from pathlib import Path

import pytest

from drift.languages.table import LANGUAGES
from drift.scan.extractors import extractor_of
from drift.scan.link import MemorySources
from drift.scan.link.link import link

PROJECTS = Path(__file__).parents[2] / "projects"
SUFFIXES = {language.name: language.extensions for language in LANGUAGES if language.name != "wpf"}
CASES = 12
# Keywords, names that languages treat apart, and what the facts themselves use as marks.
NAMES = (
    *("class", "class:", "new", "base constructors", "this", "super", "self", "*", "<lambda>", "__init__"),
    *("constructor", "prototype", "__proto__", "__call__", "__getattr__", "default", "exports", "crate"),
    *(
        "",
        "a.b",
        "a::b",
        "ünï",
        "名",
        "x" * 3000,
        "operator()",
        "0",
        "$x",
        "_",
        "T",
        "String",
        "list",
        "then",
    ),
)
WORD = re.compile(r"[^\W\d]\w*")


def rename(text: str, chance: random.Random) -> str:
    """The text with one of its words replaced everywhere."""
    word, name = chance.choice(WORD.findall(text) or [""]), chance.choice(NAMES)
    return re.sub(rf"\b{re.escape(word)}\b", lambda _: name, text) if word else text


def exchange(text: str, chance: random.Random) -> str:
    """The text with words in the place of others, which leads names and descent in circles."""
    words = sorted(set(WORD.findall(text)))
    others = chance.sample(words, len(words) // 4)
    instead = dict(zip(others, chance.sample(words, len(others)), strict=True))
    return WORD.sub(lambda found: instead.get(found.group(), found.group()), text)


def shuffle_lines(text: str, chance: random.Random) -> str:
    """The text with lines moved, doubled and lost."""
    lines = text.split("\n")
    for _ in range(6):
        line = lines.pop(chance.randrange(len(lines))) if len(lines) > 1 else lines[0]
        lines[chance.randrange(len(lines)) : 0] = [line] * chance.randrange(3)
    return "\n".join(lines)


def empty_strings(text: str, chance: random.Random) -> str:
    """The text with what stands in quotes, such as a module's name, made a path to nowhere."""
    other = chance.choice(["", ".", "..", "/", "*", "./" * 50])
    return re.sub(r"([\"'])[^\"'\n]*\1", lambda found: f"{found[1]}{other}{found[1]}", text)


def link_all(language: str, texts: dict[str, str], caplog: pytest.LogCaptureFixture) -> None:
    """Link the files, and assert that something is said of each call and no fault was met."""
    facts = {path: extractor_of(language)(text.encode(), path) for path, text in texts.items()}

    links = link(MemorySources(facts, {}))

    assert not caplog.records, texts
    assert {path: len(said.calls) for path, said in links.items()} == {
        path: len(found.calls) for path, found in facts.items()
    }


@pytest.mark.parametrize("language", SUFFIXES)
def test_files_with_strange_names_are_linked_without_a_fault(language, caplog):
    folder = PROJECTS / language
    texts = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*"))
        if path.suffix in SUFFIXES[language]
    }
    assert texts
    for seed in range(CASES):
        chance = random.Random(seed)
        change = (rename, exchange, shuffle_lines, empty_strings)[seed % 4]

        link_all(language, {path: change(text, chance) for path, text in texts.items()}, caplog)


@pytest.mark.parametrize(
    "types", ["type Node *Node", "type Node Node", "type Node Other\ntype Other Node", "type Node []Node"]
)
def test_a_go_type_that_is_made_of_itself_costs_no_links(types, caplog):
    use = "func (n Node) Run() {\n\tn.Run()\n\tfor _, below := range n {\n\t\tbelow.Run()\n\t}\n}\n"

    link_all("go", {"node.go": f"package node\n\n{types}\n\n{use}"}, caplog)


def test_what_is_imported_from_nowhere_costs_no_links(caplog):
    text = "import * as box from '';\nclass A { get size() { return 1; } }\nconst size = box.size;\n"

    link_all("typescript", {"a.ts": text}, caplog)


def test_java_methods_alike_in_all_are_all_named(caplog):
    methods = "void f(int a, String b) { f(1, null); }\n" * 3
    facts = {"A.java": extractor_of("java")(f"class A {{\n{methods}}}\n".encode(), "A.java")}

    calls = link(MemorySources(facts, {}))["A.java"].calls

    assert [len(said.targets) for said in calls] == [3, 3, 3]


LONG = 300
SHAPES = {
    "python": "class C0:\n def f(self): self.f()\n"
    + "".join(f"class C{n + 1}(C{n}):\n def f(self): super().f(); self.f()\n" for n in range(LONG)),
    "java": "".join(f"class C{n + 1} extends C{n} {{ void f() {{ super.f(); f(); }} }}\n" for n in range(LONG)),
    "go": "package a\n"
    + "".join(
        f"type I{n} interface {{ Do() }}\ntype T{n} struct{{}}\nfunc (t T{n}) Do() {{}}\n"
        f"func u{n}(x I{n}) {{ x.Do() }}\n"
        for n in range(LONG)
    ),
    "javascript": "".join(f"class C{n} extends C{(n + 1) % 30} {{ f() {{ super.f(); this.g(); }} }}\n" for n in range(30)),
    "cpp": "".join(f"namespace a{n} {{ void f() {{ f(); }}\n" for n in range(LONG)) + "}" * LONG,
    "typescript": "".join(f"type X{n} = X{(n + 1) % 60} | X{(n + 7) % 60};\nfunction f{n}(x: X{n}) {{ x.run(); }}\n" for n in range(60)),
    "csharp": "class A { A F(A x) { return this; } A F(B x) { return this; } void G() {"
    + "F(" * LONG + "null" + ")" * LONG + "; } }\nclass B : A {}\n",
    "php": "<?php f()" + "->f()" * LONG + ";\n",
    "ruby": "".join(f"module M{n}\ninclude M{(n + 1) % 60}\nextend M{(n + 7) % 60}\ndef f = g\nend\n" for n in range(60))
    + "class A < A\ndef f = super\nend\nA = B\nB = A\nf" + ".f" * LONG,
    "rust": "fn g() { " + "f(" * LONG + "1" + ")" * LONG + "; }\n",
}  # fmt: skip
PATHS = {"java": "C.java", "csharp": "C.cs", "rust": "src/lib.rs"}


@pytest.mark.parametrize("language", SHAPES)
def test_files_of_strange_shapes_are_linked_without_a_fault(language, caplog):
    path = PATHS.get(language, f"a{SUFFIXES[language][0]}")

    link_all(language, {path: SHAPES[language]}, caplog)
