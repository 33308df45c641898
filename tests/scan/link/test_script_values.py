"""What scripts pass through wrappers, types of values, members of types and getters that are written out."""

import pytest
from script_cases import ScriptProject

COMPONENTS = """
import * as React from 'react'
import { observer } from 'mobx-react'
const Button = () => null
export default React.forwardRef(Button)
const Plain = () => null
export const Icon = observer(Plain)
class Panel extends React.Component {}
export const Watched = observer(Panel)
export const Styled = decorate(Button)
"""


@pytest.mark.parametrize(
    ("element", "rendered"),
    [("Made", "Button"), ("Icon", "Plain"), ("Watched", "Panel"), ("Late", "Button")],
)
def test_a_component_is_found_behind_what_wraps_or_loads_it(element, rendered):
    head = "import * as React from 'react'\nimport Made, { Icon, Styled, Watched } from './parts'\n"
    late = "const Late = React.lazy(() => import('./parts'))\n"
    page = f"{head}{late}export function Page() {{ return <{element}/> }}"

    project = ScriptProject({"parts.tsx": COMPONENTS, "page.tsx": page})

    assert f"page.tsx:Page -> parts.tsx:{rendered}" in project.calls()


def test_what_an_unknown_function_makes_of_a_component_is_not_guessed():
    page = "import { Styled } from './parts'\nexport function Page() { return <Styled/> }"

    project = ScriptProject({"parts.tsx": COMPONENTS, "page.tsx": page})

    assert not {edge for edge in project.calls() if edge.startswith("page.tsx:Page")}


def test_a_value_that_is_computed_once_is_what_its_function_gives():
    source = """
import { useMemo } from 'react'
class Store { load() {} }
export function Page() { const store = useMemo(() => new Store(), []); store.load() }
"""

    assert "page.ts:Page -> page.ts:Store.load" in ScriptProject({"page.ts": source}).calls()


TRACE = """
export const trace = (on: object) => <F extends Function>(target: F): F =>
  on ? target : (function traced() { return target() } as F)
export function pick(first, ...others) { return others }
export function other(first, second) { return second }
"""


@pytest.mark.parametrize(
    ("made", "is_given_back"),
    [
        ("trace({})(save)", True),
        ("other(1, save)", True),
        ("other(save, 1)", False),
        ("other(...many, save)", False),
        ("pick(1, save)", False),
    ],
)
def test_a_function_that_gives_back_an_argument_gives_that_of_the_call(made, is_given_back):
    save = f"import {{ trace, pick, other }} from './trace'\nfunction save() {{}}\nexport default {made}\n"
    texts = {"trace.ts": TRACE, "save.ts": save, "use.ts": "import save from './save'\nsave()\n"}

    assert ("use.ts -> save.ts:save" in ScriptProject(texts).calls()) is is_given_back


def test_a_function_stays_what_it_is_behind_a_cast_to_an_interface():
    texts = {
        "run.ts": "async function run() {}\ninterface Run { (): void; run: Run }\n"
        "const all = run as Run\nall.run = all\nexport default all\n",
        "use.ts": "import all from './run'\nexport function use() { all() }\nexport function by() { all.run() }\n",
    }

    assert {"use.ts:use -> run.ts:run", "use.ts:by -> run.ts:run"} <= ScriptProject(texts).calls()


API = """
export class Client { send() {} }
export function make() { return new Client() }
export const api = { run() {}, inner: { deep() {} } }
export type Api = typeof api
"""


@pytest.mark.parametrize(
    ("declared", "called", "target"),
    [
        ("typeof make", "x()", "make"),
        ("(typeof all)['make']", "x()", "make"),
        ("typeof api", "x.inner.deep()", "api.inner.deep"),
        ("Api", "x.run()", "api.run"),
        ("InstanceType<typeof Client>", "x.send()", "Client.send"),
        ("ReturnType<typeof make>", "x.send()", "Client.send"),
        ("typeof Client", "new x()", "Client"),
    ],
)
def test_the_type_of_a_value_is_what_the_value_is(declared, called, target):
    head = "import { Client, make, api, type Api } from './api'\nimport * as all from './api'\n"

    project = ScriptProject({"api.ts": API, "use.ts": f"{head}function use(x: {declared}) {{ {called} }}"})

    assert f"use.ts:use -> api.ts:{target}" in project.calls()


