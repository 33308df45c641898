"""Types that only doc comments tell, in JavaScript."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from script_cases import ScriptProject

from drift.languages.javascript import extract

STORE = "class Store { save() {} }\nmodule.exports = Store;"


@pytest.mark.parametrize(
    "told", ["Store", "?Store", "Store|null", "(Store | undefined)", "!Store", "Promise<Store>"]
)
def test_a_parameter_is_what_its_comment_says(told):
    project = ScriptProject(
        {
            "store.js": STORE,
            "main.js": "const Store = require('./store');\n/**\n * Keeps.\n"
            f" * @param {{{told}}} [store=null] where to\n */\nfunction save(store) {{ store.save(); }}",
        }
    )

    assert project.calls() == {"main.js:save -> store.js:Store.save"}


def test_elements_results_and_variables_are_what_their_comments_say():
    project = ScriptProject(
        {
            "store.js": STORE,
            "main.js": "const Store = require('./store');\n/** @param {Store[]} all */\n"
            "function each(all) { for (const one of all) one.save(); }\n"
            "/** @returns {Store} */\nfunction load() { return cache.get(1); }\nfunction use() { load().save(); }\n"
            "class Shop {\n  /** @type {Store} */\n  stock;\n  sell() { this.stock.save(); }\n}",
        }
    )

    assert project.calls() == {
        "main.js:each -> store.js:Store.save",
        "main.js:use -> main.js:load",
        "main.js:use -> store.js:Store.save",
        "main.js:Shop.sell -> store.js:Store.save",
    }


def test_a_typedef_brings_a_type_of_another_file():
    project = ScriptProject(
        {
            "store.js": STORE,
            "main.js": "/** @typedef {import('./store')} Whole */\n/** @typedef {import('./types').Shelf} Shelf */\n"
            "/** @param {Shelf} shelf\n * @param {Whole} store */\nfunction keep(shelf, store) { shelf.fill(); store.save(); }",
            "types.js": "export class Shelf { fill() {} }",
        }
    )

    assert project.calls() == {"main.js:keep -> types.js:Shelf.fill", "main.js:keep -> store.js:Store.save"}
    assert all(one.is_type_only for one in project.facts["main.js"].imports)


@pytest.mark.parametrize(
    "comment",
    ["@param {Shelf} store", "@param {Object} store", "@param {Store} other", "@param {Store} store.inner"],
)
def test_a_comment_that_names_nothing_of_the_file_says_nothing(comment):
    project = ScriptProject(
        {"a.js": f"class Store {{ save() {{}} }}\n/** {comment} */\nfunction save(store) {{ store.save(); }}"}
    )

    assert project.calls() == set()


def test_typescript_believes_its_annotations_alone():
    project = ScriptProject(
        {
            "a.ts": "class Store { save() {} }\n/** @param {Store} store */\nfunction save(store) { store.save(); }"
        }
    )

    assert project.calls() == set()


@given(st.text(alphabet="@param typedefStore{}[]<>|().,?!=*\"'\n$", max_size=200))
def test_any_comment_is_read_to_its_end(text):
    source = f"class Store {{}}\n/** {text.replace('*/', '')} */\nfunction save(store) {{}}"

    facts = extract(source.encode(), "a.js")

    assert facts.symbols[0].kind == "module"
