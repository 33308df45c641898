"""What functions of scripts give back that their types say only half of, or by variables."""

import pytest
from script_cases import ScriptProject

WITH = "export function withParts<A extends object, B extends object>(one: A, more: B): A & B {{ {} }}"


@pytest.mark.parametrize(
    "made",
    [
        "export function useLight(): [boolean, () => void] {\n  const turn = () => {};\n  return [true, turn];\n}",
        "export function useLight(): { 1: () => void } {\n  const turn = () => {};\n  return { 1: turn };\n}",
    ],
)
def test_a_function_in_what_is_given_back_is_found_though_the_type_says_only_that_it_is_one(made):
    use = "import { useLight } from './a';\nexport function show() { const light = useLight(); light[1](); }"

    project = ScriptProject({"a.ts": made, "b.ts": use})

    assert "b.ts:show -> a.ts:useLight.turn" in project.calls()


@pytest.mark.parametrize(
    "parts",
    [
        "import { withParts } from './with';\n",
        "const withParts = (one, more) => Object.assign(one, more);\n",
    ],
)
def test_what_is_put_together_has_the_members_of_each(parts):
    table = "const Table = () => {};\nconst Cell = () => {};\nexport default withParts(Table, { Cell });"
    use = "import Table from './table';\nexport function show() { Table(); Table.Cell(); }"

    project = ScriptProject(
        {"with.ts": WITH.format("return one as A & B;"), "table.ts": parts + table, "use.ts": use}
    )

    assert {"use.ts:show -> table.ts:Table", "use.ts:show -> table.ts:Cell"} <= project.calls()
