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


def test_a_module_leaves_its_name_to_a_function_that_is_passed_on_whole():
    texts = {
        "src/lib.rs": "mod routes;\nuse routes::{health, login};\nfn f() { health(); login(); take(health); }\n",
        "src/routes/mod.rs": "mod health;\nmod login;\npub use health::*;\npub use login::*;\n",
        "src/routes/health.rs": "pub fn health() {}\n",
        "src/routes/login.rs": "pub fn login() {}\n",
    }
    found = linked(texts)

    assert found.targets("src/lib.rs", "health") == ["src/routes/health.rs:health"]
    assert found.targets("src/lib.rs", "login") == ["src/routes/login.rs:login"]


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


def test_a_crate_of_tests_begins_where_the_manifest_says():
    texts = {
        "Cargo.toml": '[package]\nname = "my-shop"\n[[test]]\nname = "all"\npath = "src/tests/mod.rs"\n'
        '[[bin]]\nname = "tool"\npath = "tool/begin.rs"\n',
        "src/lib.rs": "pub mod util;\n",
        "src/util.rs": "pub fn open() {}\n",
        "src/tests/mod.rs": "mod util;\nmod carts;\n",
        "src/tests/util.rs": "pub fn start() {}\n",
        "src/tests/carts.rs": "use crate::util::start;\nfn t() { start(); my_shop::util::open(); super::util::start(); }\n",
        "tool/begin.rs": "mod parts;\npub fn say() {}\nfn main() { parts::run(); }\n",
        "tool/parts.rs": "use crate::say;\npub fn run() { say(); }\n",
    }
    found = linked(texts)

    assert found.targets("src/tests/carts.rs", "start") == ["src/tests/util.rs:start"]
    assert found.targets("src/tests/carts.rs", "super::util::start") == ["src/tests/util.rs:start"]
    assert found.targets("src/tests/carts.rs", "my_shop::util::open") == ["src/util.rs:open"]
    assert found.targets("tool/begin.rs", "parts::run") == ["tool/parts.rs:run"]
    assert found.targets("tool/parts.rs", "say") == ["tool/begin.rs:say"]


def test_a_macro_hides_no_module_that_is_imported_whole():
    texts = {
        "src/lib.rs": "mod marks;\npub mod pages;\nuse pages::*;\nfn f() { counts::show(); counts!(); }\n",
        "src/marks.rs": "macro_rules! counts { () => {} }\n",
        "src/pages.rs": "pub mod counts;\n",
        "src/pages/counts.rs": "pub fn show() {}\n",
    }
    found = linked(texts)

    assert found.targets("src/lib.rs", "counts::show") == ["src/pages/counts.rs:show"]
    assert found.targets("src/lib.rs", "counts!") == ["src/marks.rs:counts"]


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


def test_a_variant_that_takes_values_is_what_a_call_of_it_makes():
    texts = {
        "src/lib.rs": "mod a;\nuse a::Shape;\nuse a::Shape::Square;\nfn f() { Shape::Circle(1).draw(); Square(2); Shape::gone(3); }\n",
        "src/a.rs": "pub enum Shape { Circle(u8), Square(u8) }\nimpl Shape { pub fn draw(&self) {} }\n",
    }
    found = linked(texts)

    assert found.targets("src/lib.rs", "Shape::Circle") == ["src/a.rs:Shape.Circle"]
    assert found.targets("src/lib.rs", "Square") == ["src/a.rs:Shape.Square"]
    assert found.targets("src/lib.rs", "Shape::Circle(1).draw") == ["src/a.rs:Shape.draw"]
    assert found.targets("src/lib.rs", "Shape::gone") == []


