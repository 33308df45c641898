"""Cases, frameworks and commands in the languages of the small projects."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.analyses.testing.affected import Neighbourhood, reach_nearest, select_tests
from drift.analyses.testing.case_frameworks import CaseFrameworks
from drift.analyses.testing.commands import commands_for
from drift.analyses.testing.frameworks import frameworks_in
from drift.analyses.testing.mocks import cases_of_mock, find_mocks
from drift.analyses.testing.quality import measure_quality
from drift.analyses.testing.reach import Reach, Users, find_cases, find_covered, find_reaching
from drift.analyses.testing.suites import Case, Suites, suites_of
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

PROJECTS = Path(__file__).parents[1] / "projects"


def has_nothing(_path):
    return False


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
    suites.read_all(reader)
    names = CaseFrameworks(reader, frameworks_in(reader, root), suites.cases.values())

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
    suites.read_all(reader)
    (case,) = suites.cases.values()
    covered = find_covered(reader, suites)

    assert case.title == "cart > adds (one)"
    run = {one.name for one in reader.testing.functions() if one.id in covered}
    assert run == {"add", "clear"}
    framework = CaseFrameworks(reader, frameworks_in(reader, root), suites.cases.values()).name(case)
    assert framework == "vitest"
    assert commands_for(framework, [case], has_nothing) == (
        "npx vitest run src/cart.test.ts -t 'cart adds \\(one\\)'",
    )


def test_a_package_of_a_monorepo_has_its_own_runner_whatever_others_use(opened):
    case = "it('adds', () => { expect(add()).toBe(1) })\n"
    reader, root = opened(
        {
            "package.json": '{"private": true}',
            "web/package.json": '{"devDependencies": {"vitest": "1", "@playwright/test": "1"}}',
            "web/cart.test.ts": "import { it } from 'vitest';\nimport { add } from './cart';\n" + case,
            "web/list.test.ts": "import { add } from './cart';\n" + case,
            "web/cart.ts": "export function add() { return 1 }\n",
            "web/e2e/cart.spec.ts": "import { test } from '@playwright/test';\ntest('buys', () => {})\n",
            "api/package.json": '{"devDependencies": {"jest": "1"}}',
            "api/src/cart.spec.ts": "import { add } from './cart';\n" + case,
            "api/src/cart.ts": "export function add() { return 1 }\n",
            "old/karma.conf.js": "",
            "old/src/cart.spec.ts": case,
        }
    )
    suites = Suites(reader)
    suites.read_all(reader)
    names = CaseFrameworks(reader, frameworks_in(reader, root), suites.cases.values())

    assert {case.path: names.name(case) for case in suites.cases.values()} == {
        "web/cart.test.ts": "vitest",
        "web/list.test.ts": "vitest",
        "web/e2e/cart.spec.ts": "playwright",
        "api/src/cart.spec.ts": "jest",
        "old/src/cart.spec.ts": "karma",
    }


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
    suites.read_all(reader)
    (case,) = suites.cases.values()

    assert case.title == "TestAdd"
    assert {one.name for one in reader.testing.functions()} == {"Add"}
    assert commands_for("go testing", [case], has_nothing) == ("go test . -run '^TestAdd$'",)


def test_names_of_tests_cannot_leave_the_quotes_of_a_command(opened):
    reader, _ = opened(
        {
            "package.json": '{"devDependencies": {"jest": "1"}}',
            "a.test.js": 'it("it\'s; rm -rf / {names}", () => { expect(1) })\n',
        }
    )
    suites = Suites(reader)
    suites.read_all(reader)

    (command,) = commands_for("jest", suites.cases.values(), has_nothing)

    assert command.startswith("npx jest a.test.js -t 'it'\"'\"'s; rm ")


def test_java_cases_are_told_from_what_runs_around_them(opened):
    reader, root = opened("java")
    suites = Suites(reader)
    suites.read_all(reader)
    names = CaseFrameworks(reader, frameworks_in(reader, root), suites.cases.values())

    found = {case.name: names.name(case) for case in suites.cases.values()}

    assert found == dict.fromkeys(("anEmptyCartCostsNothing", "counts", "isFull", "testOld"), "junit5")
    assert {one.name for one in reader.symbols.many(suites.runs_for) if one.kind == "method"} == {"open"}


@pytest.mark.parametrize(
    ("framework", "path", "files", "command"),
    [
        ("junit5", "src/test/java/CartTest.java", (), "mvn test -Dtest='CartTest#adds'"),
        ("junit5", "src/test/java/CartTest.java", ("pom.xml",), "mvn test -Dtest='CartTest#adds'"),
        (
            "junit4",
            "core/src/test/java/CartTest.java",
            ("pom.xml", "core/pom.xml"),
            "mvn test -pl core -am -Dsurefire.failIfNoSpecifiedTests=false -Dtest='CartTest#adds'",
        ),
        (
            "junit5",
            "app/core/src/test/java/CartTest.java",
            ("app/core/build.gradle.kts", "gradlew"),
            "./gradlew :app:core:test --tests=CartTest.adds",
        ),
        ("testng", "src/test/java/CartTest.java", ("build.gradle",), "gradle test --tests=CartTest.adds"),
        ("unittest", "shop/tests.py", ("manage.py",), "python ./manage.py test shop.tests.CartTest.adds"),
        (
            "unittest",
            "tests/shop/tests.py",
            ("tests/runtests.py",),
            "python tests/runtests.py shop.tests.CartTest.adds",
        ),
        ("junit5", "src/test/java/CartTest.java", ("pom.xml", "mvnw"), "./mvnw test -Dtest='CartTest#adds'"),
        ("rust test", "src/cart.rs", ("Cargo.toml",), "cargo test -- CartTest::adds"),
        (
            "rust test",
            "crates/cart/src/lib.rs",
            ("Cargo.toml", "crates/cart/Cargo.toml"),
            "cargo test --manifest-path crates/cart/Cargo.toml -- CartTest::adds",
        ),
        ("unittest", "shop/tests.py", (), "python -m unittest shop.tests.CartTest.adds"),
    ],
)
def test_what_builds_the_project_decides_how_its_tests_are_run(framework, path, files, command):
    case = Case(1, 1, "CartTest.adds", "adds", "CartTest", path, 3, 5, "java", "")

    assert commands_for(framework, [case], set(files).__contains__) == (command,)


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("pom.xml", "mvn test -Dtest='CartIT$Items#adds'"),
        ("build.gradle", "gradle test '--tests=CartIT$Items.adds'"),
    ],
)
def test_a_class_in_another_is_named_as_the_machine_calls_it(file, command):
    path = "src/test/java/CartIT.java"
    case = Case(1, 1, "CartIT.Items.adds", "adds", "CartIT.Items", path, 3, 5, "java", "")

    assert commands_for("junit5", [case], {file}.__contains__) == (command,)


def test_cases_of_two_modules_make_two_commands():
    cases = [
        Case(number, number, "T.t", "t", "T", f"{module}/T.java", 1, 2, "java", "")
        for number, module in enumerate(("a", "b"), 1)
    ]

    found = commands_for("junit5", cases, {"a/pom.xml", "b/pom.xml"}.__contains__)

    assert [each.split(" -am")[0] for each in found] == ["mvn test -pl a", "mvn test -pl b"]


def test_a_mock_in_a_field_holds_for_every_test_of_its_class(opened):
    reader, root = opened(
        {
            "pom.xml": "<project/>",
            "src/main/java/shop/Store.java": "package shop;\npublic class Store { public int count() { return 1; } }\n",
            "src/test/java/shop/CartTest.java": "package shop;\nimport org.junit.jupiter.api.Test;\n"
            "import org.mockito.Mock;\nclass CartTest {\n  @Mock Store store;\n"
            "  @Test void one() { store.count(); }\n  @Test void two() { }\n}\n",
        }
    )
    suites = Suites(reader)
    suites.read_all(reader)
    (mock,) = find_mocks(reader, suites, suites.files, lambda path: (root / path).read_text())

    assert {suites.cases[case].name for case in cases_of_mock(suites, mock)} == {"one", "two"}
    quality = measure_quality(
        reader, suites, suites.cases.values(), mocks=(mock,), read=lambda path: (root / path).read_text()
    )
    assert {one.case.name: one.mocks for one in quality} == {"one": 1, "two": 1}


SPIES = """\
import * as prices from '../src/prices';
import * as fs from 'fs';
import { Store } from '../src/store';

