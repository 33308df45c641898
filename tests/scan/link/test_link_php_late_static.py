"""What PHP's methods give that make objects of the class they are called on, and of containers and files of functions."""

import pytest
from typed_cases import Linked


def linked(texts: dict[str, str]) -> Linked:
    return Linked("php", (".php",), texts)


CHILD = "class Kid extends Base { public function greet() {} }\nfunction run() { Kid::make()->greet(); }\n"
MAKERS = {
    "static": "return new static();",
    "a variable": "$it = new static; $it->x = 1; return $it;",
    "by its name": "$class = static::class; return new $class();",
    "by a function": "$class = get_called_class(); $it = new $class(1); return $it;",
    "kept by its name": (
        "$class = get_called_class();\nif (!isset(self::$made[$class])) { self::$made[$class] = new $class(); }\n"
        "return self::$made[$class];"
    ),
}


@pytest.mark.parametrize("body", MAKERS.values(), ids=MAKERS)
def test_an_object_of_the_class_that_a_method_is_called_on(body):
    found = linked(
        {
            "a.php": f"<?php\nclass Base {{ private static $made = [];\npublic static function make() {{ {body} }} }}\n{CHILD}"
        }
    )

    assert found.targets("a.php", "Kid::make()->greet") == ["a.php:Kid.greet"]


def test_what_may_also_be_something_else_is_none_of_the_class_called_on():
    body = "if ($x) { return new Other(); } return new static();"
    found = linked(
        {"a.php": f"<?php\nclass Other {{}}\nclass Base {{ static function make($x) {{ {body} }} }}\n{CHILD}"}
    )

    assert found.facts["a.php"].symbols[3].return_type is None


def test_a_container_gives_by_name_what_was_set_under_it():
    found = linked(
        {
            "app.php": "<?php\n$container = new C();\n$container->set('urls', function ($c) { return new Urls(); });\n",
            "a.php": "<?php\nclass Urls { public function build() {} }\nclass X { public function build() {} }\n",
            "b.php": "<?php\nclass B { function f() { $this->appContainer->get('urls')->build(); } }\n",
            "c.php": "<?php\nclass C2 { function f() { $this->session->get('urls')->build(); } }\n",
        }
    )

    assert found.targets("b.php", "$this->appContainer->get('urls')->build") == ["a.php:Urls.build"]
    assert found.targets("c.php", "$this->session->get('urls')->build") == []


def test_the_type_of_a_property_is_no_member_of_its_class():
    found = linked(
        {
            "a.php": "<?php\nnamespace A;\nclass Mailer { public function send() {} }\n",
            "b.php": (
                "<?php\nnamespace B;\nuse A\\Mailer;\nclass Job extends \\Outside {\n"
                "public function __construct(private Mailer $Mailer) {}\nfunction f() { $this->Mailer->send(); } }\n"
            ),
        }
    )

    assert found.targets("b.php", "$this->Mailer->send") == ["a.php:Mailer.send"]


def test_a_file_of_functions_may_fill_a_list_that_they_share():
    functions = "".join(f"function helper_{number}() {{}}\n" for number in range(4))
    script = "<?php\nnamespace App;\nfunction f() { helper_1(); }\n"
    shared = linked({"helpers.php": f"<?php\n{functions}$shared = [];\n", "a.php": script})
    page = linked({"page.php": f"<?php\n{functions}$a = 1; $b = 2;\n", "a.php": script})

    assert shared.targets("a.php", "helper_1") == ["helpers.php:helper_1"]
    assert page.targets("a.php", "helper_1") == []
