"""What members of the project's own generic classes give: by the type arguments of the object they are asked of."""

import pytest
from typed_cases import Linked

JAVA = """package shop;
import java.util.List;
import java.util.Optional;
class Order { void pay() {} }
class Refund { void pay() {} }
class Box<T extends Object> {
  T item; T get() { return item; } List<T> all() { return null; } Optional<T> find() { return null; }
}
class Orders extends Box<Order> { void own() { get().pay(); } }
class Nested<A, B> extends Box<B> {}
class Use {
  private final Box<Order> box;
  Use(Box<Order> given) { box = given; }
  Box<Refund> make() { return null; }
  void field() { box.get().pay(); }
  void held() { box.item.pay(); }
  void below(Orders orders) { orders.get().pay(); }
  void all(Box<Refund> p) { for (var each : p.all()) each.pay(); }
  void found(Box<Refund> p) { var one = p.find().get(); one.pay(); }
  void made() { var box = new Box<Refund>(); box.get().pay(); }
  void result() { make().get().pay(); }
  void second(Nested<Refund, Order> nested) { nested.get().pay(); }
  void deep(Box<Box<Refund>> outer) { outer.get().get().pay(); }
  void local() { Box<Refund> box = new Box<>(); box.get().pay(); }
  void plain(Box raw) { raw.get().pay(); }
}
"""


@pytest.mark.parametrize(
    ("method", "owner"),
    [
        ("own", "Order"), ("field", "Order"), ("held", "Order"), ("below", "Order"), ("all", "Refund"),
        ("found", "Refund"), ("made", "Refund"), ("result", "Refund"), ("second", "Order"), ("deep", "Refund"),
        ("local", "Refund"),
    ],
)  # fmt: skip
def test_a_type_argument_of_java_says_what_a_member_gives(method: str, owner: str):
    assert paid(Linked("java", (".java",), {"Shop.java": JAVA}), "Shop.java", method) == [f"{owner}.pay"]


def test_a_class_without_its_type_arguments_leaves_what_it_gives_open():
    assert paid(Linked("java", (".java",), {"Shop.java": JAVA}), "Shop.java", "plain") == []


CSHARP = """namespace Shop;
class Order { public void Pay() {} }
class Refund { public void Pay() {} }
class Box<T> where T : class {
  public T Item { get; set; } public T Get() { return Item; } public async Task<T?> Find() { return null; }
}
class Orders : Box<Order> { void Own() { Get().Pay(); } }
class Use {
  private readonly Box<Refund> _box;
  void Field() { _box.Get().Pay(); }
  void Held() { _box.Item.Pay(); }
  async Task Found(Box<Order> p) { var one = await p.Find(); one.Pay(); }
  void Local() { Box<Order> box = new(); box.Get().Pay(); }
  void Made() { var box = new Box<Refund>(); box.Get().Pay(); }
}
"""


@pytest.mark.parametrize(
    ("method", "owner"),
    [
        ("Own", "Order"),
        ("Field", "Refund"),
        ("Held", "Refund"),
        ("Found", "Order"),
        ("Made", "Refund"),
        ("Local", "Order"),
    ],
)
def test_a_type_argument_of_csharp_says_what_a_member_gives(method: str, owner: str):
    assert paid(Linked("csharp", (".cs",), {"Shop.cs": CSHARP}), "Shop.cs", method) == [f"{owner}.Pay"]


GO = """package shop
type Order struct{}
func (o *Order) Pay() {}
type Refund struct{}
func (r *Refund) Pay() {}
type Box[T any] struct { item T }
func (b *Box[E]) Get() E { return b.item }
func (b *Box[E]) All() []E { return nil }
type Use struct { box *Box[*Order] }
func (u *Use) Field() { u.box.Get().Pay() }
func All(p *Box[*Refund]) { for _, each := range p.All() { each.Pay() } }
func Make() *Box[*Refund] { return nil }
func Result() { Make().Get().Pay() }
"""


@pytest.mark.parametrize(("function", "owner"), [("Field", "Order"), ("All", "Refund"), ("Result", "Refund")])
def test_a_type_argument_of_go_says_what_a_member_gives(function: str, owner: str):
    linked = Linked("golang", (".go",), {"go.mod": "module shop\n", "shop.go": GO})

    assert paid(linked, "shop.go", function) == [f"{owner}.Pay"]


RUST = """pub struct Order {}
impl Order { pub fn pay(&self) {} }
pub struct Refund {}
impl Refund { pub fn pay(&self) {} }
pub struct Bag<T> { item: T }
impl<T> Bag<T> { pub fn get(&self) -> &T { &self.item } pub fn find(&self) -> Option<&T> { None } }
pub struct Use { bag: Bag<Order> }
impl Use { fn field(&self) { self.bag.get().pay(); } }
fn found(p: &Bag<Refund>) { if let Some(one) = p.find() { one.pay(); } }
fn make() -> Bag<Refund> { todo!() }
fn result() { make().get().pay(); }
"""


