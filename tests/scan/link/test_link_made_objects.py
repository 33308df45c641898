"""Calls of objects that are made in plain sight: nothing of a class below the named one runs for them."""

from typed_cases import Linked

TEXT = """class Base { update() {} }
class A extends Base {}
class B extends Base { update() {} }
class C extends A { update() {} }
const one = new A()
export function direct() { new A().update() }
export function named() { one.update() }
export function typed(any: A) { any.update() }
export function computed(kind: typeof A) { const some = new kind(); some.update() }
"""


def test_an_object_that_is_made_by_a_class_by_its_name_is_of_no_class_below():
    found = Linked("typescript", (".ts",), {"a.ts": TEXT})

    def meant(text):
        (said,) = [
            each
            for call, each in zip(found.facts["a.ts"].calls, found.links["a.ts"].calls, strict=True)
            if call.text == text
        ]
        return [found.name(one.place).rpartition(":")[2] for one in (*said.targets, *said.overriders)]

    assert meant("new A().update") == ["Base.update"]
    assert meant("one.update") == ["Base.update"]
    assert meant("any.update") == ["Base.update", "C.update"]
    assert "B.update" not in meant("some.update")