def test_types_of_values_that_are_not_known_say_nothing():
    source = "function use(x: typeof gone, y: (typeof gone)[0], z: InstanceType<typeof URL>) { x.a(); y.b(); z.c() }"

    project = ScriptProject({"use.ts": source})

    assert project.calls() == set()
    assert project.outcomes("use.ts")["x.a"] == ("unknown", None)
    assert project.outcomes("use.ts")["z.c"] == ("external", "globalThis.URL.c")


RESPONSES = """
export class Options { go() {} }
export class Sent { options: Options }
type Timed = { at: number }
export type Plain = { sent: Sent } & Timed
export type Answer<T> = { body: T } & (Partial<Plain>) & (() => void)
export type Hook = (answer: Answer<string>, next: () => void) => void
export interface Settings {
  on?: Hook
  hooks: { after: Hook[]; before: string }
  all?: Hook[]
  run?(answer: Answer<string>): void
}
export function extend(settings: Settings, name?: string) {}
"""


def test_an_intersection_has_the_members_of_its_parts():
    use = "import { Answer } from './types'\nexport function use(x: Answer<string>) { x.sent.options.go() }"

    project = ScriptProject({"types.ts": RESPONSES, "use.ts": use})

    assert "use.ts:use -> types.ts:Options.go" in project.calls()


@pytest.mark.parametrize(
    "written",
    [
        "extend({ on: (x) => x.sent.options.go() })",
        "extend({ on(x) { x.sent.options.go() } })",
        "extend({ hooks: { after: [(x) => x.sent.options.go()] } })",
        "extend({ all: [function (x) { x.sent.options.go() }] }, 'name')",
        "extend({ run: (x) => { x.sent.options.go() } })",
    ],
)
def test_a_function_in_an_object_is_given_what_the_type_of_its_member_says(written):
    use = f"import {{ extend }} from './types'\n{written}\n"

    project = ScriptProject({"types.ts": RESPONSES, "use.ts": use})

    assert {edge for edge in project.calls() if edge.endswith("-> types.ts:Options.go")}


@pytest.mark.parametrize(
    "written",
    [
        "extend({ off: (x) => x.sent.options.go() })",
        "extend({ hooks: { before: (x) => x.sent.options.go() } })",
        "extend({ on: [(x) => x.sent.options.go()] })",
        "extend(...all, { on: (x) => x.sent.options.go() })",
        "extend({ on: (x: Other) => x.sent.options.go() })",
    ],
)
def test_a_function_in_an_object_of_another_shape_is_given_nothing(written):
    use = f"import {{ extend }} from './types'\ninterface Other {{}}\n{written}\n"

    project = ScriptProject({"types.ts": RESPONSES, "use.ts": use})

    assert not {edge for edge in project.calls() if edge.endswith("-> types.ts:Options.go")}


def test_types_that_hold_themselves_end():
    source = "type Tree = { on: (x: Tree) => void } & Tree\nfunction grow(t: Tree) {}\ngrow({ on: (x) => x.on(x) })\n"

    assert "a.ts -> a.ts:grow" in ScriptProject({"a.ts": source}).calls()


def getters_run(project, path):
    """The getters and setters that a file's accesses run."""
    return {project.name(target.place) for _, said in project.links[path].implicit for target in said.targets}


def test_a_getter_of_a_class_runs_where_the_class_is_asked_and_not_where_an_object_is():
    box = "export class Box { static get url() { return this.own } static get own() { return 1 } get size() { return 2 } }\n"
    use = "import { Box } from './box'\nfunction ask() { return Box.url }\nfunction wrong(box: Box) { return [box.own, Box.size] }\n"

    project = ScriptProject({"box.ts": box, "use.ts": use})

    assert getters_run(project, "box.ts") == {"box.ts:Box.own"}
    assert getters_run(project, "use.ts") == {"box.ts:Box.url"}


def test_a_getter_of_an_object_that_is_written_out_runs():
    texts = {
        "tools.js": "module.exports = { plain: 1, get trace() { return true }, set level(x) {} }\n",
        "use.js": "const tools = require('./tools')\nfunction ask() { return [tools.trace, tools.plain] }\n"
        "function put() { tools.level = 1 }\nfunction near() { const o = { get p() { return 1 } }; return o.p }\n",
    }

    found = getters_run(ScriptProject(texts), "use.js")

    assert found == {"tools.js:trace", "tools.js:level", "use.js:near.p"}


