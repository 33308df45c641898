"""Objects of Rust that no constructor of their own makes: by traits, derived or implemented, and out of containers."""

import pytest
from test_link_rust import linked

STORE = "#[derive(Debug, Default)]\npub struct Store;\nimpl Store { pub fn add(&self) {} }\n"
OWN = "pub struct Cart;\nimpl Default for Cart { fn default() -> Self { Cart } }\nimpl Cart { pub fn add(&self) {} }\n"


def targets(body: str, text: str, *, items: str = STORE + OWN) -> list[str]:
    return linked({"src/lib.rs": f"{items}fn f() {{ {body} }}\n"}).targets("src/lib.rs", text)


@pytest.mark.parametrize(
    "body",
    [
        "let s = Store::default(); s.add();",
        "let s = <Store as Default>::default(); s.add();",
        "let s: Store = Default::default(); s.add();",
        "let s = Store { ..Default::default() }; s.add();",
    ],
)
def test_a_derived_default_gives_an_object_of_its_type(body):
    assert targets(body, "s.add") == ["src/lib.rs:Store.add"]


def test_an_implemented_default_runs_where_its_type_is_expected():
    runs = ["src/lib.rs:Cart.default"]

    assert targets("Cart::default().add();", "Cart::default") == runs
    assert targets("let c: Cart = Default::default();", "Default::default") == runs
    assert targets("let c = Cart { ..Default::default() };", "Default::default") == runs
    assert (
        targets("let c = Cart { ..std::default::Default::default() };", "std::default::Default::default")
        == runs
    )
    assert targets("let c: Option<Cart> = Default::default();", "Default::default") == []
    assert targets("let c: &Cart = Default::default();", "Default::default") == []
    assert targets("let c: Store = Default::default();", "Default::default") == []


def test_what_is_called_default_is_read_in_macros():
    body = "assert_eq!(Cart::default().add(), Store::default().add(), a.union(b));"

    assert targets(body, "Cart::default") == ["src/lib.rs:Cart.default"]
    assert targets(body, "Cart::default().add") == ["src/lib.rs:Cart.add"]
    assert targets(body, "Store::default().add") == ["src/lib.rs:Store.add"]


def test_a_function_of_another_trait_that_is_derived_gives_its_type_too():
    items = '#[derive(clap::Parser, Debug)]\n#[command(name = "x")]\nstruct Args;\nstruct Plain;\n'
    items += "impl Args { fn run(&self) {} }\nimpl Plain { fn stop(&self) {} }\n"

    assert targets("let a = Args::parse(); a.run();", "a.run", items=items) == ["src/lib.rs:Args.run"]
    assert targets("let a = Args::try_parse()?; a.run();", "a.run", items=items) == ["src/lib.rs:Args.run"]
    assert targets("let a = Plain::parse(); a.halt();", "a.halt", items=items) == []


def test_a_type_parameter_is_made_as_one_of_its_bound():
    items = "trait Worker: Default { fn go(&self); }\nstruct A;\nimpl Worker for A { fn go(&self) {} }\n"
    items += "fn run<W: Default + Worker>() { let w = W::default(); w.go(); }\n"
    found = linked({"src/lib.rs": items})

    assert found.targets("src/lib.rs", "w.go") == ["src/lib.rs:Worker.go"]
    assert found.overriders("src/lib.rs", "w.go") == ["src/lib.rs:A.go"]


IMAGES = """
use std::collections::HashMap;
struct Image;
impl Image { fn draw(&self) {} fn frame(&self) -> Option<Frame> { None } }
struct Frame;
impl Frame { fn draw(&self) {} fn show(&self) {} }
struct All { by_name: HashMap<u8, Image>, listed: Vec<Image>, one: Option<Image>, many: Option<Vec<Image>> }
"""


@pytest.mark.parametrize(
    "got",
    [
        "self.by_name.get(&1).ok_or(E)?",
        "self.by_name.get(&1).ok_or_else(|| E)?",
        "self.by_name.get(&1).cloned().ok_or(E).map_err(|e| e)?",
        'self.by_name.get(&1).filter(|x| true).context("none")?',
        "self.listed.first().or_else(|| None).unwrap()",
        "self.listed.iter().find(|x| true).with_context(|| 1)?",
        "self.one.as_ref().ok_or(E)?",
        "self.many.as_ref().ok_or(E)?.first().unwrap()",
        "self.by_name.get(&1).map(|x| x).ok_or(E)?",
    ],
)
def test_a_value_is_got_out_of_a_container_through_adapters(got):
    found = linked({"src/lib.rs": f"{IMAGES}impl All {{ fn f(&self) {{ let i = {got}; i.draw(); }} }}\n"})

    assert found.targets("src/lib.rs", "i.draw") == ["src/lib.rs:Image.draw"]


def test_mapping_what_an_option_holds_gives_what_the_function_makes():
    body = "let a = self.by_name.get(&1).and_then(|x| x.frame()).ok_or(E)?; a.draw();"
    body += "let b = self.one.as_ref().map(Image::frame).unwrap(); b.show();"
    found = linked({"src/lib.rs": f"{IMAGES}impl All {{ fn f(&self) {{ {body} }} }}\n"})

    assert found.targets("src/lib.rs", "a.draw") == ["src/lib.rs:Frame.draw"]
    assert found.targets("src/lib.rs", "b.show") == ["src/lib.rs:Frame.show"]


