"""Variables that all files of a PHP project share."""

import pytest
from relink_cases import KeptLinks
from typed_cases import Linked

INPUT = "<?php\nnamespace Web;\nclass Input { public function has() {} }\nclass Other { public function has() {} }\n"
START = "<?php\nuse Web\\Input;\nglobal $INPUT;\n$INPUT = new Input();\n"
ASKING = "<?php\nnamespace Page;\nfunction f() { global $INPUT; $INPUT->has(); }\n"


def linked(texts: dict[str, str]) -> Linked:
    return Linked("php", (".php",), {"input.php": INPUT, "main.php": ASKING} | texts)


def test_a_global_variable_is_the_object_that_another_file_gives_it():
    found = linked({"start.php": START})

    assert found.targets("main.php", "$INPUT->has") == ["input.php:Input.has"]


def test_several_files_that_give_it_an_object_of_one_class_agree():
    found = linked({"start.php": START, "also.php": START})

    assert found.targets("main.php", "$INPUT->has") == ["input.php:Input.has"]


@pytest.mark.parametrize(
    "texts",
    [
        {},
        {"start.php": START, "also.php": "<?php\n$INPUT = new \\Web\\Other();\n"},
        {"start.php": "<?php\nfunction g() { $INPUT = new \\Web\\Input(); }\n"},
        {"start.php": "<?php\n$INPUT = 'text';\n"},
    ],
)
def test_nothing_is_said_of_it_where_files_differ_or_none_gives_it_an_object(texts):
    assert linked(texts).targets("main.php", "$INPUT->has") == []


def test_the_variable_of_the_file_itself_comes_first():
    own = "<?php\nnamespace Page;\n$INPUT = new \\Web\\Other();\nfunction f() { global $INPUT; $INPUT->has(); }\n"
    found = linked({"start.php": START, "main.php": own})

    assert found.targets("main.php", "$INPUT->has") == ["input.php:Other.has"]


def test_a_type_that_is_promised_of_it_is_taken_where_no_file_gives_it_an_object():
    promised = "<?php\nfunction f() {\n/** @var \\Web\\Other $INPUT */\nglobal $INPUT;\n$INPUT->has(); }\n"
    found = linked({"main.php": promised})

    assert found.targets("main.php", "$INPUT->has") == ["input.php:Other.has"]


def test_who_asks_for_it_is_linked_again_when_another_file_gives_it_something_else():
    texts = {"input.php": INPUT, "main.php": ASKING, "start.php": START}
    kept = KeptLinks(texts)
    for start in ("<?php\n$INPUT = new \\Web\\Other();\n", "<?php\n", START):
        changed = texts | {"start.php": start}
        kept.change_to(changed)

        assert "main.php" in kept.linked
        assert kept.links == KeptLinks(changed).links
