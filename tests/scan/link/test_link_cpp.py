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


def test_a_function_of_a_namespace_is_found_where_it_is_defined_outside_of_it():
    texts = {
        "a.h": "namespace lib { void open(int n); struct Box { void shut(); }; namespace deep { void dig(); } }\n",
        "a.cpp": '#include "a.h"\nvoid lib::open(int n) {}\nvoid lib::Box::shut() {}\nvoid lib::deep::dig() {}\n',
        "b.cpp": '#include "a.h"\nvoid f(lib::Box b) { lib::open(1); b.shut(); lib::deep::dig(); }\n',
        "other.cpp": "namespace { struct lib { void open(int n); }; }\nvoid lib::open(int n) {}\n",
    }
    found = linked(texts)

    assert found.targets("b.cpp", "lib::open") == ["a.cpp:open"]
    assert found.targets("b.cpp", "b.shut") == ["a.cpp:shut"]
    assert found.targets("b.cpp", "lib::deep::dig") == ["a.cpp:dig"]


def test_a_namespace_that_a_macro_opens_is_found_by_its_name():
    texts = {
        "base.h": "#define LIB_BEGIN namespace lib { inline namespace v1 {\n#define LIB_END }}\n",
        "a.h": '#include "base.h"\nLIB_BEGIN\nvoid open(int n);\nnamespace detail { void help(); }\nLIB_END\n',
        "b.cpp": '#include "a.h"\nvoid f() { lib::open(1); lib::detail::help(); gone::open(2); }\n',
    }
    found = linked(texts)

    assert found.targets("b.cpp", "lib::open") == ["a.h:open"]
    assert found.targets("b.cpp", "lib::detail::help") == ["a.h:detail.help"]
    assert found.call("b.cpp", "gone::open").external_name == "gone.open"


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
    assert found.call("a.c", "mine").external_name == "mine"
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


def test_a_call_operator_of_a_parent_called_by_its_name_leads_there():
    texts = {
        "a.cpp": "struct A { void operator()(int n) {} };\n"
        "struct B : A { void operator()(int n) { A::operator()(n); } };\n"
    }

    assert linked(texts).targets("a.cpp", "A::operator()") == ["a.cpp:A.operator()"]


def test_a_function_that_no_header_in_sight_declares_is_the_only_one_that_a_linker_sees():
    texts = {
        "a.c": '#include "a.h"\nvoid f(void) { log_it(1); hidden(); twice(); }\n',
        "a.h": "",
        "log.c": "void log_it(int n) {}\nstatic void hidden(void) {}\nvoid twice(void) {}\n",
        "other.c": "void twice(void) {}\n",
    }
    found = linked(texts)

    assert found.targets("a.c", "log_it") == ["log.c:log_it"]
    assert found.call("a.c", "hidden").outcome == "unknown"
    assert found.call("a.c", "twice").outcome == "unknown"


def test_a_macro_that_a_header_uses_is_the_one_its_includers_have():
    texts = {
        "list.h": "inline void g() { ENTRY(a); }\n",
        "a.c": "void f(void) { ENTRY(b); }\n",
        "task.h": "#define ENTRY(x) x,\n",
    }
    found = linked(texts)

    assert found.targets("list.h", "ENTRY") == ["task.h:ENTRY"]
    assert found.call("a.c", "ENTRY").outcome == "unknown"


def test_a_name_that_the_project_has_nowhere_is_outside_unless_a_header_is_missing():
    calls = "void f(void) { lua_pop(1); held(); ::GetLastError(); absl::Cat(2); }\n"
    held = {"h.h": "struct Box { int held; };\n"}
    found = linked(held | {"a.cpp": "#include <lua.h>\n" + calls})
    made = linked(held | {"a.cpp": '#include <lua.h>\n#include "made.h"\n' + calls})
    configured = linked(held | {"a.cpp": '#include "config.h"\n' + calls})

    assert found.call("a.cpp", "lua_pop").external_name == "lua_pop"
    assert found.call("a.cpp", "held").outcome == "unknown"
    assert found.call("a.cpp", "::GetLastError").external_name == "GetLastError"
    assert found.call("a.cpp", "absl::Cat").external_name == "absl.Cat"
    assert made.call("a.cpp", "lua_pop").outcome == "unknown"
    assert configured.call("a.cpp", "lua_pop").outcome == "external"


