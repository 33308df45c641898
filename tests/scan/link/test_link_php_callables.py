"""What PHP's own functions call of what they are given, and what they give back of it."""

import pytest
from typed_cases import Linked

SHAPES = "<?php\nclass Shape { public function area() {} public static function weigh($s) {} public function make() { return new Shape; } }\nfunction measure($s) {}\n"


def linked(body: str) -> Linked:
    text = f"<?php\nclass User {{ public function own($x) {{}}\n public function run(array $all) {{ {body} }} }}\n"
    return Linked("php", (".php",), {"shapes.php": SHAPES, "main.php": text})


def called(body: str) -> set[str]:
    """What the body is said to run beside what it calls in writing."""
    found = linked(body)
    pairs = zip(found.facts["main.php"].calls, found.links["main.php"].calls, strict=True)
    return {
        found.name(target.place) for call, said in pairs if call.kind == "implicit" for target in said.targets
    }


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("array_map('measure', $all);", {"shapes.php:measure"}),
        ("\\array_map('measure', $all);", {"shapes.php:measure"}),
        ("Array_Map('measure', $all);", {"shapes.php:measure"}),
        ("usort($all, [$this, 'own']);", {"main.php:User.own"}),
        ("usort($all, $this->own(...));", {"main.php:User.own"}),
        ("array_filter($all, 'Shape::weigh');", {"shapes.php:Shape.weigh"}),
        ("preg_replace_callback('/a/', fn ($m) => $m, 'a');", {"main.php:User.run.{closure}"}),
        ("$f = function ($m) {}; array_walk($all, $f);", {"main.php:User.run.{closure}"}),
        ("\\call_user_func([$this, 'own'], 1);", {"main.php:User.own"}),
        ("set_error_handler(fn () => 1);", set()),
        ("array_map(null, $all);", set()),
        ("array_map();", set()),
        ("usort($all);", set()),
        ("array_map(callback: 'measure', array: $all);", set()),
    ],
)
def test_a_callable_given_to_a_function_of_php_is_run_where_that_is_called(body, expected):
    assert called(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "array_map(fn ($s) => $s->area(), [new Shape]);",
        "foreach (array_map(fn () => new Shape, $all) as $s) { $s->area(); }",
        "foreach (array_filter([new Shape]) as $s) { $s->area(); }",
        "foreach (array_merge([new Shape], $all) as $s) { $s->area(); }",
        "$list = [new Shape]; array_pop($list)->area();",
        "$list = [new Shape]; $s = reset($list); $s->area();",
        "call_user_func([new Shape, 'make'])->area();",
        "$this->assertInstanceOf(Shape::class, $x); $x->area();",
        "self::assertInstanceOf(\\Shape::class, $this->x); $this->x->area();",
    ],
)
def test_the_class_of_an_object_is_known_through_functions_of_php(body):
    found = linked(body)
    (said,) = [
        said
        for call, said in zip(found.facts["main.php"].calls, found.links["main.php"].calls, strict=True)
        if call.text.endswith("->area")
    ]

    assert [found.name(target.place) for target in said.targets] == ["shapes.php:Shape.area"]
    assert said.reason != "unique-name"


@pytest.mark.parametrize(
    "asserted",
    ["assertInstanceOf(Shape::class)", "assertInstanceOf($class, $x)", "assertInstanceOf(Shape::KIND, $x)"],
)
def test_an_assertion_that_names_no_class_says_nothing(asserted):
    said = linked(f"$this->{asserted}; $x->area();").call("main.php", "$x->area")

    assert said.reason == "unique-name"


def test_joining_runs_what_makes_a_string_of_each_element():
    text = "<?php\nclass Tag { public function __toString() { return ''; } }\n/** @param Tag[] $tags */\nfunction f(array $tags) { return implode(', ', $tags); }\n"
    found = Linked("php", (".php",), {"main.php": text})
    (link,) = [link for _, link in found.links["main.php"].implicit]

    assert [found.name(target.place) for target in link.targets] == ["main.php:Tag.__toString"]
