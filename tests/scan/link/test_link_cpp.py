"""Which files C and C++ includes mean, and which declarations their calls."""

from typed_cases import Linked

HEADER = {"include/store/cache.h": "#pragma once\nvoid flush(int n);\nstruct Disk { void read(); };\n"}


def linked(texts: dict[str, str]) -> Linked:
    return Linked("cpp", (".c", ".cpp", ".h"), texts)


def test_an_include_is_found_beside_the_file_or_by_the_end_of_its_path():
    texts = HEADER | {
        "src/a.cpp": '#include "b.h"\n#include "store/cache.h"\n#include <store/cache.h>\n',
        "src/b.h": "",
        "other/b.h": "",
    }

    assert [said.file for said in linked(texts).links["src/a.cpp"].imports] == [
        "src/b.h",
        "include/store/cache.h",
        "include/store/cache.h",
    ]


def test_a_system_header_is_external_and_a_missing_quoted_one_a_problem():
    said = (
        linked({"a.c": '#include <stdio.h>\n#include "gone.h"\n#include "../../up.h"\n'}).links["a.c"].imports
    )

    assert [one.external_package for one in said] == ["stdio.h", None, None]
    assert [one.problem for one in said] == [
        None,
        "the project has no file gone.h",
        "the project has no file ../../up.h",
    ]


def test_a_call_leads_to_what_an_included_header_declares():
    texts = HEADER | {
        "a.cpp": '#include "mid.h"\nvoid f(Disk& d) { flush(1); d.read(); std::sort(); }\n',
        "mid.h": '#include "store/cache.h"\n',
    }
    found = linked(texts)

    assert found.targets("a.cpp", "flush") == ["include/store/cache.h:flush"]
    assert found.targets("a.cpp", "d.read") == ["include/store/cache.h:Disk.read"]
    assert found.call("a.cpp", "std::sort").external_name == "std.sort"


def test_a_function_of_the_file_itself_comes_before_its_declaration():
    texts = HEADER | {"a.cpp": '#include "store/cache.h"\nvoid flush(int n) {}\nvoid f() { flush(1); }\n'}

    assert linked(texts).targets("a.cpp", "flush") == ["a.cpp:flush"]


def test_a_call_leads_to_the_definition_of_what_a_header_declares():
    texts = HEADER | {
        "src/cache.cpp": '#include "store/cache.h"\nvoid flush(int n) {}\nvoid Disk::read() {}\n',
        "src/a.cpp": '#include "store/cache.h"\nvoid f(Disk& d) { flush(1); d.read(); }\n',
    }
    found = linked(texts)

    assert found.targets("src/a.cpp", "flush") == ["src/cache.cpp:flush"]
    assert found.targets("src/a.cpp", "d.read") == ["src/cache.cpp:read"]


def test_of_several_definitions_the_one_beside_the_declaration_is_meant_and_never_a_private_one():
    texts = {
        "one/x.h": "int size(void);\n",
        "one/x.c": "int size(void) { return 1; }\n",
        "two/x.c": "int size(void) { return 2; }\n",
        "one/b.c": "static int size(void) { return 3; }\n",
        "one/a.c": '#include "x.h"\nint f(void) { return size(); }\n',
    }

    assert linked(texts).targets("one/a.c", "size") == ["one/x.c:size"]


def test_a_declaration_without_a_definition_is_the_target_itself():
    texts = HEADER | {"a.c": '#include "store/cache.h"\nvoid f(void) { flush(1); }\n'}

    assert linked(texts).targets("a.c", "flush") == ["include/store/cache.h:flush"]


def test_a_definition_with_other_parameters_is_another_function():
    texts = {
        "x.h": "void put(int n);\nvoid put(int n, int m);\n",
        "x.cpp": '#include "x.h"\nvoid put(int n, int m) {}\nvoid put(int n) {}\n',
        "a.cpp": '#include "x.h"\nvoid f() { put(1); }\n',
    }
    (target,) = linked(texts).call("a.cpp", "put").targets

    assert target.place.path == "x.cpp"
    assert linked(texts).facts["x.cpp"].symbols[target.place.symbol].line == 3


def test_a_method_outside_its_class_sees_the_members_of_the_class():
    texts = {
        "shop.h": "struct Part { void turn(); };\nclass Shop { void run(); void stop(); Part part_; };\n",
        "shop.cpp": '#include "shop.h"\nvoid Part::turn() {}\nvoid Shop::stop() {}\n'
        "void Shop::run() { stop(); part_.turn(); this->stop(); }\n",
    }
    found = linked(texts)

    assert found.targets("shop.cpp", "stop") == ["shop.cpp:stop"]
    assert found.targets("shop.cpp", "part_.turn") == ["shop.cpp:turn"]
    assert found.targets("shop.cpp", "this->stop") == ["shop.cpp:stop"]


def test_a_method_outside_its_class_is_no_function_of_its_file():
    texts = {
        "file.h": "struct File { void close(); };\n",
        "file.cpp": '#include "file.h"\n#include <unistd.h>\nvoid File::close() { ::close(1); }\nvoid f() { close(2); }\n',
    }
    found = linked(texts)

    assert found.call("file.cpp", "close").external_name == "std.close"
    assert found.targets("file.cpp", "::close") == []


