from pathlib import Path

import pytest
from extraction_checks import check_facts, check_survives, compare_with_expected, expectations, qualified_name
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.languages.cpp import extract
from drift.languages.cpp.quieting import quiet
from drift.languages.facts import Parameter

PROJECT = Path(__file__).parent.parent / "projects" / "cpp"
SOURCES = sorted(source for source in PROJECT.rglob("*.*") if source.suffix != ".toml")


def facts_of(code: str, path: str = "a.cpp"):
    source = code.encode()
    facts = extract(source, path)
    check_facts(facts, source)
    return facts


def bound(code: str, name: str = "x"):
    """Value and declared type of the last binding of a variable of a function whose body is `code`."""
    facts = facts_of(f"void f(P p) {{\n{code}\n}}")
    return [(binding.value, binding.type) for binding in facts.bindings if binding.name == name][-1]


@pytest.mark.parametrize(("path", "kind", "lines"), [*expectations(PROJECT)])
def test_a_cpp_file_gives_the_facts_stated_beside_it(path, kind, lines):
    compare_with_expected(extract, PROJECT, path=path, kind=kind, lines=lines)


def test_every_cpp_fixture_is_expected():
    assert {path for path, _, _ in expectations(PROJECT)} == {
        str(source.relative_to(PROJECT)) for source in SOURCES
    }


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("auto x = p;", ("name", "p")),
        ("auto x = &p;", ("name", "p")),
        ("auto x = *p;", ("name", "p")),
        ("auto x = this;", ("this",)),
        ("auto x = p.a->b;", ("member", ("member", ("name", "p"), "a"), "b")),
        ("auto x = a::b::c;", ("member", ("member", ("name", "a"), "b"), "c")),
        ("auto x = ::c;", ("member", ("name", "::"), "c")),
        ("auto x = A<int>::c;", ("member", ("name", "A"), "c")),
        ("auto x = p[3];", ("item", ("name", "p"))),
        ("auto x = new Foo(p);", ("result", 0)),
        ("auto x = Foo{p};", ("result", 0)),
        ("auto x = Foo(p);", ("result", 0)),
        ("auto x = static_cast<Foo*>(p);", ("instance", ("name", "Foo"))),
        ("auto x = (Foo*)p;", ("instance", ("name", "Foo"))),
        ("auto x = std::make_shared<Foo>(p);", ("instance", ("name", "Foo"))),
        ("auto x = std::move(p);", ("either", ("name", "p"))),
        ("auto x = p ? a : 1;", ("either", ("name", "a"), ("literal", "int"))),
        ("auto x = p == 3;", ("literal", "bool")),
        ("auto x = 1.5;", ("literal", "float")),
        ('auto x = "a" "b";', ("literal", "str")),
        ("auto x = nullptr;", ("literal", "none")),
        ("auto x = [&](int a) { return a; };", ("symbol", 2)),
        ("auto x = {p, 1};", ("list", ("name", "p"), ("literal", "int"))),
        ("auto x = co_await p;", ("awaited", ("name", "p"))),
        ("for (auto& x : p) {}", ("item", ("name", "p"), "[each]")),
        ("for (auto& [k, x] : p) {}", ("item", ("item", ("name", "p"), "[each]"), "[1]")),
        ("auto [a, x] = p;", ("item", ("name", "p"), "[1]")),
        ("int x; x = p;", ("name", "p")),
        ("if (auto x = p.find(1)) {}", ("result", 0)),
        ("Foo x(p);", ("result", 0)),
        ("Foo x{p};", ("result", 0)),
        ("Foo x;", None),
    ],
)
def test_an_expression_says_what_it_is_worth(code, value):
    assert bound(code)[0] == value