def test_a_getter_of_typescript_runs_where_javascript_reads_it():
    project = ScriptProject(
        {
            "base.ts": "export class Base { get store(): Store { return make(); } }\nclass Store { save() {} }",
            "own.js": "import { Base } from './base';\nclass Own extends Base { go() { this.store.save(); } }",
        }
    )

    assert [target.place.path for _, link in project.links["own.js"].implicit for target in link.targets] == [
        "base.ts"
    ]
    assert project.calls() == {"own.js:Own.go -> base.ts:Store.save"}


def test_a_getter_of_a_class_gives_what_it_returns():
    project = ScriptProject(
        {
            "a.ts": "class Store { save() {} }\nclass Base { static get store(): Store { return made; } }\n"
            "class Own extends Base { static go() { this.store.save(); } }\nOwn.store.save();"
        }
    )

    assert project.calls() == {"a.ts:Own.go -> a.ts:Store.save", "a.ts -> a.ts:Store.save"}


def test_the_name_of_a_union_is_one_of_its_parts():
    project = ScriptProject(
        {
            "a.ts": "class Cat { eat() {} }\nclass Dog { eat() {} }\ntype Pet = | Cat | /** barks */ Dog | string;\n"
            "function feed(pet?: Pet) { pet?.eat(); }"
        }
    )

    assert project.calls() == {"a.ts:feed -> a.ts:Cat.eat", "a.ts:feed -> a.ts:Dog.eat"}


@pytest.mark.parametrize(
    "declared", ["Record<string, Cat>", "Record<'tom' | (string & {}), Cat>", "{ [name: string]: Cat }"]
)
def test_a_type_of_any_names_says_what_each_name_is(declared):
    project = ScriptProject(
        {"a.ts": f"class Cat {{ eat() {{}} }}\nfunction f(all: {declared}) {{ all.tom.eat(); }}"}
    )

    assert project.calls() == {"a.ts:f -> a.ts:Cat.eat"}


def test_a_map_has_its_methods_and_no_member_for_each_key():
    project = ScriptProject(
        {
            "a.ts": "class Cat { size() {} eat() {} }\nfunction f(all: Map<string, Cat>) { all.get('x').eat(); all.size(); }"
        }
    )

    assert project.calls() == {"a.ts:f -> a.ts:Cat.eat"}


def test_a_default_export_with_overloads_is_the_one_with_code():
    project = ScriptProject(
        {
            "a.ts": "export default function sure(a: boolean): void;\nexport default function sure(a: string): void;\n"
            "export default function sure(a: any) {}",
            "b.ts": "import sure from './a';\nsure(true);",
        }
    )

    (targets,) = [link.targets for link in project.links["b.ts"].calls]
    assert [(target.place.symbol, target.confidence) for target in targets] == [(3, 1.0)]


def test_what_a_package_hands_to_a_function_is_not_settled_by_the_only_method_of_a_name():
    texts = {
        "own.ts": "export class Pages { references() {} kept() {} }\n",
        "up.ts": (
            "import { Kysely } from 'kysely';\nexport async function up(db: Kysely<any>) {\n"
            "  await db.schema.createTable('a').addColumn('id', 'uuid', (col) => col.references('b.id')).execute();\n}\n"
        ),
    }

    outcomes = [
        each for text, each in ScriptProject(texts).outcomes("up.ts").items() if text == "col.references"
    ]
    assert [outcome for outcome, _ in outcomes] in (["unknown"], ["external"])


def test_this_in_a_method_of_an_object_that_is_given_back_or_handed_on_is_that_object():
    project = ScriptProject(
        {
            "a.ts": "export function make() { return { find() {}, update() { return [1].map(() => this.find()); } }; }\n"
            "run({ start() { this.stop(); }, stop() {}, inner: { go() { this.halt(); }, halt() {} } });"
        }
    )

    assert project.calls() == {
        "a.ts:make.update.<callback of [1].map> -> a.ts:make.find",
        "a.ts:start -> a.ts:stop",
        "a.ts:go -> a.ts:halt",
    }


