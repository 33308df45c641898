"""Type variables of functions, what closures are handed by those of a class, and what holds objects of them."""

import pytest
from test_link_type_arguments import paid
from typed_cases import Linked

JAVA = """package shop;
import java.util.*;
import java.util.function.*;
class Order { void pay() {} Refund back() { return null; } }
class Refund { void pay() {} }
class Result<T> {
  T value; T get() { return value; } Map<String, T> all() { return null; }
  static <A> Result<A> of(A given) { return null; }
  static <E extends Exception, A> Result<A> both(E e, A given) { return null; }
  <U> Result<U> map(Function<T, U> f) { return null; }
  void then(Consumer<? super T> f) {}
}
class Pair<K, V> { Map<K, V> map() { return null; } void each(BiConsumer<K, V> f) {} }
class Registry {
  <T> T find(Class<T> type) { return null; }
  static <T> T first(List<T> all) { return null; }
  <T> List<T> all(Class<T> type) { return null; }
  <T> T call(Supplier<T> supplier) { return null; }
}
class Use {
  Registry registry;
  void inferred(Order o) { Result.of(o).get().pay(); }
  void second(Order o) { var r = Result.both(null, o); r.get().pay(); }
  void closure(Result<Order> r) { r.then(o -> o.pay()); }
  void closures(Pair<Refund, Order> p) { p.each((r, o) -> o.pay()); }
  void mapped(Result<Order> r) { r.map(o -> o.back()).get().pay(); }
  void named() { registry.find(Order.class).pay(); }
  void element(List<Order> all) { Registry.first(all).pay(); }
  void several() { for (var o : registry.all(Order.class)) o.pay(); }
  void supplied() { registry.call(() -> new Order()).pay(); }
  void held(Result<List<Order>> r) { r.get().forEach(o -> o.pay()); }
  void under(Result<Order> r) { r.all().get("x").pay(); }
  void values(Pair<String, Order> p) { p.map().values().forEach(o -> o.pay()); }
  void inside(List<Result<Order>> all) { all.forEach(r -> r.get().pay()); }
  void unsaid(Object o) { registry.find(o.getClass()).pay(); }
}
"""


@pytest.mark.parametrize(
    ("method", "owner"),
    [
        ("inferred", "Order"), ("second", "Order"), ("closure", "Order"), ("closures", "Order"), ("mapped", "Refund"),
        ("named", "Order"), ("element", "Order"), ("several", "Order"), ("supplied", "Order"), ("held", "Order"),
        ("under", "Order"), ("values", "Order"), ("inside", "Order"),
    ],
)  # fmt: skip
def test_a_type_variable_of_java_is_what_a_call_gives_for_it(method: str, owner: str):
    assert run_in("java", ".java", JAVA, method) == [f"{owner}.pay"]


def test_a_type_variable_that_no_argument_tells_stays_open():
    assert run_in("java", ".java", JAVA, "unsaid") == []


CSHARP = """namespace Shop;
using System; using System.Collections.Generic; using System.Linq; using System.Threading.Tasks;
class Order { public void Pay() {} public Refund Back() { return null; } }
class Refund { public void Pay() {} }
class Result<T> {
  public T Value { get; set; } public T Get() { return Value; } public Dictionary<string, T> All() { return null; }
  public Result<U> Map<U>(Func<T, U> f) { return null; }
  public void Then(Action<T> f) {}
  public R Match<R>(Func<T, R> ok, Func<string, R> bad) { return default; }
}
static class Result { public static Result<A> Of<A>(A given) { return null; } }
class Registry {
  public T Find<T>() { return default; } public List<T> All<T>() { return null; } public Task<T> Later<T>() { return null; }
  public Result<T> Wrapped<T>() { return null; } public T Call<T>(Func<T> s) { return default; }
}
class Use {
  Registry registry;
  void Inferred(Order o) { Result.Of(o).Get().Pay(); }
  void Closure(Result<Order> r) { r.Then(o => o.Pay()); }
  void Matched(Result<Order> r) { r.Match(o => { o.Pay(); return 1; }, s => 2); }
  void Mapped(Result<Order> r) { r.Map(o => o.Back()).Get().Pay(); }
  void Said() { registry.Find<Order>().Pay(); }
  void Several() { foreach (var o in registry.All<Order>()) o.Pay(); }
  async Task Later() { var o = await registry.Later<Order>(); o.Pay(); }
  void Wrapped() { registry.Wrapped<Order>().Value.Pay(); }
  void Supplied() { registry.Call(() => new Order()).Pay(); }
  void Held(Result<List<Order>> r) { r.Get()[0].Pay(); }
  void Under(Result<Order> r) { r.All()["x"].Pay(); }
  void Inside(List<Result<Order>> all) { all.Select(r => r.Value).First().Pay(); }
}
"""


@pytest.mark.parametrize(
    ("method", "owner"),
    [
        ("Inferred", "Order"), ("Closure", "Order"), ("Matched", "Order"), ("Mapped", "Refund"), ("Said", "Order"),
        ("Several", "Order"), ("Later", "Order"), ("Wrapped", "Order"), ("Supplied", "Order"), ("Held", "Order"),
        ("Under", "Order"), ("Inside", "Order"),
    ],
)  # fmt: skip
def test_a_type_variable_of_csharp_is_what_a_call_gives_for_it(method: str, owner: str):
    assert run_in("csharp", ".cs", CSHARP, method) == [f"{owner}.Pay"]


def run_in(language: str, ending: str, text: str, method: str) -> list[str]:
    """What `pay` runs in a method, or in a closure that is written in it."""
    path = f"Shop{ending}"
    linked = Linked(language, (ending,), {path: text})
    return paid(linked, path, method) or paid_in_closure(linked, path, method)


def paid_in_closure(linked: Linked, path: str, method: str) -> list[str]:
    facts = linked.facts[path]
    return [
        linked.name(target.place).partition(":")[2]
        for call, said in zip(facts.calls, linked.links[path].calls, strict=True)
        if call.text.endswith((".pay", ".Pay")) and _method_around(facts.symbols, call.scope) == method
        for target in said.targets
    ]


def _method_around(symbols, number: int) -> str:
    while number and symbols[number].name.startswith("<"):
        number = symbols[number].parent
    return symbols[number].name
