"""What PHP runs for types of others' making: interfaces outside the project, and interfaces that traits write out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from relink_cases import KeptLinks
from typed_cases import Linked

URI = "<?php\nnamespace App;\nuse Psr\\UriInterface;\nclass Uri implements UriInterface { public function getPath() {} public function __toString() { return ''; } }\n"
OTHER_URI = (
    "<?php\nnamespace App;\nclass Other implements \\Psr\\UriInterface { public function getPath() {} }\n"
)
ASKING = "<?php\nnamespace App;\nuse Psr\\UriInterface;\nfunction f(UriInterface $uri) { $uri->getPath(); return (string) $uri; }\n"


def linked(texts: dict[str, str]) -> Linked:
    return Linked("php", (".php",), texts)


def test_a_method_of_an_interface_outside_leads_to_the_only_class_below_it():
    found = linked({"uri.php": URI, "main.php": ASKING})
    said = found.call("main.php", "$uri->getPath")

    assert found.overriders("main.php", "$uri->getPath") == ["uri.php:Uri.getPath"]
    assert (said.outcome, said.reason, said.targets) == ("ambiguous", "override", ())
    assert [target.reason for target in said.overriders] == ["override"]
    assert 0.5 <= said.overriders[0].confidence < 0.9


def test_the_name_outside_is_kept_beside_the_class_below_it():
    said = linked({"uri.php": URI, "main.php": ASKING}).call("main.php", "$uri->getPath")

    assert said.external_name == "Psr.UriInterface.getPath"


def test_a_string_made_of_an_object_outside_runs_the_class_below_it():
    found = linked({"uri.php": URI, "main.php": ASKING})
    (link,) = [link for _, link in found.links["main.php"].implicit]

    assert [found.name(target.place) for target in link.overriders] == ["uri.php:Uri.__toString"]


def test_of_several_classes_below_a_type_outside_none_is_named():
    found = linked({"uri.php": URI, "other.php": OTHER_URI, "main.php": ASKING})

    assert found.overriders("main.php", "$uri->getPath") == []
    assert found.call("main.php", "$uri->getPath").outcome == "external"


def test_a_static_call_of_a_class_outside_is_its_own():
    found = linked(
        {
            "uri.php": URI,
            "main.php": "<?php\nnamespace App;\nfunction f() { \\Psr\\UriInterface::getPath(); }\n",
        }
    )

    assert found.overriders("main.php", "\\Psr\\UriInterface::getPath") == []


def test_what_is_of_a_type_of_php_itself_may_be_anything():
    counted = "<?php\nclass Bag implements Countable { public function count() {} }\n"
    found = linked({"bag.php": counted, "main.php": "<?php\nfunction f(Countable $c) { $c->count(); }\n"})

    assert found.overriders("main.php", "$c->count") == []


def test_an_interface_gets_methods_from_one_outside_that_classes_below_it_write_out():
    own = "<?php\nnamespace App;\ninterface Own extends \\Lib\\Configured {}\nclass Environment implements Own { public function config() {} }\n"
    found = linked(
        {"own.php": own, "main.php": "<?php\nnamespace App;\nfunction f(Own $o) { $o->config(); }\n"}
    )

    assert found.overriders("main.php", "$o->config") == ["own.php:Environment.config"]


TRAIT = "<?php\nnamespace App;\ntrait Attributes { public function get() {} }\n"
NODE = "<?php\nnamespace App;\ninterface Node { public function get(); }\n"
USING = "<?php\nnamespace App;\nclass Leaf implements Node { use Attributes; }\n"
READING = "<?php\nnamespace App;\nfunction f(Node $n) { $n->get(); }\n"


def test_a_trait_writes_out_the_interface_of_the_classes_that_use_it():
    found = linked({"trait.php": TRAIT, "node.php": NODE, "leaf.php": USING, "main.php": READING})

    assert found.targets("main.php", "$n->get") == ["node.php:Node.get"]
    assert found.overriders("main.php", "$n->get") == ["trait.php:Attributes.get"]


@pytest.mark.parametrize(
    "leaf",
    [
        "class Leaf { use Attributes; }",
        "class Leaf implements Node { use Attributes; public function get() {} }",
        "class Leaf implements Node { use Unknown; public function get() {} }",
    ],
)
def test_a_trait_that_nothing_below_an_interface_uses_for_it_is_not_named(leaf):
    texts = {"trait.php": TRAIT, "node.php": NODE, "main.php": READING}
    found = linked(texts | {"leaf.php": f"<?php\nnamespace App;\n{leaf}\n"})

    assert "trait.php:Attributes.get" not in found.overriders("main.php", "$n->get")


def test_a_result_declared_by_a_type_outside_is_the_object_that_is_given_back():
    making = "<?php\nnamespace App;\nfunction make(): \\Psr\\UriInterface { return new Uri(); }\nfunction f() { make()->getPath(); }\n"
    found = linked({"uri.php": URI, "other.php": OTHER_URI, "main.php": making})

    assert found.targets("main.php", "make()->getPath") == ["uri.php:Uri.getPath"]


def test_a_result_that_may_be_of_several_classes_stays_the_type_outside():
    making = "<?php\nnamespace App;\nfunction make($a): \\Psr\\UriInterface { return $a ? new Uri() : new Other(); }\nfunction f() { make(1)->getPath(); }\n"
    found = linked({"uri.php": URI, "other.php": OTHER_URI, "main.php": making})

    assert found.targets("main.php", "make(1)->getPath") == []


def test_a_copy_that_is_changed_and_given_back_is_of_the_class_of_the_object():
    text = "<?php\nnamespace App;\nclass Message { public function with($a): \\Psr\\MessageInterface { $new = clone $this; $new->a = $a; return $new; } }\nclass Request extends Message { public function method() {} }\nfunction f() { (new Request)->with(1)->method(); }\n"
    found = linked({"main.php": text})

    assert found.targets("main.php", "(new Request)->with(1)->method") == ["main.php:Request.method"]


def test_a_variable_that_is_given_something_else_too_is_no_copy():
    text = "<?php\nnamespace App;\nclass Message { public function with($a) { $new = clone $this; if ($a) { $new = new Other; } return $new; } }\nclass Other { public function method() {} }\nfunction f() { (new Message)->with(1)->method(); }\n"
    found = linked({"main.php": text})

    assert found.targets("main.php", "(new Message)->with(1)->method") == ["main.php:Other.method"]


PIECES = (
    "<?php\n", URI, OTHER_URI, ASKING, TRAIT, NODE, USING, READING,
    "<?php\nnamespace App;\nclass Leaf implements Node { use Attributes; public function get() {} }\n",
    "<?php\nnamespace App;\nfunction make(): \\Psr\\UriInterface { return new Uri(); }\nfunction g() { make()->getPath(); }\n",
)  # fmt: skip
FILES = ("a.php", "b.php", "c.php", "d.php", "e.php")


@settings(max_examples=40)
@given(
    start=st.lists(st.sampled_from(PIECES), min_size=5, max_size=5),
    changes=st.lists(st.tuples(st.sampled_from(FILES), st.sampled_from(PIECES)), max_size=4),
)
def test_linking_again_after_a_change_says_what_linking_from_the_start_would(start, changes):
    texts = dict(zip(FILES, start, strict=True))
    kept = KeptLinks(texts)
    for path, text in changes:
        texts = texts | {path: text}
        kept.change_to(texts)
        assert kept.links == KeptLinks(texts).links


@pytest.mark.parametrize(
    "calling",
    [
        "$name = 'update_' . $version; $this->$name();",
        "$this->{'update_' . $version}();",
        '$name = "update_{$version}"; $this->{$name}();',
        '$name = "update_$version"; $this->$name();',
    ],
)
def test_a_name_that_is_put_together_means_the_methods_that_begin_so(calling):
    text = (
        f"<?php\nclass Install {{ function run($version) {{ {calling} }}\n"
        "  function update_1() {} function update_2() {} function updated() {} }\n"
    )
    found = linked({"install.php": text})

    leading = [
        target.place
        for link in found.links["install.php"].calls
        for target in (*link.targets, *link.overriders)
    ]

    assert sorted(map(found.name, leading)) == [
        "install.php:Install.update_1",
        "install.php:Install.update_2",
    ]


def test_a_name_that_begins_with_few_letters_means_nothing():
    text = (
        "<?php\nclass Install { function run($x) { $name = 'get' . $x; $this->$name(); }\n"
        "  function getOne() {} function getTwo() {} }\n"
    )
    found = linked({"install.php": text})

    assert [link.targets for link in found.links["install.php"].calls] == [()]
