"""What Rust's patterns and closures bind, and which impls a type's methods stand in."""

from typed_cases import Linked

CARGO = {"Cargo.toml": '[package]\nname = "my-shop"\n'}
SHAPES = """
pub struct Circle; pub struct Square;
impl Circle { pub fn size(&self) {} }
impl Square { pub fn size(&self) {} }
pub enum Shape { #[cfg(unix)] Round(Circle), Square(Box<Square>), Framed { inner: Circle } }
"""


def linked(texts: dict[str, str]) -> Linked:
    return Linked("rust", (".rs",), CARGO | texts)


def targets(source: str, call: str) -> list[str]:
    found = linked({"src/lib.rs": SHAPES + source}).targets("src/lib.rs", call)
    return [target.removeprefix("src/lib.rs:") for target in found]


def test_a_pattern_takes_the_fields_of_a_variant_apart():
    source = (
        "fn f(s: &Shape) { match s { Shape::Round(c) => c.size(), Shape::Framed { inner } => inner.size() } }"
    )

    assert targets(source, "c.size") == ["Circle.size"]
    assert targets(source, "inner.size") == ["Circle.size"]


def test_a_variant_named_like_its_type_holds_the_type():
    assert targets("fn f(s: &Shape) { if let Shape::Square(q) = s { q.size() } }", "q.size") == [
        "Square.size"
    ]


def test_a_name_is_what_its_own_arm_binds():
    first = "fn f(s: &Shape) { match s { Shape::Round(x) => {}, Shape::Square(x) => x.size() } }"
    second = "fn f(s: &Shape) { match s { Shape::Square(x) => {}, Shape::Round(x) if x.size() => {} } }"

    assert targets(first, "x.size") == ["Square.size"]
    assert targets(second, "x.size") == ["Circle.size"]


def test_a_name_is_what_its_own_branch_binds():
    source = "fn f(s: &Shape) { if let Shape::Round(x) = s {} else if let Shape::Square(x) = s { x.size() } }"

    assert targets(source, "x.size") == ["Square.size"]


def test_alternatives_of_one_pattern_are_all_meant():
    source = "fn f(s: &Shape) { match s { Shape::Round(x) | Shape::Square(x) => x.size(), _ => {} } }"

    assert sorted(targets(source, "x.size")) == ["Circle.size", "Square.size"]


def test_what_a_branch_binds_ends_with_it():
    match = "fn f(x: Circle, s: &Shape) { match s { Shape::Square(x) => {}, _ => {} } x.size() }"
    loop = "fn f(x: Circle, s: &Shape) { while let Shape::Square(x) = s {} x.size() }"

    assert "Circle.size" in targets(match, "x.size")
    assert "Circle.size" in targets(loop, "x.size")


def test_a_let_and_a_parameter_hide_what_an_arm_binds():
    let = "fn f(s: &Shape) { match s { Shape::Round(x) => { let x: Square = g(); x.size() } _ => {} } }"
    parameter = "fn f(s: &Shape) { match s { Shape::Round(x) => { h(|x: Square| x.size()) } _ => {} } }"

    assert "Square.size" in targets(let, "x.size")
    assert targets(parameter, "x.size") == ["Square.size"]


def test_a_closure_gets_an_element_or_what_an_option_holds():
    elements = "fn f(all: Vec<Circle>) { all.iter().map(|one| one.size()); }"
    option = "fn f(some: Option<Square>) { some.as_ref().map(|one| one.size()); }"

    assert targets(elements, "one.size") == ["Circle.size"]
    assert targets(option, "one.size") == ["Square.size"]


def test_a_closure_may_name_its_parameter_like_what_it_comes_from():
    assert targets("fn f(x: Option<Square>) { x.map(|x| x.size()); }", "x.size") == ["Square.size"]


def test_nobody_says_what_a_closure_gets_from_a_method_of_the_project_or_from_an_iterator():
    own = "impl Circle { fn map<F>(&self, f: F) {} }\nfn f(c: Circle) { c.map(|one| one.size()); }"
    iterator = (
        "impl Iterator for Circle { fn next(&mut self) {} }\nfn f(c: Circle) { c.map(|one| one.size()); }"
    )

    assert targets(own, "one.size") == []
    assert targets(iterator, "one.size") == []


def test_an_impl_of_a_type_that_a_glob_brings_is_one_of_that_type():
    found = linked(
        {
            "src/lib.rs": "mod more;\npub struct Inner;\nimpl Inner { fn near(&self) { self.far() } }\n"
            "pub struct Other;\nimpl Other { fn near(&self) {} fn far(&self) {} }\n",
            "src/more.rs": "use super::*;\nimpl Inner { fn far(&self) { self.near(); self.farther() } "
            "fn farther(&self) {} }\n",
        }
    )

    assert found.targets("src/lib.rs", "self.far") == ["src/more.rs:Inner.far"]
    assert found.targets("src/more.rs", "self.near") == ["src/lib.rs:Inner.near"]
    assert found.targets("src/more.rs", "self.farther") == ["src/more.rs:Inner.farther"]


def test_a_public_method_of_the_type_comes_before_one_of_a_trait():
    source = "trait Sized2 { fn width(&self); }\nimpl Sized2 for Circle { fn width(&self) {} }\n"
    call = "fn f(c: Circle) { c.width() }"
    public = linked({"src/lib.rs": SHAPES + "impl Circle { pub fn width(&self) {} }\n" + source + call})
    private = linked({"src/lib.rs": SHAPES + "impl Circle { fn width(&self) {} }\n" + source + call})

    assert len(public.targets("src/lib.rs", "c.width")) == 1
    assert len(private.targets("src/lib.rs", "c.width")) > 1