@pytest.mark.parametrize(
    ("declared", "form"),
    [
        ("Foo x", ("name", "Foo")),
        ("const Foo* x", ("const", ("name", "Foo"))),
        ("a::Foo& x = p", ("member", ("name", "a"), "Foo")),
        ("std::vector<Foo> x", ("list", ("name", "Foo"))),
        ("std::map<int, std::unique_ptr<Foo>> x", ("dict", (None, ("name", "Foo")))),
        ("Foo<int> x", ("instance", ("name", "Foo"), "Foo<int>")),
        ("struct node *x", ("name", "node")),
        ("int x", ("literal", "int")),
        ("unsigned long x", ("literal", "int", "unsigned long")),
        ("std::size_t x", ("literal", "int", "unsigned long")),
        ("long int x", ("literal", "int", "long")),
        ("unsigned char *x", ("literal", "int", "unsigned char*")),
        ("float x", ("literal", "float", "float")),
        ("char *x", ("literal", "str")),
        ("Foo x[3]", ("list", ("name", "Foo"))),
        ("auto x = p", None),
    ],
)
def test_a_declared_type_is_kept(declared, form):
    assert bound(f"{declared};")[1] == form


def test_a_method_outside_its_class_names_it():
    facts = facts_of("int a::B<int>::f() const { return g(); }")

    method = facts.symbols[1]
    assert (method.kind, method.name, method.parent) == ("method", "f", 0)
    assert method.parameters == (Parameter("this", "receiver", "a::B", ("member", ("name", "a"), "B")),)


def test_a_namespace_that_a_macro_opens_is_one():
    facts = facts_of(
        "#define BEGIN namespace lib { inline namespace v1 {\n#define END }}\nBEGIN\nvoid f();\nEND\n"
    )

    found = [(s.name, s.modifiers) for s in facts.symbols if s.kind == "namespace"]
    assert found == [("lib", ("macro",))]


def test_a_function_of_a_namespace_defined_outside_it_is_no_method():
    facts = facts_of("namespace a { void f(); }\nvoid a::f() {}")

    assert [(symbol.kind, symbol.name) for symbol in facts.symbols[2:]] == [
        ("function", "f"),
        ("function", "f"),
    ]


def test_what_is_out_of_others_reach_is_private():
    facts = facts_of(
        "static void a() {}\nnamespace { void b() {} }\nvoid c() {}\nclass D { int e; public: int f; };"
    )

    assert {symbol.name: symbol.visibility for symbol in facts.symbols[1:]} == {
        "a": "private",
        "b": "private",
        "c": "public",
        "D": "public",
        "e": "private",
        "f": "public",
    }


def test_a_function_in_a_table_is_a_reference():
    facts = facts_of('static struct ops o = {.read = my_read, {"x", run}};', "a.c")

    assert [found.target[1] for found in facts.references if found.kind == "value"] == ["my_read", "run"]


def test_a_function_pointer_is_a_variable_and_a_function_giving_one_a_function():
    facts = facts_of("int (*a)(int);\nint (*b(char c))(int) { return 0; }")

    assert [(symbol.kind, symbol.name) for symbol in facts.symbols[1:]] == [
        ("variable", "a"),
        ("function", "b"),
    ]
    assert [parameter.name for parameter in facts.symbols[2].parameters] == ["c"]


def test_a_header_is_read_as_c_unless_it_says_otherwise():
    c_header = '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(int new, int delete);\n#ifdef __cplusplus\n}\n#endif\n'

    assert facts_of(c_header, "a.h").problems == ()
    assert facts_of("class A { public: void f(); };", "a.h").symbols[1].kind == "class"


def test_the_default_of_a_switch_is_no_decision():
    facts = facts_of("int f(int a) { switch (a) { case 1: return 1; case 2: return 2; default: return 3; } }")

    assert facts.symbols[1].complexity.cyclomatic == 3


def test_a_chain_of_else_if_does_not_nest():
    code = (
        "void f(int a) { if (a == 0) g(); "
        + "".join(f"else if (a == {n}) g();\n" for n in range(1, 900))
        + "}"
    )
    facts = facts_of(code)

    assert len(facts.calls) == 900
    assert facts.problems == ()


def test_a_very_long_chain_is_read_whole():
    facts = facts_of("void f() { a" + ".b(c)" * 800 + "; }")

    assert len(facts.calls) == 800
    assert facts.calls[799].callee == ("member", ("result", 798), "b")
    assert facts.problems == ()


