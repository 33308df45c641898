"""Macros of C++ that declare methods by names they are given, and those that make what they are given."""

import pytest
from typed_cases import Linked

from drift.languages.cpp import extract
from drift.languages.cpp.declaring_macros import find_declaring_uses

SETTINGS = """
#define GETTER(NAME, T)                       \\
    T NAME()                                  \\
    {                                         \\
        /* The name is the key, too */        \\
        return value(#NAME).to<T>();          \\
    }
#define SETTER(NAME, FUNC, T)                 \\
    void FUNC(const T& given) { put(#NAME, given); NAME(); }
#define BOTH(NAME, FUNC, T)                   \\
    GETTER(NAME, T)                           \\
    SETTER(NAME, FUNC, T)
#define FLAG(NAME) bool is##NAME() const { return value(#NAME).set(); }
#define LATER(NAME) void NAME(int n)
#define CHECK(x) if (!check(x)) { return; }
#define TOTAL(x) int x = sum(1);
class Value { public: bool set(); };
class Settings : public Base {
public:
    Value value(const char* key);
    void put(const char* key, int n);
    BOTH(path, setPath, List<Text>)
    GETTER(width,
           int)
protected:
    FLAG(Open)
    LATER(later);
    void after() { TOTAL(here); CHECK(here); }
    class Inner { GETTER(depth, int) };
};
"""
USES = """
#include "settings.h"
void use(Settings& all) { all.setPath(1); all.width(); all.isOpen(); all.later(2); }
"""
FACTORY = """
struct Tool {};
struct Pen : Tool { Pen(int size); };
struct Line : Tool { Line(int size); };
namespace more { struct Text : Tool {}; }
struct Unused : Tool { Unused(int size); };
int grow(int size) { return size + 1; }
#define MAKE(KIND, TOOL) case Kind::KIND: return new TOOL(size)
#define MAKE_BOTH(ONE, OTHER) MAKE(A, ONE); MAKE(B, OTHER)
#define RUN(f) f(1)
#define OWN() return new Pen(2)
Tool* make(Kind kind, int size) {
  switch (kind) {
    MAKE(PEN, Pen);
    MAKE(TEXT, more::Text);
  }
  return nullptr;
}
Tool* both(Kind kind, int size) { switch (kind) { MAKE_BOTH(Pen, Line); } return nullptr; }
int run() { return RUN(grow); }
Tool* own() { OWN(); }
"""


def settings() -> Linked:
    return Linked("cpp", (".cpp", ".h"), {"settings.h": SETTINGS, "a.cpp": USES})


def test_a_macro_in_a_class_declares_the_methods_it_is_given_the_names_of():
    facts = extract(SETTINGS.encode(), "settings.h")
    symbols = facts.symbols

    found = {
        one.name: (symbols[one.parent].name, one.line, one.end_line, one.visibility, one.return_text)
        for one in symbols
        if one.kind == "method"
    }

    assert not facts.problems
    assert found == {
        "set": ("Value", 17, 17, "public", "bool"),
        "value": ("Settings", 20, 20, "public", "Value"),
        "put": ("Settings", 21, 21, "public", "void"),
        "path": ("Settings", 22, 22, "public", "List<Text>"),
        "setPath": ("Settings", 22, 22, "public", "void"),
        "width": ("Settings", 23, 24, "public", "int"),
        "isOpen": ("Settings", 26, 26, "protected", "bool"),
        "later": ("Settings", 27, 27, "protected", "void"),
        "after": ("Settings", 28, 28, "protected", "void"),
        "depth": ("Inner", 29, 29, "private", "int"),
    }


def test_calls_lead_to_what_a_macro_declares_and_from_there():
    found = settings()

    assert found.targets("a.cpp", "all.setPath") == ["settings.h:Settings.setPath"]
    assert found.targets("a.cpp", "all.width") == ["settings.h:Settings.width"]
    assert found.targets("a.cpp", "all.isOpen") == ["settings.h:Settings.isOpen"]
    assert found.targets("a.cpp", "all.later") == ["settings.h:Settings.later"]
    assert found.targets("settings.h", "put") == ["settings.h:Settings.put"]
    assert found.targets("settings.h", "path") == ["settings.h:Settings.path"]


def test_a_macro_stays_used_where_it_declares_something():
    found = settings()
    facts, links = found.facts["settings.h"], found.links["settings.h"]
    named = [
        (one.line, found.name(target.place).partition(":")[2])
        for one, link in zip(facts.references, links.references, strict=True)
        for target in link.targets
        if facts.symbols[target.place.symbol].kind == "macro"
    ]

    assert named == [(22, "BOTH"), (23, "GETTER"), (26, "FLAG"), (27, "LATER"), (29, "GETTER")]


@pytest.mark.parametrize(
    "text",
    [
        "#define CALL(f) return f(1);\nclass A { void g() { CALL(g) } };",
        "#define GET(x) int x() { return 1; }\nGET(free)\nclass A {};",
        "#define GET(x) int x() { return 1; }\nclass A { void f() { GET(inner) } };",
        "#define GET(x) int x() { return 1; }\nenum class A { GET(one) };",
        "#define GET(x) int x() { return 1; }\nclass A { /* GET(one) */ };",
        "#define NAMED(x) int fixed() { return x; }\nclass A { NAMED(1) };",
        "#define GET(x) int x() { return 1; }\nclass A { GET(unfinished",
    ],
)
def test_what_declares_no_member_is_left_to_the_grammar(text):
    assert find_declaring_uses(text.encode()) == []


def test_macros_that_come_to_each_other_end():
    text = "#define A(x) int x(); B(x)\n#define B(x) int x(); A(x)\nclass C { A(one) };"

    assert [one.name for one in extract(text.encode(), "a.h").symbols if one.kind == "method"][:1] == ["one"]


def beside(found: Linked, text: str, number: int = 0) -> list[str]:
    calls = found.facts["a.cpp"].calls
    places = [place for place, call in enumerate(calls) if call.text == text]
    return [found.name(one.place) for one in found.links["a.cpp"].calls[places[number]].overriders]


def test_a_macro_makes_objects_of_the_types_it_is_given():
    found = Linked("cpp", (".cpp",), {"a.cpp": FACTORY})

    assert beside(found, "MAKE", 2) == ["a.cpp:Pen.Pen"]
    assert beside(found, "MAKE", 3) == ["a.cpp:more.Text"]
    assert beside(found, "MAKE_BOTH") == ["a.cpp:Pen.Pen", "a.cpp:Line.Line"]
    assert beside(found, "RUN") == ["a.cpp:grow"]
    assert found.targets("a.cpp", "Pen") == ["a.cpp:Pen.Pen"]
