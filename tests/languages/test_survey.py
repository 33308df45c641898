"""The measures every language shares, shown on Python and on a language with braces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.languages.comments import Commentary
from drift.languages.cpp import extract as extract_cpp
from drift.languages.csharp import extract as extract_csharp
from drift.languages.golang import extract as extract_go
from drift.languages.java import extract as extract_java
from drift.languages.php import extract as extract_php
from drift.languages.python.measures import VOCABULARY
from drift.languages.rust import extract as extract_rust
from drift.languages.survey import survey
from drift.languages.syntax import SourceText, parse
from drift.languages.typescript import extract as extract_typescript
from drift.languages.vocabulary import Vocabulary, compile_kinds

JAVASCRIPT = Vocabulary(
    grammar="javascript",
    comments=frozenset({"comment"}),
    identifiers=frozenset({"identifier", "property_identifier"}),
    literals=frozenset({"string", "number", "template_string"}),
    functions=frozenset({"function_declaration"}),
    decisions=frozenset({"if_statement", "for_statement", "ternary_expression", "switch_case"}),
    structures=frozenset({"if_statement", "for_statement", "ternary_expression", "switch_statement"}),
    ifs=frozenset({"if_statement"}),
    continuations=frozenset({"else_clause"}),
    logical_expressions=frozenset({"binary_expression"}),
    logical_operators=frozenset({"&&", "||", "??"}),
    nesting=frozenset({"arrow_function"}),
    jumps=frozenset({"break_statement", "continue_statement"}),
    interpolations=frozenset({"template_substitution"}),
)
JAVA = Vocabulary(
    grammar="java",
    comments=frozenset({"line_comment", "block_comment"}),
    identifiers=frozenset({"identifier"}),
    literals=frozenset({"string_literal"}),
    functions=frozenset({"method_declaration"}),
    decisions=frozenset({"if_statement"}),
    structures=frozenset({"if_statement"}),
    ifs=frozenset({"if_statement"}),
    continuations=frozenset({"else"}),
    logical_expressions=frozenset({"binary_expression"}),
    logical_operators=frozenset({"&&", "||"}),
)


def look(source, vocabulary=VOCABULARY):
    text = SourceText(source.encode())
    return survey(parse(vocabulary.grammar, text.source), text, vocabulary)


def measure(source, vocabulary=VOCABULARY, kind="function_definition"):
    """The complexity of the first function in a source."""
    seen = look(source, vocabulary)
    waiting = [seen.root]
    while waiting:
        node = waiting.pop(0)
        if node.type == kind:
            return seen.complexity_of(node, seen.line_kinds())
        waiting.extend(node.children)
    raise AssertionError("no function")


@pytest.mark.parametrize(
    ("body", "cyclomatic", "cognitive", "nesting"),
    [
        ("pass", 1, 0, 0),
        ("if a: pass", 2, 1, 1),
        ("if a: pass\n  elif b: pass\n  else: pass", 3, 3, 1),
        ("for a in b:\n    if c: pass", 3, 3, 2),
        ("if a and b and c: pass", 4, 2, 1),
        ("if a and b or c and d: pass", 5, 4, 1),
        ("return a or b and c or d", 4, 3, 0),  # or, and, or again: three runs to read
        ("return a and (b and c)", 3, 1, 0),
        ("return a and not (b and c)", 3, 2, 0),
        ("return a if b else c", 2, 1, 1),
        ("return [x for x in y if z]", 3, 0, 0),
        ("return [x for x in y for _ in z]", 3, 0, 0),
        ("try: pass\n  except E: pass\n  finally: pass", 2, 1, 1),
        ("match a:\n    case 1: pass\n    case _: pass", 2, 1, 1),
        ("return lambda: (1 if a else 2)", 2, 2, 2),
        ("def g():\n    if a: pass", 1, 0, 0),
        ("while a:\n    while b:\n      while c: pass", 4, 6, 3),
    ],
)
def test_complexity_of_python(body, cyclomatic, cognitive, nesting):
    found = measure(f"def f():\n  {body}\n")

    assert (found.cyclomatic, found.cognitive, found.max_nesting) == (cyclomatic, cognitive, nesting)


@pytest.mark.parametrize(
    ("body", "cyclomatic", "cognitive"),
    [
        ("if (a) { } else if (b) { } else { }", 3, 3),
        ("if (a) { if (b) { } }", 3, 3),
        ("if (a) if (b) c();", 3, 3),
        ("x: for (;;) { break x; }", 2, 2),
        ("for (;;) { break; }", 2, 1),
        ("return a && b || c;", 3, 2),
        ("return a + b;", 1, 0),
        ("return `${a && b}`;", 2, 1),
    ],
)
def test_complexity_where_else_is_a_clause(body, cyclomatic, cognitive):
    found = measure(f"function f() {{ {body} }}", JAVASCRIPT, "function_declaration")

    assert (found.cyclomatic, found.cognitive) == (cyclomatic, cognitive)


@pytest.mark.parametrize(
    ("body", "cyclomatic", "cognitive"),
    [
        ("if (a) { } else if (b) { } else { }", 3, 3),
        ("if (a) if (b) c(); else d();", 3, 4),
        ("if (a) { } else { if (b) { } }", 3, 4),
    ],
)
def test_complexity_where_else_is_a_bare_token(body, cyclomatic, cognitive):
    found = measure(f"class C {{ void f() {{ {body} }} }}", JAVA, "method_declaration")

    assert (found.cyclomatic, found.cognitive) == (cyclomatic, cognitive)


@pytest.mark.parametrize(
    ("extract", "path", "source", "cyclomatic", "cognitive"),
    [
        (extract_typescript, "a.ts", "function f() { return a ?? b?.c }", 2, 0),
        (extract_typescript, "a.ts", "function f() { return a && b || c && d }", 4, 2),
        (extract_csharp, "a.cs", "class C { object F() { return a ?? b; } }", 2, 0),
        (extract_csharp, "a.cs", "class C { bool F() { return a || b; } }", 2, 1),
        (extract_php, "a.php", "<?php function f() { return $a ?? $b; }", 2, 0),
    ],
)
def test_what_gives_a_default_decides_but_costs_a_reader_nothing(
    extract, path, source, cyclomatic, cognitive
):
    measured = [
        one.complexity for one in extract(source.encode(), path).symbols if one.kind in {"function", "method"}
    ]

    assert [(one.cyclomatic, one.cognitive) for one in measured] == [(cyclomatic, cognitive)]


def test_halstead_counts_operators_and_operands_of_the_function_alone():
    found = measure("z = 1\ndef f(a):\n  return a + a + 'x'\n")

    assert (found.operands, found.distinct_operands) == (5, 3)  # f a a a 'x'
    assert (found.operators, found.distinct_operators) == (7, 6)  # def ( ) : return + +


def test_code_lines_of_a_function_leave_out_blank_and_comment():
    assert measure("def f():\n  # why\n\n  a()\n  b()  # and\n").code_lines == 3


def test_a_type_the_grammar_does_not_have_is_refused():
    vocabulary = Vocabulary(
        **{name: getattr(JAVA, name) for name in JAVA.__slots__ if name != "decisions"},
        decisions=frozenset({"no_such_node"}),
    )

    with pytest.raises(ValueError, match="no_such_node"):
        compile_kinds(vocabulary)


def test_problems_name_the_line_and_are_at_most_twenty():
    broken = "".join(f"x{number} = = 1\n" for number in range(50))

    assert [problem.line for problem in look("a = 1\nb = = 2\nc = 3\n").problems()] == [2]
    assert look("a = 1\n").problems() == ()
    assert len(look(broken).problems()) == 20


def test_lines_are_code_comment_or_blank():
    lines = look("# one\na = 1  # two\n\n  # three\n'''x\n\ny'''\n").line_kinds()

    assert (lines.code_lines, lines.comment_lines, lines.blank_lines) == (3, 2, 2)


def test_two_comments_on_one_line_make_a_comment_line():
    lines = look("/* a */ /* b */\n/* c */ x /* d\ne */\n", JAVASCRIPT).line_kinds()

    assert (lines.code_lines, lines.comment_lines, lines.blank_lines) == (1, 2, 0)


BODY = """
    kept = []
    for row in rows:
        if row.name in seen and not row.is_old:
            continue
        try:
            kept.append(convert(row, scale=2))
        except ValueError as error:
            log.warning("skipped %s", error)
    total = sum(row.price * 3 for row in kept)
    with opened(path) as file:
        file.write(f"{total}")
    return {"kept": kept, "total": total / len(kept)}
