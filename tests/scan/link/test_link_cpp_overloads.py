"""Which C++ overload a call means: by the numbers and strings it gives, by defaults, by what may be changed."""

import pytest
from typed_cases import Linked

NUMBERS = (
    "void f(bool b) {}\nvoid f(int i) {}\nvoid f(unsigned u) {}\nvoid f(long l) {}\nvoid f(double d) {}\n"
    "void f(const char* s) {}\ntypedef unsigned Count;\ntypedef char Letter;\n"
)


def linked(text: str, **others: str) -> Linked:
    return Linked("cpp", (".cpp", ".h", ".inl"), {"a.cpp": text, **others})


def lines_of(text: str, call: str) -> list[int]:
    found = linked(text)
    symbols = found.facts["a.cpp"].symbols
    return sorted(symbols[one.place.symbol].line for one in found.call("a.cpp", call).targets)


def operators(text: str) -> list[tuple[str, list[int]]]:
    found = linked(text)
    facts, links = found.facts["a.cpp"], found.links["a.cpp"]
    return [
        (facts.accesses[number].name, [facts.symbols[one.place.symbol].line for one in link.targets])
        for number, link in links.implicit
        if facts.accesses[number].name.startswith("operator")
    ]


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        ("void g() { f(1); }", [2]),
        ("void g() { f(1u); }", [3]),
        ("void g() { f(0x1FL); }", [4]),
        ("void g() { f(1.5); }", [5]),
        ("void g() { f(1.5f); }", [5]),
        ("void g() { f('c'); }", [2]),
        ('void g() { f("text"); }', [6]),
        ("void g(unsigned n) { f(n); }", [3]),
        ("void g(short n) { f(n); }", [2]),
        ("void g() { long n = 1; f(n); }", [4]),
        ("void g(const char* s) { f(s); }", [6]),
        ("void g(int a, int b) { f(a < b); }", [1]),
        ("const char* name(); void g() { f(name()); }", [6]),
        ("void g(void* p) { f(static_cast<unsigned>(1)); }", [3]),
        ("void g(Count n) { f(n); }", [3]),
        ("Count many(); void g() { f(many()); }", [3]),
    ],
)
def test_of_overloads_the_one_for_the_very_number_is_meant(given, lines):
    assert lines_of(f"{NUMBERS}{given}\n", "f") == lines


@pytest.mark.parametrize(
    "given",
    [
        "void g(int* p) { f(*p); }",
        "void g(Letter* s) { f(s); }",
        "void g() { Letter* s = 0; f(s); }",
        "void g(Unheard n) { f(n); }",
    ],
)
def test_overloads_stay_open_where_the_number_is_not_known(given):
    assert len(lines_of(f"{NUMBERS}{given}\n", "f")) > 1


def test_a_string_is_meant_for_the_pointer_rather_than_for_what_is_made_of_one():
    text = (
        "typedef OUTSIDE char_t;\ntypedef std::basic_string_view<OUTSIDE> view;\n"
        "struct Node {\nvoid child(const char_t* name) {}\nvoid child(view name) {}\n};\n"
        'void g(Node n) { n.child("x"); }\n'
    )

    assert lines_of(text, "n.child") == [4]


@pytest.mark.parametrize(
    ("macro", "lines"),
    [
        ("#define T(x) x\n\n", [4]),
        ("#define T(x) L##x\n\n", [4]),
        ("#define U(x) (x)\n#define T(x) U(x)\n", [4]),
        ("#define T(x) count(x)\n\n", [3, 4]),
        ("#define T(x) #x\n\n", [3, 4]),
        ("#define T(x) T(x)\n\n", [3, 4]),
    ],
)
def test_a_macro_that_stands_for_its_argument_is_what_it_is_given(macro, lines):
    text = f'{macro}void f(int n) {{}}\nvoid f(const char* s) {{}}\nvoid g() {{ f(T("x")); }}\n'

    assert lines_of(text, "f") == lines


def test_a_declaration_says_what_is_given_by_default():
    text = (
        "struct Node {\nint first(const char* name = 0) const;\nint first(int place) { return place; }\n"
        "int count() const;\n};\nint Node::first(const char* name) const { return 1; }\n"
        "int Node::count() const { return first(); }\n"
    )

    assert lines_of(text, "first") == [6]


def test_a_copy_that_a_class_withholds_is_not_what_makes_it():
    text = (
        "class Printer {\npublic:\nPrinter(FILE* to = 0, bool is_compact = false);\nprivate:\n"
        "Printer(const Printer&);\n};\nPrinter::Printer(FILE* to, bool is_compact) {}\n"
        "void g() { Printer p(stdout); }\n"
    )

    assert lines_of(text, "Printer") == [7]