def test_a_macro_of_a_library_is_outside_even_where_a_method_seems_to_have_its_name():
    texts = {
        "a.cpp": '#include "gtest/gtest.h"\nvoid f() { EXPECT_EQ(1, 2); }\n',
        "b.h": "struct Test { void EXPECT_EQ(int a, int b); };\n",
    }

    assert linked(texts).call("a.cpp", "EXPECT_EQ").external_name == "EXPECT_EQ"


def test_a_quoted_path_below_a_folder_the_project_has_not_is_of_a_library():
    texts = {"src/a.cpp": '#include "gtest/gtest.h"\n#include "src/gone.h"\n#include "gone.h"\n'}
    said = linked(texts).links["src/a.cpp"].imports

    assert [one.external_package for one in said] == ["gtest/gtest.h", None, None]
    assert said[0].problem is None


def test_a_test_uses_the_members_of_its_fixture_as_its_own():
    texts = {
        "t.cpp": "struct Disk { void read() {} };\n"
        "class CaseTest : public testing::Test { public: void Put(int n) {} Disk disk_; };\n"
        "typedef CaseTest OtherTest;\n"
        "TEST_F(CaseTest, Works) { Put(1); this->disk_.read(); }\n"
        "TEST_F(OtherTest, Works) { disk_.read(); }\n"
        "TEST(PlainTest, Works) { Put(2); }\n"
    }
    found = linked(texts)
    said = {
        (call.text, call.line): one
        for call, one in zip(found.facts["t.cpp"].calls, found.links["t.cpp"].calls, strict=True)
    }

    assert [found.name(one.place) for one in said["Put", 4].targets] == ["t.cpp:CaseTest.Put"]
    assert [found.name(one.place) for one in said["this->disk_.read", 4].targets] == ["t.cpp:Disk.read"]
    assert [found.name(one.place) for one in said["disk_.read", 5].targets] == ["t.cpp:Disk.read"]
    assert said["Put", 6].outcome == "unknown"


def test_a_deleted_constructor_is_never_called():
    texts = {
        "a.cpp": "struct Lock { explicit Lock(int* m) {}\n Lock(const Lock&) = delete; };\n"
        "void f(int* m) { Lock held(m); }\n"
    }
    (said,) = linked(texts).links["a.cpp"].calls

    assert said.outcome == "resolved"


def test_a_macro_that_is_another_name_leads_where_that_name_leads():
    texts = {
        "a.c": "#define put put_fast\n#define same same\nvoid put_fast(int n) {}\nvoid f(void) { put(1); same(2); }\n"
    }
    found = linked(texts)

    assert found.targets("a.c", "put") == ["a.c:put_fast"]
    assert found.call("a.c", "same").outcome == "unknown"


def test_a_class_behind_an_export_macro_is_a_class():
    texts = {
        "o.h": "#pragma once\nnamespace db {\nstruct DB_EXPORT Options { int n; };\nclass LOCKABLE Mutex { public: void Lock() {} };\n}\n",
        "a.cpp": '#include "o.h"\nnamespace db { void f(Mutex& m) { Options(); m.Lock(); } }\n',
        "b.c": "struct TIME_VALUE { int n; };\nint f(void) { struct TIME_VALUE now; return now.n; }\n",
    }
    found = linked(texts)

    assert found.targets("a.cpp", "Options") == ["o.h:db.Options"]
    assert found.targets("a.cpp", "m.Lock") == ["o.h:db.Mutex.Lock"]


