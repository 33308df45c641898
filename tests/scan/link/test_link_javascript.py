"""JavaScript: CommonJS beside ES modules."""

from script_cases import ScriptProject


def test_require_gives_what_module_exports_is_set_to():
    project = ScriptProject(
        {
            "function.js": "module.exports = function create() {};",
            "name.js": "function create() {}\nmodule.exports = create;",
            "class.js": "class Box { open() {} }\nmodule.exports = Box;",
            "object.js": "function one() {}\nmodule.exports = { one, two: one, three() {} };",
            "main.js": "const a = require('./function'); const b = require('./name'); const C = require('./class');\n"
            "const { one, two, three } = require('./object'); const o = require('./object');\n"
            "a(); b(); new C().open(); one(); two(); three(); o.three();",
        }
    )

    assert project.calls() == {
        "main.js -> function.js:create",
        "main.js -> name.js:create",
        "main.js -> class.js:Box",
        "main.js -> class.js:Box.open",
        "main.js -> object.js:one",
        "main.js -> object.js:three",
    }


def test_members_of_exports_are_found_by_name_and_on_the_module():
    project = ScriptProject(
        {
            "lib.js": "exports.one = function () {};\nfunction inner() {}\nexports.two = inner;\n"
            "module.exports.three = inner;",
            "main.js": "const { one } = require('./lib'); const lib = require('./lib');\n"
            "one(); lib.two(); lib.three(); require('./lib').one();",
        }
    )

    assert project.calls() == {"main.js -> lib.js:one", "main.js -> lib.js:inner"}


def test_a_function_with_members_beside_it_is_both():
    project = ScriptProject(
        {
            "lib/express.js": "exports = module.exports = createApplication;\nfunction createApplication() {}\n"
            "function route() {}\nexports.Router = route;",
            "index.js": "module.exports = require('./lib/express');",
            "test/app.js": "const express = require('..');\nexpress(); express.Router();",
        }
    )

    assert project.imports("test/app.js") == {"..": "index.js"}
    assert project.calls() == {
        "test/app.js -> lib/express.js:createApplication",
        "test/app.js -> lib/express.js:route",
    }


def test_the_default_of_a_commonjs_file_is_all_it_exports():
    project = ScriptProject(
        {
            "old.cjs": "module.exports = function old() {};",
            "main.mjs": "import old from './old.cjs';\nold();",
        }
    )

    assert project.calls() == {"main.mjs -> old.cjs:old"}


def test_a_typescript_file_and_a_javascript_file_call_each_other():
    project = ScriptProject(
        {
            "a.ts": "import { b } from './b';\nexport function a() { b(); }",
            "b.js": "import { a } from './a';\nexport function b() { a(); }",
        }
    )

    assert project.calls() == {"a.ts:a -> b.js:b", "b.js:b -> a.ts:a"}


def test_a_component_is_called_where_its_element_stands():
    project = ScriptProject(
        {
            "button.jsx": "const Button = () => <button />;\nexport { Button as default };",
            "page.jsx": "import Button from './button';\nexport function Page() { return <Button />; }",
        }
    )

    assert project.calls() == {"page.jsx:Page -> button.jsx:Button"}


def test_a_folder_is_the_file_its_package_names():
    project = ScriptProject(
        {
            "lib/package.json": '{"main": "./start.js"}',
            "lib/start.js": "exports.go = () => 1;",
            "lib/index.js": "",
            "main.js": "const { go } = require('./lib');\ngo();",
        }
    )

    assert project.imports("main.js") == {"./lib": "lib/start.js"}
    assert project.calls() == {"main.js -> lib/start.js:go"}


def test_node_and_jest_globals_are_external():
    project = ScriptProject(
        {"a.test.js": "describe('x', () => { it('y', () => { expect(1); }); }); process.exit();"}
    )

    assert {outcome for outcome, _ in project.outcomes("a.test.js").values()} == {"external"}


def test_a_file_calls_what_it_exports_by_that_name():
    project = ScriptProject(
        {"a.js": "exports.one = function () {};\nexports.two = function () { exports.one(); };"}
    )

    assert project.calls() == {"a.js:two -> a.js:one"}


def test_functions_put_on_a_plain_object_are_its_methods():
    project = ScriptProject(
        {
            "app.js": "var app = exports = module.exports = {};\n"
            "app.init = function () { this.set(); each(() => this.set()); };\napp.set = function () { return this; };",
            "main.js": "const app = require('./app');\napp.set().init(); app.missing();",
        }
    )

    assert project.calls() == {
        "app.js:app.init -> app.js:app.set",
        "app.js:app.init.<callback of each> -> app.js:app.set",
        "main.js -> app.js:app.set",
        "main.js -> app.js:app.init",
    }