def test_a_macro_is_seen_in_the_other_modules_of_its_crate():
    texts = {
        "src/lib.rs": "#[macro_use]\nmod macros;\nmod a;\n",
        "src/macros.rs": "macro_rules! twice { () => {} }\npub fn thrice() {}\n",
        "src/a.rs": "fn f() { twice!(); thrice(); }\n",
        "other/src/lib.rs": "fn f() { twice!(); }\n",
        "tests/all.rs": "#[macro_use]\nmod tools;\nmod one;\n",
        "tests/tools.rs": "macro_rules! check { () => {} }\n",
        "tests/one.rs": "check!(1);\n",
    }
    found = linked(texts)

    assert found.targets("src/a.rs", "twice!") == ["src/macros.rs:twice"]
    assert found.call("src/a.rs", "thrice").outcome == "unknown"
    assert found.call("other/src/lib.rs", "twice!").outcome == "unknown"
    assert found.targets("tests/one.rs", "check!") == ["tests/tools.rs:check"]


def test_the_parameters_of_a_closure_in_a_macro_have_the_types_they_say():
    texts = ITEM | {
        "src/lib.rs": "mod store;\nuse store::item::Item;\ncheck!(one, |item: Item, other: &mut Item| { item.touch(); });\n",
        "src/store/mod.rs": "pub mod item;\n",
    }

    assert linked(texts).targets("src/lib.rs", "item.touch") == ["src/store/item.rs:Item.touch"]


def test_what_is_needed_on_one_platform_only_is_a_dependency_too():
    texts = {
        "Cargo.toml": '[package]\nname = "a"\n[target."cfg(windows)".dependencies]\nwinapi-util = "1"\n[target.odd]\ndependencies = 1\n',
        "src/lib.rs": "fn f() { winapi_util::stdin(); }\n",
    }

    assert linked(texts).call("src/lib.rs", "winapi_util::stdin").external_name == "winapi_util.stdin"


def test_a_module_named_tests_inside_the_sources_is_of_their_crate():
    texts = {
        "src/lib.rs": "mod routing;\npub fn open() {}\n",
        "src/routing.rs": "mod tests;\n",
        "src/routing/tests/mod.rs": "use crate::open;\nmod nest;\n",
        "src/routing/tests/nest.rs": "use super::*;\nfn t() { open(); crate::open(); }\n",
    }
    found = linked(texts)

    assert found.targets("src/routing/tests/nest.rs", "open") == ["src/lib.rs:open"]
    assert found.targets("src/routing/tests/nest.rs", "crate::open") == ["src/lib.rs:open"]


def test_a_module_with_the_name_of_a_method_is_meant_where_a_bare_name_stands():
    source = (
        "use std::fmt;\npub struct A;\nstruct Other;\nimpl Other { fn write_str(&self) {} }\n"
        "impl fmt::Display for A { fn fmt(&self, f: &mut fmt::Formatter) { f.write_str(1); } }\n"
    )

    assert linked({"src/lib.rs": source}).call("src/lib.rs", "f.write_str").external_name == (
        "std.fmt.Formatter.write_str"
    )


def test_an_exported_macro_is_one_of_the_root_of_its_crate():
    texts = {
        "src/lib.rs": "mod macros;\n",
        "src/macros.rs": "#[macro_export]\nmacro_rules! json { () => {} }\nmacro_rules! hidden { () => {} }\n",
        "tests/t.rs": "use my_shop::json;\nuse my_shop::hidden;\nfn t() { json!(); my_shop::json!(); hidden!(); }\n",
    }
    found = linked(texts)

    assert found.targets("tests/t.rs", "json!") == ["src/macros.rs:json"]
    assert found.targets("tests/t.rs", "my_shop::json!") == ["src/macros.rs:json"]
    assert found.targets("tests/t.rs", "hidden!") == []


def test_paths_that_begin_with_self_or_super_lead_to_the_modules_around():
    texts = {
        "src/lib.rs": "mod a;\npub fn up() {}\nmod inner { fn f() { super::up(); self::g(); } fn g() {} }\n",
        "src/a.rs": "mod deep;\nfn g() { super::up(); self::g2(); }\nfn g2() {}\n",
        "src/a/deep.rs": "fn h() { super::g2(); super::super::up(); }\n",
    }
    found = linked(texts)

    assert found.targets("src/lib.rs", "super::up") == ["src/lib.rs:up"]
    assert found.targets("src/lib.rs", "self::g") == ["src/lib.rs:inner.g"]
    assert found.targets("src/a.rs", "super::up") == ["src/lib.rs:up"]
    assert found.targets("src/a.rs", "self::g2") == ["src/a.rs:g2"]
    assert found.targets("src/a/deep.rs", "super::g2") == ["src/a.rs:g2"]
    assert found.targets("src/a/deep.rs", "super::super::up") == ["src/lib.rs:up"]


