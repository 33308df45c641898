"""What templates, pairs, maps, iterators and pointers of C++ hold, and so which methods are called of it."""

import pytest
from typed_cases import Linked

HEADER = """#pragma once
#include <map>
#include <memory>
#include <vector>
class Order { public: void pay(); };
class Refund { public: void pay(); };
template<class T, int N = 3> class Box {
public:
  T &get(); const T *find(const std::string &name) const; T item; std::vector<T> all() const; T *operator->();
  std::vector<T> items;
  std::map<std::string, T> named;
};
template <typename Type> class Set {
public:
  Type *Get(const std::string &name) { return &data[name]; }
  typename std::map<std::string, Type>::iterator begin() { return data.begin(); }
  typename std::map<std::string, Type>::iterator end() { return data.end(); }
private:
  std::map<std::string, Type> data;
};
template<class K, class V> class Table { public: V *at(K k); };
struct Line { Order order; Refund refund; };
class Orders : public Box<Order> { public: void own() { get().pay(); } };
Box<Refund> make();
using Named = std::map<std::string, Refund>;
typedef std::vector<Refund> Listed;
class Data { public: static const Set<Order> &All(); };
"""
BODIES = {
    "Order": [
        "box.get().pay();",
        "box.item.pay();",
        "box->pay();",
        "orders.get().pay();",
        'Data::All().Get("x")->pay();',
        "for (auto &[name, one] : box.named) one.pay();",
        "for (auto &one : box.items) one.pay();",
        "for (auto &entry : names) entry.second->pay();",
        'names.find("x")->second->pay();',
        'names["x"]->pay();',
        "for (auto &[number, lots] : lists) for (auto &one : lots) one.pay();",
        "pair.first.pay();",
        "auto [a, b] = pair; a.pay();",
        "Line line; auto [a, b] = line; a.pay();",
        "std::get<0>(pair).pay();",
        'auto [at, isNew] = names.emplace("x", nullptr); at->second->pay();',
        "for (const auto &[order, count] : counts) order->pay();",
        "owned.get()->pay();",
    ],
    "Refund": [
        "Box<Refund> b; b.get().pay();",
        'auto b = make(); b.find("x")->pay();',
        'refunds.Get("x")->pay();',
        "for (auto &[name, one] : refunds) one.pay();",
        "for (auto &one : make().all()) one.pay();",
        "table.at(3)->pay();",
        "nested.get().get().pay();",
        "boxes[0].get().pay();",
        "pair.second.pay();",
        "auto [a, b] = pair; b.pay();",
        "many.front().get()->pay();",
        "std::for_each(many.begin(), many.end(), [](auto &one) { one->pay(); });",
        "auto at = std::find_if(many.begin(), many.end(), good); (*at)->pay();",
        "maybe.value().pay();",
        'known.find("x")->second.pay();',
        "Named::const_iterator at = known.begin(); at->second.pay();",
        "for (const auto &one : users) one.pay();",
        "users.first().pay();",
        "for (const auto &one : hashed) one.pay();",
        "hashed.value(3).pay();",
        "scoped->pay();",
        "for (Listed::iterator at = listed.begin(); at != listed.end(); ++at) at->pay();",
    ],
}  # fmt: skip
CASES = [(owner, body) for owner, bodies in BODIES.items() for body in bodies]


@pytest.fixture(scope="module")
def linked() -> Linked:
    fields = """  Box<Order> box; Box<Box<Refund>> nested; std::vector<Box<Refund>> boxes; Set<Refund> refunds; Orders orders;
  Table<int, Refund> table; std::map<std::string, std::unique_ptr<Order>> names; std::pair<Order, Refund> pair;
  std::map<int, std::vector<Order>> lists; std::map<const Order *, int> counts; std::unique_ptr<Order> owned;
  std::vector<std::unique_ptr<Refund>> many; std::optional<Refund> maybe; Named known; Listed listed; QList<Refund> users;
  QHash<int, Refund> hashed; QScopedPointer<Refund> scoped;
"""
    methods = "".join(f"  void use{place}() {{ {body} }}\n" for place, (_, body) in enumerate(CASES))
    source = f'#include "shop.h"\nclass Use {{\n{fields}{methods}  void reset() {{ owned.reset(); }}\n}};\n'
    return Linked("cpp", (".h", ".cpp"), {"shop.h": HEADER, "use.cpp": source})


@pytest.mark.parametrize("place", range(len(CASES)), ids=[body for _, body in CASES])
def test_what_a_container_holds_is_known_where_it_is_taken_out(linked: Linked, place: int):
    facts = linked.facts["use.cpp"]
    numbers = [number for number, symbol in enumerate(facts.symbols) if symbol.name == f"use{place}"]
    inside = {*numbers, *(at for at, symbol in enumerate(facts.symbols) if symbol.parent in numbers)}
    said = [
        link
        for call, link in zip(facts.calls, linked.links["use.cpp"].calls, strict=True)
        if call.scope in inside and call.text.endswith("pay")
    ]

    assert [name_of(linked, target) for link in said for target in link.targets] == [f"{CASES[place][0]}.pay"]


def test_a_method_of_a_pointer_is_the_librarys(linked: Linked):
    assert linked.call("use.cpp", "owned.reset").external_name == "std.unique_ptr.reset"


def test_a_function_is_chosen_by_the_other_name_of_a_container():
    source = (
        "struct Order {};\nstruct Refund {};\ntypedef std::list<Order> Orders;\ntypedef std::list<Refund> Refunds;\n"
        "int run(int n, const std::string &file) { return 0; }\nint run(int n, Orders *orders) { return 1; }\n"
        "int run(int n, Refunds *refunds) { return 2; }\n"
        "void f() { Refunds refunds; run(1, &refunds); }\n"
    )
    linked = Linked("cpp", (".h", ".cpp"), {"a.cpp": source})
    (target,) = linked.call("a.cpp", "run").targets

    assert linked.facts["a.cpp"].symbols[target.place.symbol].line == 7


def name_of(linked: Linked, target) -> str:
    symbols = linked.facts[target.place.path].symbols
    symbol = symbols[target.place.symbol]
    return f"{symbols[symbol.parent].name}.{symbol.name}"