def test_a_store_gives_the_state_that_its_function_makes():
    project = ScriptProject(
        {
            "store.ts": "import { create } from 'zustand';\nimport { persist } from 'zustand/middleware';\n"
            "export const useCart = create<Cart>((set) => ({ add() {}, clear: () => set({}) }));\n"
            "export const useKept = create()(persist((set) => ({ keep() {} }), { name: 'kept' }));",
            "page.tsx": "import { useCart, useKept } from './store';\nimport { useShallow } from 'zustand/react/shallow';\n"
            "function Page() { const { add } = useCart(); const keep = useKept((one) => one.keep); add(); keep(); }\n"
            "function Other() { const { clear } = useCart(useShallow((one) => ({ clear: one.clear }))); clear();\n"
            "  useKept.getState().keep(); useKept.setState({}); }",
        }
    )

    assert project.calls() == {
        "page.tsx:Page -> store.ts:<callback of create>.add",
        "page.tsx:Page -> store.ts:<callback of persist>.keep",
        "page.tsx:Other -> store.ts:<callback of create>.clear",
        "page.tsx:Other -> store.ts:<callback of persist>.keep",
    }


def test_a_fallback_for_what_is_not_known_is_one_of_several():
    project = ScriptProject(
        {
            "a.ts": "const frame = window.requestAnimationFrame || window.mozFrame || function later(run) {};\n"
            "export function draw(done?: () => void) { const end = done ?? function none() {}; frame(() => {}); end(); }\n"
            "function slow() {}\nfunction fast() {}\nconst move = window.slow ? slow : fast;\nexport function go() { move(); }\n",
        }
    )

    outcomes = project.outcomes("a.ts")
    assert [outcomes[name][0] for name in ("frame", "end", "move")] == ["ambiguous", "ambiguous", "ambiguous"]
    assert {
        "a.ts:draw -> a.ts:later",
        "a.ts:draw -> a.ts:draw.none",
        "a.ts:go -> a.ts:fast",
    } <= project.calls()


def test_a_context_gives_what_its_file_provides_else_an_object_of_its_type():
    project = ScriptProject(
        {
            "notices.tsx": "import { createContext, useContext, useCallback, useMemo } from 'react';\n"
            "interface Notices { show: (text: string) => void }\n"
            "const notices = createContext<Notices | undefined>(undefined);\n"
            "export const NoticesProvider = ({ children }) => {\n"
            "  const show = useCallback((text: string) => { print(text); }, []);\n"
            "  const value = useMemo(() => { return { show: show }; }, [show]);\n"
            "  return <notices.Provider value={value}>{children}</notices.Provider>;\n};\n"
            "export const useNotices: () => Notices = () => { const found = useContext(notices); if (!found) throw 1; return found; };\n"
            "function print(text: string) {}\n",
            "session.ts": "import React from 'react';\nexport class Session { end() {} }\n"
            "export const SessionContext = React.createContext<Session | null>(null);\n",
            "empty.ts": "import { createContext, useContext } from 'react';\nexport const Empty = createContext(undefined);\n"
            "export function ask() { useContext(Empty).look(); }\n",
            "page.tsx": "import { useContext } from 'react';\nimport { useNotices } from './notices';\nimport { SessionContext } from './session';\n"
            "export function Page() { const { show } = useNotices(); const session = useContext(SessionContext); show('a'); session.end(); }\n",
        }
    )

    assert {
        "page.tsx:Page -> notices.tsx:NoticesProvider.show",
        "page.tsx:Page -> session.ts:Session.end",
    } <= project.calls()
    assert project.outcomes("empty.ts")["useContext(…).look"] == ("unknown", None)


def test_a_store_that_an_object_describes_has_its_getters_and_actions():
    project = ScriptProject(
        {
            "store.js": "import { defineStore } from 'pinia';\n"
            "export const useCart = defineStore('cart', { state: () => ({ n: 0 }), getters: { full() {} },\n"
            "  actions: { load() { this.save(); }, save() {} } });\n"
            "export const useTax = defineStore('tax', () => { function count() {} return { count }; });",
            "page.js": "import { useCart, useTax } from './store';\n"
            "export function show() { const cart = useCart(); cart.load(); useTax().count(); }",
        }
    )

    assert project.calls() == {
        "store.js:load -> store.js:save",
        "page.js:show -> store.js:load",
        "page.js:show -> store.js:<callback of defineStore>.count",
    }


def test_a_method_of_an_object_runs_in_the_place_of_that_of_its_declared_type():
    project = ScriptProject(
        {
            "a.ts": "export interface Format { read(text: string): void }\nexport const plain: Format = { read(text) {} };\n"
            "export function rich(): Format { return { read() {} }; }\nexport const other = { read() {} };",
            "b.ts": "import type { Format } from './a';\nexport function use(format: Format) { format.read('x'); }",
        }
    )

    (said,) = project.links["b.ts"].calls
    assert [project.name(target.place) for target in said.targets] == ["a.ts:Format.read"]
    assert [project.name(target.place) for target in said.overriders] == ["a.ts:plain.read", "a.ts:rich.read"]