describe('cart', () => {
  let store: Store;
  const made = new Store();
  it('spies', () => {
    vi.spyOn(store, 'count').mockReturnValue(1);
    vi.spyOn(made, 'inherited');
    vi.spyOn(made as any, 'count');
    vi
      .spyOn(store, 'count');
    vi.spyOn(prices, 'total');
    vi.spyOn(fs, 'readFileSync');
    vi.spyOn(console, 'log');
    vi.spyOn(unknown, 'thing');
    made.count = vi.fn();
    const module = { provide: Store, useValue: { count: vi.fn(), other: vi.fn() } };
    const handed = { render: vi.fn() };
  });
});
"""


def test_what_a_spy_replaces_is_told_by_the_type_of_its_object(opened):
    reader, root = opened(
        {
            "package.json": '{"devDependencies": {"vitest": "1"}}',
            "src/store.ts": "class Base { inherited() { return 1 } }\n"
            "export class Store extends Base { count() { return 1 } }\n",
            "src/prices.ts": "export function total() { return 1 }\n",
            "test/cart.test.ts": SPIES,
        }
    )
    suites = Suites(reader)
    found = find_mocks(reader, suites, suites.files, lambda path: (root / path).read_text())
    names = {
        one.id: one.qualname for one in reader.symbols.many({each for one in found for each in one.targets})
    }

    told = [(one.line, one.target, one.is_external, one.is_double) for one in found]
    assert told == [
        (9, "store.count", False, False),
        (10, "made.inherited", False, False),
        (11, "made.count", False, False),
        (13, "store.count", False, False),
        (14, "prices.total", False, False),
        (15, "fs.readFileSync", True, False),
        (16, "console.log", True, False),
        (17, "unknown.thing", None, False),
        (18, "made.count", False, False),
        (19, "Store", False, False),
        (19, "Store", False, False),
        (20, None, None, True),
    ]
    assert [names[each] for each in found[1].targets] == ["Base.inherited"]
    assert [names[each] for each in found[4].targets] == ["total"]


def test_what_a_module_of_a_test_provides_in_the_place_of_classes_replaces_them(opened):
    reader, root = opened(
        {
            "package.json": '{"devDependencies": {"jest": "1"}}',
            "src/shop.ts": "export class Store { count() {} }\nexport class Guard { may() {} }\nexport class Mail { send() {} }\n"
            "export class Cart { constructor(private store: Store) {} total() { return this.store.count() } }\n",
            "test/cart.spec.ts": "import { Cart, Guard, Mail, Store } from '../src/shop';\nconst double = () => ({ count: jest.fn() });\n"
            "describe('cart', () => {\n  let cart: Cart;\n  beforeEach(async () => {\n    const module = await Test.createTestingModule({\n"
            "      providers: [Cart, { provide: Store, useFactory: double }, { provide: Mail, useClass: Mail }],\n"
            "    }).overrideGuard(Guard).useValue(open).compile();\n    cart = module.get(Cart);\n  });\n"
            "  it('adds', () => { cart.total(); });\n});\n",
        }
    )
    suites = Suites(reader)
    suites.read_all(reader)
    found = find_mocks(reader, suites, suites.files, lambda path: (root / path).read_text())

    assert {one.target for one in found if not one.is_double} == {"Store", "Guard"}
    assert {
        suites.cases[case].name
        for one in found
        if one.target == "Store"
        for case in cases_of_mock(suites, one)
    } == {"adds"}


def reach(case, depth, confidence):
    return Reach(case, depth, confidence, (case, None))


def test_a_test_that_calls_a_function_stands_for_it_before_one_that_reaches_many_from_afar():
    users = Users(
        {1: ((10, 1.0), (20, 1.0)), 20: ((21, 1.0),), 21: ((22, 1.0),), 2: ((20, 1.0),)}, is_cut=False
    )
    suites = SimpleNamespace(case_of={10: 10, 22: 22}, runs_for={}, cases={10: "near", 22: "far"})
    around = Neighbourhood((1, 2), users, frozenset({10, 22}))

    near, mocked = reach_nearest(around, suites, {})
    found = select_tests(near, suites, seconds={})

    assert {function: set(cases) for function, cases in near.items()} == {1: {10}, 2: {22}}
    assert [(one.case, one.covers) for one in found.chosen] == [("near", (1,)), ("far", (2,))]
    assert not mocked


def test_a_replaced_way_does_not_count_and_the_next_test_stands_in():
    users = Users({1: ((10, 1.0), (20, 1.0)), 20: ((21, 1.0),), 21: ((22, 1.0),)}, is_cut=False)
    suites = SimpleNamespace(case_of={10: 10, 22: 22}, runs_for={})
    around = Neighbourhood((1,), users, frozenset({10, 22}))

    near, mocked = reach_nearest(around, suites, {10: frozenset({1})})

    assert set(near[1]) == {22}
    assert mocked == {1}


@given(
    st.dictionaries(
        st.integers(1, 12),
        st.dictionaries(st.integers(100, 120), st.tuples(st.integers(1, 8), st.floats(0.2, 1)), max_size=6),
        max_size=8,
    ),
    st.dictionaries(st.integers(100, 120), st.floats(0, 100)),
)
def test_the_chosen_tests_cover_all_that_any_test_covers_and_none_is_idle(table, seconds):
    reaching = {
        function: {case: reach(case, *row) for case, row in cases.items()}
        for function, cases in table.items()
    }
    suites = SimpleNamespace(cases={case: case for cases in reaching.values() for case in cases})

    found = select_tests(reaching, suites, seconds=seconds)

    covered = [function for one in found.chosen for function in one.covers]
    assert sorted(covered) == sorted(function for function, cases in reaching.items() if cases)
    assert all(one.covers for one in found.chosen)
    assert set(found.uncovered) == {function for function, cases in reaching.items() if not cases}


def test_a_walk_from_many_finds_all_that_walks_from_each_find():
    # A shorter way that is unsure must not hide a longer that is sure.
    users = Users(
        {1: ((3, 0.3),), 2: ((4, 1.0),), 4: ((3, 1.0),), 3: ((10, 0.5),)},
        is_cut=False,
    )
    suites = SimpleNamespace(case_of={10: 10}, runs_for={})

    assert set(find_reaching(users, suites, 2)) == {10}
    assert find_cases(users, suites, (1, 2)) == {10}


def test_what_is_known_of_an_index_is_kept_until_it_changes(opened):
    reader, root = opened(
        {"shop.py": "def one():\n    return 1\n", "test_shop.py": "def test_a():\n    pass\n"}
    )
    first = suites_of(reader)

    assert suites_of(reader) is first
    (root / "test_shop.py").write_text("def test_a():\n    pass\n\n\ndef test_b():\n    pass\n")
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as later:
        assert suites_of(later) is not first
        assert suites_of(later).count_all(later) == 2
