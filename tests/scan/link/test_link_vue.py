"""Vue: what Nuxt lends to files without an import, and components that are one object of options."""

from script_cases import ScriptProject

LENT = {
    "web/components/CartItem.vue": "<script setup>\nfunction go() {}\n</script>\n<template><b @click='go'></b></template>\n",
    "web/components/base/Button.vue": "<template><b></b></template>\n",
    "web/composables/useCart.ts": "export const useCart = () => ({ add() {} })\n",
    "web/composables/use-total.ts": "export default function () { return 1 }\n",
    "web/utils/money.ts": "export function money(x) { return x }\nfunction hidden() {}\n",
    "web/server/utils/db.ts": "export function useDb() { return 1 }\n",
    "web/server/api/users/[id].post.ts": "export default defineEventHandler(async (event) => { useDb() })\n",
    "other/money.ts": "money(1)\n",
    "web/pages/index.vue": (
        "<script setup lang='ts'>\nconst cart = useCart();\nfunction buy() { useTotal(); cart.add(); hidden() }\n</script>\n"
        '<template><CartItem @x="buy"/>\n<cart-item/>\n<BaseButton>{{ money(1) }}</BaseButton></template>\n'
    ),
}


def test_nuxt_lends_exports_of_its_folders_and_components_by_their_paths():
    found = ScriptProject({**LENT, "web/nuxt.config.ts": "export default {}\n"})

    assert {edge for edge in found.calls() if "index.vue" in edge or "other" in edge} == {
        "web/pages/index.vue -> web/composables/useCart.ts:useCart",
        "web/pages/index.vue -> web/utils/money.ts:money",
        "web/pages/index.vue:buy -> web/composables/use-total.ts:default",
        "web/pages/index.vue:buy -> web/composables/useCart.ts:useCart.add",
    }
    named = found.references("web/pages/index.vue")
    assert {(5, "web/components/CartItem.vue"), (6, "web/components/CartItem.vue")} <= named
    assert (7, "web/components/base/Button.vue") in named
    (route,) = found.facts["web/server/api/users/[id].post.ts"].entry_points
    assert (route.kind, route.detail) == ("http", "POST /api/users/[id]")


def test_nothing_is_lent_where_nuxt_is_not():
    found = ScriptProject(LENT)

    assert not any(edge.startswith("web/pages") for edge in found.calls())


OPTIONS = """<script>
import { helper } from './helper'
export default %s{
  data() { return { n: 1 } },
  computed: { total() { return this.n }, sum: { get() { return 1 }, set(v) {} } },
  watch: { n() { this.reload() } },
  methods: { save(x) { this.reload(); return this.sum }, reload() { helper() }, helper() {} },
  mounted() { this.save(1) },
}%s
</script>
<template><b @click="save(n)" @x="reload" :y="total"/></template>
"""


def test_functions_of_an_object_of_options_call_each_other_and_the_template_calls_them():
    for opening, closing in (("", ""), ("defineComponent(", ")")):
        found = ScriptProject(
            {"a.vue": OPTIONS % (opening, closing), "helper.ts": "export function helper() {}"}
        )

        short = {tuple(one.rpartition(".")[2] for one in edge.split(" -> ")) for edge in found.calls()}
        assert {("vue", "save"), ("save", "reload"), ("mounted", "save")} <= {
            (caller.rpartition(":")[2], callee.rpartition(":")[2]) for caller, callee in short
        }
        assert "helper.ts:helper" in {edge.split(" -> ")[1] for edge in found.calls()}
        lines = {
            (line, name.rpartition(".")[2].rpartition(":")[2]) for line, name in found.references("a.vue")
        }
        assert {(11, "reload"), (11, "total")} <= lines


MIXED = """<script>
import common from './common'
import far from './far'
export default {
  mixins: [far, common],
  methods: { own() { this.load(); this.$emit('x'); this.deep() } },
}
</script>
<template><b :y="load(1)" :z="own()" :x="parseInt(2)"/></template>
"""


def test_functions_of_mixins_are_those_of_the_component():
    found = ScriptProject(
        {
            "a.vue": MIXED,
            "common.js": "export default { methods: { load() {} } }",
            "far.js": "export default { methods: { deep() {}, load() {} } }",
        }
    )

    assert {edge.rpartition(" -> ")[2] for edge in found.calls()} == {
        "common.js:default.methods.load",
        "far.js:default.methods.deep",
        "a.vue:default.methods.own",
    }


READ_FIRST = """<template>
  <b :tip="[0].map((i) => rows[i]?.x).join()" :a="rows.length" :b="[1].map(({ sums }) => sums)"></b>
</template>
<script>
export default {
  computed: { rows() { return this.list }, sums() { return 1 } },
  methods: { go() { this.rows.forEach((row) => row) } },
}
</script>
"""


def test_what_something_is_reached_through_is_a_use_of_the_component_s_member():
    found = ScriptProject({"shop/Rows.vue": READ_FIRST})

    assert {line for line, target in found.references("shop/Rows.vue") if target.endswith("rows")} == {2, 7}
    assert not any(target.endswith("sums") for _, target in found.references("shop/Rows.vue"))
