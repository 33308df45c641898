"""Which code PHP names and calls mean."""

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
