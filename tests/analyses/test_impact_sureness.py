"""How surely a change touches those who call what it overrides, and those behind them."""

import pytest

from drift.analyses.impact import find_impact
from drift.analyses.impact_rows import user_rows
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

API = """class Api {
  update(x) { return x }
}
export default Api
"""


def script(name, body="  update(x) { return 1 }\n"):
    return f"import Api from './api'\nclass {name} extends Api {{\n{body}}}\nexport default new {name}()\n"


def scanned(root, *, overriders):
    (root / "package.json").write_text('{"type": "module"}')
    (root / "api.js").write_text(API)
    (root / "plain.js").write_text(script("Plain", ""))
    for number in range(overriders):
        (root / f"made{number}.js").write_text(script(f"Made{number}"))
    (root / "use.js").write_text(
        "import plain from './plain'\nimport made0 from './made0'\n"
        "export function ofPlain() { return plain.update(1) }\n"
        "export function ofMade() { return made0.update(1) }\n"
        "export function ofAny(/** @type {Api} */ any) { return any.update(1) }\n"
        "export function behind() { return ofAny(1) }\n"
        "/** @typedef {import('./api').default} Api */\n"
    )
    (root / "typed.ts").write_text(
        "import Api from './api'\nexport function ofTyped(one: Api) { return one.update(1) }\n"
        "export function behindTyped(one: Api) { return ofTyped(one) }\n"
    )
    scan(root, ScanOptions(jobs=0))
    return IndexReader(StateDir(root).index_db)


@pytest.mark.parametrize("overriders", [3, 14])
def test_who_has_an_object_of_a_class_beside_is_no_user_and_who_may_have_any_is_a_faint_one(
    tmp_path, overriders
):
    with scanned(tmp_path, overriders=overriders) as reader:
        (changed,) = reader.symbols.qualified("Made0.update")
        impact = find_impact(reader, [changed], max_depth=5)
        rows = {row.symbol: row for row in user_rows(reader, impact, impact.product)}

    assert rows["ofMade"].confidence == 1
    assert "ofPlain" not in rows
    assert rows["ofTyped"].reason == "override"
    assert rows["ofTyped"].confidence == rows["behindTyped"].confidence == round(0.3 / overriders, 2)
