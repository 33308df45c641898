"""TypeScript: where imports lead, and which calls are found through them."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from script_cases import ScriptProject

RUN = "export function run() {}\n"
FIXTURE = Path(__file__).parents[2] / "projects" / "typescript"


@pytest.mark.parametrize(
    ("written", "file"),
    [
        ("./x", "src/x.ts"),
        ("./x.js", "src/x.ts"),
        ("./x.ts", "src/x.ts"),
        ("./view", "src/view.tsx"),
        ("./view.jsx", "src/view.tsx"),
        ("./modern.mjs", "src/modern.mts"),
        ("./old.cjs", "src/old.cts"),
        ("./only-types", "src/only-types.d.ts"),
        ("./plain", "src/plain.js"),
        ("./folder", "src/folder/index.ts"),
        ("./folder/", "src/folder/index.ts"),
        ("./folder/index.js", "src/folder/index.ts"),
        ("../top", "top.ts"),
        (".", "src/index.ts"),
        ("./x?worker", "src/x.ts"),
    ],
)
def test_a_relative_import_finds_its_source(written, file):
    sources = (
        "src/x.ts", "src/x.js", "src/view.tsx", "src/modern.mts", "src/old.cts", "src/only-types.d.ts",
        "src/plain.js", "src/folder/index.ts", "top.ts", "src/index.ts",
    )  # fmt: skip
    project = ScriptProject(
        {**dict.fromkeys(sources, RUN), "src/main.ts": f"import {{run}} from '{written}';"}
    )

    assert project.imports("src/main.ts") == {written: file}


def test_imports_that_lead_nowhere_say_why():
    project = ScriptProject(
        {
            "a.ts": "import './gone';\nimport '../outside';\nimport './style.css';\nimport '/abs';\nimport '#x';\n",
            "package.json": '{"name": "it"}',
        }
    )

    assert project.imports("a.ts") == {
        "./gone": "the project has no module ./gone",
        "../outside": "the import leads out of the project",
        "./style.css": "the import is of data, not of code",
        "/abs": "an absolute path means nothing in the project",
        "#x": "the package maps no #x",
    }


def test_what_is_not_in_the_project_is_external_by_its_package():
    project = ScriptProject(
        {
            "a.ts": "import fs from 'fs';\nimport {join} from 'node:path';\nimport x from 'lodash/merge';\n"
            "import * as s from '@scope/name/deep';\nimport u from 'https://esm.sh/u';\njoin();\ns.go();\n"
        }
    )

    assert project.imports("a.ts") == {
        "fs": "package node:fs",
        "node:path": "package node:path",
        "lodash/merge": "package lodash",
        "@scope/name/deep": "package @scope/name",
        "https://esm.sh/u": "package https://esm.sh/u",
    }
    assert project.outcomes("a.ts") == {
        "join": ("external", "node:path.join"),
        "s.go": ("external", "@scope/name/deep.go"),
    }


def test_globals_and_methods_of_literals_are_external():
    project = ScriptProject(
        {"a.ts": "console.log(1); JSON.parse('1'); 'x'.trim(); [1].map(String); fetch('/');"}
    )

    outcomes = project.outcomes("a.ts")

    assert outcomes["console.log"] == ("external", "globalThis.console.log")
    assert {outcome for outcome, _ in outcomes.values()} == {"external"}


def test_a_default_export_of_any_form_is_found():
    project = ScriptProject(
        {
            "function.ts": "export default function go() {}",
            "anonymous.ts": "export default () => 1",
            "class.ts": "export default class Box { open() {} }",
            "name.ts": "class Box { open() {} }\nexport default Box;",
            "object.ts": "export default { open() {} };",
            "made.ts": "class Box { open() {} }\nexport default new Box();",
            "main.ts": "import a from './function'; import b from './anonymous'; import C from './class';\n"
            "import D from './name'; import e from './object'; import f from './made';\n"
            "a(); b(); new C().open(); new D().open(); e.open(); f.open();",
        }
    )

    assert {edge for edge in project.calls() if edge.startswith("main.ts -> ")} == {
        "main.ts -> function.ts:go",
        "main.ts -> anonymous.ts:default",
        "main.ts -> class.ts:Box",
        "main.ts -> class.ts:Box.open",
        "main.ts -> name.ts:Box",
        "main.ts -> name.ts:Box.open",
        "main.ts -> object.ts:default.open",
        "main.ts -> made.ts:Box.open",
    }


def test_a_base_class_that_is_a_default_import_is_found():
    project = ScriptProject(
        {
            "base.ts": "class Base { save() {} }\nexport default Base;",
            "main.ts": "import Base from './base';\nclass Mine extends Base { go() { this.save(); super.save(); } }",
        }
    )

    assert project.calls() == {"main.ts:Mine.go -> base.ts:Base.save"}


def test_a_call_of_super_is_the_constructor_of_the_parent():
    project = ScriptProject(
        {
            "base.ts": "export class Base { constructor(name: string) {} }",
            "main.ts": "import { Base } from './base';\n"
            "class Mine extends Base { constructor() { super('x'); } }\n"
            "class Bad extends Error { constructor() { super('x'); } }",
        }
    )

    assert project.calls() == {"main.ts:Mine.constructor -> base.ts:Base.constructor"}
    assert ("external", "globalThis.Error") in project.outcomes("main.ts").values()


def test_barrels_pass_names_on():
    project = ScriptProject(
        {
            "lib/a.ts": "export function one() {}\nexport default function main() {}",
            "lib/b.ts": "export function two() {}\nfunction inner() {}\nexport { inner as three };",
            "lib/c.ts": "export function four() {}",
            "lib/index.ts": "export * from './b';\nexport { one as first, default as main } from './a';\n"
            "export * as c from './c';",
            "main.ts": "import { first, main, two, three, c } from './lib';\nimport * as all from './lib';\n"
            "first(); main(); two(); three(); c.four(); all.two();",
        }
    )

    assert project.calls() == {
        "main.ts -> lib/a.ts:one",
        "main.ts -> lib/a.ts:main",
        "main.ts -> lib/b.ts:two",
        "main.ts -> lib/b.ts:inner",
        "main.ts -> lib/c.ts:four",
    }


def test_barrels_in_a_circle_end():
    project = ScriptProject(
        {
            "a.ts": "export * from './b';",
            "b.ts": "export * from './a';",
            "main.ts": "import {x} from './a'; x();",
        }
    )

    assert project.outcomes("main.ts") == {"x": ("unknown", None)}


def test_a_dynamic_import_is_the_module():
    project = ScriptProject(
        {
            "lazy.ts": RUN,
            "main.ts": "async function go() { const { run } = await import('./lazy'); run(); }\n"
            "async function other() { (await import('./lazy')).run(); }",
        }
    )

    assert project.calls() == {"main.ts:go -> lazy.ts:run", "main.ts:other -> lazy.ts:run"}


def test_objects_are_known_by_declared_types_and_injection():
    project = ScriptProject(
        {
            "service.ts": "export class Store { find(): Item { return new Item(); } all(): Item[] { return []; } }\n"
            "export class Item { show() {} }",
            "main.ts": "import { Store } from './service';\nimport type { Item } from './service';\n"
            "class Page {\n  constructor(private readonly store: Store) {}\n"
            "  open(item: Item) { this.store.find().show(); item.show(); }\n"
            "  async list() { for (const each of this.store.all()) each.show(); }\n}",
        }
    )

    assert {edge for edge in project.calls() if edge.startswith("main.ts")} == {
        "main.ts:Page.open -> service.ts:Store.find",
        "main.ts:Page.open -> service.ts:Item.show",
        "main.ts:Page.list -> service.ts:Store.all",
        "main.ts:Page.list -> service.ts:Item.show",
    }


def test_several_signatures_of_one_interface_method_are_one_target():
    project = ScriptProject(
        {
            "a.ts": "interface App { inject(): void; inject(x: string): void }\nfunction go(app: App) { app.inject(); }"
        }
    )

    assert project.outcomes("a.ts") == {"app.inject": ("resolved", None)}


def test_a_parameter_of_a_function_type_does_not_call_the_type():
    project = ScriptProject(
        {"a.ts": "type Handler = (x: string) => void;\nfunction on(handle: Handler) { handle('x'); }\n"}
    )

    assert project.calls() == set()


def test_the_fixture_project_has_exactly_its_edges():
    texts = {
        path.relative_to(FIXTURE).as_posix(): path.read_text(encoding="utf-8")
        for path in FIXTURE.rglob("*.ts*")
    }
    project = ScriptProject(texts)

    assert project.imports("src/orders.test.ts") == {"vitest": "package vitest", "./orders": "src/orders.ts"}
    assert project.calls() == {
        "src/cart.tsx:Cart.<callback of items.map> -> src/cart.tsx:Row",
        "src/cart.tsx:Page.render -> src/cart.tsx:Cart",
        "src/orders.test.ts:<callback of describe>.<callback of beforeEach> -> src/orders.ts:Order.constructor",
        (
            "src/orders.test.ts:<callback of describe>.<callback of describe>.<callback of it.each(…)>"
            " -> src/orders.ts:Order.price"
        ),
        (
            "src/orders.test.ts:<callback of describe>.<callback of describe>.<callback of it>"
            " -> src/orders.ts:Order.price"
        ),
        "src/orders.ts:Order -> src/orders.ts:createId",
        "src/orders.ts:Order.constructor -> src/orders.ts:Priced.constructor",
        "src/orders.ts:Order.onPaid -> src/orders.ts:Order.notify",
        "src/orders.ts:Order.total -> src/orders.ts:Repository.find",
        "src/orders.ts:checkout -> src/orders.ts:Order.price",
        "src/server.ts -> src/server.ts:main",
    }


@settings(max_examples=60)
@given(st.text(max_size=40), st.text(max_size=60))
def test_no_import_text_and_no_configuration_breaks_linking(module, config):
    quoted = module.replace("\\", "").replace("'", "").replace("\n", "").replace("\r", "")
    texts = {
        "src/a.ts": f"import {{x}} from '{quoted}'; x();",
        "src/b.ts": RUN,
        "tsconfig.json": config,
        "package.json": config,
        "pnpm-workspace.yaml": config,
    }

    project = ScriptProject(texts)

    assert set(project.links) == {"src/a.ts", "src/b.ts"}


def test_an_overloaded_function_gives_what_its_overloads_declare():
    project = ScriptProject(
        {
            "a.ts": "class Box { open() {} }\nfunction make(): Box;\nfunction make(x: string): Box;\n"
            "function make(x?: any): any { return x; }\nmake().open();\n"
        }
    )

    assert project.calls() == {"a.ts -> a.ts:make", "a.ts -> a.ts:Box.open"}


def test_a_name_that_a_file_passes_on_with_all_of_a_package_is_of_the_package():
    project = ScriptProject(
        {
            "utils.ts": "export * from '@testing/react';\nexport const own = () => 1;",
            "index.ts": "export * from './utils';\nexport * from './more';",
            "more.ts": "export function also() {}",
            "main.ts": "import { within, own, also } from './index';\nwithin(); own(); also();",
        }
    )

    assert project.outcomes("main.ts") == {
        "within": ("external", "@testing/react.within"),
        "own": ("resolved", None),
        "also": ("resolved", None),
    }


def test_an_object_may_have_a_method_called_apply():
    text = "class C { apply() { return this; } go() {} }\nfunction f(c: C) { c.apply().go(); }\nfunction g() { f.apply(null, []); }"
    project = ScriptProject({"main.ts": text})

    assert project.calls() == {
        "main.ts:f -> main.ts:C.apply",
        "main.ts:f -> main.ts:C.go",
        "main.ts:g -> main.ts:f",
    }


def test_what_is_asked_of_a_promise_is_external():
    text = "class A { async go(): Promise<A> { return this; } }\nnew A().go().then(() => 1);"

    assert ScriptProject({"main.ts": text}).outcomes("main.ts")["new A().go().then"][0] == "external"


def test_a_declared_interface_says_more_than_another_that_is_given_back():
    text = (
        "interface Maker { new (): any; }\ninterface Text { trim(): this; }\n"
        "function make(Class: Maker) { return new Class(); }\nconst Text: Maker = null as any;\n"
        "export function text(): Text { return make(Text) as any; }\ntext().trim();"
    )

    assert "main.ts -> main.ts:Text.trim" in ScriptProject({"main.ts": text}).calls()


def test_an_object_behind_a_declared_shape_has_the_code():
    project = ScriptProject(
        {
            "a.ts": "interface Store { dispatch: (a: number) => void; state(): number }\ntype Goer = { go: () => void }\n"
            "interface Caller { (): void }\n"
            "export function store(): Store {\n  function dispatch(a: number) {}\n  return { dispatch, state() { return 1; } };\n}\n"
            "export function goer(): Goer { return { go() {} }; }\n"
            "export const literal = { go() {} } as Goer;\n"
            "export const forced = (() => { function inner() {}\n  return inner as unknown as Caller; })() as Caller;",
            "b.ts": "import { store, goer, literal, forced } from './a';\n"
            "store().dispatch(1); store().state(); goer().go(); literal.go(); forced();",
        }
    )

    assert project.calls() >= {
        "b.ts -> a.ts:store.dispatch",
        "b.ts -> a.ts:store.state",
        "b.ts -> a.ts:goer.go",
        "b.ts -> a.ts:literal.go",
        "b.ts -> a.ts:<immediate function>.inner",
    }


def test_an_object_has_the_members_of_what_is_spread_in_it():
    project = ScriptProject(
        {
            "a.ts": "import * as ts from 'typescript';\nconst more = { far() {} };\n"
            "export const both = { ...more, near() {} };\nexport const factory = { ...ts.factory, mine() {} };\n"
            "export const odd = { ...null, ...[1], ...unknown };",
            "c.js": "module.exports = { ...require('./d'), own() {} };",
            "d.js": "exports.other = function () {};",
            "b.ts": "import { both, factory, odd } from './a';\nimport { other, own } from './c';\n"
            "both.far(); both.near(); factory.mine(); factory.make(); other(); own(); odd.none();",
        }
    )

    assert project.calls() == {
        "b.ts -> a.ts:more.far",
        "b.ts -> a.ts:both.near",
        "b.ts -> a.ts:factory.mine",
        "b.ts -> d.js:other",
        "b.ts -> c.js:own",
    }
    assert project.outcomes("b.ts")["factory.make"] == ("external", "typescript.factory.make")
    assert project.outcomes("b.ts")["odd.none"] == ("unknown", None)


def test_objects_that_are_made_of_each_other_are_followed_to_an_end():
    project = ScriptProject(
        {
            "a.js": "let state = { start() {} };\nstate = { ...state, other() {} };\nlet left = { ...right };\n"
            "let right = { ...left, end() {} };\nconst self = Object.create(self);\n"
            "state.start(); state.other(); left.end(); left.none(); self.none();",
        }
    )

    assert project.calls() == {"a.js -> a.js:state.start", "a.js -> a.js:other", "a.js -> a.js:right.end"}


def test_a_map_of_anything_has_the_methods_of_maps():
    project = ScriptProject(
        {"a.ts": "function f(seen: Map<string, any>, all: Record<string, unknown>) { seen.has('x'); }"}
    )

    assert project.outcomes("a.ts")["seen.has"][0] == "external"


def test_a_function_in_an_object_literal_gives_its_scope_no_name():
    project = ScriptProject(
        {
            "a.ts": "declare function slice(o: object): any;\n"
            "const counter = slice({ reducers: { add(state: number) {}, drop: (state: number) => 1 } });\n"
            "const { add, drop } = counter.actions;\nadd(); drop();\nfunction f() { slice({ inner() {} }); inner(); }",
        }
    )

    assert not {edge for edge in project.calls() if edge.endswith((":add", ":drop", ".inner"))}


SERVER = """
export class Context { json() {} text() {} }
export type Next = () => Promise<void>
export type Handler<E = unknown> = (c: Context, next: Next) => unknown
export type Middleware = (c: Context, next: Next) => Promise<void>
export type Any<E> = Handler<E> | Middleware
export interface Route<E> {
  (path: string): string
  <P>(path: P, handler: Any<E>): Route<E>
  <P>(path: P, ...handlers: [Any<E>, Any<E>]): Route<E>
}
export class Server<E> {
  get!: Route<E>
  constructor(run?: (c: Context) => void) {}
  use(...handlers: Any<E>[]) {}
  on(name: string, run: (c: Context) => void) {}
}
"""


@pytest.mark.parametrize(
    ("written", "caller"),
    [
        ("server.on('a', (c) => c.json())", "<callback of server.on>"),
        ("server.use((c) => 1, (c) => c.json())", "<callback of server.use>"),
        ("server.get('/', (c) => c.json())", "<callback of server.get>"),
        ("server.get('/', (c) => 1, (c) => c.json())", "<callback of server.get>"),
        ("new Server((c) => c.json())", "<callback of new Server>"),
        ("const handle: Handler = (c) => c.json()", "handle"),
        ("function make(): Middleware { return async (c) => { c.json() } }", "make.<returned function>"),
    ],
)
def test_a_function_is_given_what_the_type_it_is_written_for_says(written, caller):
    head = "import { Server, Handler, Middleware } from './server'\nconst server = new Server()\n"

    project = ScriptProject({"server.ts": SERVER, "main.ts": head + written})

    assert f"main.ts:{caller} -> server.ts:Context.json" in project.calls()


@pytest.mark.parametrize(
    "written",
    [
        "server.on(...names, (c) => c.json())",  # which argument it is cannot be told
        "server.get((c) => c.json())",  # for a path, no handler
        "server.on('a', (c: Other) => c.json())",
        "const handle: Next = (c) => c.json()",
        "function make(): Middleware { const inner = (c) => c.json(); return inner }",
    ],
)
def test_a_function_that_is_written_for_no_such_type_is_given_nothing(written):
    head = "import { Server, Middleware, Next } from './server'\nconst server = new Server()\ninterface Other { x: 1 }\n"

    project = ScriptProject({"server.ts": SERVER, "main.ts": head + written})

    assert not {edge for edge in project.calls() if edge.endswith("Context.json")}


def test_types_that_stand_for_each_other_in_a_ring_say_nothing():
    source = "type A = B | ((c: C) => void)\ntype B = A\nclass C { go() {} }\nconst run: A = (c) => c.go()\n"

    project = ScriptProject({"main.ts": source})

    assert "main.ts:run -> main.ts:C.go" in project.calls()


def test_types_of_declarations_that_are_no_modules_are_seen_by_every_file():
    project = ScriptProject(
        {
            "src/types/shop.d.ts": "interface Clip { path: string; options?: Options }\ninterface Options { all: boolean }\n",
            "src/types/local.d.ts": "export {};\ninterface Hidden { id: number }\ndeclare global {\n  interface Shared { id: number }\n}\n",
            "src/paste.ts": "import { log } from './log';\n"
            "export function paste(clips: Clip[], one: Hidden): Shared | undefined { log(clips); }\n",
            "src/log.ts": "export function log(rows: Array<Clip>) {}\n",
        }
    )

    assert project.references("src/paste.ts") == {
        (2, "src/types/shop.d.ts:Clip"),
        (2, "src/types/local.d.ts:Shared"),
    }
    assert project.references("src/log.ts") == {(1, "src/types/shop.d.ts:Clip")}
