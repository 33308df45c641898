"""Which methods Rust calls mean by the traits, impls and declared types of what they are called on."""

from typed_cases import Linked

TWO = "struct A; impl A { fn go(&self) {} }\nstruct B; impl B { fn go(&self) {} }\n"


def linked(source: str, **others: str) -> Linked:
    texts = {f"src/{name}.rs": text for name, text in others.items()}
    return Linked(
        "rust", (".rs",), {"Cargo.toml": '[package]\nname = "shop"\n', "src/lib.rs": source, **texts}
    )


def test_a_field_called_like_the_module_of_its_type_does_not_hide_the_module():
    source = (
        "mod dfa;\nstruct Builder { dfa: dfa::Builder }\nimpl Builder { fn go(&self) { self.dfa.go(); } }\n"
    )
    found = linked(source, dfa="pub struct Builder; impl Builder { pub fn go(&self) {} }\n")

    assert found.targets("src/lib.rs", "self.dfa.go") == ["src/dfa.rs:Builder.go"]


def test_an_impl_for_all_that_have_a_trait_adds_no_method_to_the_trait():
    source = "trait Step { fn start(&self); fn run(&self) { self.start(); } }\n"
    source += "impl<'a, S: Step + ?Sized> Step for &'a S { fn start(&self) { (**self).start(); } }\n"
    source += "fn drive<S: Step>(s: &S) { s.start(); }\n"
    found = linked(source)

    assert found.targets("src/lib.rs", "self.start") == ["src/lib.rs:Step.start"]
    assert found.targets("src/lib.rs", "(**self).start") == ["src/lib.rs:Step.start"]
    assert found.targets("src/lib.rs", "s.start") == ["src/lib.rs:Step.start"]


def test_one_star_before_self_does_not_leave_a_box():
    source = "trait Step { fn start(&self); }\n"
    source += "impl Step for Box<dyn Step> { fn start(&self) { (*self).start(); } }\n"

    assert linked(source).targets("src/lib.rs", "(*self).start") != ["src/lib.rs:Step.start"]


def test_the_declared_trait_of_a_field_settles_what_is_called_whatever_it_is_made_with():
    source = "use std::sync::Arc;\ntrait Plan { fn run(&self); }\nstruct Quick; impl Plan for Quick { fn run(&self) {} }\n"
    source += "struct Job { plan: Arc<dyn Plan> }\n"
    source += (
        "impl Job { fn new() -> Job { Job { plan: Arc::new(Quick) } } fn go(&self) { self.plan.run(); } }\n"
    )
    found = linked(source)

    assert found.targets("src/lib.rs", "self.plan.run") == ["src/lib.rs:Plan.run"]
    assert found.overriders("src/lib.rs", "self.plan.run") == ["src/lib.rs:Quick.run"]


def test_a_method_called_like_a_field_is_what_is_called():
    source = f"{TWO}struct Pair {{ first: A }}\nimpl Pair {{ fn first(&self) -> &A {{ &self.first }}\n"
    source += "fn f(&self) { self.first().go(); self.first.go(); } }\n"
    found = linked(source)

    assert found.targets("src/lib.rs", "self.first") == ["src/lib.rs:Pair.first"]
    assert found.targets("src/lib.rs", "self.first().go") == ["src/lib.rs:A.go"]
    assert found.targets("src/lib.rs", "self.first.go") == ["src/lib.rs:A.go"]


def test_the_methods_of_an_impl_see_the_names_of_the_module_they_stand_in():
    source = f"pub mod kinds {{ {TWO} }}\npub trait Make {{ fn make(input: &kinds::A); }}\npub struct Item;\n"
    source += "mod parsing { use super::Item; use super::Make; use super::kinds::A;\n"
    source += "impl Make for Item { fn make(input: &A) { input.go(); } } }\nfn f() { Item::make(); }\n"
    found = linked(source)

    assert found.targets("src/lib.rs", "input.go") == ["src/lib.rs:kinds.A.go"]
    assert found.targets("src/lib.rs", "Item::make") == ["src/lib.rs:parsing.Item.make"]