def test_a_type_with_an_adapter_of_its_own_gives_what_that_says():
    items = "struct A;\nimpl A { fn context(&self) -> B { B } fn go(&self) {} }\nstruct B;\nimpl B { fn go(&self) {} }\n"

    assert targets("let b = A.context(1); b.go();", "b.go", items=items) == ["src/lib.rs:B.go"]


def test_of_several_conversions_the_one_runs_that_takes_such_a_value():
    items = "struct A;\nstruct B;\nstruct E;\ntrait T {}\nimpl T for B {}\n"
    for taken in ("A", "Box<dyn T>", "String"):
        items += f"impl From<{taken}> for E {{ fn from(given: {taken}) -> Self {{ E }} }}\n"
    items += "fn f(a: A, b: B, c: Far) { E::from(a);\n E::from(b);\n E::from(c); }\n"
    found = linked({"src/lib.rs": items})
    calls = zip(found.facts["src/lib.rs"].calls, found.links["src/lib.rs"].calls, strict=True)
    symbols = found.facts["src/lib.rs"].symbols
    lines = [
        [symbols[target.place.symbol].line for target in said.targets]
        for call, said in calls
        if call.text == "E::from"
    ]

    assert lines == [[6], [7], [6, 7, 8]]


def test_a_module_with_the_name_of_its_crate_comes_before_the_crate():
    texts = {
        "src/lib.rs": "mod my_shop;\nmod other;\npub use my_shop::Shop;\n",
        "src/my_shop.rs": "pub struct Shop;\nimpl Shop { pub fn new() -> Self { Shop } pub fn open(&self) {} }\n",
        "src/other.rs": "use crate::Shop;\nimpl Shop { fn reopen(&self) { self.open() } }\n",
        "tests/my_shop.rs": "",
        "tests/all.rs": "use my_shop::Shop;\nfn t() { Shop::new().open(); }\n",
    }
    found = linked(texts)

    assert found.targets("src/other.rs", "self.open") == ["src/my_shop.rs:Shop.open"]
    assert found.targets("tests/all.rs", "Shop::new") == ["src/my_shop.rs:Shop.new"]
    assert found.targets("tests/all.rs", "Shop::new().open") == ["src/my_shop.rs:Shop.open"]


def test_a_crate_comes_before_a_file_of_its_name_that_nothing_declares_as_a_module():
    texts = {
        "crates/log/Cargo.toml": '[package]\nname = "our-log"\n',
        "crates/log/src/lib.rs": "pub fn note() {}\n",
        "src/lib.rs": "use our_log::note;\nmod inner { mod our_log {} }\nfn f() { note(); }\n",
        "src/our_log.rs": "pub fn note() {}\n",
    }

    assert linked(texts).targets("src/lib.rs", "note") == ["crates/log/src/lib.rs:note"]


ALIASES = {
    "src/lib.rs": "mod faults;\nmod shop;\nmod far;\n",
    "src/faults.rs": "pub type ShopResult<T> = Result<T, Fault>;\npub struct Fault;\n"
    "pub struct SearchResult<T> { first: T }\nimpl<T> SearchResult<T> { pub fn hits(&self) {} }\n",
    "src/far.rs": "use crate::faults::SearchResult;\nimpl<T> SearchResult<T> { pub fn more(&self) { self.hits() } }\n",
}


def test_another_name_for_result_reads_as_what_it_holds_and_a_type_of_such_a_name_as_itself():
    shop = "use crate::faults::{SearchResult, ShopResult};\npub trait Store { fn load(&self); }\npub struct Cart;\n"
    shop += "impl Cart { fn add(&self) {} }\nfn open() -> ShopResult<Box<dyn Store>> { far() }\n"
    shop += "fn f(s: SearchResult<Cart>) -> ShopResult<()> { let store = open()?; store.load(); s.hits(); s.more(); s.add(); }\n"
    found = linked(ALIASES | {"src/shop.rs": shop})

    assert found.targets("src/shop.rs", "store.load") == ["src/shop.rs:Store.load"]
    assert found.targets("src/shop.rs", "s.hits") == ["src/faults.rs:SearchResult.hits"]
    assert found.targets("src/shop.rs", "s.more") == ["src/far.rs:SearchResult.more"]
    assert found.targets("src/shop.rs", "s.add") == []
    assert found.targets("src/far.rs", "self.hits") == ["src/faults.rs:SearchResult.hits"]


def test_a_derived_builder_makes_its_type_and_its_links_are_no_methods_of_the_project():
    items = "#[derive(TypedBuilder)]\nstruct Record;\nimpl Record { fn seal(&self) {} }\n"
    items += "struct Table;\nimpl Table { fn indexed(&self) {} fn seal(&self) {} }\n"
    body = "let r = Record::builder().indexed(1).host(2).build(); r.seal(); Table::builder().build().seal();"

    assert targets(body, "r.seal", items=items) == ["src/lib.rs:Record.seal"]
    assert targets(body, "Record::builder().indexed", items=items) == []
    assert targets(body, "Table::builder().build().seal", items=items) == []
