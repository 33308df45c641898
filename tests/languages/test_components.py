"""Components in one file: what their scripts and their markup call is in the index, at its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.index import IndexReader
from drift.languages.typescript.components import ENDINGS, script_of
from drift.project import StateDir
from drift.scan import ScanOptions, scan

PRICES = """\
export function format(amount: number): string { return `${amount} EUR`; }
export function tax(amount: number): number { return amount * 0.2; }
export function log(text: string) { console.log(text); }
"""
VUE = """\
<template>
  <div v-if="isOpen" :title="format(total)" @click="save(); log('clicked')">
    {{ tax(total) }}
    <template #head="{ item }"><PayButton :amount="item.price" /></template>
  </div>
</template>

<script setup lang="ts">
import PayButton from './PayButton.vue'
import { format, log, tax } from './prices'

const total = 3
const isOpen = true

function save() {
  log('saved')
}
</script>

<style scoped>
.a { color: red; }
</style>
"""
BUTTON = """\
<script lang="ts">
import { log } from './prices'
export default {
  methods: {
    pay() { log('paid') },
  },
}
</script>
"""
SVELTE = """\
<script>
  import { format, tax } from './prices';
  let items = [1, 2];
  function choose(item) { tax(item); }
</script>

{#each items as item}
  <button on:click={() => choose(item)}>{format(item)}</button>
{/each}
"""
ASTRO = """\
---
import { tax } from './prices';
const all = [1, 2].map((each) => tax(each));
---
<ul>{all.map((each) => tax(each))}</ul>
"""


@pytest.fixture(scope="module")
def callers(tmp_path_factory):
    root = tmp_path_factory.mktemp("shop")
    texts = {
        "prices.ts": PRICES,
        "Cart.vue": VUE,
        "PayButton.vue": BUTTON,
        "List.svelte": SVELTE,
        "All.astro": ASTRO,
    }
    for name, text in texts.items():
        (root / name).write_text(text)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:

        def find(name):
            (symbol,) = [each for each in reader.symbols.named(name) if each.kind == "function"]
            return sorted({(each.symbol.path, each.line) for each in reader.calls.callers(symbol.id)})

        yield find


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("format", [("Cart.vue", 2), ("List.svelte", 8)]),
        ("tax", [("All.astro", 3), ("All.astro", 5), ("Cart.vue", 3), ("List.svelte", 4)]),
        ("log", [("Cart.vue", 2), ("Cart.vue", 16), ("PayButton.vue", 5)]),
        ("save", [("Cart.vue", 2)]),
        ("choose", [("List.svelte", 8)]),
    ],
)
def test_scripts_and_markup_call(callers, name, places):
    assert callers(name) == places


def test_what_is_neither_script_nor_expression_is_blank():
    script = script_of(VUE.encode(), "Cart.vue").source.decode()

    assert "color" not in script
    assert "<div" not in script
    assert "PayButton" in script.splitlines()[3]


@pytest.mark.parametrize("markup", ["pug", "haml"])
def test_markup_of_another_kind_is_left_out(markup):
    text = f'<template lang="{markup}">\na(@click="save()")\n</template>\n<script>\nsave()\n</script>\n'

    assert script_of(text.encode(), "A.vue").source.decode().split() == ["save()"]


def test_a_script_with_markup_of_its_own_is_read_as_such():
    assert script_of(b'<script lang="tsx">\nconst a = <b/>\n</script>', "A.vue").has_markup
    assert not script_of(b'<script lang="ts">\nconst a = 1\n</script>', "A.vue").has_markup


PIECES = st.sampled_from(
    ["<template>", "</template>", "<script>", "</script>", "---\n", "{{", "}}", "{", "}", ' :a="', '"', "f()", "\n",
     "<A ", "<A", "<a-b", "é", "<style>", "</style>", "{#if a}", ' @b="c()" ', "\r"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30).map("".join), st.sampled_from(ENDINGS))
def test_every_byte_keeps_its_place(text, ending):
    source = text.encode()

    script = script_of(source, f"a{ending}").source

    assert len(script) == len(source)
    assert [at for at, byte in enumerate(script) if byte in b"\r\n"] == [
        at for at, byte in enumerate(source) if byte in b"\r\n"
    ]
