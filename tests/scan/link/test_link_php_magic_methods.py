"""What PHP runs for an object where no call is written."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from relink_cases import KeptLinks
from typed_cases import Linked

MAGIC = """<?php
class Base { public function __get($n) {} public function __set($n, $v) {} public function __isset($n) {}
  public function __unset($n) {} public function __toString() { return ''; } public function __clone() {} }
class Row extends Base implements ArrayAccess, IteratorAggregate, Countable {
  public $open; protected $kept; private $hidden;
  public function open() {}
  public function own() { return $this->kept . $this->hidden . $this->open; }
  public function offsetGet($k) { return new Cell; } public function offsetSet($k, $v) {}
  public function offsetExists($k) {} public function offsetUnset($k) {}
  public function getIterator() { return new Steps; } public function count() {} }
class Steps implements Iterator { public function rewind() {} public function valid() {} public function current() {
  return new Cell; } public function key() {} public function next() {} }
class Cell { public function show() {} }
class Plain { public function none() {} }
"""


def runs(body: str, more: str = "") -> set[str]:
    """What a function with that body runs unwritten, of a row `$r`, a cell's row and a plain object `$p`."""
    text = f"<?php\nfunction f() {{ $r = new Row; $s = new Steps; $p = new Plain; {body} }}\n{more}"
    found = Linked("php", (".php",), {"magic.php": MAGIC, "main.php": text})
    links = found.links["main.php"].implicit
    return {
        found.name(target.place).removeprefix("magic.php:") for _, link in links for target in link.targets
    }


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return $r->title;", {"Base.__get"}),
        ("$r->title = 1;", {"Base.__set"}),
        ("$r->title .= 'x';", {"Base.__get", "Base.__set"}),
        ("$r->list['k'] = 1;", {"Base.__get"}),
        ("return isset($r->title);", {"Base.__isset"}),
        ("return $r->title ?? 1;", {"Base.__isset", "Base.__get"}),
        ("return empty($r->title);", {"Base.__isset", "Base.__get"}),
        ("unset($r->title);", {"Base.__unset"}),
        ("return $r['k'];", {"Row.offsetGet"}),
        ("$r['k'] = 1;", {"Row.offsetSet"}),
        ("$r[] = 1;", {"Row.offsetSet"}),
        ("return isset($r['k']);", {"Row.offsetExists"}),
        ("unset($r['k']);", {"Row.offsetUnset"}),
        ("return count($r);", {"Row.count"}),
        ('return "a {$r}";', {"Base.__toString"}),
        ("return 'a' . $r;", {"Base.__toString"}),
        ("echo 'a', $r;", {"Base.__toString"}),
        ("return (string) $r;", {"Base.__toString"}),
        ("return clone $r;", {"Base.__clone"}),
        ("foreach ($s as $x) {}", {"Steps.rewind", "Steps.valid", "Steps.current", "Steps.next"}),
        (
            "foreach ($r as $x) {}",
            {"Row.getIterator", "Steps.rewind", "Steps.valid", "Steps.current", "Steps.next"},
        ),
    ],
)
def test_an_object_runs_the_method_that_php_asks_it_for(body, expected):
    assert runs(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "return $r->open;",
        "$r->open = 1;",
        "return $p->title;",
        "return $p['k'];",
        "foreach ($p as $x) {}",
        'return "a {$p}";',
        "return $unknown->title . $unknown['k'];",
        "return count([1]);",
    ],
)
def test_a_property_that_is_there_and_a_class_without_such_methods_run_nothing(body):
    assert runs(body) == set()


def test_a_property_that_the_code_may_not_see_is_answered_for():
    assert runs("return $r->kept;") == {"Base.__get"}
    assert runs("return $r->hidden;") == {"Base.__get"}


def test_a_class_below_sees_what_is_protected_and_not_what_is_private():
    below = "class Below extends Row {{ function g() {{ return $this->{}; }} }}"

    assert runs("", below.format("kept")) == set()
    assert runs("", below.format("hidden")) == {"Base.__get"}


def test_a_parent_outside_may_have_the_property_unless_the_comment_of_the_class_promises_it():
    of_outside = (
        "class Mine extends \\Lib\\Model { function __get($n) {} function g() { return $this->title; } }"
    )

    assert runs("", of_outside) == set()
    assert runs("", f"/** @property string $title */\n{of_outside}") == {"main.php:Mine.__get"}


def test_a_property_that_is_made_by_setting_it_is_there():
    text = "class Mine {{ function __get($n) {{}} {} function g() {{ $this->a = 1; return $this->a; }} }}"

    assert runs("", text.format("")) == set()
    assert runs("", text.format("function __set($n, $v) {}")) == {
        "main.php:Mine.__get",
        "main.php:Mine.__set",
    }


def test_elements_are_what_the_methods_give():
    text = "<?php\nfunction f() { $r = new Row; $r['k']->show(); foreach ($r as $cell) { $cell->show(); } }\n"
    found = Linked("php", (".php",), {"magic.php": MAGIC, "main.php": text})

    assert found.targets("main.php", "$r['k']->show") == ["magic.php:Cell.show"]
    assert found.targets("main.php", "$cell->show") == ["magic.php:Cell.show"]


def test_only_classes_below_that_of_the_object_may_answer_in_its_place():
    below = (
        "class Near extends Row { function __get($n) {} }\nclass Far extends Base { function __get($n) {} }"
    )
    text = f"<?php\nfunction f(Row $r) {{ return $r->title; }}\n{below}"
    found = Linked("php", (".php",), {"magic.php": MAGIC, "main.php": text})
    ((_, link),) = found.links["main.php"].implicit

    assert [found.name(target.place) for target in link.overriders] == ["main.php:Near.__get"]


def test_a_property_that_comes_to_be_declared_elsewhere_is_no_longer_answered_for():
    texts = {"magic.php": MAGIC, "main.php": "<?php\nfunction f(Row $r) { return $r->title; }\n"}
    kept = KeptLinks(texts)
    declared = texts | {"magic.php": MAGIC.replace("public $open;", "public $open; public $title;")}

    kept.change_to(declared)

    assert "main.php" in kept.linked
    assert kept.links == KeptLinks(declared).links


PARTS = st.sampled_from(
    [
        "$r",
        "->",
        "title",
        "[",
        "]",
        "'k'",
        "isset(",
        "unset(",
        ")",
        "foreach",
        " as ",
        "??",
        "=",
        ".",
        "clone ",
        "echo ",
    ]
)


@settings(max_examples=60)
@given(st.lists(PARTS, max_size=14))
def test_any_text_is_survived(parts):
    assert all("." in method for method in runs("".join(parts) + ";"))


def test_a_docblock_that_promises_hundreds_of_properties_is_read_to_its_end():
    promised = "".join(f" * @property Part{number} $part{number}\n" for number in range(200))
    base = f"<?php\n/**\n{promised} */\nabstract class Base {{ public function __get($n) {{}} }}\n"
    parts = "<?php\n" + "".join(
        f"class Part{number} {{ public function run() {{}} }}\n" for number in range(200)
    )
    user = "<?php\nclass User extends Base { public function f() { $this->part199->run(); } }\n"
    found = Linked("php", (".php",), {"base.php": base, "parts.php": parts, "main.php": user})
    links = found.links["main.php"].calls
    assert [found.name(each.place) for link in links for each in link.targets] == ["parts.php:Part199.run"]