"""


def test_copies_share_fingerprints_though_names_and_values_differ():
    one = look(f"def f(a):\n{BODY}\n").fingerprints()
    other = look(
        f"x = 1\nprint(x)\n\ndef g(b):\n{BODY.replace('row', 'line').replace('3', '77')}\n"
    ).fingerprints()

    shared = {found.hash for found in one} & {found.hash for found in other}

    assert len(shared) >= 3
    assert all(0 <= found.hash < 1 << 63 for found in one)


def test_different_code_shares_no_fingerprint():
    one = look(f"def f(a):\n{BODY}\n").fingerprints()
    other = look("class C:\n" + "".join(f"    def m{n}(self):\n        return not self\n" for n in range(9)))

    assert not {found.hash for found in one} & {found.hash for found in other.fingerprints()}


def test_a_table_of_values_has_no_fingerprints():
    assert look("x = [" + "1, " * 500 + "]").fingerprints()[1:-1] == ()


@pytest.mark.parametrize(
    ("extract", "source"),
    [
        (extract_java, "class C { void f(int a) { switch (a) { case 1: g(); default: h(); } } }"),
        (
            extract_csharp,
            "class C { void F(int a) { switch (a) { case 1: G(); break; default: H(); break; } } }",
        ),
        (extract_cpp, "void f(int a) { switch (a) { case 1: g(); break; default: h(); } }"),
        (extract_go, "package p\nfunc f(a int) { switch a { case 1: g(); default: h() } }"),
        (extract_typescript, "function f(a: number) { switch (a) { case 1: g(); break; default: h(); } }"),
        (extract_php, "<?php function f($a) { switch ($a) { case 1: g(); break; default: h(); } }"),
    ],
)
def test_a_default_label_is_no_decision_in_any_language(extract, source):
    symbols = extract(source.encode(), "source").symbols

    measured = [each.complexity.cyclomatic for each in symbols[1:] if each.complexity is not None]
    assert measured == [2]


def test_a_default_label_outside_of_functions_is_no_decision_either():
    source = b"class C { Runnable r = () -> { switch (a) { case 1: g(); default: h(); } }; }"

    assert extract_java(source, "C.java").symbols[0].complexity.cyclomatic == 2


def test_a_file_that_is_nothing_but_an_error_has_a_problem():
    seen = look("res, {\n    app: { configurable: tru", JAVASCRIPT)

    assert seen.root.type == "ERROR"
    assert [problem.line for problem in seen.problems()] == [1]


def test_a_token_of_two_words_counts_as_its_words():
    plain = measure("def f():\n  return a in b\n")
    negated = measure("def f():\n  return a not in b\n")

    assert negated.operators == plain.operators + 1


def test_a_missing_token_is_a_problem_and_no_operator():
    whole = look("function f() { return g(1); }", JAVASCRIPT)
    cut = look("function f() { return g(1; }", JAVASCRIPT)

    assert whole.problems() == ()
    assert cut.problems() != ()
    assert len(cut.tokens) == len(whole.tokens) - 1


@given(
    st.lists(
        st.sampled_from(["/* a */", "x();", " ", "\n", "// b\n", "/* c\n d */", "\t", "/**/", "\r\n"]),
        max_size=30,
    )
)
def test_a_line_is_a_comment_when_nothing_but_comments_stand_on_it(parts):
    source = "".join(parts)
    seen = look(source, JAVASCRIPT)

    blanked = bytearray(seen.text.source)
    for start, end in seen.comments:
        blanked[start:end] = bytes(byte if byte == 10 else 32 for byte in blanked[start:end])
    lines, left = seen.text.source.split(b"\n"), bytes(blanked).split(b"\n")
    code = sum(bool(line.strip()) for line in left)
    written = sum(bool(line.strip()) for line in lines)
    kinds = seen.line_kinds()
    assert (kinds.code_lines, kinds.comment_lines) == (code, written - code)


def test_comments_on_one_long_line_are_told_from_the_code_between_them():
    seen = look("/* a */ x();" * 20_000 + "\n/* b */ /* c */", JAVASCRIPT)
    kinds = seen.line_kinds()

    assert (kinds.code_lines, kinds.comment_lines) == (1, 1)
    assert len(Commentary(seen.text, seen.comments).facts()) == 20_002


@pytest.mark.parametrize(
    ("extract", "path", "code", "cyclomatic"),
    [
        (extract_typescript, "a.ts", "function f(a, b) { a ||= 1; a &&= 2; b ??= 3; b += 4; }", 4),
        (extract_php, "a.php", "<?php function f($a) { $a ??= 1; return $a ?? 2; }", 3),
        (extract_csharp, "a.cs", "class A { void f(object a) { a ??= 1; } }", 2),
        (extract_csharp, "a.cs", "class A { bool f(char a) => a is 'a' or 'b' or 'c' and not 'd'; }", 4),
        (extract_csharp, "a.cs", "class A { int f(int a) => a switch { 1 when b => 3, _ => 4 }; }", 3),
        (
            extract_java,
            "A.java",
            "class A { int f(Object a) { return switch (a) { case B b when b.c -> 1; default -> 2; }; } }",
            3,
        ),
        (extract_rust, "a.rs", "fn f(a: A) -> u8 { match a { A::B => 1, A::C => 2, A::D => 3 } }", 3),
        (extract_rust, "a.rs", "fn f(a: u8) -> u8 { match a { 1 => 1, 2 if g() => 2, _ => 3 } }", 4),
        (extract_rust, "a.rs", "fn f(a: u8) -> u8 { match a { 1 | 2 => 1, other => other } }", 2),
        (extract_rust, "a.rs", "fn f(a: Never) -> u8 { match a { /* none */ } }", 1),
        (extract_rust, "a.rs", "fn f(a: Option<u8>) { let Some(b) = a else { return }; let c = b; }", 2),
    ],
)
def test_a_decision_counts_however_it_is_written(extract, path, code, cyclomatic):
    found = {symbol.name: symbol.complexity for symbol in extract(code.encode(), path).symbols}

    assert found["f"].cyclomatic == cyclomatic
