"""What names of PHP mean in the global namespace, and in files that open several."""

import pytest
from relink_cases import KeptLinks
from typed_cases import Linked

BLOCKS = """<?php
namespace { function fallback() {} class Thing { function go() {} } }
namespace A\\B { function near() { fallback(); } function far() {} }
namespace A\\C { function third() { \\A\\B\\far(); } }
"""
MAILER = {"Mailer.php": "<?php\nclass Mailer { function send() {} static function make() {} }\n"}


def linked(texts: dict[str, str]) -> Linked:
    return Linked("php", (".php",), texts)


def test_files_without_a_namespace_see_the_classes_of_each_other():
    text = "<?php\nclass Test extends Mailer { function t() { $this->send(); Mailer::make(); } }\n"
    found = linked(MAILER | {"test.php": text})

    assert found.targets("test.php", "$this->send") == ["Mailer.php:Mailer.send"]
    assert found.targets("test.php", "Mailer::make") == ["Mailer.php:Mailer.make"]


def test_a_class_in_a_namespace_is_not_that_of_the_global_one():
    found = linked(MAILER | {"main.php": "<?php\nnamespace App;\nfunction f() { Mailer::make(); }\n"})

    # That there is but one method of the name is another, weaker reason.
    assert found.call("main.php", "Mailer::make").reason == "unique-name"


@pytest.mark.parametrize("path", ["'b.php'", "__DIR__ . '/b.php'"])
def test_of_several_scripts_with_one_function_the_included_one_is_meant(path):
    scripts = {f"{name}.php": "<?php\nfunction run() {}\n" for name in "abc"}
    found = linked(scripts | {"main.php": f"<?php\nrequire {path};\nfunction f() {{ run(); }}\n"})

    assert found.targets("main.php", "run") == ["b.php:run"]


def test_a_name_that_many_scripts_declare_means_none_of_them():
    scripts = {
        f"s{number}.php": "<?php\nclass Fixture { static function make() {} }\n" for number in range(6)
    }
    found = linked(scripts | {"main.php": "<?php\nfunction f() { Fixture::make(); }\n"})

    assert found.targets("main.php", "Fixture::make") == []


@pytest.mark.parametrize("space", ["", "namespace Other;"])
def test_a_call_falls_back_to_a_function_of_a_global_block(space):
    found = linked({"blocks.php": BLOCKS, "main.php": f"<?php\n{space}\nfunction f() {{ fallback(); }}\n"})

    assert found.targets("main.php", "fallback") == ["blocks.php:\\.fallback"]
    assert found.targets("blocks.php", "fallback") == ["blocks.php:\\.fallback"]


def test_a_block_sees_the_others_of_its_file_by_their_full_names():
    assert linked({"blocks.php": BLOCKS}).targets("blocks.php", "\\A\\B\\far") == ["blocks.php:A\\B.far"]


@pytest.mark.parametrize("opening", ["/**", "/*"])
def test_a_comment_above_global_says_what_the_variable_is(opening):
    text = f"<?php\nfunction f() {{\n{opening} @var Mailer $m */\nglobal $m;\n$m->send(); }}\n"

    assert linked(MAILER | {"main.php": text}).targets("main.php", "$m->send") == ["Mailer.php:Mailer.send"]


def test_a_class_that_comes_into_the_global_namespace_is_seen_at_once():
    texts = {"main.php": "<?php\nfunction f() { Mailer::make(); }\n"}
    kept = KeptLinks(texts)

    kept.change_to(texts | MAILER)

    assert kept.links == KeptLinks(texts | MAILER).links
