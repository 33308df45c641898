"""Callers of a function that a hook gives: where it is handed on without a call, the answer says so."""

import pytest

from drift.analyses.callers import find_callers
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

FILES = {
    "package.json": '{"name": "shop", "dependencies": {"react": "18"}}',
    "hook.ts": """export function useMove(id: string) {
  const handleMove = async (at: number) => {};
  const cut = () => {};
  const own = () => {};
  own();
  return { handleMove, cut };
}
""",
    "tree.tsx": """import { useMove } from "./hook";
export function Tree({ id }) {
  const { handleMove, cut } = useMove(id);
  cut();
  return <Rows onMove={handleMove} />;
}
""",
}


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("useMove.handleMove", "1 more place may hand useMove.handleMove on"),
        ("useMove.cut", ""),
        ("useMove.own", ""),
    ],
)
def test_callers_say_where_a_function_that_a_hook_gives_is_handed_on(tmp_path, name, place):
    for path, text in FILES.items():
        (tmp_path / path).write_text(text)
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        found = find_callers(reader, name, file=None, max_depth=1, root=tmp_path).warnings()

    assert [one for one in found if "hand" in one] == (
        [f"{place}, whose calls are not told: tree.tsx:5: drift references hook.ts:2"] if place else []
    )
