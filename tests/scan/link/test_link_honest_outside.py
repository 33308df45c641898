"""A call leads outside only where its object is known to; else it is open, and the project's own names are asked."""

import pytest
from typed_cases import Linked

TWO_CLASSES = "class Report:\n    def publish(self): ...\nclass Draft:\n    def publish(self): ...\n    def get(self): ...\n"


def python(body: str) -> Linked:
    texts = {"own.py": TWO_CLASSES, "main.py": body}
    return Linked("python", (".py",), texts)


def script(body: str) -> Linked:
    own = "export class Report { publish() {} }\nexport class Draft { publish() {} }\n"
    return Linked("typescript", (".ts",), {"own.ts": own, "main.ts": body})


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("from shop import find\nfind(1).publish()\n", "find(1).publish"),
        ("from shop import Shelf\nShelf().first().publish()\n", "Shelf().first().publish"),
        ("from shop import Shelf\nShelf().newest.publish()\n", "Shelf().newest.publish"),
        ("from shop import ALL, shelf\nfor one in shelf:\n    one.publish()\n", "one.publish"),
        (
            "from shop import Page\nclass Own(Page):\n    def go(self):\n        self.report.publish()\n",
            "self.report.publish",
        ),
        (
            "import contextvars\nNOW = contextvars.ContextVar('now')\nNOW.get().publish()\n",
            "NOW.get().publish",
        ),
    ],
)
def test_what_an_outside_function_member_or_collection_gives_may_be_of_the_project(body, text):
    said = python(body).call("main.py", text)

    assert said.outcome == "unknown"
    assert said.external_name is None
    assert said.reason == "object not known"


@pytest.mark.parametrize(
    ("body", "text", "name"),
    [
        ("import shop\nshop.publish()\n", "shop.publish", "shop.publish"),
        ("from shop import Shelf\nShelf().publish()\n", "Shelf().publish", "shop.Shelf.publish"),
        ("from shop import Shelf\nShelf.publish()\n", "Shelf.publish", "shop.Shelf.publish"),
        (
            "from shop import Shelf\ndef f(one: Shelf):\n    one.publish()\n",
            "one.publish",
            "shop.Shelf.publish",
        ),
        ("from shop import find\nfind(1).ship()\n", "find(1).ship", "shop.find.ship"),
        ("import json\njson.loads('').get()\n", "json.loads('').get", "json.loads.get"),
        (
            "from django.test import TestCase\nclass T(TestCase):\n    def test(self):\n        self.client.get()\n",
            "self.client.get",
            "django.test.TestCase.client.get",
        ),
    ],
)
def test_what_is_known_to_be_outside_or_that_no_class_of_the_project_has_stays_there(body, text, name):
    said = python(body).call("main.py", text)

    assert said.outcome == "external"
    assert said.external_name == name


def test_the_only_method_of_a_name_is_meant_where_nobody_knows_what_an_outside_function_gave():
    own = "class Report:\n    def publish(self): ...\n    def create(self): ...\n"
    main = "from shop import find\nfind(1).publish()\nfind(1).create()\n"
    found = Linked("python", (".py",), {"own.py": own, "main.py": main})

    assert found.targets("main.py", "find(1).publish") == ["own.py:Report.publish"]
    assert found.call("main.py", "find(1).publish").targets[0].confidence == 0.7
    assert found.call("main.py", "find(1).create").outcome == "unknown"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("import { inject } from 'frame';\nconst one = inject(1);\none.publish();\n", "one.publish"),
        (
            "import { on } from 'frame';\non('x', (one) => { one.publish(); });\n",
            "one.publish",
        ),
    ],
)
def test_what_a_script_is_given_from_outside_may_be_of_the_project(body, text):
    assert script(body).call("main.ts", text).outcome == "unknown"


def test_an_object_that_a_script_makes_of_an_outside_class_is_outside():
    said = script("import { Box } from 'frame';\nconst box = new Box();\nbox.publish();\n").call(
        "main.ts", "box.publish"
    )

    assert (said.outcome, said.external_name) == ("external", "frame.Box.publish")


JAVA_PEOPLE = """package a;
public class Person implements java.io.Serializable { }
class Vet extends Person { public String publish() { return ""; } }
class Other { public String publish() { return ""; } }
"""


def test_the_declared_class_of_a_variable_comes_before_the_bound_of_a_type_variable():
    body = """package a;
class Main {
  static <T extends Person> T find(Class<T> kind) { return null; }
  void go() { Vet vet = find(Vet.class); vet.publish(); }
}
"""
    found = Linked("java", (".java",), {"Person.java": JAVA_PEOPLE, "Main.java": body})

    assert found.targets("Main.java", "vet.publish") == ["Person.java:Vet.publish"]


def test_an_interface_outside_that_has_no_members_gives_none():
    body = "package a;\nclass Main { void go(Person one) { one.publish(); } }\n"
    found = Linked("java", (".java",), {"Person.java": JAVA_PEOPLE, "Main.java": body})

    assert found.call("Main.java", "one.publish").outcome == "unknown"


@pytest.mark.parametrize(
    ("language", "suffix", "own", "main", "text"),
    [
        (
            "csharp",
            ".cs",
            "namespace A; class Report { public void Publish() {} } class Draft { public void Publish() {} }",
            "namespace A; class Main { void Go(IStore store) { store.Find(1).Publish(); } }",
            "store.Find(1).Publish",
        ),
        (
            "php",
            ".php",
            "<?php class Report { function publish() {} } class Draft { function publish() {} }",
            "<?php use Shop\\Store; function go(Store $store) { $store->find(1)->publish(); }",
            "$store->find(1)->publish",
        ),
        (
            "java",
            ".java",
            "package a; class Report { void publish() {} } class Draft { void publish() {} }",
            "package a; import shop.Store; class Main { void go(Store store) { store.find(1).publish(); } }",
            "store.find(1).publish",
        ),
    ],
)
def test_results_of_outside_methods_are_open_in_every_language_that_does_not_see_their_types(
    language, suffix, own, main, text
):
    found = Linked(language, (suffix,), {f"own{suffix}": own, f"main{suffix}": main})

    assert found.call(f"main{suffix}", text).outcome == "unknown"


def test_what_a_framework_hands_to_a_route_is_outside_whatever_the_project_has_of_that_name():
    found = script(
        "import { Router } from 'express';\nimport { check } from './check';\nconst router = Router();\n"
        "router.get('/x', check('a'), async (req, res) => { req.user.publish(); res.status(1).publish(); });\n"
    )

    assert found.call("main.ts", "res.status(…).publish").outcome == "external"
    assert found.call("main.ts", "req.user.publish").outcome == "unknown"
