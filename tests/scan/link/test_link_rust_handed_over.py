"""What closures, wrappers and traits of Rust are known to have by what is declared."""

from typed_cases import Linked

MANIFESTS = {
    "Cargo.toml": '[package]\nname = "web"\n[dependencies]\nctx = { path = "ctx" }\naxum = "1"\n',
    "ctx/Cargo.toml": '[package]\nname = "ctx"\n',
}
CONTEXT = """
use std::ops::Deref;
pub struct Context { n: u32 }
impl Context { pub fn config(&self) -> u32 { 1 } }
pub struct Environment<C> { c: C, context: Context }
impl<C> Environment<C> { pub fn fake(&self) -> Fake { Fake } }
impl<C> Deref for Environment<C> { type Target = Context; fn deref(&self) -> &Context { &self.context } }
pub struct Fake;
impl Fake { pub fn name(self) -> Fake { self } }
"""
TESTING = """
use std::rc::Rc;
pub type Environment = ctx::Environment<u32>;
pub struct Answer;
impl Answer { pub fn check(&self) {} }
pub trait Asking { fn get(&self, path: &str) -> Answer; }
impl Asking for axum::Router { fn get(&self, path: &str) -> Answer { Answer } }
pub fn run<F, T>(f: F) where F: FnOnce(Rc<Environment>) -> T, T: Future<Output = ()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().build().expect("x");
    let made = Rc::new(runtime.block_on(other::make()).expect("y"));
    runtime.block_on(f(made.clone())).expect("z");
}
"""


def linked(text: str) -> Linked:
    texts = {
        **MANIFESTS,
        "ctx/src/lib.rs": CONTEXT,
        "src/testing.rs": TESTING,
        "src/main.rs": f"mod testing;\n{text}",
    }
    return Linked("rust", (".rs",), texts)


def test_a_closure_is_given_what_the_bound_of_its_taker_says():
    found = linked("use testing::run;\nfn test() { run(|env| async move { env.fake().name(); }); }\n")

    assert found.targets("src/main.rs", "env.fake") == ["ctx/src/lib.rs:Environment.fake"]
    assert found.targets("src/main.rs", "env.fake().name") == ["ctx/src/lib.rs:Fake.name"]


def test_an_object_has_the_methods_of_what_it_is_dereferenced_to():
    found = linked("fn show(env: &testing::Environment) { env.config(); }\n")

    assert found.targets("src/main.rs", "env.config") == ["ctx/src/lib.rs:Context.config"]


def test_types_that_are_dereferenced_to_each_other_have_no_further_members():
    found = linked(
        "use std::ops::Deref;\nstruct A; struct B;\n"
        "impl Deref for A { type Target = B; fn deref(&self) -> &B { todo!() } }\n"
        "impl Deref for B { type Target = A; fn deref(&self) -> &A { todo!() } }\n"
        "fn show(a: A) { a.missing(); }\n"
    )

    assert found.targets("src/main.rs", "a.missing") == []


def test_an_everyday_name_is_that_of_a_trait_where_the_file_imports_it():
    found = linked('use testing::Asking;\nfn ask(app: axum::Router) { app.get("/").check(); }\n')

    assert found.targets("src/main.rs", "app.get") == ["src/testing.rs:Router.get"]
    assert found.targets("src/main.rs", 'app.get("/").check') == ["src/testing.rs:Answer.check"]


def test_an_everyday_name_is_outside_where_no_trait_is_imported():
    found = linked('fn ask(app: axum::Router) { app.get("/"); }\n')

    assert found.call("src/main.rs", "app.get").external_name == "axum.Router.get"
