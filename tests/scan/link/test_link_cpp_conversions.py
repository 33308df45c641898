"""What C++ runs to make objects of what is given, to ask them whether they are true, and to write them out."""

from typed_cases import Linked


def linked(text: str, **others: str) -> Linked:
    return Linked("cpp", (".cpp", ".h"), {"a.cpp": text, **others})


def made(text: str, call: str) -> list[int]:
    """The lines of what runs beside a call."""
    found = linked(text)
    symbols = found.facts["a.cpp"].symbols
    return [symbols[one.place.symbol].line for one in found.call("a.cpp", call).overriders]


def operators(text: str) -> list[tuple[str, int, list[int]]]:
    found = linked(text)
    facts, links = found.facts["a.cpp"], found.links["a.cpp"]
    return [
        (
            facts.accesses[number].name,
            facts.accesses[number].line,
            [facts.symbols[one.place.symbol].line for one in link.targets],
        )
        for number, link in links.implicit
        if facts.accesses[number].name.startswith("operator")
    ]


FLAGS = (
    "struct Flag {\nFlag(char c);\nFlag(const std::string& s);\n};\n"
    "struct Matcher {\nMatcher(std::initializer_list<Flag> in);\nMatcher(Matcher&& other);\n};\n"
    "struct Range {\nRange(int n);\nRange(int from, int to);\nexplicit Range(const char* text);\n};\n"
    "void take(Matcher&& m, const Range& r);\nvoid change(Range& r);\n"
)


def test_a_list_that_is_given_for_an_object_runs_the_constructor_for_lists_and_those_of_its_elements():
    assert made(FLAGS + "void f() { take({'a', \"b\"}, 1); }\n", "take") == [6, 2, 3, 10]


def test_a_list_without_a_constructor_for_lists_gives_its_elements():
    assert made(FLAGS + "void f() { take({}, {1, 2}); }\n", "take") == [11]


def test_what_is_an_object_already_or_may_be_changed_is_not_made():
    assert made(FLAGS + "void f(Matcher m, Range r) { take(std::move(m), r); }\n", "take") == []
    assert made(FLAGS + "void f(Range r) { change(r); }\n", "change") == []


def test_a_constructor_that_has_to_be_named_does_not_run_unasked():
    assert made(FLAGS + 'void f(Matcher m) { take(std::move(m), "1"); }\n', "take") == []


BOX = (
    "struct Box {\nexplicit operator bool() const { return true; }\n};\n"
    "std::ostream& operator<<(std::ostream& out, const Box& box) { return out; }\n"
    "struct Log { Log& operator<<(int n) { return *this; } };\n"
)


def test_a_condition_asks_the_object_whether_it_is_true():
    for written in ("if (b) n = 1;", "if (!b) n = 1;", "while (n && b) n = 1;", "n = b ? 1 : 2;"):
        assert operators(f"{BOX}void f(Box b, int n) {{ {written} }}\n") == [("operator bool", 6, [2])]


def test_a_pointer_in_a_condition_is_asked_nothing():
    assert operators(BOX + "void f(Box* b) { if (b) f(0); }\n") == []


def test_an_object_behind_an_operator_leads_to_the_function_that_takes_it_there():
    text = (
        BOX + "struct Below : Box {};\nstruct Holder { Box held; Box* led; };\n"
        "void f(std::ostream& out, Box b) { out << 1 << b; }\n"
        "void g(Below b) { std::cout << b; }\n"
        "void h(Holder h) { std::cout << h.held; }\n"
        "void i(Holder h) { std::cout << h.led; }\n"
    )

    assert operators(text) == [("operator<<", line, [4]) for line in (8, 9, 10)]


def test_a_number_before_what_a_call_gives_leads_to_the_function_for_both():
    text = (
        "struct Point { Point(int x) {} };\nPoint operator*(double n, const Point& p) { return p; }\n"
        "Point f() { return .5 * Point(1); }\n"
    )

    assert operators(text) == [("operator*", 3, [2])]


def test_a_class_with_the_operator_takes_what_stands_behind_it_itself():
    assert operators(BOX + "void f(Log log, Box b) { log << 1 << b; }\n") == [("operator<<", 6, [5])]


def test_operators_of_an_enum_are_functions():
    text = (
        "enum class Option { A, B };\nOption operator|(Option one, Option other) { return one; }\n"
        "Option f(Option o) { return o | Option::A; }\nOption g() { return Option::A | Option::B; }\n"
    )

    assert operators(text) == [("operator|", 3, [2]), ("operator|", 4, [2])]


def test_a_constant_of_an_enum_is_a_name_where_the_enum_stands():
    header = (
        "namespace lib {\nenum Code { ONE, TWO };\nenum class Kept { THREE };\n"
        "struct Error {\nError(Code c);\nError(const std::string& text);\nError(const char* text, int n = 0);\n};\n}\n"
    )
    text = '#include "lib.h"\nnamespace lib {\nvoid f() { throw Error(ONE); }\n}\nvoid g() { throw lib::Error(lib::TWO); }\n'
    found = linked(text, **{"lib.h": header})

    for call in ("Error", "lib::Error"):
        targets = found.call("a.cpp", call).targets
        assert [found.facts["lib.h"].symbols[one.place.symbol].line for one in targets] == [5]


def test_a_pointer_or_reference_that_is_given_something_makes_no_object():
    text = (
        "struct Box { Box(int n) {} };\nBox* make(int n);\n"
        "void f(int n) { Box* const p(make(n)); Box& r{*p}; }\nvoid g(int n) { Box b(n); }\n"
    )
    found = linked(text)

    assert [one.line for one in found.facts["a.cpp"].calls if one.text == "Box"] == [4]


def test_what_a_macro_gives_by_itself_chooses_what_it_calls():
    text = (
        "#define CHECK(x) if (!(x)) { throw Error(ONE, 1); }\n"
        "#define END(x) } catch (Error& e) { report(x); }\n"
        "enum Code { ONE };\nstruct Error {\nError(Code c, int n);\nError(const char* t, int n);\n};\n"
        "void report(int n) {}\n"
    )
    found = linked(text)
    symbols = found.facts["a.cpp"].symbols

    assert [symbols[one.place.symbol].line for one in found.call("a.cpp", "Error").targets] == [5]
    assert found.targets("a.cpp", "report") == ["a.cpp:report"]