def test_an_object_that_is_given_the_members_of_another_has_its_methods():
    project = ScriptProject(
        {
            "proto.js": "var proto = module.exports = {};\nproto.use = function () {};",
            "make.js": "var mixin = require('merge-descriptors'); var proto = require('./proto'); var events = require('events');\n"
            "function make() { var app = function () {}; mixin(app, events.prototype, false); mixin(app, proto, false); return app; }\n"
            "module.exports = make;",
            "main.js": "var make = require('./make'); var app = make();\napp.use(); app.on(); app.bind(null);",
        }
    )

    assert "main.js -> proto.js:proto.use" in project.calls()
    outcomes = project.outcomes("main.js")
    assert outcomes["app.use"] == ("resolved", None)
    assert outcomes["app.bind"] == ("external", "globalThis.Function.bind")
    assert outcomes["app.on"][0] == "unknown"  # of the events, or one that the other gets by a computed name


def test_a_function_with_a_prototype_is_a_class():
    project = ScriptProject(
        {
            "stack.js": "function Stack(n) { var self = this; this.items = []; later(function () { self.push(n); }); }\n"
            "Stack.prototype.push = function () { this.pop(); return this; };\nStack.prototype.pop = function () {};\n"
            "module.exports = Stack;",
            "main.js": "const Stack = require('./stack');\nnew Stack(1).push().pop(); Stack.prototype.pop.call(this);",
        }
    )

    assert project.calls() == {
        "stack.js:Stack.<callback of later> -> stack.js:Stack.push",
        "stack.js:Stack.push -> stack.js:Stack.pop",
        "main.js -> stack.js:Stack",
        "main.js -> stack.js:Stack.push",
        "main.js -> stack.js:Stack.pop",
    }


def test_a_function_that_the_outside_hands_to_a_callback_is_external():
    text = "new Promise((resolve) => resolve(1)); it('x', function (done) { done(); });\nfunction own(f) { f(); }\nown((g) => g());"
    outcomes = ScriptProject({"main.js": text}).outcomes("main.js")

    assert outcomes["resolve"] == ("external", "globalThis.Promise")
    assert outcomes["done"] == ("external", "globalThis.it")
    assert outcomes["g"][0] == "unknown"


def test_a_function_descends_from_another_by_its_prototype():
    project = ScriptProject(
        {
            "parent.js": "function Parent() {}\nParent.prototype.run = function () {};\nmodule.exports = exports = Parent;",
            "main.js": "const Parent = require('./parent');\n"
            "function Made() {}\nMade.prototype = Object.create(Parent.prototype);\n"
            "Made.prototype.go = function () { this.run(); };\n"
            "function Old() {}\nOld.prototype = new Parent();\nOld.prototype.go = function () { this.run(); };\n"
            "function Set() {}\nObject.setPrototypeOf(Set.prototype, Parent.prototype);\n"
            "Set.prototype.go = function () { this.run(); };\n"
            "function Worn() {}\nWorn.prototype.__proto__ = Parent.prototype;\n"
            "Worn.prototype.go = function () { this.run(); };\n"
            "function Told() {}\nutils.inherits(Told, Parent, { extra: 1 });\n"
            "Told.prototype.go = function () { this.run(); };",
        }
    )

    heirs = {"Made", "Old", "Set", "Worn", "Told"}
    assert {f"main.js:{heir}.go -> parent.js:Parent.run" for heir in heirs} <= project.calls()


def test_a_prototype_that_is_no_functions_makes_nobody_a_parent():
    project = ScriptProject(
        {
            "main.js": "function run() {}\nfunction Child() {}\nChild.prototype = Object.create(null);\n"
            "Child.prototype.__proto__ = make();\nObject.setPrototypeOf(Child.prototype);\ninherits(Child);\n"
            "Child.prototype = new Child();\nChild.prototype.go = function () { this.run(); };",
        }
    )

    assert project.outcomes("main.js")["this.run"] == ("unknown", None)
    assert next(symbol for symbol in project.facts["main.js"].symbols if symbol.name == "Child").bases == ()


def test_an_object_has_the_members_of_its_prototype():
    project = ScriptProject(
        {
            "main.js": "const greeter = { greet() {} };\nconst other = { leave() {} };\n"
            "const made = Object.create(greeter);\nmade.greet();\n"
            "const literal = { __proto__: greeter };\nliteral.greet();\n"
            "const apart = Object.create(other);\napart.leave();\napart.greet();",
        }
    )

    assert project.calls() == {"main.js -> main.js:greeter.greet", "main.js -> main.js:other.leave"}
    assert project.outcomes("main.js")["apart.greet"][0] == "unknown"


def test_the_functions_of_an_exported_object_find_each_other_by_this():
    project = ScriptProject(
        {
            "request.js": "function plain() {}\nmodule.exports = {\n  get(field) {},\n  plain,\n"
            "  get protocol() { return this.get('x'); },\n  both: function () { this.plain(); },\n};\n"
            "const apart = wrap({ alone() { this.get(); } });",
        }
    )

    assert project.calls() == {"request.js:protocol -> request.js:get", "request.js:both -> request.js:plain"}