def test_the_namespaces_of_one_name_are_one():
    texts = {
        "a.h": "namespace lib { namespace detail { void help(); } void open(); }\n",
        "b.cpp": '#include "a.h"\nnamespace lib { void again() { detail::help(); } }\nvoid f() { lib::open(); ::lib::open(); }\n',
        "other.h": "namespace other { void open(); }\n",
    }
    found = linked(texts)

    assert found.targets("b.cpp", "detail::help") == ["a.h:lib.detail.help"]
    assert found.targets("b.cpp", "lib::open") == ["a.h:lib.open"]
    assert found.targets("b.cpp", "::lib::open") == ["a.h:lib.open"]


def test_a_namespace_that_a_macro_opens_is_found_by_its_name():
    texts = {
        "base.h": "#define LIB_BEGIN namespace lib { inline namespace v1 {\n#define LIB_END }}\n",
        "a.h": '#include "base.h"\nLIB_BEGIN\nvoid open(int n);\nnamespace detail { void help(); }\nLIB_END\n',
        "b.cpp": '#include "a.h"\nvoid f() { lib::open(1); lib::detail::help(); gone::open(2); }\n',
    }
    found = linked(texts)

    assert found.targets("b.cpp", "lib::open") == ["a.h:open"]
    assert found.targets("b.cpp", "lib::detail::help") == ["a.h:detail.help"]
    assert found.call("b.cpp", "gone::open").outcome == "unknown"


def test_what_a_project_adds_to_std_hides_nothing_of_it():
    texts = {"a.cpp": "namespace std { struct mine {}; }\nvoid f() { std::sort(1); std::mine(); }\n"}
    found = linked(texts)

    assert found.call("a.cpp", "std::sort").external_name == "std.sort"
    assert found.targets("a.cpp", "std::mine") == ["a.cpp:std.mine"]


def test_of_one_name_in_several_headers_the_included_one_is_meant():
    texts = {
        "a.h": "namespace lib { void open(int n); }\n",
        "b.h": "namespace lib { void open(char c); }\n",
        "c.cpp": '#include "a.h"\nvoid f(int n) { lib::open(n); }\n',
    }

    assert linked(texts).targets("c.cpp", "lib::open") == ["a.h:lib.open"]


def test_using_leads_to_the_namespace_or_class_it_names():
    texts = {
        "a.h": "namespace lib { void open(int n); struct Base { void run(); }; }\n",
        "b.cpp": '#include "a.h"\nusing namespace lib;\nusing lib::Base;\nusing std::vector;\nusing boost::any;\n'
        "void f(Base b) { open(1); b.run(); }\n",
    }
    found = linked(texts)
    imports = found.links["b.cpp"].imports

    assert [said.external_package for said in imports] == [None, None, None, "std", "boost"]
    assert [found.name(place) for place in imports[2].symbols] == ["a.h:lib.Base"]
    assert found.targets("b.cpp", "open") == ["a.h:lib.open"]
    assert found.targets("b.cpp", "b.run") == ["a.h:lib.Base.run"]


def test_another_name_of_a_type_is_made_and_used_like_the_type():
    texts = {
        "a.h": "template <class C> struct View { View(const C* s); void trim(); };\nusing Text = View<char>;\n",
        "b.cpp": '#include "a.h"\nvoid f(Text t) { t.trim(); Text("x"); }\n',
    }
    found = linked(texts)

    assert found.targets("b.cpp", "t.trim") == ["a.h:View.trim"]
    assert found.targets("b.cpp", "Text") == ["a.h:View.View"]


def test_virtual_methods_are_overridden_where_they_are_defined():
    texts = {
        "a.h": "struct Shape { virtual void draw() = 0; };\nstruct Circle : Shape { void draw() override; };\n",
        "a.cpp": '#include "a.h"\nvoid Circle::draw() {}\n',
        "b.cpp": '#include "a.h"\nvoid f(Shape* s) { s->draw(); }\n',
    }
    found = linked(texts)

    assert found.targets("b.cpp", "s->draw") == ["a.h:Shape.draw"]
    assert found.overriders("b.cpp", "s->draw") == ["a.cpp:draw"]


def test_functions_of_the_c_library_are_external_unless_the_project_has_its_own():
    texts = {
        "a.c": "#include <string.h>\nint f(char *s) { return strlen(s) + mine(s); }\n",
        "b.c": "int strlen(char *s) { return 0; }\nint g(char *s) { return strlen(s); }\n",
    }
    found = linked(texts)

    assert found.call("a.c", "strlen").external_name == "std.strlen"
    assert found.call("a.c", "mine").outcome == "unknown"
    assert found.targets("b.c", "strlen") == ["b.c:strlen"]


def test_an_object_that_is_called_runs_its_operator():
    texts = {
        "a.cpp": "struct Less { bool operator()(int a, int b) { return a < b; } };\nvoid f(Less less) { less(1, 2); }\n"
    }

    assert linked(texts).targets("a.cpp", "less") == ["a.cpp:Less.operator()"]


def test_an_include_in_brackets_means_another_file_of_that_name_before_the_one_beside():
    texts = {"src/a.c": '#include <sds.h>\n#include "sds.h"\n', "src/sds.h": "", "deps/sds.h": ""}

    assert [said.file for said in linked(texts).links["src/a.c"].imports] == ["deps/sds.h", "src/sds.h"]


def test_a_system_header_in_brackets_is_none_that_a_project_keeps_for_other_platforms():
    texts = {"a.c": '#include <strings.h>\n#include "strings.h"\n', "compat/strings.h": ""}
    said = linked(texts).links["a.c"].imports

    assert [(one.file, one.external_package) for one in said] == [
        (None, "strings.h"),
        ("compat/strings.h", None),
    ]