def test_both_sides_of_a_condition_are_read():
    facts = facts_of("#if defined(A) && B > 3\nvoid a();\n#elif C\nvoid b();\n#else\nvoid c();\n#endif\n")

    assert [symbol.name for symbol in facts.symbols[1:]] == ["a", "b", "c"]
    assert facts.references == ()


def test_the_body_after_a_head_chosen_by_the_preprocessor_belongs_to_it():
    facts = facts_of("#ifdef X\nint a(void)\n#else\nint b(int n)\n#endif\n{\n  return g(n);\n}\n", "a.c")

    assert qualified_name(facts, facts.calls[0].scope) == "b"
    assert facts.symbols[2].end_line == 8
    assert "declaration" not in facts.symbols[2].modifiers


@pytest.mark.parametrize("after", ["", "type * broken ( {\n"])
def test_a_function_begins_with_the_first_of_the_heads_to_choose_from(after):
    heads = "#if X\nint a(int n, ...)\n#else\nint a(int n, va_list rest)\n#endif\n"
    facts = facts_of(heads + "{\n  return g(n);\n}\n" + after, "a.c")

    (defined,) = (s for s in facts.symbols[1:] if s.name == "a" and "declaration" not in s.modifiers)
    assert (defined.line, defined.end_line) == (2, 8)
    assert facts.symbols[facts.calls[0].scope] == defined


def test_a_macro_calls_what_its_text_calls_and_not_what_its_user_gives():
    code = (
        "#define RUN(fn, x, ...) do { \\\n  if (check(x)) fn(x); \\\n  x->go(1); log_it(__VA_ARGS__); } while (0)\n"
        "#define PASTED(n) make_##n(1) + n##_make(2) + db::open<int>(3)\n"
        "#define DEFINING(name) int name(void) { return hidden(1); }\n"
    )
    facts = facts_of(code, "a.hpp")

    found = [(qualified_name(facts, call.scope), call.text, call.line) for call in facts.calls]
    assert sorted(found) == [("PASTED", "db::open", 4), ("RUN", "check", 2), ("RUN", "log_it", 3)]


def test_to_make_a_smart_pointer_makes_nothing_of_what_it_holds():
    facts = facts_of("void f(B& b) { std::unique_ptr<Reader> r(b.read()); Reader s(b.read()); }", "a.cpp")

    assert [call.text for call in facts.calls] == ["b.read", "b.read", "Reader"]


def test_a_calling_convention_before_a_name_hides_no_function():
    facts = facts_of(
        "char * near_call\nfirst(int n, ...)\n{\n  return g(n);\n}\nvoid near_call second(int n) {}\n", "a.c"
    )

    assert [symbol.name for symbol in facts.symbols[1:]] == ["first", "second"]
    assert facts.problems == ()


@pytest.mark.parametrize(
    ("source", "quieted"),
    [
        (b"class MY_API Foo {", b"class        Foo {"),
        (b"class MY_API [[nodiscard]] Foo {", b"class        [[nodiscard]] Foo {"),
        (b"char * const f(void);", b"char * const f(void);"),
        (b"unsigned int long f(void);", b"unsigned int long f(void);"),
        (b"}\nMY_BEGIN_NS\nint a;", b"}\n;          \nint a;"),
        (b"MY_BEGIN_NS\n\nMY_EXPORT\nenum A { B };", b";          \n\n;        \nenum A { B };"),
        (b"MY_INLINE void f();", b"          void f();"),
        (b"int MY_CALL f(void);", b"int         f(void);"),
        (b"#if HAS_X(<a>) && \\\n  B\n", b"#if 1             \\\n   \n"),
        (b"va_arg(ap, char *)", b"va_arg(ap, char  )"),
        (b"enum { A_ONE,\n  A_TWO\n};", b"enum { A_ONE,\n  A_TWO\n};"),
        (b"f(a,\n  MY_FLAG\n);", b"f(a,\n  MY_FLAG\n);"),
        (b"x = MY_CONST;", b"x = MY_CONST;"),
        (b"#define MY_API extern\n", b"#define MY_API extern\n"),
        (b'log("see MY_API for more");', b'log("see MY_API for more");'),
        (b"void f() MY_NOEXCEPT {", b"void f()             {"),
        (b"if MY_CONSTEXPR (a)", b"if              (a)"),
        (b"a = MY_CALL & b;", b"a = MY_CALL & b;"),
        (b"  void MY_CONVENTION f(int a);", b"  void               f(int a);"),
        (b"class A : B {\n  MY_PARTS(A, B)\n};", b"class A : B {\n  ;             \n};"),
        (b"int a[] = {\n  MY_PARTS\n};", b"int a[] = {\n  MY_PARTS\n};"),
        (b"MY_NAMESPACE_START\n{\nint a;", b'extern "C"        \n{\nint a;'),
        (b"MY_TEST_OF_BOXES\n{\nint a;", b"MY_TEST_OF_BOXES\n{\nint a;"),
    ],
)
def test_only_macros_that_stand_in_the_way_are_blanked(source, quieted):
    assert quiet(source) == quieted
    assert len(quieted) == len(source)


