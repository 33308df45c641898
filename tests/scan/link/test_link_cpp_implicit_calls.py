"""What C++ runs where no call is written, and which of several functions of one name a call means."""

import pytest
from typed_cases import Linked


def linked(text: str) -> Linked:
    return Linked("cpp", (".cpp", ".h"), {"a.cpp": text})


def unwritten(text: str) -> list[tuple[str, int, list[tuple[int, float]]]]:
    """The accesses of the file that run code: name, line, and the line and confidence of each target."""
    found = linked(text)
    facts, links = found.facts["a.cpp"], found.links["a.cpp"]
    return [
        (
            facts.accesses[number].name,
            facts.accesses[number].line,
            [(facts.symbols[one.place.symbol].line, one.confidence) for one in link.targets],
        )
        for number, link in links.implicit
    ]


def test_a_variable_without_a_value_runs_the_constructor_that_takes_nothing():
    text = (
        "struct Box {\nBox();\nexplicit Box(int n) {}\n};\nBox::Box() {}\nstruct Plain { int n; };\n"
        "enum Color { RED };\n"
        "void f() { Box b; Plain p; Color c; Box* q; extern Box other; Box all[2]; }\n"
    )

    assert unwritten(text) == [("new Box", 8, [(5, 1.0)])]


def test_a_variable_of_the_file_runs_its_constructor_unless_it_is_only_declared():
    assert unwritten("struct Box { Box() {} };\nextern Box far;\nstatic Box near;\n") == [
        ("new Box", 3, [(1, 1.0)])
    ]


def test_a_pointer_by_another_name_makes_no_object():
    text = (
        "#include <memory>\nstruct Box { Box() {} Box(int n) {} };\nusing Held = std::unique_ptr<Box>;\n"
        "typedef Box* Pointer;\nvoid f(int n) { Held h; Pointer p; Held g(n); }\n"
    )

    assert unwritten(text) == []
    assert linked(text).call("a.cpp", "Held").targets == ()


def test_a_constructor_runs_those_of_the_bases_that_it_does_not_name():
    text = (
        "struct Base { Base() {} };\n"
        "struct Other { Other(int n) {} Other(int n, int m) {} };\n"
        "struct Box : Base, Other { Box(); Box(int n); int size; };\n"
        "Box::Box() : Other(1), size(2) {}\n"
        "Box::Box(int n) : Box() {}\n"
        "struct Inner : Base { Inner() {} Inner(int n) : Base() {} };\n"
    )

    assert unwritten(text) == [
        ("base constructors", 4, [(1, 1.0), (2, 1.0)]),
        ("base constructors", 6, [(1, 1.0)]),
    ]


@pytest.mark.parametrize(
    ("use", "name"),
    [
        ("Box b(1); b[0];", "operator[]"),
        ("Box b(1); b = 2;", "operator="),
        ("Box b(1); b += 2;", "operator+="),
        ("Box b(1); bool is_same = b == 2;", "operator=="),
        ("Box(1) << 2;", "operator<<"),
        ("Box b(1); b << 2 << 3;", "operator<<"),
        ("Box b(1); bool is_both = b < 2 && 1;", "operator<"),
        ("made() << 2;", "operator<<"),
    ],
)
def test_an_operator_runs_the_method_of_the_class_of_its_object(use, name):
    text = f"struct Box {{ Box(int n) {{}}\nint {name}(int n) {{ return n; }} }};\nBox made();\nvoid f() {{ {use} }}\n"

    assert unwritten(text) == [(name, 4, [(2, 1.0)])]


@pytest.mark.parametrize(
    "use",
    [
        "Box* b = all(); b[0];",
        "auto b = all(); b[0];",
        "Box b[2]; b[0];",
        "all()[0];",
        "{ Box b(1); } { Box* b = all(); b[0]; }",
    ],
)
def test_an_operator_on_what_may_be_a_pointer_is_the_languages_own(use):
    text = (
        f"struct Box {{ Box(int n) {{}}\nint operator[](int n) {{ return n; }} }};\n"
        f"Box* all();\nvoid f() {{ {use} }}\n"
    )

    assert unwritten(text) == []


def test_an_operator_that_many_methods_may_be_is_not_told():
    overloads = "".join(f"void operator<<(T{n} given) {{}}\n" for n in range(4))
    text = f"struct Box {{\n{overloads}}};\nvoid f(Box& b) {{ b << unknown(); }}\n"

    assert unwritten(text) == []


@pytest.mark.parametrize(
    ("given", "line"), [('"text"', 2), ("3", 3), ("true", 4), ("1.5", 5), ("Box()", 6), ("Small()", 6)]
)
def test_of_overloads_the_one_runs_that_takes_the_arguments_best(given, line):
    text = (
        "struct Box {}; struct Small : Box {}; struct Key { Key(const char* text); Key(int n); Key(bool b); };\n"
        "void put(const char* text) {}\nvoid put(int n) {}\nvoid put(bool is_set) {}\nvoid put(double n) {}\n"
        f"void put(const Box& box) {{}}\nvoid put(Key key) {{}}\nvoid f() {{ put({given}); }}\n"
    )
    found = linked(text)

    assert [
        found.facts["a.cpp"].symbols[one.place.symbol].line for one in found.call("a.cpp", "put").targets
    ] == [line]


def test_an_argument_of_which_nothing_is_known_leaves_the_choice_open():
    text = "void put(const char* text) {}\nvoid put(int n) {}\nvoid f() { put(unknown()); }\n"

    said = linked(text).call("a.cpp", "put")

    assert said.outcome == "ambiguous"
    assert [one.confidence for one in said.targets] == [0.5, 0.5]


@pytest.mark.parametrize(
    ("user", "lines"),
    [
        ("void f(const Box& b) { b.get(); }", [3]),
        ("void f(Box& b) { b.get(); }", [2]),
        ("void f() { Box b; b.get(); }", [2]),
        ("void f() { const Box b; b.get(); }", [3]),
        ("void f(Box* all) { for (auto& b : all) b.get(); }", [2, 3]),
        ("void Box::change() { get(); }", [2]),
        ("void Box::look() const { this->get(); }", [3]),
    ],
)
def test_of_twins_the_one_for_constant_objects_runs_on_a_constant_one(user, lines):
    text = (
        "struct Box {\nint get() { return 1; }\nint get() const { return 2; }\nvoid change(); void look() const; };\n"
        f"{user}\n"
    )
    found = linked(text)
    (said,) = found.links["a.cpp"].calls

    assert [found.facts["a.cpp"].symbols[one.place.symbol].line for one in said.targets] == lines


def test_a_macro_of_a_header_that_c_could_read_calls_into_a_namespace():
    texts = {
        "check.h": "#define CHECK(told) do { if (!(told)) { box::fail(1); } } while (0)\n",
        "a.cpp": "namespace box { void fail(int n) {} }\n",
    }

    assert Linked("cpp", (".cpp", ".h"), texts).targets("check.h", "box::fail") == ["a.cpp:box.fail"]
