"""Cases, frameworks and commands in the languages of the small projects."""

import shutil
from pathlib import Path

import pytest

from drift.analyses.testing.case_frameworks import CaseFrameworks
from drift.analyses.testing.commands import command_for
from drift.analyses.testing.frameworks import frameworks_in
from drift.analyses.testing.reach import find_covered
from drift.analyses.testing.suites import Suites
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

PROJECTS = Path(__file__).parents[1] / "projects"


@pytest.fixture
def opened(tmp_path):
    readers = []

    def run(files):
        root = tmp_path / "project"
        if isinstance(files, str):
            shutil.copytree(PROJECTS / files, root)
        else:
            for path, text in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
        scan(root, ScanOptions(jobs=0))
        readers.append(IndexReader(StateDir(root).index_db))
        return readers[-1], root

    yield run
    for reader in readers:
        reader.close()


@pytest.mark.parametrize(
    ("language", "runner"),
    [
        ("python", {"pytest", "unittest"}),
        ("go", {"go testing"}),
        ("csharp", {"xunit", "nunit", "mstest"}),
        ("rust", {"rust test"}),
    ],
)
def test_the_small_projects_have_cases_of_a_framework_that_covers_something(opened, language, runner):
    reader, root = opened(language)
    suites = Suites(reader)
    suites.read_all()
    names = CaseFrameworks(reader, frameworks_in(reader, root))

    assert suites.cases
    assert {names.name(case) for case in suites.cases.values()} <= runner
    functions = {one.id for one in reader.testing.functions()}
    assert functions & find_covered(reader, suites).keys()


def test_what_stands_in_a_callback_or_a_set_up_is_run_by_the_test(opened):
    reader, root = opened(
        {
            "package.json": '{"devDependencies": {"vitest": "1"}}',
            "src/cart.ts": "export function add() { return 1 }\nexport function clear() { return 2 }\nexport function idle() {}\n",
            "src/cart.test.ts": "import { add, clear } from './cart';\n"
            "describe('cart', () => {\n  beforeEach(() => { clear() })\n"
            "  it('adds (one)', () => { expect(() => add()).toThrow() })\n})\n",
        }
    )
    suites = Suites(reader)
    suites.read_all()
    (case,) = suites.cases.values()
    covered = find_covered(reader, suites)

    assert case.title == "cart > adds (one)"
    run = {one.name for one in reader.testing.functions() if one.id in covered}
    assert run == {"add", "clear"}
    framework = CaseFrameworks(reader, frameworks_in(reader, root)).name(case)
    assert framework == "vitest"
    assert command_for(framework, [case]) == "npx vitest run src/cart.test.ts -t 'cart adds \\(one\\)'"


def test_a_go_subtest_is_part_of_its_test_and_a_benchmark_is_none(opened):
    reader, _ = opened(
        {
            "go.mod": "module shop\n",
            "cart.go": "package shop\n\nfunc Add() int { return 1 }\n",
            "cart_test.go": 'package shop\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n'
            '\tt.Run("one", func(t *testing.T) { Add() })\n}\n\nfunc BenchmarkAdd(b *testing.B) { Add() }\n',
        }
    )
    suites = Suites(reader)
    suites.read_all()
    (case,) = suites.cases.values()

    assert case.title == "TestAdd"
    assert {one.name for one in reader.testing.functions()} == {"Add"}
    assert command_for("go testing", [case]) == "go test . -run '^TestAdd$'"


def test_names_of_tests_cannot_leave_the_quotes_of_a_command(opened):
    reader, _ = opened(
        {
            "package.json": '{"devDependencies": {"jest": "1"}}',
            "a.test.js": 'it("it\'s; rm -rf / {names}", () => { expect(1) })\n',
        }
    )
    suites = Suites(reader)
    suites.read_all()

    command = command_for("jest", suites.cases.values())

    assert command.startswith("npx jest a.test.js -t 'it'\"'\"'s; rm ")


def test_java_cases_are_told_from_what_runs_around_them(opened):
    reader, root = opened("java")
    suites = Suites(reader)
    suites.read_all()
    names = CaseFrameworks(reader, frameworks_in(reader, root))

    found = {case.name: names.name(case) for case in suites.cases.values()}

    assert found == dict.fromkeys(("anEmptyCartCostsNothing", "counts", "isFull", "testOld"), "junit5")
    assert {one.name for one in reader.symbols.many(suites.runs_for) if one.kind == "method"} == {"open"}