def test_comments_are_left_as_they_are():
    source = b"/* use MY_API for it */ MY_API void f();"

    assert quiet(source, [(0, 23)]) == b"/* use MY_API for it */        void f();"


def test_a_condition_inside_an_expression_does_not_hide_the_function():
    code = "int f(int a) {\n  return g(a\n#ifdef B\n    , 1\n#endif\n  );\n}\nint after(void) { return 0; }\n"
    facts = facts_of(code, "a.c")

    assert [symbol.name for symbol in facts.symbols[1:]] == ["f", "after"]
    assert [call.text for call in facts.calls] == ["g"]


def test_a_blanked_macro_still_counts_as_code():
    facts = facts_of("MY_BEGIN_NS\nclass MY_API A {\n};\n\nMY_END_NS\n")

    assert [symbol.name for symbol in facts.symbols[1:]] == ["A"]
    assert (facts.code_lines, facts.blank_lines, facts.problems) == (4, 1, ())


@given(st.text(alphabet='AB_#if()<>,;{} \\\n*/"x', max_size=80))
@settings(max_examples=60)
def test_quieting_keeps_every_line_in_its_place(text):
    source = text.encode()
    lengths = [len(line) for line in source.split(b"\n")]

    assert [len(line) for line in quiet(source).split(b"\n")] == lengths


@pytest.mark.parametrize(
    "opening",
    [
        "[",
        "(",
        "f(",
        "{",
        "[&]{",
        "!",
        "if (1) ",
        "a<",
        "class A {",
        "namespace a {",
        "a::",
        "#if 1\n",
        "template<",
    ],
)
def test_hostile_depth_is_cut_not_followed(opening):
    source = b"void g() {}\nvoid h() {" + opening.encode() * 10_000

    check_facts(extract(source, "a.cpp"), source)


@pytest.mark.parametrize(
    ("statement", "opening", "closing"),
    [
        ("x = {}1{};", "f(", ")"),
        ("x = {}1{};", "(", ")"),
        ("x = {}1{};", "A{", "}"),
        ("x = {}1{};", "static_cast<A>(", ")"),
        ("x = {}1{};", "[&]{ return ", "; }()"),
        ("{}{}", "if (1) {", "}"),
        ("{}{}", "for (auto x : y) {", "}"),
        ("{}{}", "struct A {", "};"),
        ("{}{}", "try {", "} catch (...) {}"),
    ],
)
def test_deep_but_valid_code_is_cut_with_a_problem(statement, opening, closing):
    body = statement.format(opening * 1_000, closing * 1_000)
    facts = facts_of(f"void f() {{ {body} }}\nvoid after() {{}}")

    assert any("nested deeper" in problem.message for problem in facts.problems)
    assert facts.symbols[-1].name == "after"


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_damaged_cpp_never_stops_the_extractor(source):
    check_survives(extract, source.read_bytes(), source.name, count=25)


@given(st.binary(max_size=200), st.sampled_from(["a.c", "a.h", "a.cpp"]))
@settings(max_examples=25)
def test_any_bytes_are_c_enough(source, path):
    check_facts(extract(source, path), source)


