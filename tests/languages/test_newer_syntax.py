"""Sources in a syntax that is newer than the grammars: nothing of them is lost, and nothing else is altered."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.languages.newer_syntax import alterations, load_alterations, parse_newer
from drift.languages.syntax import GRAMMARS, parse
from drift.scan.extractors import extractor_of

NEWER = {
    ("go", "a.go"): [
        'package a\nfunc last() { x := new("a"); y := new(g.Total()); z := new(1 + 2); use(x, y, z) }',
    ],
    ("ruby", "a.rb"): [
        "def first(room, &)\n  tag.div data: { room: room }, &\nend\ndef last = 1",
        "def first(*, **)\n  put 1, *, ** if room\nend\ndef last = 1",
    ],
    ("java", "A.java"): ["import module java.base;\nclass A { void last() {} }"],
    ("csharp", "a.cs"): [
        "class A { void F() { a?.B = 1; a?.C += 2; } void last() { } }",
        "class A<T> where T : allows ref struct { void last() { } }",
        "class A { void F() { G((text, out result) => true); } void last() { } }",
    ],
    ("rust", "a.rs"): ['unsafe extern "C" {\n    safe fn first();\n}\nfn last() {}'],
    ("typescript", "a.ts"): [
        "interface A<in out T, out U extends B> {}\nfunction last() {}",
        "import defer * as a from 'a';\nfunction last() {}",
        "export type * as a from 'b';\nfunction last() {}",
    ],
    ("tsx", "a.tsx"): ["const a = <p>x?a=1&b=2</p>;\nfunction last() {}"],
    ("javascript", "a.jsx"): ["const a = <p>x?a=1&b=2</p>;\nfunction last() {}"],
}
ALL = [(grammar, path, source) for (grammar, path), sources in NEWER.items() for source in sources]


@pytest.mark.parametrize(("grammar", "path", "source"), ALL)
def test_what_is_newer_than_the_grammar_is_read(grammar, path, source):
    facts = extractor_of(grammar if grammar != "tsx" else "typescript")(source.encode(), path)

    assert "&\nend" in source or parse(grammar, source.encode()).root_node.has_error  # else no row is needed
    assert not facts.problems
    if "last" in source:
        assert "last" in {symbol.name for symbol in facts.symbols}


def test_every_row_has_a_source_that_needs_it():
    assert load_alterations().keys() == {grammar for grammar, _ in NEWER}
    for grammar in {grammar for grammar, _ in NEWER}:
        texts = [
            source.encode()
            for one, _, source in ALL
            if one == grammar or (one, grammar) == ("typescript", "tsx")
        ]
        for row in alterations(grammar):
            assert any(row.pattern.search(text) for text in texts), (grammar, row.pattern)
            assert not row.instead or len(row.instead) == 3


def test_new_gives_a_pointer_to_the_value_it_is_given():
    source = b"package a\nfunc f(x Order) { a := new(Order); b := new(total()); c := new(x); use(a, b, c) }\n"
    facts = extractor_of("go")(source, "a.go")

    values = {binding.name: binding.value for binding in facts.bindings}

    assert not facts.problems
    assert values["a"][0] == "instance"
    assert values["b"][0] == "result"
    assert values["c"] == ("name", "x")


def test_a_source_that_no_row_helps_is_read_as_it_stands():
    broken = b'package a\nfunc f( { new("a") \nfunc g() {}\n'

    assert parse_newer("go", broken).root_node.has_error


@given(st.sampled_from(sorted(GRAMMARS)), st.text(alphabet='new()&,*? .=inout<>T\n"a1', max_size=80))
def test_any_text_has_a_tree_of_its_own_length(grammar, text):
    source = re.sub(rb"\s+$", b"", text.encode())

    assert parse_newer(grammar, source).root_node.end_byte <= len(source)