def test_a_test_module_takes_single_names_from_the_file_around_it():
    source = (
        "pub struct Row;\nimpl Row { pub fn new() -> Row { Row }\n pub fn push(&self) {} }\nfn tidy() {}\n"
        "mod tests {\n use super::{tidy, Row};\n fn check() { let row = Row::new(); row.push(); tidy(); }\n}\n"
    )
    found = linked({"src/lib.rs": source})

    assert found.targets("src/lib.rs", "Row::new") == ["src/lib.rs:Row.new"]
    assert found.targets("src/lib.rs", "row.push") == ["src/lib.rs:Row.push"]
    assert found.targets("src/lib.rs", "tidy") == ["src/lib.rs:tidy"]


def test_a_name_of_the_own_file_may_be_bound_under_another():
    found = linked({"src/lib.rs": "use self::tidy as clean;\nfn tidy() {}\nfn f() { clean(); }\n"})

    assert found.targets("src/lib.rs", "clean") == ["src/lib.rs:tidy"]


def test_items_given_to_a_macro_are_declared_where_they_stand():
    source = (
        "macro_rules! only { ($($i:item)*) => { $($i)* } }\n"
        "only! {\n #![all(unix)]\n pub struct Row;\n impl Row { pub fn new() -> Row { Row } }\n"
        " pub fn open() -> Row { Row::new() }\n}\n"
        "fn f() { open(); }\n"
    )
    found = linked({"src/lib.rs": source})

    assert found.targets("src/lib.rs", "open") == ["src/lib.rs:open"]
    assert found.targets("src/lib.rs", "Row::new") == ["src/lib.rs:Row.new"]
    assert found.targets("src/lib.rs", "only!") == ["src/lib.rs:only"]


def test_both_sides_of_a_conditional_macro_are_declared():
    source = (
        "cfg_if! { if #[cfg(unix)] { fn open() { unix() } } else { fn open() { other() } } }\n"
        "fn unix() {}\nfn other() {}\n"
    )
    found = linked({"src/lib.rs": source})

    assert found.targets("src/lib.rs", "unix") == ["src/lib.rs:unix"]
    assert found.targets("src/lib.rs", "other") == ["src/lib.rs:other"]


def test_a_macro_inside_an_impl_declares_methods():
    source = (
        "struct Row;\nimpl Row { full! { pub fn push(&self) { self.grow(); } } fn grow(&self) {} }\n"
        "fn f(row: Row) { row.push(); }\n"
    )
    found = linked({"src/lib.rs": source})

    assert found.targets("src/lib.rs", "row.push") == ["src/lib.rs:Row.push"]
    assert found.targets("src/lib.rs", "self.grow") == ["src/lib.rs:Row.grow"]


def test_functions_without_an_object_are_found_in_an_impl_of_another_file():
    texts = {
        "src/lib.rs": "mod fault;\npub struct Fault;\nfn f() { Fault::new(); }\n",
        "src/fault.rs": "use crate::Fault;\nimpl Fault { pub fn new() -> Fault { Fault } }\n",
    }

    assert linked(texts).targets("src/lib.rs", "Fault::new") == ["src/fault.rs:Fault.new"]


def test_an_impl_for_a_wrapper_gives_its_content_no_methods():
    source = (
        "trait Filter { fn pass(&self); }\n"
        "impl<F: Filter> Filter for Option<F> { fn pass(&self) {} }\n"
        "fn f<F: Filter>(filter: F) { filter.pass(); }\n"
    )

    assert linked({"src/lib.rs": source}).targets("src/lib.rs", "filter.pass") == ["src/lib.rs:Filter.pass"]


