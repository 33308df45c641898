"""What maps, tuples, iterators and wrappers of Rust hold, and so which methods are called of it."""

import pytest
from typed_cases import Linked

HEAD = """use std::collections::{BTreeMap, HashMap};
use std::cell::RefCell;
use std::sync::{Arc, Mutex, OnceLock, RwLock};
pub struct Order;
impl Order { pub fn pay(&self) -> i32 { 0 } pub fn make() -> Order { Order } }
pub struct Refund;
impl Refund { pub fn pay(&self) -> i32 { 1 } }
pub struct App { map: HashMap<String, Order>, keyed: BTreeMap<Order, Refund>, pairs: Vec<(Order, Refund)>,
  pair: (Order, Refund), shared: Arc<RwLock<HashMap<String, Refund>>>, list: Vec<Order> }
impl App {
"""
BODIES = {
    "Order": [
        "for (_, v) in &self.map { v.pay(); }",
        "for (k, _) in self.keyed.iter() { k.pay(); }",
        "self.keyed.keys().next().unwrap().pay();",
        "self.map.iter().for_each(|(_, v)| { v.pay(); });",
        "self.map.values().for_each(|v| { v.pay(); });",
        "for (a, _) in &self.pairs { a.pay(); }",
        "self.pairs[0].0.pay();",
        "let (a, _) = &self.pair; a.pay();",
        "for (at, one) in self.list.iter().enumerate() { one.pay(); }",
        "for (one, _) in self.list.iter().rev().zip(self.pairs.iter()) { one.pay(); }",
        "let m = Arc::new(Mutex::new(Order::make())); let n = Arc::clone(&m); n.lock().unwrap().pay();",
        "static ONE: OnceLock<Order> = OnceLock::new(); ONE.get_or_init(Order::make).pay();",
        "let mut m: HashMap<u8, Order> = HashMap::new(); m.entry(1).or_insert_with(Order::make).pay();",
        'if let Some(one) = self.map.get_mut("x") { one.pay(); }',
        "self.list.iter().max_by_key(|one| one.len()).unwrap().pay();",
    ],
    "Refund": [
        "for (_, v) in self.keyed.iter() { v.pay(); }",
        "self.pair.1.pay();",
        "self.pairs.iter().map(|(_, b)| b.pay()).sum::<i32>();",
        "for (_, v) in self.shared.read().unwrap().iter() { v.pay(); }",
        "for (_, (_, b)) in self.pairs.iter().enumerate() { b.pay(); }",
    ],
}
CASES = [(owner, body) for owner, bodies in BODIES.items() for body in bodies]


@pytest.fixture(scope="module")
def linked() -> Linked:
    methods = "".join(f"  fn use{place}(&mut self) {{ {body} }}\n" for place, (_, body) in enumerate(CASES))
    return Linked("rust", (".rs",), {"src/lib.rs": f"{HEAD}{methods}}}\n"})


@pytest.mark.parametrize("place", range(len(CASES)), ids=[body for _, body in CASES])
def test_what_a_container_holds_is_known_where_it_is_taken_out(linked: Linked, place: int):
    facts = linked.facts["src/lib.rs"]
    numbers = [number for number, symbol in enumerate(facts.symbols) if symbol.name == f"use{place}"]
    inside = {*numbers, *(at for at, symbol in enumerate(facts.symbols) if symbol.parent in numbers)}
    said = [
        link
        for call, link in zip(facts.calls, linked.links["src/lib.rs"].calls, strict=True)
        if call.scope in inside and call.text.endswith(".pay")
    ]

    found = [linked.name(target.place).rpartition(":")[2] for link in said for target in link.targets]
    assert found == [f"{CASES[place][0]}.pay"]
