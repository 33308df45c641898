"""Variables of Rust that are declared again: each holds from its `let` to the end of its block."""

import pytest
from test_link_rust import linked

TYPES = "".join(
    f"struct {name};\nimpl {name} {{ fn new() -> Self {{ {name} }} fn start(&self) {{}} fn next(self) -> B {{ B }} }}\n"
    for name in "ABC"
)


def started(body: str, parameters: str = "") -> list[list[str]]:
    """What each call of `start` runs."""
    found = linked({"src/lib.rs": f"{TYPES}fn f({parameters}) {{ {body} }}\n"})
    facts, links = found.facts["src/lib.rs"], found.links["src/lib.rs"]
    return [
        [found.name(target.place).partition(":")[2].partition(".")[0] for target in said.targets]
        for call, said in zip(facts.calls, links.calls, strict=True)
        if call.text.endswith(".start")
    ]


@pytest.mark.parametrize(
    ("body", "runs"),
    [
        ("{ let r = A::new(); r.start(); } { let r = B::new(); r.start(); }", ["A", "B"]),
        ("let r = A::new(); { let r = B::new(); r.start(); } r.start();", ["B", "A"]),
        ("let r = A::new(); r.start(); let r = B::new(); r.start();", ["A", "B"]),
        ("let r = A::new(); let r = r.next(); r.start();", ["B"]),
        ("let r = A::new(); if c { let r = B::new(); r.start(); } else { r.start(); } r.start();", ["B", "A", "A"]),
        ("let r = A::new(); match c { 1 => { let r = B::new(); r.start(); } _ => r.start() }", ["B", "A"]),
        ("let r = A::new(); for r in vec![B::new()] { r.start(); } r.start();", ["B", "A"]),
        ("let r = A::new(); let g = || { let r = B::new(); r.start(); }; r.start();", ["B", "A"]),
        ("let r = A::new(); let r = B::new(); let g = || r.start(); let h = |r: C| r.start();", ["B", "C"]),
        ('let r = A::new(); let r = B::new(); println!("{}", r.start());', ["B"]),
        ("let r = A::new(); let r = Some(B::new()); if let Some(r) = r { r.start(); }", ["B"]),
        ("let r = A::new(); let r = (B::new(), 1); let (r, _) = r; r.start();", ["B"]),
        ("let r = A::new(); unsafe { let r = B::new(); r.start(); } r.start();", ["B", "A"]),
    ],
)  # fmt: skip
def test_a_variable_holds_from_its_let_to_the_end_of_its_block(body, runs):
    assert started(body) == [[one] for one in runs]


def test_a_variable_may_have_several_values_of_its_own():
    assert started("let r = A::new(); let mut r = B::new(); if c { r = C::new(); } r.start();") == [
        ["B", "C"]
    ]
    assert started("let r = if c { A::new() } else { B::new() }; r.start();") == [["A", "B"]]


def test_a_parameter_is_hidden_by_a_variable_of_its_name():
    assert started("r.start(); let r = r.next(); r.start();", "r: A") == [["A"], ["B"]]
    assert started("let r = r.unwrap(); r.start();", "r: Option<A>") == [["A"]]


def test_what_nothing_is_known_of_hides_what_is_known_all_the_same():
    assert started("let r = A::new(); let r = far::wrap(r); r.start();") == [[]]


def test_what_is_put_into_a_container_is_found_by_the_container_that_is_meant():
    body = "let mut v = Vec::new(); v.push(A::new()); v[0].start();"
    body += "let mut v = Vec::with_capacity(1); v.push(B::new()); for x in &v { x.start(); }"
    body += "let mut m = HashMap::new(); m.insert(1, C::new()); m.get(&1).unwrap().start();"

    assert started(body) == [["A"], ["B"], ["C"]]


def test_a_type_of_the_project_is_no_container_of_the_library():
    source = "struct Vec;\nimpl Vec { fn new() -> Vec { Vec } fn push(&self, a: u8) {} }\n"
    source += "fn f() { let v = Vec::new(); v.push(1); }\n"

    assert linked({"src/lib.rs": source}).targets("src/lib.rs", "v.push") == ["src/lib.rs:Vec.push"]
