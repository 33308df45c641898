"""Modules that tests put something else in the place of: found through aliases and barrels, in part where the rest is kept."""

import pytest

from drift.analyses.testing.affected import find_neighbourhood, reach_nearest, replaced_by_case
from drift.analyses.testing.mocks import find_mocks
from drift.analyses.testing.suites import suites_of
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

PROJECT = {
    "package.json": '{"name": "shop", "private": true}',
    "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]}}}',
    "src/api/files.ts": "export function copy() { return send(); }\nexport function move() { return 1; }\nfunction send() { return 2; }\n",
    "src/api/index.ts": "export * from './files';\n",
    "src/paste.ts": "import { copy, move } from '@/api';\nexport function paste() { return [copy(), move()]; }\n",
}


def written(mock):
    return (
        "import { vi, it } from 'vitest';\nimport { paste } from './paste';\n"
        f"{mock}\nit('pastes', () => {{ paste(); }});\n"
    )


def functions_run(root, mock):
    for path, text in {**PROJECT, "src/paste.spec.ts": written(mock)}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:
        suites = suites_of(reader)
        functions = [
            one
            for one in reader.symbols.many([each.id for each in reader.testing.functions()])
            if one.role == "source"
        ]
        around = find_neighbourhood(reader, suites, [one.id for one in functions])
        mocks = find_mocks(reader, suites, suites.files, lambda path: (root / path).read_text())
        near, _ = reach_nearest(around, suites, replaced_by_case(suites, mocks))
        return {one.name for one in functions if near[one.id]}


@pytest.mark.parametrize(
    ("mock", "run"),
    [
        ("", {"paste", "copy", "move", "send"}),
        ("vi.mock('@/api', () => ({\n  copy: vi.fn(),\n  move: vi.fn(),\n}));", {"paste"}),
        ("vi.mock('./api', () => ({ copy: vi.fn() }));", {"paste"}),
        (
            "vi.mock('@/api', async (original) => ({ ...(await original()), copy: vi.fn() }));",
            {"paste", "move"},
        ),
        (
            "vi.mock('./api/files', async () => ({\n  ...(await vi.importActual('./api/files')),\n  move: vi.fn(),\n}));",
            {"paste", "copy", "send"},
        ),
    ],
)
def test_what_a_test_replaces_does_not_run_in_it(tmp_path, mock, run):
    assert functions_run(tmp_path, mock) == run