def test_a_copy_that_is_defined_is_not_withheld():
    text = (
        "class Box {\nBox(const Box& other);\npublic:\nBox(int n) {}\n};\n"
        "Box::Box(const Box& other) {}\nvoid g(Box& b) { Box c(b); }\n"
    )

    assert lines_of(text, "Box") == [6]


VALUE = (
    "struct Value {\nValue(int n) {}\nValue& operator=(const Value& o) { return *this; }\n"
    "Value& operator=(Value&& o) { return *this; }\nValue& operator[](const char* k) { return *this; }\n"
    "const Value& operator[](const char* k) const { return *this; }\n};\nstruct Holder { Value held; Value* far; };\n"
)


@pytest.mark.parametrize(
    ("user", "found"),
    [
        ("void g(Value v, Value w) { v = w; }", [("operator=", [3])]),
        ("void g(Value v, int n) { v = n; }", [("operator=", [4])]),
        ('void g(Holder h) { h.held["a"]; }', [("operator[]", [5])]),
        ('void g(const Holder& h) { h.held["a"]; }', [("operator[]", [6])]),
        ('void g() { const Holder h; h.held["a"]; }', [("operator[]", [6])]),
        ('void g(Value* p) { (*p)["a"]; }', [("operator[]", [5])]),
        ('void g(const Value* p) { (*p)["a"]; }', [("operator[]", [6])]),
        ('void g(Value v) { v["a"] = 1; }', [("operator[]", [5]), ("operator=", [4])]),
        ("struct Row { Value* all; void g(Value* b); };\nvoid Row::g(Value* b) { all[0] = *b; }", []),
        ("void g(Value** a, Value* b) { a[0] = b; }", []),
    ],
)
def test_operators_of_elements_and_of_what_a_pointer_leads_to_run_by_what_may_be_changed(user, found):
    assert sorted(operators(f"{VALUE}{user}\n")) == sorted(found)


@pytest.mark.parametrize("defined", ['operator ""_km', 'operator"" _km', 'operator "" _km'])
def test_a_literal_with_a_suffix_of_the_project_calls_its_function(defined):
    text = f"struct Way {{}};\nWay {defined}(unsigned long long n) {{ return Way(); }}\nvoid g() {{ 12_km; 12ms; }}\n"
    found = linked(text)

    (call,) = [one for one in found.facts["a.cpp"].calls if "km" in one.text]
    assert lines_of(text, call.text) == [2]
    assert [one.text for one in found.facts["a.cpp"].calls if "ms" in one.text] == []


def test_a_call_in_what_looks_like_the_declaration_of_a_function_is_read():
    text = (
        "struct Page {};\nPage* take(int n) { return 0; }\nstruct Node { Node(Page* p) {} };\n"
        "void g(int n) { Node a(take(n)); }\n"
    )

    assert lines_of(text, "take") == [2]
    assert lines_of(text, "Node") == [3]


def test_a_file_that_others_include_finds_the_class_whose_methods_it_has():
    found = linked(
        '#include "box.h"\n#include "box.inl"\nint use(lib::Box& b) { return b.size(); }\n',
        **{
            "box.h": "namespace lib {\nstruct Box { int size(); };\n}\n",
            "box.inl": "namespace lib {\nint Box::size() { return 1; }\n}\n",
        },
    )

    assert [one.place.path for one in found.call("a.cpp", "b.size").targets] == ["box.inl"]


def test_an_array_that_a_macro_fills_leaves_its_namespace_whole():
    text = (
        "#define LEVEL_NAMES {1, 2}\nnamespace a {\nnamespace level {\nstatic int names[] LEVEL_NAMES;\n"
        "static const char *more[] LEVEL_NAMES;\nAPI_INLINE const char *text(int l) API_NOEXCEPT { return 0; }\n}\n"
        "void out() {}\n}\n"
    )
    facts = linked(text).facts["a.cpp"]

    assert [facts.symbols[one.parent].name for one in facts.symbols if one.name == "out"] == ["a"]


def test_a_function_for_objects_is_not_the_one_of_the_library_for_numbers():
    text = (
        "#include <algorithm>\nusing namespace std;\nstruct Point { double x; };\n"
        "Point max(const Point& a, const Point& b) { return a; }\n"
        "void f(Point p, Point q) { max(p, q); }\n"
    )
    numbers = text.replace("void f(Point p, Point q)", "void f(double p, double q)")

    assert lines_of(text, "max") == [4]
    assert linked(numbers).call("a.cpp", "max").external_name == "std.max"
    assert lines_of(numbers.replace("using namespace std;", ""), "max") == [4]


