"""What uses of C++ macros call that the macros' own text does not tell, and what templates make of the classes they are given."""

from typed_cases import Linked

APPLICATION = {
    "app.h": """
class App { public: void parse(int a); int exit(int e); void halt(); };
#define PARSE(app, ...) try { (app).parse(__VA_ARGS__); } catch (int e) { return (app).exit(e); }
#define TWICE(x) PARSE(x, 1)
#define HALT() exit(2)
""",
    "app.cpp": """
#include "app.h"
void App::parse(int a) {}
int App::exit(int e) { return e; }
void App::halt() { HALT(); }
int main() { App app; PARSE(app, 3); return 0; }
int other(App* given) { TWICE(*given); return 0; }
int neither(int given) { return TWICE(given); }
""",
}
TEMPLATES = """
struct Base { virtual ~Base(); };
struct Made : Base { Made(int a); };
struct Other : Base { Other(); };
struct Failure { Failure(const char* text); };
template <typename I, typename C, typename... A> void bind() { keep<I>(QSharedPointer<C>::create(get<A>()...)); }
template <typename T> void fail(const char* text) { throw T{text}; }
struct Injector {
  template <typename I, typename C> void add() { keep([] { return std::make_unique<C>(); }); }
  template <typename I> I* get() { return nullptr; }
};
void use(Injector* given) {
  bind<Base, Made, int>();
  given->add<Base, Other>();
  given->get<Made>();
  fail<Failure>("x");
}
void ask() { auto made = QSharedPointer<Made>::create(3); }
"""


def linked(texts: dict[str, str]) -> Linked:
    return Linked("cpp", (".c", ".cpp", ".h"), texts)


def beside(found: Linked, path: str, text: str, *, number: int = 0) -> list[str]:
    calls = found.facts[path].calls
    places = [place for place, call in enumerate(calls) if call.text == text]
    link = found.links[path].calls[places[number]]
    return [
        f"{one.place.path}:{found.facts[one.place.path].symbols[one.place.symbol].name}"
        for one in link.overriders
    ]


def test_a_macro_calls_methods_of_what_it_is_given():
    assert beside(linked(APPLICATION), "app.cpp", "PARSE") == ["app.cpp:parse", "app.cpp:exit"]


def test_a_macro_in_a_macro_is_given_what_that_is_given():
    assert beside(linked(APPLICATION), "app.cpp", "TWICE") == ["app.cpp:parse", "app.cpp:exit"]


def test_a_macro_calls_methods_of_the_object_that_uses_it():
    assert beside(linked(APPLICATION), "app.cpp", "HALT") == ["app.cpp:exit"]


def test_a_macro_that_is_given_no_object_calls_no_method():
    assert beside(linked(APPLICATION), "app.cpp", "TWICE", number=1) == []


def made(found: Linked) -> list[tuple[str, float]]:
    symbols = found.facts["a.cpp"].symbols
    return [
        (symbols[one.place.symbol].name, one.confidence)
        for _, link in found.links["a.cpp"].implicit
        for one in link.targets
    ]


def test_a_template_makes_the_classes_it_is_given_for_what_it_makes():
    assert made(linked({"a.cpp": TEMPLATES})) == [("Made", 0.9), ("Other", 0.9), ("Failure", 0.9)]


def test_a_pointer_class_makes_what_it_points_to():
    found = linked({"a.cpp": TEMPLATES})
    calls = zip(found.facts["a.cpp"].calls, found.links["a.cpp"].calls, strict=True)
    (link,) = [
        link
        for call, link in calls
        if call.text == "QSharedPointer<Made>::create" and call.kind == "implicit"
    ]

    assert [found.name(one.place) for one in link.targets] == ["a.cpp:Made.Made"]


MACRO_MADE = """
class Error { public: Error(const char* name, int code); };
#define PARTS(parent, name) public: name(const char* text) : parent(text, 1) {}
class Missing : public Error {
  PARTS(Error, Missing)
};
class Plain : public Error { public: using Error::Error; };
void first() { throw Missing("x"); }
void second() { throw Plain("x", 2); }
"""


def test_a_class_hands_down_no_constructor_unless_it_says_so():
    found = linked({"a.cpp": MACRO_MADE})

    assert found.targets("a.cpp", "Missing") == ["a.cpp:Missing"]
    assert found.targets("a.cpp", "Plain") == ["a.cpp:Error.Error"]
