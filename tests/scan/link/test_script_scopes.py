"""Which names code in scripts sees: functions that belong to one thing and stand in another, exports, inline imports."""

import pytest
from script_cases import ScriptProject


def test_a_bare_name_in_a_method_is_never_another_method():
    project = ScriptProject(
        {
            "clone.js": "module.exports = function clone() {};",
            "query.js": "const clone = require('./clone');\nfunction Query() { this.stop = function () { clone(); }; }\n"
            "Query.prototype.clone = function () {};\nQuery.prototype.run = function () { clone(); };",
        }
    )

    assert project.calls() == {
        "query.js:Query.stop -> clone.js:clone",
        "query.js:Query.run -> clone.js:clone",
    }


def test_a_function_that_a_constructor_puts_on_its_object_sees_the_variables_of_the_constructor():
    project = ScriptProject(
        {
            "env.ts": "class Suite { end() {} }\nclass Env {\n  constructor() {\n    let now: Suite;\n"
            "    const make = () => {};\n    this.start = function () { make(); now.end(); };\n  }\n}"
        }
    )

    assert project.calls() == {
        "env.ts:Env.start -> env.ts:Env.constructor.make",
        "env.ts:Env.start -> env.ts:Suite.end",
    }


def test_a_function_expression_knows_itself_by_its_own_name_unless_a_variable_takes_it():
    project = ScriptProject(
        {
            "tree.js": "function Tree() {}\nTree.prototype.walk = function step() { [].map(() => step()); };\n"
            "Tree.prototype.close = function close() { var close = function () {}; [].map(() => close()); };"
        }
    )

    assert project.calls() == {
        "tree.js:Tree.walk.<callback of [].map> -> tree.js:Tree.walk",
        "tree.js:Tree.close.<callback of [].map> -> tree.js:Tree.close.close",
    }


@pytest.mark.parametrize("exported", ["exports", "module.exports"])
def test_a_file_calls_what_it_exports_by_the_name_of_the_exports(exported):
    project = ScriptProject(
        {"a.js": f"{exported}.one = () => {{}};\nexports.two = () => {{ {exported}.one(); }};"}
    )

    assert project.calls() == {"a.js:two -> a.js:one"}


def test_functions_beside_an_exported_function_are_found_through_the_exports():
    project = ScriptProject(
        {
            "cast.js": "module.exports = function cast() { return () => module.exports.one(); };\n"
            "module.exports.one = function one() {};"
        }
    )

    assert "cast.js:cast.<returned function> -> cast.js:one" in project.calls()


def test_every_function_of_a_large_export_is_found():
    functions = "\n".join(f"function f{number}() {{}}" for number in range(90))
    names = ", ".join(f"f{number}" for number in range(90))
    project = ScriptProject(
        {
            "large.js": f"{functions}\nmodule.exports = {{ {names} }};",
            "main.js": "const large = require('./large');\nlarge.f3(); large.f89();",
        }
    )

    assert project.calls() == {"main.js -> large.js:f3", "main.js -> large.js:f89"}


def test_what_an_inline_import_gave_is_known_where_its_variable_is():
    project = ScriptProject(
        {
            "box.ts": "export class Box { open() {} }",
            "main.ts": "type Made = typeof import('./box').Box;\nlet Box: Made;\n"
            "before(async () => { ({ Box } = await import('./box')); });\n"
            "function use() { new Box().open(); }",
        }
    )

    assert project.calls() == {"main.ts:use -> box.ts:Box", "main.ts:use -> box.ts:Box.open"}


def test_scripts_that_are_no_modules_see_what_others_declare_at_their_top():
    project = ScriptProject(
        {
            "static/app/base.js": "function flash() {}\nconst api = { load() {} };\nvar draw = () => {};",
            "static/app/page.js": "function show() { flash(); api.load(); draw(); other(); }",
            "static/admin/base.js": "function flash() {}",
            "lib/module.js": "import x from 'y';\nexport function other() {}\nfunction use() { flash(); }",
        }
    )

    assert project.calls() == {
        "static/app/page.js:show -> static/app/base.js:flash",
        "static/app/page.js:show -> static/app/base.js:api.load",
        "static/app/page.js:show -> static/app/base.js:draw",
    }