def test_an_impl_for_another_name_of_a_type_is_one_for_the_type():
    source = f"{TWO}struct Table<T> {{ a: A, held: T }}\ntype Owned = Table<Vec<u8>>;\n"
    source += "impl Owned { fn fill(&self) { self.a.go(); } }\nfn f(t: &Table<u8>) { t.fill(); }\n"
    found = linked(source)

    assert found.targets("src/lib.rs", "self.a.go") == ["src/lib.rs:A.go"]
    assert found.targets("src/lib.rs", "t.fill") == ["src/lib.rs:Table.fill"]


def test_two_aliases_of_each_other_end():
    assert linked("type A = B;\ntype B = A;\nimpl A { fn f(&self) { self.f(); } }\n").links["src/lib.rs"]


def test_impls_for_other_type_arguments_are_told_apart_by_how_much_is_given():
    source = "struct Fat<const N: usize>;\nimpl Fat<1> { fn find(&self, a: u8) {} }\n"
    source += "impl Fat<2> { fn find(&self, a: u8, b: u8) {} fn go(&self) { self.find(1, 2); } }\n"
    link = linked(source).call("src/lib.rs", "self.find")

    assert len(link.targets) == 1
    assert link.targets[0].confidence == 1.0


def test_what_an_iterator_of_the_project_gives_is_known_in_loops():
    source = f"{TWO}struct Walk; impl Iterator for Walk {{ type Item = A; fn next(&mut self) -> Option<A> {{ None }} }}\n"
    source += "struct Set; impl Set { fn iter(&self) -> Walk { Walk } }\n"
    source += "fn f(w: Walk, s: Set) { for a in w { a.go(); } for b in s.iter() { b.go(); } }\n"
    found = linked(source)

    assert found.targets("src/lib.rs", "a.go") == ["src/lib.rs:A.go"]
    assert found.targets("src/lib.rs", "b.go") == ["src/lib.rs:A.go"]


def test_a_closure_is_given_what_the_function_it_is_for_declares():
    source = f"{TWO}fn each(f: impl Fn(A)) {{}}\nfn all<F>(f: F) where F: FnOnce(u8, &B) {{}}\n"
    source += "fn f() { each(|a| a.go()); all(|n, b| b.go()); }\n"
    found = linked(source)

    assert found.targets("src/lib.rs", "a.go") == ["src/lib.rs:A.go"]
    assert found.targets("src/lib.rs", "b.go") == ["src/lib.rs:B.go"]


def test_a_trait_gives_methods_to_types_outside_each_its_own():
    traits = (
        "pub trait Small { fn widen(self) -> usize; }\nimpl Small for u8 { fn widen(self) -> usize { 0 } }\n"
    )
    traits += (
        "pub trait Big { fn widen(self) -> usize; }\nimpl Big for u64 { fn widen(self) -> usize { 0 } }\n"
    )
    traits += "pub trait Sift { fn sift(&self); }\nimpl<'a> Sift for &'a [u8] { fn sift(&self) {} }\n"
    source = "mod int;\nfn f(n: u64, all: &[u8]) { n.widen(); all.sift(); all.len(); n.wrapping_add(1); }\n"
    found = linked(source, int=traits)

    assert found.targets("src/lib.rs", "n.widen") == ["src/int.rs:u64.widen"]
    assert found.targets("src/lib.rs", "all.sift") == ["src/int.rs:&'a [u8].sift"]
    assert found.targets("src/lib.rs", "all.len") == []
    assert found.targets("src/lib.rs", "n.wrapping_add") == []


def test_a_field_of_a_type_parameter_is_of_what_an_impl_bounds_it_by():
    source = "trait Step { fn start(&self); }\ntrait Other { fn start(&self); }\nstruct Run<K, S> { key: K, step: S }\n"
    source += "impl<Y: Clone, X: Clone + Step> Run<Y, X> { fn go(&self) { self.step.start(); self.key.start(); } }\n"
    found = linked(source)

    assert found.targets("src/lib.rs", "self.step.start") == ["src/lib.rs:Step.start"]
    assert found.targets("src/lib.rs", "self.key.start") == []


def test_a_method_that_options_have_is_not_taken_for_the_only_one_of_its_name():
    source = "struct Args; impl Args { fn is_none(&self) -> bool { true } }\nfn f(x: Vec<u8>) { make!(y); y.is_none(); }\n"

    assert linked(source).targets("src/lib.rs", "y.is_none") == []