def test_what_a_macro_calls_is_found_from_where_the_macro_stands():
    texts = {
        "log.h": "void write_out(int n);\n#define LOG(n) do { if (n) write_out(n); } while (0)\n#define LOG_ALL(n) LOG(n); LOG_REST(n)\n",
        "log.c": '#include "log.h"\nvoid write_out(int n) {}\n',
        "a.c": '#include "log.h"\nvoid f(void) { LOG_ALL(1); }\n',
    }
    found = linked(texts)

    assert found.targets("a.c", "LOG_ALL") == ["log.h:LOG_ALL"]
    assert found.targets("log.h", "LOG") == ["log.h:LOG"]
    assert found.targets("log.h", "write_out") == ["log.c:write_out"]


def test_a_cast_is_no_call():
    texts = {"a.cpp": "unsigned f(long n) { return size_t{4} + (unsigned)(n); }\n"}

    assert linked(texts).links["a.cpp"].calls == ()


def test_a_nested_class_that_stands_outside_is_a_member_of_the_class_around():
    texts = {
        "a.cpp": "namespace re { class Expr { public: class State; void run(); };\n"
        "class Expr::State { public: State(int n) {} void push(); void pop() {} };\n"
        "void Expr::State::push() { pop(); }\n"
        "void Expr::run() { State s(1); s.push(); }\n"
        "void f(Expr::State& s) { s.push(); } }\n"
    }
    found = linked(texts)
    said = [
        (call.text, [found.name(one.place) for one in link.targets])
        for call, link in zip(found.facts["a.cpp"].calls, found.links["a.cpp"].calls, strict=True)
    ]

    assert said == [
        ("pop", ["a.cpp:re.State.pop"]),
        ("State", ["a.cpp:re.State.State"]),
        ("s.push", ["a.cpp:re.push"]),
        ("s.push", ["a.cpp:re.push"]),
    ]


SINGLETON = {
    "store.h": """
class Store : public Outside {
public:
    static Store* instance();
    void open();
private:
    Store();
    static Store* only;
};
""",
    "store.cpp": """
#include "store.h"
Store* Store::only = nullptr;
Store::Store() { open(); }
Store* Store::instance() { return only; }
void Store::open() { Store::instance()->open(); instance()->open(); only->open(); }
""",
}


def test_a_class_is_known_by_its_name_in_its_methods_though_its_constructor_stands_outside():
    found = linked(SINGLETON)

    assert found.targets("store.cpp", "Store::instance") == ["store.cpp:instance"]
    assert found.targets("store.cpp", "Store::instance()->open") == ["store.cpp:open"]
    assert found.targets("store.cpp", "only->open") == ["store.cpp:open"]


def test_a_static_method_that_is_defined_outside_its_class_is_one():
    found = linked(SINGLETON)

    assert found.call("store.cpp", "instance").outcome == "resolved"
    assert found.targets("store.cpp", "instance()->open") == ["store.cpp:open"]


def test_what_qt_writes_of_a_window_leaves_names_of_the_library_outside():
    texts = {
        "window.cpp": '#include <QDebug>\n#include "ui_window.h"\nvoid f() { qDebug(); QString s; s.trimmed(); }\n#include "window.moc"\n'
    }
    found = linked(texts)

    assert found.call("window.cpp", "qDebug").external_name == "qDebug"
    assert found.call("window.cpp", "s.trimmed").external_name == "QString.trimmed"
    assert [said.problem for said in found.links["window.cpp"].imports] == [None, None, None]


def test_the_types_that_a_method_is_called_for_are_used():
    header = "class Store {};\nclass Disk : public Store {};\n"
    header += "class Box {\npublic:\n  template<class I, class C> void bind() {}\n};\n"
    source = '#include "a.h"\nvoid f(Box* b) { b->bind<Store, Disk>(); b->template bind<Store, Store>(); }\n'
    found = linked({"a.h": header, "a.cpp": source})
    named = [
        found.name(target.place)
        for reference, said in zip(
            found.facts["a.cpp"].references, found.links["a.cpp"].references, strict=True
        )
        for target in said.targets
        if reference.kind == "type"
    ]

    assert [named.count("a.h:Store"), named.count("a.h:Disk")] == [3, 1]
    assert found.targets("a.cpp", "b->bind<Store, Disk>") == ["a.h:Box.bind"]