def test_a_method_that_is_bound_and_handed_on_is_named():
    project = ScriptProject(
        {"a.ts": "class Box {\n  open() {}\n  show() { later(this.open.bind(this)); }\n}"}
    )

    assert project.references("a.ts") == {(3, "a.ts:Box.open")}


def test_what_svelte_runs_with_an_element_is_called():
    project = ScriptProject(
        {
            "tip.ts": "export function tip() {}\nexport function fade() {}",
            "Page.svelte": "<script>\nimport { tip, fade } from './tip';\n</script>\n"
            '<p use:tip>a</p>\n<p\n  in:fade={{ duration: 1 }}\n  class="b">c</p>',
        }
    )

    assert project.calls() == {"Page.svelte -> tip.ts:tip", "Page.svelte -> tip.ts:fade"}


CART = "export class Cart { add() {} }\nexport const cart = new Cart();\nexport const open = (o) => o;"


def called_lines(path: str, page: str) -> set[tuple[int, str]]:
    """What a page calls of the cart, each with its line."""
    project = ScriptProject({"cart.ts": CART, path: page})
    calls = zip(project.facts[path].calls, project.links[path].calls, strict=True)
    return {(call.line, project.name(target.place)) for call, said in calls for target in said.targets}


def test_what_svelte_reads_of_a_store_is_a_use_of_the_store():
    page = (
        "<script>\nimport { cart, open } from './cart';\nconst price = '$cart';\n</script>\n"
        "<p>{$cart.add()}</p>\n<p onclick={() => open({ id: { of: 1 } })}>it's</p>"
    )
    project = ScriptProject({"cart.ts": CART, "Page.svelte": page})

    assert project.references("Page.svelte") == {(5, "cart.ts:cart")}
    assert called_lines("Page.svelte", page) == {(5, "cart.ts:Cart.add"), (6, "cart.ts:open")}


def test_a_rune_of_svelte_gives_what_it_is_given():
    page = (
        "<script>\nimport { Cart } from './cart';\n"
        "let mine = $state(new Cart());\nlet same = $derived(mine);\nlet third = $derived.by(() => new Cart());\n"
        "mine.add();\nsame.add();\nthird.add();\n</script>"
    )

    assert {line for line, name in called_lines("Page.svelte", page) if name == "cart.ts:Cart.add"} == {
        6,
        7,
        8,
    }


def test_braces_of_vue_may_hold_objects():
    page = (
        "<template><p>{{ open({ id: { of: 1 } }) }}</p></template>\n"
        "<script setup>\nimport { open } from './cart';\n</script>"
    )

    assert called_lines("Page.vue", page) == {(1, "cart.ts:open")}


def test_elements_in_braces_of_astro_hold_expressions_of_their_own():
    page = (
        "---\nimport { open } from './cart';\n---\n"
        "<ul>{[1].map((one) => <li>\n{open({ one })}</li>)}\n{open({ of: {} })}</ul>"
    )

    assert called_lines("Page.astro", page) == {(5, "cart.ts:open"), (6, "cart.ts:open")}


def test_a_call_of_a_constant_that_something_outside_made_is_a_call_of_the_constant():
    project = ScriptProject(
        {
            "actions.ts": "import { client } from 'safe';\n"
            "export const save = client.schema(1).action(async () => { store(); });\nfunction store() {}",
            "page.ts": "import { save } from './actions';\nimport * as all from 'safe';\n"
            "export function press() { save(); all.other(); }",
        }
    )

    (link,) = [one for one in project.links["page.ts"].calls if one.overriders]
    assert [project.name(one.place) for one in link.overriders] == ["actions.ts:save"]
    assert project.outcomes("page.ts")["save"][0] == "external"


def test_a_wrapper_under_another_name_wraps_all_the_same():
    project = ScriptProject(
        {
            "a.ts": "import { cache as reactCache } from 'react';\n"
            "export const find = reactCache(async (id: string) => load(id));\nfunction load(id: string) {}",
            "b.ts": "import { find } from './a';\nexport function show() { find('1'); }",
        }
    )

    assert project.calls() == {"a.ts:find -> a.ts:load", "b.ts:show -> a.ts:find"}
