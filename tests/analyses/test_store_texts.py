"""Members of stores that are called by the name a text says."""

import pytest

from drift.analyses.impact import find_impact
from drift.analyses.spelled_warnings import spelled_at
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

FILES = {
    "package.json": '{"name": "shop", "dependencies": {"vuex": "4"}}',
    "src/store/index.js": (
        "import { createStore } from 'vuex';\nimport cartItems from './modules/cart-items';\nimport bills from './modules/bills';\n"
        "export default createStore({ modules: { cartItems, bills } });\n"
    ),
    "src/store/modules/cart-items.js": (
        "export const actions = {\n  add({ commit }, item) { commit('SET', item); },\n  refill({ dispatch }) { dispatch('add', 1); },\n};\n"
        "export const mutations = {\n  SET(state, item) { state.item = item; },\n};\nexport default { namespaced: true, actions, mutations };\n"
    ),
    "src/store/modules/bills.js": (
        "export default {\n  namespaced: true,\n  actions: {\n    add() { return 1; },\n    send() { return 2; },\n  },\n};\n"
    ),
    "src/page.js": "export default {\n  methods: {\n    put() { this.$store.dispatch('cartItems/add', 1); },\n  },\n};\n",
    "src/mail.js": "export function mail(store, name) {\n  store.dispatch('send');\n  store.dispatch('add');\n  store.dispatch(name);\n}\n",
}


@pytest.fixture
def reader(tmp_path):
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as opened:
        yield opened


def users(reader, place):
    path, _, line = place.partition(":")
    symbol = reader.symbols.at_line(reader.files.at(path).id, int(line))
    direct = find_impact(reader, [symbol], max_depth=4).direct
    return {one.qualname for one in reader.symbols.many(each.symbol_id for each in direct)} - {
        "actions",
        "default.actions",
    }


def test_an_action_is_run_by_who_says_its_module_and_name_and_by_its_own_module(reader):
    assert users(reader, "src/store/modules/cart-items.js:2") == {"default.methods.put", "actions.refill"}


def test_a_mutation_is_run_by_who_commits_it(reader):
    assert users(reader, "src/store/modules/cart-items.js:6") >= {"actions.add"}


def test_a_name_without_a_module_means_the_only_member_of_that_name(reader):
    assert users(reader, "src/store/modules/bills.js:5") == {"mail"}
    assert users(reader, "src/store/modules/bills.js:4") == set()


def test_the_text_and_its_place_are_told(reader):
    file = reader.files.at("src/store/modules/cart-items.js")

    told = spelled_at(reader, reader.symbols.at_line(file.id, 2).id)

    assert "cartItems/add at src/page.js:3" in told