def test_a_statement_macro_that_takes_a_type_hides_nothing_behind_it():
    text = (
        'ABSL_FLAG(int, limit, 1 << 3,\n          "how far (at most)");\nnamespace re {\nvoid run() {}\n}\n'
    )
    found = extract(text.encode(), "a.cc")

    assert [symbol.name for symbol in found.symbols[1:]] == ["re", "run"]


@pytest.mark.parametrize(
    ("code", "kind", "name"),
    [
        ("void Log::send() LOCKS_HELD_BY(mutex_) {\n  flush();\n}", "method", "send"),
        ("void Log::send() const noexcept LOCKS_HELD_BY(mutex_) {\n  flush();\n}", "method", "send"),
        ("void* operator new(size_t size) MY_THROW_BAD_ALLOC {\n  return 0;\n}", "function", "operator new"),
        ("void Rope::add(Node* absl_nonnull tree,\n          How how) {\n  grow();\n}", "method", "add"),
        ("static bool check(Node* _Nullable root,\n         Node* _Nonnull start);", "function", "check"),
        ("class A {\n  void unlock() MY_UNLOCK_FUNCTION(mutex_);\n};", "method", "unlock"),
    ],
)
def test_notes_on_locks_and_pointers_make_no_variable_of_a_function(code, kind, name):
    facts = facts_of(code)

    assert (facts.symbols[-1].kind, facts.symbols[-1].name) == (kind, name)
    assert facts.problems == ()


def test_a_loop_macro_behind_a_condition_is_not_blanked():
    source = b"class A_B C {};\nvoid f() {\n  if (is_open) FOR_EACH(item) {\n    use(item);\n  }\n}\n"

    assert b"FOR_EACH(item)" in quiet(source)


def test_a_macro_that_is_given_the_type_is_left_to_the_grammar():
    code = "API_INLINE(unsigned) hash(const entry *e)\n{\n  return e->h;\n}\nMAP_FUNCTIONS(a, b *, c *)\nint put(void) { return 1; }\n"
    facts = facts_of(code, "a.c")

    assert [symbol.name for symbol in facts.symbols if symbol.kind == "function"] == ["hash", "put"]


def test_a_comment_mark_in_the_string_of_a_macro_hides_nothing_behind_it():
    code = '#define ALL "refs/*:refs/*"\n\nint first(int x);\n/** Second. */\nint second(int y);\n'
    facts = facts_of(code, "a.h")

    assert [symbol.name for symbol in facts.symbols[1:]] == ["ALL", "first", "second"]
    assert [constant.value for constant in facts.constants] == ["refs/*:refs/*"]
    assert (facts.code_lines, facts.comment_lines) == (3, 1)


def test_an_else_if_behind_a_condition_of_the_preprocessor_is_no_function():
    code = "void f(void) {\n  if (a) { x(); }\n#ifdef D\n  else if (b) { y(); }\n#endif\n  z();\n}\n"
    facts = facts_of(code, "a.c")

    assert [symbol.name for symbol in facts.symbols[1:]] == ["f"]
    assert [(call.scope, call.text) for call in facts.calls] == [(1, "x"), (1, "y"), (1, "z")]


QT_HEADER = b"""
class Panel : public QWidget
{
    Q_OBJECT
public:
    explicit Panel(QWidget* parent);
public slots:
    void reload();
private Q_SLOTS:
    void close();
signals:
    void changed(int value);
private:
    int m_value;
};
"""


def test_sections_of_qt_are_sections_of_the_class():
    facts = extract(QT_HEADER, "panel.h")

    assert not facts.problems
    assert [symbol.name for symbol in facts.symbols[2:]] == ["Panel", "reload", "close", "changed", "m_value"]
    assert {symbol.name: symbol.visibility for symbol in facts.symbols}["changed"] == "public"


def test_emitting_a_signal_is_a_call_of_it():
    facts = extract(
        b"void Panel::load() {\n    emit changed(m_value);\n    Q_EMIT other->done();\n}\n", "panel.cpp"
    )

    assert [(call.line, call.text) for call in facts.calls] == [(2, "changed"), (3, "other->done")]


