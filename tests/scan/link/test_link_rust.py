"""Which code Rust paths and calls mean."""

from typed_cases import Linked

CARGO = {"Cargo.toml": '[package]\nname = "my-shop"\n\n[dependencies]\nserde-json = "1"\n'}
ITEM = {
    "src/store/item.rs": "pub struct Item;\nimpl Item { pub fn new() -> Item { Item } pub fn touch(&self) {} }\n"
}


def linked(texts: dict[str, str]) -> Linked:
    return Linked("rust", (".rs",), CARGO | texts)


def tree(
    main: str, store: str = "pub mod item;\npub use self::item::Item;\npub fn open() {}\n"
) -> dict[str, str]:
    return ITEM | {"src/lib.rs": f"mod store;\n{main}\n", "src/store/mod.rs": store}


def test_a_module_declaration_leads_to_its_file_in_either_layout():
    nested = linked(tree(""))
    flat = linked({"src/lib.rs": "mod a;\n", "src/a.rs": "mod b;\n", "src/a/b.rs": ""})

    assert nested.links["src/lib.rs"].imports[0].file == "src/store/mod.rs"
    assert nested.links["src/store/mod.rs"].imports[0].file == "src/store/item.rs"
    assert flat.links["src/a.rs"].imports[0].file == "src/a/b.rs"


def test_paths_from_crate_self_and_super_lead_to_their_modules():
    texts = tree("fn f() {}", "mod item;\nfn open() {}\n") | {
        "src/store/item.rs": "use crate::store::open;\nuse super::open as up;\nfn g() { open(); up(); crate::f(); }\n"
    }
    found = linked(texts)

    assert found.targets("src/store/item.rs", "open") == ["src/store/mod.rs:open"]
    assert found.targets("src/store/item.rs", "up") == ["src/store/mod.rs:open"]
    assert found.targets("src/store/item.rs", "crate::f") == ["src/lib.rs:f"]


def test_a_passed_on_name_leads_to_where_it_is_defined():
    found = linked(tree("use store::Item;\nfn f() { let item = Item::new(); item.touch(); }"))

    assert found.targets("src/lib.rs", "Item::new") == ["src/store/item.rs:Item.new"]
    assert found.targets("src/lib.rs", "item.touch") == ["src/store/item.rs:Item.touch"]


def test_a_module_in_the_file_sees_all_of_its_parent_by_super():
    source = "fn help() {}\nmod tests { use super::*;\n fn t() { help(); } }\n"

    assert linked({"src/lib.rs": source}).targets("src/lib.rs", "help") == ["src/lib.rs:help"]


def test_tests_and_programs_see_the_library_by_its_name():
    texts = {
        "src/lib.rs": "pub fn open() {}\n",
        "tests/t.rs": "use my_shop::open;\nfn t() { open(); my_shop::open(); }\n",
    }
    found = linked(texts)

    assert found.targets("tests/t.rs", "open") == ["src/lib.rs:open"]
    assert found.targets("tests/t.rs", "my_shop::open") == ["src/lib.rs:open"]


def test_each_crate_of_a_workspace_is_found_by_its_own_name():
    texts = {
        "crates/log/Cargo.toml": '[package]\nname = "our-log"\n',
        "crates/log/src/lib.rs": "pub fn note() {}\n",
        "src/lib.rs": "fn f() { our_log::note(); }\n",
    }

    assert linked(texts).targets("src/lib.rs", "our_log::note") == ["crates/log/src/lib.rs:note"]


def test_the_standard_library_and_dependencies_are_external():
    source = "use std::fs;\nuse tokio::task::spawn;\nfn f() { fs::read(); serde_json::from_str(); spawn(); println!(); }\n"
    found = linked({"src/lib.rs": source})

    assert found.externals("src/lib.rs") == ["std", "tokio"]
    assert found.call("src/lib.rs", "fs::read").external_name == "std.fs.read"
    assert found.call("src/lib.rs", "serde_json::from_str").external_name == "serde_json.from_str"
    assert found.call("src/lib.rs", "spawn").external_name == "tokio.task.spawn"
    assert found.call("src/lib.rs", "println!").outcome == "external"


def test_a_path_above_the_crate_is_a_problem():
    (said,) = linked({"src/lib.rs": "use super::gone;\n"}).links["src/lib.rs"].imports

    assert said.problem == "the path leads out of the crate"


def test_a_broken_manifest_is_as_good_as_none():
    for text in ("[", "package = 3", "[package]\nname = 3\n", "[lib]\npath = []\n"):
        found = linked({"Cargo.toml": text, "src/lib.rs": "fn f() { g(); }\nfn g() {}\n"})

        assert found.targets("src/lib.rs", "g") == ["src/lib.rs:g"]


def test_a_trait_method_names_those_that_implement_it():
    source = "trait Shape { fn area(&self); }\nstruct Square;\nimpl Shape for Square { fn area(&self) {} }\nfn f(s: &dyn Shape) { s.area(); }\n"
    found = linked({"src/lib.rs": source})

    assert found.targets("src/lib.rs", "s.area") == ["src/lib.rs:Shape.area"]
    assert found.overriders("src/lib.rs", "s.area") == ["src/lib.rs:Square.area"]