SHAPES = """
#include <string>
struct Options {
  void put(std::string one);
  void put(std::vector<std::string> many);
  void put(std::initializer_list<std::string> listed);
  void put(int number);
  void put(std::function<void(int)> callback);
};
void use(Options& options, std::vector<std::string> names, std::string name) { %s; }
"""


@pytest.mark.parametrize(
    ("argument", "taken"),
    [
        ('"x"', "std::string one"),
        ("name", "std::string one"),
        ('"x"s', "std::string one"),
        ('name + "x"', "std::string one"),
        ("std::to_string(1)", "std::string one"),
        ("names", "std::vector<std::string> many"),
        ("std::vector<std::string>{name}", "std::vector<std::string> many"),
        ('{"a", "b"}', "std::initializer_list<std::string> listed"),
        ("1", "int number"),
        ("[](int given) { return given; }", "std::function<void(int)> callback"),
    ],
)
def test_strings_numbers_lists_and_lambdas_are_told_apart(argument, taken):
    found = linked(SHAPES % f"options.put({argument})")
    symbols = found.facts["a.cpp"].symbols

    assert [symbols[one.place.symbol].signature for one in found.call("a.cpp", "options.put").targets] == [
        f"void put({taken})"
    ]


VIEWS = """
#include <string_view>
struct Table { Table(); };
struct Out {
  void put(std::string_view view);
  void put(const std::string& text);
  void put(unsigned int number);
  void put(const Table& table);
};
void use(Out& out, const std::string& text, std::string_view view, const Table* table) { %s; }
"""


@pytest.mark.parametrize(
    ("argument", "taken"),
    [
        ('"x"sv', "std::string_view view"),
        ("view", "std::string_view view"),
        ("text", "const std::string& text"),
        ("*table", "const Table& table"),
    ],
)
def test_a_string_is_no_view_of_one_and_no_object_that_nothing_becomes(argument, taken):
    found = linked(VIEWS % f"out.put({argument})")
    symbols = found.facts["a.cpp"].symbols

    assert [symbols[one.place.symbol].signature for one in found.call("a.cpp", "out.put").targets] == [
        f"void put({taken})"
    ]


def test_an_object_is_of_its_class_whatever_it_is_given():
    found = linked("""
struct Text { int size(); };
struct Value { Value(); Value(const Text& text); void show(); };
Text make();
void put(const Value& value);
void put(const Text& text);
void use() { Value value; value = make(); put(value); }
""")
    symbols = found.facts["a.cpp"].symbols

    assert [symbols[one.place.symbol].signature for one in found.call("a.cpp", "put").targets] == [
        "void put(const Value& value)"
    ]


def test_a_method_asked_of_a_class_by_its_name_is_that_of_a_parent():
    found = linked("""
struct Base { virtual int start(); };
struct Server : Base { int start() override { return Base::start(); } };
""")

    assert found.call("a.cpp", "Base::start").reason == "super"


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ("void g(const QPixmap& p) { copy(p); }", 2),
        ("void g(QString s) { copy(s); }", 3),
        ("struct A { QPixmap held; void g() { copy(held); } };", 2),
        ("void g() { QString s; copy(s); }", 3),
        ("void g(QUrl u) { copy(u.toString()); }", 3),
        ('void g() { copy(tr("x")); }', 3),
        ("void g(QString s) { copy(s.trimmed()); }", 3),
        ("QPixmap grab(); void g() { copy(grab()); }", 2),
    ],
)
def test_overloads_are_told_apart_by_types_from_outside(given, line):
    text = f'#include <QPixmap>\nvoid copy(const QPixmap& p) {{}}\nvoid copy(const QString& s, QString n = "") {{}}\n{given}\n'

    assert lines_of(text, "copy") == [line]


@pytest.mark.parametrize(
    "given",
    ["void g(QIcon i) { copy(i); }", "void g() { copy(make()); }", "void g(QUrl u) { copy(u.odd()); }"],
)
def test_overloads_stay_open_for_other_types_from_outside(given):
    text = (
        f"#include <QPixmap>\nvoid copy(const QPixmap& p) {{}}\nvoid copy(const QString& s) {{}}\n{given}\n"
    )

    assert lines_of(text, "copy") == [2, 3]
