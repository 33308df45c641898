"""Which code PHP names and calls mean."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typed_cases import Linked

USER = {
    "app/Models/User.php": "<?php\nnamespace App\\Models;\nclass User { public static function find(): self { return new self; }\n public function save() {} }\n"
}
HELPERS = {"helpers.php": "<?php\nfunction app() {}\n"}
COMPOSER = {"composer.json": '{"autoload": {"psr-4": {"App\\\\": "app/"}}}'}


def linked(texts: dict[str, str]) -> Linked:
    return Linked("php", (".php",), texts)


def script(body: str, uses: str = "", space: str = "App\\Http") -> dict[str, str]:
    return {"main.php": f"<?php\nnamespace {space};\n{uses}\nfunction f() {{ {body} }}\n"}


def test_an_imported_class_leads_to_its_declaration():
    found = linked(USER | script("User::find();", "use App\\Models\\User;"))

    assert found.targets("main.php", "User::find") == ["app/Models/User.php:User.find"]
    assert found.links["main.php"].imports[0].file == "app/Models/User.php"


def test_an_alias_and_a_group_lead_there_too():
    for uses in ("use App\\Models\\User as U;", "use App\\Models\\{User as U};"):
        assert linked(USER | script("U::find();", uses)).targets("main.php", "U::find") == [
            "app/Models/User.php:User.find"
        ]


def test_names_written_in_full_relative_or_by_namespace_alias_are_found():
    full = linked(USER | script("\\App\\Models\\User::find();"))
    relative = linked(USER | script("Models\\User::find();", space="App"))
    alias = linked(USER | script("M\\User::find();", "use App\\Models as M;"))

    for found in (full, relative, alias):
        (said,) = found.links["main.php"].calls
        assert [found.name(target.place) for target in said.targets] == ["app/Models/User.php:User.find"]


def test_a_class_of_the_same_namespace_needs_no_use():
    found = linked(USER | script("User::find();", space="App\\Models"))

    assert found.targets("main.php", "User::find") == ["app/Models/User.php:User.find"]
    assert found.call("main.php", "User::find").reason != "unique-name"


def test_a_function_falls_back_to_the_global_one():
    found = linked(HELPERS | script("app(); strlen('x'); \\strlen('y'); \\app();"))

    assert found.targets("main.php", "app") == ["helpers.php:app"]
    assert found.targets("main.php", "\\app") == ["helpers.php:app"]
    assert found.call("main.php", "strlen").external_name == "php.strlen"
    assert found.call("main.php", "\\strlen").external_name == "php.strlen"


def test_an_imported_function_is_the_one_of_its_namespace():
    texts = {"s.php": "<?php\nnamespace App\\Support;\nfunction help() {}\n"}

    assert linked(texts | script("help();", "use function App\\Support\\help;")).targets(
        "main.php", "help"
    ) == ["s.php:help"]


def test_variables_of_other_scripts_are_not_seen():
    texts = {
        "boot.php": "<?php\nfunction boot() {}\n$app = new App();\nclass App { function run() {} function stop() {} }\nclass B { function run() {} }\n"
    }

    assert linked(texts | script("$app->run();")).call("main.php", "$app->run").outcome == "unknown"


def test_what_composer_calls_the_projects_own_is_a_problem_when_missing_and_else_external():
    uses = "use App\\Gone;\nuse Symfony\\Component\\Console\\Command;\nuse DateTime;\nuse Mockery;"
    found = linked(COMPOSER | script("new DateTime();", uses))
    said = found.links["main.php"].imports

    assert [one.problem for one in said] == ["the project has no App\\Gone", None, None, None]
    assert found.externals("main.php") == [None, "Symfony\\Component", "php", "Mockery"]
    assert found.call("main.php", "DateTime").external_name == "php.DateTime"


def test_a_broken_composer_file_is_as_good_as_none():
    for text in ("{", "[]", '{"autoload": {"psr-4": []}}', '{"autoload": 3}'):
        found = linked({"composer.json": text} | script("", "use App\\Gone;"))

        assert found.externals("main.php") == ["App\\Gone"]


def test_typed_properties_parameters_and_results_have_the_methods_of_their_class():
    source = (
        "<?php\nnamespace App;\nuse App\\Models\\User;\nclass C { public function __construct(private User $u) {}\n"
        "function f(User $p) { $this->u->save(); $p->save(); User::find()->save(); } }\n"
    )
    found = linked(USER | {"main.php": source})

    for written in ("$this->u->save", "$p->save", "User::find()->save"):
        assert found.targets("main.php", written) == ["app/Models/User.php:User.save"]


def test_methods_come_from_traits_and_parents_and_new_runs_the_constructor():
    texts = {
        "T.php": "<?php\nnamespace App;\ntrait T { function mixed() {} }\n",
        "P.php": "<?php\nnamespace App;\nclass P { function __construct() {} function go() {} }\n",
        "main.php": "<?php\nnamespace App;\nclass C extends P { use T;\nfunction go() { $this->mixed(); parent::go(); new C(); } }\n",
    }
    found = linked(texts)

    assert found.targets("main.php", "$this->mixed") == ["T.php:T.mixed"]
    assert found.targets("main.php", "parent::go") == ["P.php:P.go"]
    assert found.targets("main.php", "C") == ["P.php:P.__construct"]


def test_an_included_file_is_found_from_its_folder():
    texts = {
        "a/main.php": "<?php\nrequire __DIR__ . '/b.php';\nrequire $x;\n",
        "a/b.php": "<?php\nfunction b() {}\n",
    }
    said = linked(texts).links["a/main.php"].imports

    assert said[0].file == "a/b.php"
    assert said[1].problem == "the included path is not a file of the project"


SHAPES = {
    "Shapes.php": "<?php\nnamespace App;\ninterface Shape { function area(); }\nclass Circle implements Shape { function area() {} function radius() {} }\nclass Square { function side() {} function radius() {} }\n"
}


def in_function(body: str, parameters: str = "$x") -> dict[str, str]:
    return SHAPES | {"main.php": f"<?php\nnamespace App;\nfunction f({parameters}) {{ {body} }}\n"}


@pytest.mark.parametrize(
    "body",
    [
        "if ($x instanceof Circle) { $x->radius(); }",
        "return $x instanceof Circle ? $x->radius() : null;",
        "return $x instanceof Circle && $x->radius();",
        "if (! $x instanceof Circle) { return; } $x->radius();",
        "if (! ($x instanceof Circle)) { throw new E(); } $x->radius();",
        "if (! $x instanceof Circle || $x->radius()) { return; }",
        "return match (true) { $x instanceof Circle => $x->radius(), default => 1 };",
        "assert($x instanceof Circle); $x->radius();",
        "if ($y && $x instanceof Circle) { if ($y) { $x->radius(); } }",
    ],
)
def test_where_instanceof_holds_an_object_is_of_that_class(body):
    found = linked(in_function(body, "Shape|Square $x, $y = 1"))

    assert found.targets("main.php", "$x->radius") == ["Shapes.php:Circle.radius"]


@pytest.mark.parametrize(
    "body",
    [
        "if ($x instanceof Square) {} $x->radius();",
        "if ($x instanceof Square) { $x = new Circle(); $x->radius(); }",
        "if (! $x instanceof Square) { $x->radius(); }",
        "foreach ([1] as $n) { if (! $x instanceof Square) { continue; } } $x->radius();",
    ],
)
def test_instanceof_says_nothing_where_it_need_not_hold(body):
    assert linked(in_function(body, "Circle $x")).targets("main.php", "$x->radius") == [
        "Shapes.php:Circle.radius"
    ]


def test_an_object_keeps_its_own_members_beside_those_of_the_interface_it_is_found_to_have():
    found = linked(in_function("if ($x instanceof Shape) { $x->side(); $x->area(); }", "Square $x"))

    assert found.targets("main.php", "$x->side") == ["Shapes.php:Square.side"]
    assert found.targets("main.php", "$x->area") == ["Shapes.php:Shape.area"]


@pytest.mark.parametrize(
    "made",
    ["app(Circle::class)", "resolve(Circle::class)", "$x->make(Circle::class)", "$x->get(Circle::class)"],
)
def test_a_container_gives_an_object_of_the_class_it_is_asked_for(made):
    found = linked(in_function(f"{made}->radius();"))

    assert found.targets("main.php", f"{made}->radius") == ["Shapes.php:Circle.radius"]


def test_a_container_that_is_asked_for_a_name_gives_nothing_that_is_known():
    found = linked(in_function("app('Circle')->side();"))

    assert found.call("main.php", "app('Circle')->side").targets == ()


def test_the_method_of_a_trait_comes_before_that_of_a_parent():
    texts = {
        "a.php": "<?php\nnamespace App;\ninterface I { static function wrap(); }\nclass P { function go() {} }\n",
        "t.php": "<?php\nnamespace App;\ntrait T { static function wrap() {} function go() {} }\n",
        "c.php": "<?php\nnamespace App;\nclass C extends P implements I { use T; function f() { C::wrap(); $this->go(); } }\n",
    }
    found = linked(texts)

    assert found.targets("c.php", "C::wrap") == ["t.php:T.wrap"]
    assert found.targets("c.php", "$this->go") == ["t.php:T.go"]


def test_a_trait_calls_the_methods_of_the_classes_that_use_it():
    texts = {
        "t.php": "<?php\nnamespace App;\ntrait T { function all() { return $this->items(); } }\n",
        "c.php": "<?php\nnamespace App;\nclass C { use T; function items() {} }\nclass Other { function items() {} }\n",
    }

    assert linked(texts).targets("t.php", "$this->items") == ["c.php:C.items"]


def test_what_gives_back_its_object_gives_one_of_the_class_it_was_called_on():
    texts = {
        "t.php": "<?php\nnamespace App;\ntrait T {\n /** @return static */\n function filter() { return new static; }\n /** @return static */\n static function wrap() {} }\n",
        "c.php": "<?php\nnamespace App;\nclass A { use T; function all() {} }\nclass B { use T; function all() {} }\n",
        "main.php": "<?php\nnamespace App;\nfunction f(A $a) { $a->filter()->all(); B::wrap()->all(); }\n",
    }
    found = linked(texts)

    assert found.targets("main.php", "$a->filter()->all") == ["c.php:A.all"]
    assert found.targets("main.php", "B::wrap()->all") == ["c.php:B.all"]


def test_the_case_of_methods_and_of_built_in_functions_does_not_matter():
    found = linked(in_function("$x->RADIUS(); StrLen('a');", "Circle $x"))

    assert found.targets("main.php", "$x->RADIUS") == ["Shapes.php:Circle.radius"]
    assert found.call("main.php", "StrLen").external_name == "php.strlen"


def test_a_method_is_called_and_not_the_property_of_its_name():
    texts = {
        "a.php": "<?php\nnamespace App;\nclass A { private B $go; function go() {} function f() { $this->go(); ($this->go)(); } }\nclass B { function __invoke() {} }\n"
    }
    found = linked(texts)

    assert found.targets("a.php", "$this->go") == ["a.php:A.go"]
    assert "a.php:B.__invoke" in found.targets("a.php", "($this->go)")


def test_a_function_that_the_project_does_not_have_is_one_of_a_library():
    found = linked(in_function("response(); known();") | {"k.php": "<?php\nfunction known() {}\n"})

    assert found.call("main.php", "response").external_name == "response"
    assert found.targets("main.php", "known") == ["k.php:known"]


CODE = (
    SHAPES["Shapes.php"]
    + in_function("if (! $x instanceof Circle || $x->radius()) { return app(Circle::class)->area(); }")[
        "main.php"
    ][6:]
)


@settings(max_examples=60)
@given(
    st.integers(0, len(CODE)),
    st.integers(0, 30),
    st.sampled_from(["", "(", "{", "instanceof ", "::class", "use T;", "->", "'"]),
)
def test_no_damage_to_a_file_stops_linking(at, length, put):
    damaged = CODE[:at] + put + CODE[at + length :]

    assert (
        len(linked({"a.php": damaged, "t.php": "<?php\ntrait T { function f() { $this->area(); } }\n"}).links)
        == 2
    )


def test_a_name_written_in_full_that_the_project_has_not_is_outside():
    texts = {
        "t/CaseTest.php": "<?php\nnamespace App;\nclass CaseTest extends \\PHPUnit\\Framework\\TestCase {\n"
        " public function testIt() { $this->assertSame(1, 1); \\React\\Promise\\resolve(1); new \\Gone(); } }\n"
    }
    said = linked(COMPOSER | texts)

    assert [one.outcome for one in said.links["t/CaseTest.php"].calls] == ["external"] * 3
    assert said.links["t/CaseTest.php"].bases[0].external_name == "PHPUnit.Framework.TestCase"


def test_a_name_written_in_full_under_a_prefix_of_the_project_is_not_outside():
    said = linked(COMPOSER | USER | script("new \\App\\Models\\Gone();"))

    assert said.call("main.php", "\\App\\Models\\Gone").outcome == "unknown"


def test_libraries_that_share_the_first_namespace_of_the_project_are_outside():
    composer = {
        "composer.json": '{"autoload": {"psr-4": {"App\\\\": "app/"}}, "require": {"app/class-maps": "*", "php": "8"}}'
    }
    uses = "use App\\ClassMaps\\Reader;\nuse App\\Gone\\Writer;"
    said = linked(composer | USER | script("new Reader(); ClassMaps\\make();", uses, space="App"))

    assert said.externals("main.php") == ["App\\ClassMaps", None]
    assert said.links["main.php"].imports[1].problem == "the project has no App\\Gone\\Writer"
    assert [one.outcome for one in said.links["main.php"].calls] == ["external", "external"]


@pytest.mark.parametrize(
    "text", ["[]", '{"require": 3}', '{"require": ["a"]}', '{"autoload": {"psr-4": 1}}', "{"]
)
def test_a_composer_file_of_any_shape_is_survived(text):
    assert linked({"composer.json": text} | USER | script("\\Gone\\f();")).call(
        "main.php", "\\Gone\\f"
    ).outcome == ("external")


def test_a_method_that_a_class_has_not_runs_its_stand_in():
    texts = {
        "main.php": "<?php\nclass Box { public function __call($n, $a) {}\n public static function __callStatic($n, $a) {} }\n"
        "class Bag { public $held; }\n"
        "function f(Box $b, Bag $g) { $b->any(); Box::some(); $g->none(); ($b->held)(); }\n"
    }
    found = linked(texts)

    assert found.targets("main.php", "$b->any") == ["main.php:Box.__call"]
    assert found.targets("main.php", "Box::some") == ["main.php:Box.__callStatic"]
    assert found.call("main.php", "$g->none").outcome == "unknown"
    assert found.call("main.php", "($b->held)").outcome == "unknown"


@pytest.mark.parametrize(
    ("uses", "space", "call"),
    [
        ("use App\\Stmt;", "Other", "Stmt\\If_::make"),
        ("", "App", "Stmt\\If_::make"),
        ("", "Other", "\\App\\Stmt\\If_::make"),
    ],
)
def test_a_namespace_called_like_a_class_is_meant_before_a_backslash(uses, space, call):
    texts = {
        "Stmt.php": "<?php\nnamespace App;\nabstract class Stmt { static function all() {} }\n",
        "Stmt/If_.php": "<?php\nnamespace App\\Stmt;\nclass If_ { static function make() {} }\n",
    }

    found = linked(texts | script(f"{call}();", uses, space))

    assert found.targets("main.php", call) == ["Stmt/If_.php:If_.make"]


def test_a_class_called_like_a_namespace_keeps_its_own_methods():
    texts = {
        "Stmt.php": "<?php\nnamespace App;\nclass Stmt { static function make() {} }\n",
        "Stmt/make.php": "<?php\nnamespace App\\Stmt;\nfunction make() {}\n",
    }

    found = linked(texts | script("Stmt::make();", "use App\\Stmt;"))

    assert found.targets("main.php", "Stmt::make") == ["Stmt.php:Stmt.make"]


def test_a_file_of_several_namespaces_declares_in_each_of_them():
    texts = {
        "both.php": "<?php\nnamespace A { function time() {} class K { static function go() {} } }\n"
        "namespace B { class K { static function go() {} } }\nnamespace { function plain() {} }\n"
    }

    found = linked(texts | script("\\time(); \\plain(); K::go(); \\A\\time();", "use B\\K;"))

    assert found.call("main.php", "\\time").external_name == "php.time"
    assert found.targets("main.php", "\\plain") == ["both.php:\\.plain"]
    assert found.targets("main.php", "\\A\\time") == ["both.php:A.time"]
    assert found.targets("main.php", "K::go") == ["both.php:B.K.go"]


@pytest.mark.parametrize("tag", ["@property Cart", "@property-read Cart|null", "@property-write ?Cart"])
def test_a_property_that_only_a_docblock_declares_has_the_type_it_says(tag):
    source = (
        "<?php\nclass Cart { function add() {} }\n"
        f"/**\n * {tag} $cart the cart\n */\nclass Shop {{ function f() {{ $this->cart->add(); }} }}\n"
    )

    found = linked({"main.php": source})

    assert found.targets("main.php", "$this->cart->add") == ["main.php:Cart.add"]


def test_the_elements_of_a_property_of_a_docblock_are_of_the_class_it_says():
    source = (
        "<?php\nclass Cart { function add() {} }\n/** @property Cart[] $carts */\n"
        "class Shop { function f() { foreach ($this->carts as $one) { $one->add(); } } }\n"
    )

    assert linked({"main.php": source}).targets("main.php", "$one->add") == ["main.php:Cart.add"]
