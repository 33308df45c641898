"""Commands that run tests are of one line."""

import re
import shlex

import pytest

from drift.analyses.testing.case_frameworks import CaseFrameworks
from drift.analyses.testing.commands import commands_for
from drift.analyses.testing.frameworks import frameworks_in
from drift.analyses.testing.suites import Case, suites_of
from drift.index import IndexReader
from drift.index.ids import FileId, SymbolId
from drift.project import StateDir
from drift.scan import ScanOptions, scan

TITLE = "orders > adds\n    two"


def case(language):
    return Case(SymbolId(1), FileId(1), TITLE, "adds\n    two", "", "src/a.test.ts", 1, 2, language, TITLE)


def test_a_title_of_two_lines_makes_a_pattern_of_one_that_fits_it():
    (command,) = commands_for("jest", [case("typescript")], lambda _path: False)

    assert "\n" not in command
    words = shlex.split(command)
    assert re.search(words[words.index("-t") + 1], TITLE.replace(" > ", " "))


@pytest.mark.parametrize("framework", ["pytest", "vitest", "mocha", "gtest", "phpunit"])
def test_no_command_has_a_line_break(framework):
    assert all("\n" not in one for one in commands_for(framework, [case("x")], lambda _path: False))


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"package.json"}, "npx jest web/src/a.test.ts -t one"),
        ({"package.json", "web/package.json"}, "cd web && npx jest src/a.test.ts -t one"),
        ({"package.json", "web/package.json", "jest.config.js"}, "npx jest web/src/a.test.ts -t one"),
        ({"package.json", "web/jest.config.ts"}, "cd web && npx jest src/a.test.ts -t one"),
    ],
)
def test_scripts_are_tested_from_the_folder_that_sets_the_runner_up(files, said):
    one = Case(SymbolId(1), FileId(1), "one", "one", "", "web/src/a.test.ts", 1, 2, "typescript", "one")

    assert commands_for("jest", [one], files.__contains__) == (said,)


@pytest.mark.parametrize(
    ("framework", "files", "said"),
    [
        ("playwright", {"web/playwright.config.ts"}, "cd web && npx playwright test src/a.test.ts -g one"),
        ("bun:test", {"package.json"}, "bun test web/src/a.test.ts -t one"),
        ("karma", {"web/angular.json"}, "cd web && npx ng test --watch=false --include=src/a.test.ts"),
        ("karma", {"karma.conf.js"}, "npx karma start --single-run"),
    ],
)
def test_browsers_and_bun_run_tests_by_commands_of_their_own(framework, files, said):
    one = Case(SymbolId(1), FileId(1), "one", "one", "", "web/src/a.test.ts", 1, 2, "typescript", "one")

    assert commands_for(framework, [one], files.__contains__) == (said,)


@pytest.mark.parametrize(
    ("framework", "said"),
    [
        ("pytest", "pytest src/a0.py src/a1.py"),
        ("vitest", "npx vitest run src/a0.py src/a1.py"),
        ("go testing", "go test ./src"),
        ("phpunit", "vendor/bin/phpunit --filter 'a0::|a1::'"),
        ("cargo", "cargo test -- " + " ".join(f"t{number}" for number in range(40))),
    ],
)
def test_of_many_tests_the_files_are_run(framework, said):
    cases = [
        Case(SymbolId(n), FileId(1), f"t{n}", f"t{n}", "", f"src/a{n % 2}.py", 1, 2, "python", f"t{n}")
        for n in range(40)
    ]

    assert commands_for(framework, cases, lambda _path: False) == (said,)


def of(path, owner, name, framework, files):
    title = f"{owner}.{name}"
    one = Case(SymbolId(1), FileId(1), name, name, owner, path, 1, 2, "x", title)
    return commands_for(framework, [one], files.__contains__)


def test_gradle_runs_a_set_of_sources_by_its_own_task():
    files = {"shop/build.gradle", "gradlew"}

    assert of("shop/src/integration-test/java/CartIT.java", "CartIT", "saves", "junit5", files) == (
        "./gradlew :shop:integrationTest --tests=CartIT.saves",
    )
    assert of("shop/src/test/java/CartTest.java", "CartTest", "adds", "junit5", files) == (
        "./gradlew :shop:test --tests=CartTest.adds",
    )


def test_a_test_of_gtest_is_named_without_its_namespace():
    (command,) = of("db/a_test.cc", "shop.CartTest", "Adds", "gtest", set())

    assert shlex.split(command)[-1] == r"CartTest\.Adds"


def test_a_runner_is_told_by_what_fixtures_import_and_by_what_settings_say(tmp_path):
    for path, text in {
        "package.json": '{"devDependencies": {"jest": "29", "@playwright/test": "1"}}',
        "playwright.config.ts": "export default defineConfig({ testDir: './e2e' })\n",
        "jest.config.ts": "export default { testPathIgnorePatterns: ['<rootDir>/node_modules/', '<rootDir>/e2e/'] }\n",
        "e2e/fixtures.ts": "import { test as base } from '@playwright/test'\nexport const test = base.extend({})\n",
        "e2e/more.ts": "import { test as base } from './fixtures'\nexport const test = base.extend({})\n",
        "e2e/bare.spec.ts": "test('bare', async () => {})\n",
        "ui/near.spec.ts": "import { test } from '../e2e/fixtures'\ntest('near', async () => {})\n",
        "ui/far.spec.ts": "import { test } from '../e2e/more'\ntest('far', async () => {})\n",
        "src/sum.test.ts": "import { sum } from './sum'\ntest('sums', () => { expect(sum()).toBe(1) })\n",
        "src/sum.ts": "export const sum = () => 1\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        suites = suites_of(reader)
        suites.read(reader, suites.files)
        cases = list(suites.cases.values())
        names = CaseFrameworks(reader, frameworks_in(reader, tmp_path), cases)
        found = {one.name: names.name(one) for one in cases}

    assert found == {"bare": "playwright", "near": "playwright", "far": "playwright", "sums": "jest"}