def test_the_constructor_of_an_object_is_its_class():
    project = ScriptProject(
        {
            "main.js": "class Box { constructor() {} static make() {}\n"
            "  copy() { this.constructor.make(); return new this.constructor(); } }\n"
            "class Chest extends Box { again() { this.constructor.make(); this.copy().copy(); } }",
        }
    )

    assert project.calls() == {
        "main.js:Box.copy -> main.js:Box.make",
        "main.js:Box.copy -> main.js:Box.constructor",
        "main.js:Chest.again -> main.js:Box.make",
        "main.js:Chest.again -> main.js:Box.copy",
    }


def test_a_script_means_the_script_beside_a_declaration_and_typescript_the_declaration():
    texts = {
        "package.json": '{"name": "shop", "main": "shop.js", "types": "shop.d.ts"}',
        "shop.js": "module.exports = function open() {};",
        "shop.d.ts": "export default function open(): void;",
        "lib/index.js": "exports.close = function () {};",
        "lib/index.d.ts": "export function close(): void;",
        "test/a.js": "const shop = require('..');\nconst named = require('../shop.js');\nconst lib = require('../lib');\n"
        "shop(); named(); lib.close();",
        "test/b.ts": "import { close } from '../lib';\nclose();",
        "typed/index.d.ts": "export function only(): void;",
        "test/c.js": "import { only } from '../typed/index.js';",
    }

    project = ScriptProject(texts)

    assert set(project.imports("test/a.js").values()) == {"shop.js", "lib/index.js"}
    assert project.imports("test/b.ts") == {"../lib": "lib/index.d.ts"}
    assert project.imports("test/c.js") == {"../typed/index.js": "typed/index.d.ts"}
    assert project.outcomes("test/a.js")["shop"][0] == "resolved"


def test_to_export_a_name_is_no_use_of_it():
    project = ScriptProject(
        {
            "a.js": "const other = require('./other');\nfunction mine() {}\nfunction given() {}\n"
            "module.exports = { mine, other, list: [given] };\nexports.again = mine;",
            "b.js": "import { far } from './other';\nfunction near() {}\nexport { near, far };",
            "other.js": "exports.far = function () {};",
        }
    )

    assert [one.target for one in project.facts["a.js"].references] == [("name", "other"), ("name", "given")]
    assert [one.target for one in project.facts["b.js"].references] == [("name", "far")]


def test_what_the_outside_gives_a_callback_is_outside():
    project = ScriptProject(
        {
            "a.js": "const test = require('node:test');\nconst express = require('express');\nconst app = express();\n"
            "test('x', async (t) => { t.assert.ok(1); const made = t.mock.fn(); made.go(); });\n"
            "test('y', { timeout: 1 }, async ({ page }) => { await page.open(); });\n"
            "app.get('/', (req, res) => { res.status(1).send(); });",
        }
    )

    said = project.outcomes("a.js")
    for text in ("t.assert.ok", "t.mock.fn", "made.go", "page.open", "res.status", "res.status(…).send"):
        assert said[text] == ("external", None), text


def test_what_may_be_of_the_project_is_not_said_to_be_outside():
    project = ScriptProject(
        {
            "a.js": "const lib = require('lib');\nclass User { load() {} }\nconst own = { run() {} };\n"
            "function mine(given) { return given; }\n"
            "lib.each([new User()], (one) => one.first());\nlib.with(own, (two) => two.second());\n"
            "lib.with(unknown, (three) => three.third());\nlib.chain(own).on('x', (four) => four.fourth());\n"
            "mine((five) => five.fifth());\nlib.all().then((six) => six.sixth());",
        }
    )

    said = project.outcomes("a.js")
    for text in ("one.first", "two.second", "three.third", "four.fourth", "five.fifth", "six.sixth"):
        assert said[text] == ("unknown", None), text


def test_a_method_that_only_built_in_values_have_is_theirs():
    texts = {"a.js": "function f(path, items) { path.toLowerCase(); items.splice(1); items.flush(); }"}
    taken = {"b.ts": "class Rope { splice() {} }\nclass Film { splice() {} }"}

    alone, beside = ScriptProject(texts), ScriptProject({**texts, **taken})

    assert alone.outcomes("a.js")["path.toLowerCase"] == ("external", None)
    assert alone.outcomes("a.js")["items.splice"] == ("external", None)
    assert alone.outcomes("a.js")["items.flush"] == ("unknown", None)
    assert beside.outcomes("a.js")["items.splice"] == ("unknown", None)


def test_an_object_that_is_made_anew_from_itself_many_times_is_followed_once():
    steps = "\n".join("options = { run: options.run, stop: options.stop };" for _ in range(20))
    project = ScriptProject(
        {"a.js": f"let options = {{ run() {{}}, stop() {{}} }};\n{steps}\noptions.run();"}
    )

    assert project.calls() == {"a.js -> a.js:options.run"}