def test_a_result_that_hides_its_type_is_what_the_function_gives_back():
    source = "trait Step { fn start(&self); }\nstruct Quick; impl Step for Quick { fn start(&self) {} }\n"
    source += "fn hidden() -> impl Step { Quick }\nfn boxed() -> Box<dyn Step> { Box::new(Quick) }\n"
    source += "fn f() { hidden().start(); boxed().start(); }\n"
    found = linked(source)

    assert found.targets("src/lib.rs", "hidden().start") == ["src/lib.rs:Quick.start"]
    assert found.targets("src/lib.rs", "boxed().start") == ["src/lib.rs:Step.start"]


def test_a_type_argument_of_a_call_says_what_a_function_of_traits_gives():
    text = (
        "trait Read { fn take() -> Self; }\nstruct Wide;\nimpl Wide { fn size(&self) -> usize { 4 } }\n"
        "impl Read for Wide { fn take() -> Self { Wide } }\nstruct Stream;\n"
        "impl Stream { fn read<T: Read>(&mut self) -> Option<T> { None } }\n"
        "fn f(s: &mut Stream) -> Option<usize> { let w = s.read::<Wide>()?; Some(w.size()) }\n"
    )

    assert linked(text).targets("src/lib.rs", "w.size") == ["src/lib.rs:Wide.size"]


def test_characters_and_bytes_have_the_methods_that_traits_of_the_same_file_give_them():
    text = (
        "trait OfBytes { fn is_name(&self) -> bool; }\nimpl OfBytes for u8 { fn is_name(&self) -> bool { true } }\n"
        "trait OfChars { fn is_name(&self) -> bool; }\n"
        "impl OfChars for char { fn is_name(&self) -> bool { true } }\n"
        "fn f(byte: u8, text: &str) { byte.is_name(); for c in text.chars() { c.is_name(); } }\n"
        "fn g(text: &str) { let first = text.chars().next().unwrap(); first.is_name(); }\n"
    )
    found = linked(text)
    symbols = found.facts["src/lib.rs"].symbols
    lines = {
        call: [symbols[one.place.symbol].line for one in found.call("src/lib.rs", call).targets]
        for call in ("byte.is_name", "c.is_name", "first.is_name")
    }

    assert lines == {"byte.is_name": [2], "c.is_name": [4], "first.is_name": [4]}


def test_a_parameter_of_a_closure_that_is_not_named_counts():
    text = (
        "struct Stream;\nstruct Item;\nimpl Item { fn go(&self) {} }\n"
        "impl Stream { fn each<F>(&self, f: F) where F: Fn(&Stream, Item) { f(self, Item) } }\n"
        "fn f(s: &Stream) { s.each(|_, item| item.go()); }\n"
    )

    assert linked(text).targets("src/lib.rs", "item.go") == ["src/lib.rs:Item.go"]


def test_a_module_inside_a_file_has_what_it_uses_whole():
    source = "mod inner;\nmod user;\npub mod face { pub use crate::inner::*; }\n"
    inner = "pub struct Table;\nimpl Table { pub fn parse() {} }\n"
    found = linked(source, inner=inner, user="use crate::face::Table;\nfn f() { Table::parse(); }\n")

    assert found.targets("src/user.rs", "Table::parse") == ["src/inner.rs:Table.parse"]


def test_a_method_that_libraries_often_have_is_not_taken_for_the_only_one_of_its_name():
    source = "struct Env; impl Env { fn context(&self) {} fn build(&self) {} fn renumber(&self) {} }\n"
    source += (
        'fn f() { make!(y); y.context("gone"); y.build(); y.renumber(); }\nfn g(e: &Env) { e.context(); }\n'
    )
    found = linked(source)

    assert found.targets("src/lib.rs", "y.context") == []
    assert found.targets("src/lib.rs", "y.build") == []
    assert found.targets("src/lib.rs", "y.renumber") == ["src/lib.rs:Env.renumber"]
    assert found.targets("src/lib.rs", "e.context") == ["src/lib.rs:Env.context"]
