"""Fields that Mockito fills: what implements their type does not run in the place of a stand-in."""

import pytest
from typed_cases import Linked

STORE = "package shop;\ninterface Store { void save(); }\nclass RealStore implements Store { public void save() {} }\n"
TEST = """package shop;
class CartTest {
  @Mock Store store;
  @Spy Store spied;
  Store plain;
  void mocked() { %s; }
}
"""


@pytest.mark.parametrize(
    ("call", "overriders"),
    [
        ("store.save()", []),
        ("this.store.save()", []),
        ("verify(store).save()", []),
        ("spied.save()", ["Store.java:RealStore.save"]),
        ("plain.save()", ["Store.java:RealStore.save"]),
    ],
)
def test_a_call_of_a_stand_in_runs_none_of_those_that_implement_its_type(call, overriders):
    said = Linked("java", (".java",), {"Store.java": STORE, "CartTest.java": TEST % call})

    assert said.overriders("CartTest.java", call.removesuffix("()")) == overriders
