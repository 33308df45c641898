"""Where C++ finds what a call names: blocks of a namespace, macros before definitions, fields, iterators, tests."""

import pytest
from typed_cases import Linked


def linked(text: str) -> Linked:
    return Linked("cpp", (".cpp", ".h"), {"a.cpp": text})


def lines_of(text: str, call: str) -> list[int]:
    """The lines that a call of the file leads to."""
    found = linked(text)
    symbols = found.facts["a.cpp"].symbols
    return [symbols[one.place.symbol].line for one in found.call("a.cpp", call).targets]


def operators(text: str) -> list[tuple[str, list[int]]]:
    found = linked(text)
    facts, links = found.facts["a.cpp"], found.links["a.cpp"]
    return [
        (facts.accesses[number].name, [facts.symbols[one.place.symbol].line for one in link.targets])
        for number, link in links.implicit
        if facts.accesses[number].name.startswith("operator")
    ]


def constructed(text: str) -> list[tuple[int, list[int]]]:
    """By the line of a constructor those of the constructors that it runs unwritten."""
    found = linked(text)
    facts, links = found.facts["a.cpp"], found.links["a.cpp"]
    return [
        (facts.accesses[number].line, sorted(facts.symbols[one.place.symbol].line for one in link.targets))
        for number, link in links.implicit
        if facts.accesses[number].name == "base constructors"
    ]


def test_a_namespace_that_is_opened_again_has_the_names_of_its_first_block():
    text = (
        "namespace app { namespace impl {\nint help(int n) { return n; }\n} }\n"
        "namespace app {\nint use() { return impl::help(1); }\n}\n"
        "namespace app { namespace impl {\nint more() { return help(2); }\n} }\n"
    )

    assert lines_of(text, "impl::help") == [2]
    assert lines_of(text, "help") == [2]


def test_a_namespace_of_the_same_last_name_elsewhere_is_another():
    text = (
        "namespace one { namespace impl {\nint help() { return 1; }\n} }\n"
        "namespace two { namespace impl {\nint more() { return help(); }\n} }\n"
    )

    assert lines_of(text, "help") == []


def test_macros_of_the_file_put_what_is_between_them_into_a_namespace():
    text = (
        "#define LIB_BEGIN namespace lib { namespace impl {\n#define LIB_END } }\n"
        "LIB_BEGIN\nint help(int n) { return n; }\nLIB_END\n"
        "namespace lib {\nint use() { return impl::help(1); }\n}\nint out() { return 2; }\n"
    )
    found = linked(text).facts["a.cpp"]
    parents = {one.name: found.symbols[one.parent].name for one in found.symbols if one.kind == "function"}

    assert parents == {"help": "impl", "use": "lib", "out": "a.cpp"}
    assert lines_of(text, "impl::help") == [4]


def test_a_closing_macro_without_an_opening_one_closes_nothing():
    text = "#define LIB_BEGIN namespace lib {\n#define LIB_END }\nLIB_END\nint f() { return 1; }\nLIB_BEGIN\n"
    found = linked(text).facts["a.cpp"]

    assert [found.symbols[one.parent].name for one in found.symbols if one.name == "f"] == ["a.cpp"]


def test_a_macro_before_a_definition_outside_its_class_hides_it_from_no_one():
    text = (
        "struct Result { int n; };\nstruct Box {\nBox();\nResult open(int n);\n};\n"
        "LIB_FN Box::Box() { }\nLIB_FN Result Box::open(int n)\n{ return Result(); }\n"
        "void use(Box& box) { box.open(1); }\n"
    )

    assert lines_of(text, "box.open") == [7]


def test_a_field_with_a_note_on_its_lock_is_a_field():
    text = (
        "struct Queue { void push() {} };\n"
        "struct Pool {\nQueue* waiting_ GUARDED_BY(mutex_);\nvoid run() { waiting_->push(); }\n};\n"
    )

    assert lines_of(text, "waiting_->push") == [1]


@pytest.mark.parametrize(
    "body",
    [
        "for (std::vector<Box*>::iterator it = boxes.begin(); it != boxes.end(); ++it) { (*it)->open(); }",
        "auto it = boxes.begin(); (*it)->open();",
        "boxes.back()->open();",
        "std::map<int, Box>::const_iterator it = named.find(1); it->second.open();",
        "auto it = named.find(1); it->second.open();",
    ],
)
def test_an_iterator_is_what_it_is_at(body):
    text = (
        "struct Box { void open() {} };\n"
        f"void f(std::vector<Box*>& boxes, std::map<int, Box>& named) {{ {body} }}\n"
    )
    found = linked(text)
    call = next(one.text for one in found.facts["a.cpp"].calls if one.text.endswith("open"))

    assert found.targets("a.cpp", call) == ["a.cpp:Box.open"]


