"""Linking scripts again after a change says exactly what linking from the start would."""

from hypothesis import given, settings
from hypothesis import strategies as st
from script_cases import ScriptProject

from drift.scan.link import MemorySources, relink

FILES = ("a.ts", "b.js", "lib/index.ts", "lib/c.ts", "lib/d.js", "apart.ts")
BODIES = (
    "",
    "export function f(x: any) { x.run(); }\n",
    "export default class A { run() {} }\n",
    "export class A { run() { this.onlyHere(); } onlyHere() {} }\n",
    "import A from './lib/c';\nimport { f } from './b';\nf(new A());\n",
    "export * from './c';\nexport { default } from './d';\n",
    "import x, { A, f } from './lib';\nnew A().run(); f(new A()); x();\n",
    "module.exports = function f(x) { x.run(); };\n",
    "exports.f = require('./c').f;\nmodule.exports.A = class A { run() {} };\n",
    "const d = require('./lib/d'); d(); d.f();\n",
)
PROJECTS = st.dictionaries(st.sampled_from(FILES), st.sampled_from(BODIES), min_size=1)


@settings(max_examples=80, deadline=None)
@given(PROJECTS, st.dictionaries(st.sampled_from(FILES), st.sampled_from((*BODIES, None)), min_size=1))
def test_links_of_scripts_after_any_change_are_those_of_a_fresh_start(first, edits):
    before = ScriptProject(first)
    texts = {path: text for path, text in {**first, **edits}.items() if text is not None}
    after = ScriptProject(texts)
    changed = {path for path in {*first, *texts} if first.get(path) != texts.get(path)}

    found = relink(MemorySources(after.facts, texts), before.links, changed)

    assert found == after.links