def test_a_macro_and_a_module_may_have_one_name():
    texts = {
        "src/lib.rs": "#[macro_use]\nmod macros;\npub mod span;\n",
        "src/macros.rs": "#[macro_export]\nmacro_rules! span { () => {}; }\n",
        "src/span.rs": "pub fn open() {}\n",
        "tests/all.rs": "use my_shop::span;\nfn f() { span!(); span::open(); my_shop::span!(1); }\n",
    }
    found = linked(texts)

    assert found.targets("tests/all.rs", "span!") == ["src/macros.rs:span"]
    assert found.targets("tests/all.rs", "my_shop::span!") == ["src/macros.rs:span"]
    assert found.targets("tests/all.rs", "span::open") == ["src/span.rs:open"]


def test_a_function_hides_no_macro_of_its_name():
    found = linked({"src/lib.rs": 'fn format() {}\nfn f() { format!("a"); format(); }\n'})

    assert found.call("src/lib.rs", "format!").external_name == "std.format"
    assert found.targets("src/lib.rs", "format") == ["src/lib.rs:format"]


def test_names_inside_a_module_are_none_of_the_file_around_it():
    texts = {
        "src/lib.rs": "mod a;\nuse a::*;\nfn f() { assert_eq!(1, 1); open(); }\n",
        "src/a.rs": "mod tests { macro_rules! assert_eq { () => {}; }\n pub fn open() {} }\n",
    }
    found = linked(texts)

    assert found.call("src/lib.rs", "assert_eq!").external_name == "std.assert_eq"
    assert found.call("src/lib.rs", "open").outcome == "unknown"


def test_a_path_never_begins_with_a_variable():
    texts = {
        "src/lib.rs": (
            "mod store;\nfn load() -> store::Item { store::open() }\n"
            "fn f() { let (store, n) = (store::open(), 1); store::close(); store.touch(); g!(store::seal()); }\n"
            "fn h() { let load = load(); load.touch(); }\n"
        ),
        "src/store.rs": (
            "pub struct Item;\nimpl Item { pub fn touch(&self) {} }\n"
            "pub fn open() -> Item { Item }\npub fn close() {}\npub fn seal() {}\n"
        ),
    }
    found = linked(texts)

    assert found.targets("src/lib.rs", "store::close") == ["src/store.rs:close"]
    assert found.targets("src/lib.rs", "store::seal") == ["src/store.rs:seal"]
    assert found.targets("src/lib.rs", "store.touch") == ["src/store.rs:Item.touch"]
    assert found.targets("src/lib.rs", "load") == ["src/lib.rs:load"]
    assert found.targets("src/lib.rs", "load.touch") == ["src/store.rs:Item.touch"]


def test_methods_of_literals_and_brackets_in_a_macro_are_methods():
    source = 'fn len() {}\nstruct Row;\nimpl Row { fn size(&self) {} }\nfn f(row: Row) { check!("a".len(), (row).size()); }\n'
    found = linked({"src/lib.rs": source})

    assert found.call("src/lib.rs", '"a".len').external_name == "std.str.len"
    assert found.targets("src/lib.rs", "(row).size") == ["src/lib.rs:Row.size"]


def test_a_name_of_the_standard_library_is_not_settled_by_the_only_method_of_it():
    own = "pub struct Keys;\nimpl Keys { pub fn is_empty(&self) -> bool { true } pub fn unlocked(&self) -> bool { true } }\n"
    own += "pub fn go(all: Strange) { all.keep(|s| s.is_empty()); all.keep(|s| s.unlocked()); }\n"
    found = Linked("rust", (".rs",), {"Cargo.toml": '[package]\nname = "app"\n', "src/lib.rs": own})

    assert found.targets("src/lib.rs", "s.is_empty") == []
    assert found.targets("src/lib.rs", "s.unlocked") == ["src/lib.rs:Keys.unlocked"]