def test_an_iterator_has_the_operators_of_its_library_and_not_of_what_it_is_at():
    text = (
        "struct Text { int n; };\nbool operator!=(Text a, Text b) { return a.n != b.n; }\n"
        "void f(std::vector<Text>& all) {\n"
        "for (std::vector<Text>::iterator it = all.begin(); it != all.end(); ++it) {}\n}\n"
    )

    assert operators(text) == []


def test_an_index_gives_what_the_operator_of_the_class_gives():
    text = (
        "struct Item { void use() {} };\nstruct Box { Item& operator[](int n); };\n"
        "void f(Box& box) { box[1].use(); }\n"
    )

    assert lines_of(text, "box[1].use") == [1]


def test_a_temporary_goes_to_the_function_that_takes_it_and_a_name_to_the_other():
    text = (
        "struct Box { Box(int n) {} };\nBox make() { return Box(1); }\n"
        "void keep(const Box& box) {}\nvoid keep(Box&& box) {}\n"
        "void one(Box& b) {\nkeep(b);\n}\nvoid two() {\nkeep(make());\n}\nvoid three(Box& b) {\nkeep(std::move(b));\n}\n"
    )
    found = linked(text)
    facts, links = found.facts["a.cpp"], found.links["a.cpp"]
    lines = {
        call.line: [facts.symbols[one.place.symbol].line for one in link.targets]
        for call, link in zip(facts.calls, links.calls, strict=True)
        if call.text == "keep"
    }

    assert lines == {6: [3], 9: [4], 12: [4]}


def test_a_string_is_no_list_of_arguments():
    text = (
        "void fail(const char* text, va_list all) {}\nvoid fail(const char* text, ...) {}\n"
        'void f() { fail("%s", "x"); }\n'
    )

    assert lines_of(text, "fail") == [2]


def test_a_constructor_runs_those_of_the_fields_that_are_objects():
    text = (
        "struct Lock {\nLock() {}\nLock(int n) {}\n};\n"
        "struct Box {\nBox() : first_(3) {}\nBox(int n);\n"
        "Lock first_;\nLock second_;\nLock* far_;\nLock& near_;\nstd::unique_ptr<Lock> held_;\nstatic Lock shared_;\n};\n"
        "Box::Box(int n) : second_(n) {}\n"
    )

    assert dict(constructed(text)) == {6: [2, 3], 15: [2, 3]}


def test_an_operator_of_a_field_is_that_of_its_class_unless_it_is_a_pointer():
    text = (
        "struct State {\nState& operator=(const State& other) { return *this; }\nint n;\n};\n"
        "struct Box {\nvoid set(const State& s) { state_ = s; }\nvoid point(State* s) { far_ = s; }\n"
        "State state_;\nState* far_;\n};\n"
    )

    assert operators(text) == [("operator=", [2])]


def test_an_operator_may_be_a_function_outside_and_may_have_one_operand():
    text = (
        "struct Text {\nbool operator!() const { return false; }\n};\n"
        "bool operator==(const Text& a, const Text& b) { return true; }\nstruct Other { int n; };\n"
        "bool f(const Text& a, const Text& b) { return a == b; }\nbool g(const Text& a) { return !a; }\n"
        "bool h(const Other& a, const Other& b) { return a == b; }\n"
    )

    assert operators(text) == [("operator==", [4]), ("operator!", [2])]


def test_a_macro_calls_the_methods_of_objects_that_it_makes_or_that_all_know():
    text = (
        "struct Guard {\nGuard(int n) {}\nvoid done() {}\n};\nstruct Log { void say(int n) {} };\nLog* the_log;\n"
        "#define GUARDED(x, other) do { Guard guard(x); the_log->say(1); other.done(); guard.done(); } while (0)\n"
    )

    assert lines_of(text, "Guard") == [2]
    assert lines_of(text, "done") == [3]
    assert lines_of(text, "say") == [5]
    assert [one.text for one in linked(text).facts["a.cpp"].calls] == ["Guard", "say", "done"]


def test_a_test_of_a_macro_of_the_projects_own_uses_the_members_of_its_fixture():
    text = "struct BoxTest { void check() {} };\nPROJECT_TEST_F(BoxTest, opens) {\ncheck();\n}\n"

    assert lines_of(text, "check") == [1]
    assert [one.detail for one in linked(text).facts["a.cpp"].entry_points] == ["BoxTest.opens"]


def test_a_block_that_begins_in_each_branch_of_a_condition_begins_once():
    text = (
        "int one(int n) {\n#if FAST\n  if (n) {\n#else\n  if (!n) {\n#endif\n  } else {\n    n = 2;\n  }\n  return n;\n}\n"
        "int two(int n) {\n#ifdef GUARDED\n  if (n) {\n#endif\n    n = one(n);\n#ifdef GUARDED\n  }\n#endif\n  return n;\n}\n"
        "int three() { return two(1); }\n"
    )
    symbols = linked(text).facts["a.cpp"].symbols

    assert [(one.name, one.parent) for one in symbols[1:]] == [("one", 0), ("two", 0), ("three", 0)]
