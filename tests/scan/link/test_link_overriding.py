"""Which methods may run in the place of one: overriders, and what implements an interface or a protocol."""

from link_cases import link_texts, name_place, python_facts


def test_overriders_are_kept_apart_from_the_target_and_less_sure():
    text = "class A:\n def f(self): pass\nclass B(A):\n def f(self): pass\ndef run(a: A): a.f()\n"
    (said,) = link_texts({"main.py": text})["main.py"].calls

    facts = python_facts({"main.py": text})
    assert [name_place(facts, target.place) for target in said.targets] == ["main.A.f"]
    assert [name_place(facts, target.place) for target in said.overriders] == ["main.B.f"]
    assert said.overriders[0].confidence < said.targets[0].confidence
    assert said.overriders[0].reason == "override"


def test_a_class_that_has_all_methods_of_a_protocol_may_run_in_its_place():
    text = (
        "from typing import Protocol\nclass Store(Protocol):\n @property\n def path(self): ...\n def load(self): ...\n def save(self): ...\n"
        "class Disk:\n def __init__(self): self.save = print\n def load(self): pass\n"
        "class Half:\n def load(self): pass\n"
        "def run(store: Store): store.load()\n"
    )
    facts = python_facts({"main.py": text})

    said = link_texts({"main.py": text})["main.py"].calls[-1]

    assert [name_place(facts, target.place) for target in said.overriders] == ["main.Disk.load"]


def test_of_many_overriders_those_of_the_class_of_the_object_are_named():
    services = "".join(
        f"class Service{number}(Service): pass\nclass Made{number}(Service{number}):\n def save(self): pass\n"
        for number in range(12)
    )
    text = (
        f"class Service:\n def save(self): pass\n{services}"
        "def run(one: Service3): one.save()\ndef run_any(one: Service): one.save()\n"
    )
    facts = python_facts({"main.py": text})

    one, any_of_them = link_texts({"main.py": text})["main.py"].calls[-2:]

    assert [name_place(facts, target.place) for target in one.overriders] == ["main.Made3.save"]
    assert any_of_them.overriders == ()


def test_what_a_class_beside_has_instead_is_not_run_by_an_object_of_a_known_class():
    text = (
        "class Base:\n def save(self): pass\nclass A(Base): pass\n"
        "class B(Base):\n def save(self): pass\nclass C(A):\n def save(self): pass\n"
        "def run(one: A): one.save()\ndef run_any(one: Base): one.save()\n"
    )
    facts = python_facts({"main.py": text})

    one, any_of_them = link_texts({"main.py": text})["main.py"].calls[-2:]

    assert [name_place(facts, target.place) for target in one.targets] == ["main.Base.save"]
    assert [name_place(facts, target.place) for target in one.overriders] == ["main.C.save"]
    assert [name_place(facts, target.place) for target in any_of_them.overriders] == [
        "main.B.save",
        "main.C.save",
    ]


def test_a_method_that_very_many_override_is_settled_where_the_class_of_the_object_is_known():
    services = "".join(f"class Made{number}(Service):\n def save(self): pass\n" for number in range(12))
    text = (
        f"class Service:\n def save(self): pass\nclass Plain(Service): pass\n{services}"
        "def run(one: Plain): one.save()\ndef run_any(one: Service): one.save()\n"
    )

    one, any_of_them = link_texts({"main.py": text})["main.py"].calls[-2:]

    assert [target.reason for target in one.targets] == ["own-class"]
    assert [target.reason for target in any_of_them.targets] == ["annotation"]