@pytest.mark.parametrize(
    ("function", "owner"), [("field", "Order"), ("found", "Refund"), ("result", "Refund")]
)
def test_a_type_argument_of_rust_says_what_a_member_gives(function: str, owner: str):
    linked = Linked("rust", (".rs",), {"Cargo.toml": '[package]\nname = "shop"\n', "src/lib.rs": RUST})

    assert paid(linked, "src/lib.rs", function) == [f"{owner}.pay"]


PYTHON = """from typing import Generic, Iterator, TypeVar, overload
T = TypeVar("T")
class Order:
    def pay(self): ...
class Refund:
    def pay(self): ...
class Box(Generic[T]):
    item: T
    def get(self) -> T: ...
    def find(self) -> T | None: ...
    def all(self) -> list[T]: ...
    def __iter__(self) -> Iterator[T]: ...
    @overload
    def __getitem__(self, key: int) -> T: ...
    @overload
    def __getitem__(self, key: slice) -> "Box[T]": ...
    def __getitem__(self, key: int | slice) -> "T | Box[T]": ...
class Orders(Box[Order]):
    def own(self): self.get().pay()
class Sorted(Box[T]): ...
class Use:
    def __init__(self, box: Box[Refund]): self.box = box
    def field(self): self.box.get().pay()
    def held(self): self.box.item.pay()
def below(orders: Orders): orders.find().pay()
def each(box: "Box[Refund]"):
    for one in box.all(): one.pay()
def made():
    box = Box[Refund]()
    box.get().pay()
def local():
    box: Box[Refund] = Box()
    box.get().pay()
def between(box: Sorted[Order]): box.get().pay()
class Kept:
    def __init__(self): self.box: Box[Refund] = Box()
    def kept(self): self.box.get().pay()
def build(owner) -> Box[Order]: ...
class Shop:
    def __init__(self): self.fill()
    def fill(self): self.orders = build(self)
    def looped(self):
        for order in self.orders: order.pay()
"""


@pytest.mark.parametrize(
    ("function", "owner"),
    [
        ("own", "Order"), ("field", "Refund"), ("held", "Refund"), ("below", "Order"), ("each", "Refund"),
        ("made", "Refund"), ("between", "Order"), ("local", "Refund"), ("looped", "Order"), ("kept", "Refund"),
    ],
)  # fmt: skip
def test_a_type_argument_of_python_says_what_a_member_gives(function: str, owner: str):
    assert paid(Linked("python", (".py",), {"shop.py": PYTHON}), "shop.py", function) == [f"{owner}.pay"]


TYPESCRIPT = """export class Order { pay() {} }
export class Refund { pay() {} }
export class Box<T> {
  item: T; get(): T { return this.item; } all(): T[] { return []; }
  async find(): Promise<T | undefined> { return undefined; }
  each(): (one: T) => void { return () => {}; }
}
export class Orders extends Box<Order> { own() { this.get().pay(); } }
export class Use {
  constructor(private readonly box: Box<Refund>) {}
  field() { this.box.get().pay(); }
  held() { this.box.item.pay(); }
  async found(p: Box<Order>) { const one = await p.find(); one.pay(); }
  all(p: Box<Refund>) { for (const one of p.all()) one.pay(); }
  below(orders: Orders) { orders.get().pay(); }
  local() { const box: Box<Refund> = new Box(); box.get().pay(); }
  other(p: Box<Refund>) { p.each().pay(); }
}
"""


@pytest.mark.parametrize(
    ("method", "owners"),
    [
        ("own", ["Order"]), ("field", ["Refund"]), ("held", ["Refund"]), ("found", ["Order"]), ("all", ["Refund"]),
        ("below", ["Order"]), ("other", []), ("local", ["Refund"]),
    ],
)  # fmt: skip
def test_a_type_argument_of_typescript_says_what_a_member_gives(method: str, owners: list[str]):
    linked = Linked("typescript", (".ts",), {"shop.ts": TYPESCRIPT})

    assert paid(linked, "shop.ts", method) == [f"{owner}.pay" for owner in owners]


def paid(linked: Linked, path: str, function: str) -> list[str]:
    """What the calls of `pay` in a function run."""
    facts = linked.facts[path]
    return [
        linked.name(target.place).rpartition(":")[2]
        for call, said in zip(facts.calls, linked.links[path].calls, strict=True)
        if facts.symbols[call.scope].name == function and call.text.lower().endswith("pay")
        for target in said.targets
    ]