CONDITIONAL_LIST = b"""
Daemon::Daemon()
  : m_one(1)
#if defined(WITH_TWO) && \\
  !defined(WITHOUT)
  , m_two(make())
#else
  , m_three(3)
#endif
{
    start();
}
static const Row ROWS[] = {
#ifdef A
    { first(), 1 },
#endif
    { second(), 2 },
};
"""


def test_conditions_in_lists_are_read_past():
    facts = extract(CONDITIONAL_LIST, "daemon.cpp")

    assert not facts.problems
    assert {"make", "start", "first", "second"} <= {call.text for call in facts.calls}


def test_conditions_between_statements_stay_as_they_are():
    source = b"void f() {\n#if A\n    one();\n#else\n    two();\n#endif\n}\n"

    assert b"#else" in quiet(source)


QT_TEST = """#include "util.h"
class tst_util : public QObject {
  Q_OBJECT
public Q_SLOTS:
  void helper();
private Q_SLOTS:
  void initTestCase();
  void normalizes_data();
  void normalizes();
  void inside() { check(); }
private:
  void check();
};
void tst_util::initTestCase() {}
void tst_util::normalizes_data() {}
void tst_util::normalizes() { check(); }
void tst_util::helper() {}
void tst_util::check() {}
QTEST_MAIN(tst_util)
"""


def test_private_slots_of_a_class_of_qt_test_are_tests():
    facts = extract(QT_TEST.encode(), "tst_util.cpp")

    assert sorted(entry.detail for entry in facts.entry_points) == ["initTestCase", "inside", "normalizes"]


def test_private_slots_of_a_window_are_no_tests():
    text = QT_TEST.replace("QTEST_MAIN(tst_util)", "")

    assert extract(text.encode(), "window.cpp").entry_points == ()


QT_TEST_OF_HEADER = """#include <QtTest/QTest>
#include "TestCache.h"
QTEST_APPLESS_MAIN(TestCache)
TestCache::TestCache() {}
void TestCache::setGet() { Cache c; QCOMPARE(c.get(), 1); }
void TestCache::rows_data() {}
void TestCache::rows() { compare(1); }
void TestCache::compare(int row) { QVERIFY(row); }
int TestCache::count() { return 1; }
void Cache::fill() {}
"""


def test_slots_of_a_class_of_qt_test_that_stands_in_a_header_are_tests():
    facts = extract(QT_TEST_OF_HEADER.encode(), "TestCache.cpp")

    assert sorted(entry.detail for entry in facts.entry_points) == ["rows", "setGet"]


def test_a_class_without_a_main_of_its_own_is_told_by_what_checks():
    text = QT_TEST_OF_HEADER.replace("QTEST_APPLESS_MAIN(TestCache)", "")

    assert len(extract(text.encode(), "TestCache.cpp").entry_points) == 2


def test_what_only_waits_by_means_of_qt_test_has_no_tests():
    text = b'#include <QTest>\n#include "window.h"\nvoid Window::show() { QTest::qWait(10); }\n'

    assert extract(text, "window.cpp").entry_points == ()


def test_a_class_that_is_named_for_a_member_of_it_is_used():
    facts = extract(b"int f() { return Limits::most; }", "a.cpp")

    assert [(one.target, one.kind) for one in facts.references] == [
        (("name", "Limits"), "type"),
        (("member", ("name", "Limits"), "most"), "value"),
    ]


@pytest.mark.parametrize(
    ("code", "has_problems"),
    [
        ("struct A { void f(const Text& text = {}, int n = 1); };", False),
        ("struct A { void f(const Text& text = {1, 2}); };", False),
        ("struct A { void f(const Text& text = ); };", True),
        ('Text key() { return "shop-" SHOP_VERSION; }', False),
        ("void f(int n)\n{\n    Q_UNUSED(n)\n}", False),
        ("void f() { connect(a, static_cast<void (A::*)(int)>(&A::changed), b, &B::update); }", False),
        ("void f() { int n = static_cast<int>(; }", True),
    ],
)
def test_what_the_grammar_does_not_know_of_valid_code_is_no_problem(code, has_problems):
    assert bool(facts_of(code).problems) is has_problems
