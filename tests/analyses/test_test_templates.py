"""Templates of all languages: that they parse, where they go, and how they follow the tests around."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.analyses.test_templates.compose import _WRITERS, compose_test, is_testable_language
from drift.analyses.test_templates.dialects import dialect_of
from drift.analyses.test_templates.naming import learn_naming, name_test
from drift.analyses.test_templates.pairs import Pair, find_pairs, is_of_type, propose, split_test_name
from drift.analyses.test_templates.placeholders import placeholder
from drift.analyses.test_templates.rows import Convention
from drift.analyses.test_templates.subjects import choose_subjects
from drift.index import IndexReader
from drift.languages.syntax import parse
from drift.project import StateDir
from drift.scan import ScanOptions, scan

PROJECTS = Path(__file__).parent.parent / "projects"
LANGUAGES = ("cpp", "csharp", "go", "java", "javascript", "php", "python", "ruby", "rust", "typescript")


def copied(language, tmp_path):
    root = tmp_path / language
    shutil.copytree(PROJECTS / language, root)
    scan(root, ScanOptions(jobs=0))
    return root


def written(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    return root


def compose(root, path, name=None, *, kind="unit"):
    with IndexReader(StateDir(root).index_db) as reader:
        file = reader.files.at(path)
        wanted = [one for one in reader.symbols.of_file(file.id) if one.qualname == name] if name else None
        chosen = choose_subjects(reader, file.id, wanted)
        return compose_test(reader, root, file, chosen, kind=kind)


def grammar_of(path):
    ending = path.rpartition(".")[2]
    return {
        "ts": "typescript", "tsx": "tsx", "js": "javascript", "mjs": "javascript", "cjs": "javascript",
        "py": "python", "go": "go", "rb": "ruby", "rs": "rust", "php": "php", "java": "java", "cs": "csharp",
        "c": "c",
    }.get(ending, "cpp")  # fmt: skip


def whole(template):
    """The template in what it is to be put into, if it is a part of a class."""
    text, grammar = template.template, grammar_of(template.test_file)
    if template.exists and grammar in {"java", "csharp"}:
        return f"class Around {{\n{text}}}\n"
    if template.exists and grammar == "php":
        return f"<?php\nclass Around {{\n{text}}}\n"
    return f"package around\n{text}" if template.exists and grammar == "go" else text


@pytest.mark.parametrize("kind", ["unit", "integration", "e2e"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_template_of_every_fixture_parses(language, kind, tmp_path):
    root = copied(language, tmp_path)
    broken, count = [], 0

    with IndexReader(StateDir(root).index_db) as reader:
        for file in reader.files.page(limit=-1):
            if not is_testable_language(file.language) or file.role == "test":
                continue
            for symbol in reader.symbols.of_file(file.id):
                chosen = choose_subjects(reader, file.id, [symbol])
                if not chosen.subjects:
                    continue
                template = compose_test(reader, root, file, chosen, kind=kind).template
                count += 1
                text = whole(template)
                if parse(grammar_of(template.test_file), text.encode()).root_node.has_error:
                    broken.append(text)
                assert "TODO" in text or "todo!" in text

    assert broken == []
    assert count >= 10


def test_every_writer_has_a_dialect_that_knows_its_default():
    for family in _WRITERS:
        dialect = dialect_of(family)
        assert dialect is not None
        assert dialect.default_framework in dialect.framework
        assert set(dialect.default_files) == {"unit", "integration", "e2e"}


def test_node_accepts_the_templates_of_plain_javascript(tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node here")
    root = copied("javascript", tmp_path)
    template = compose(root, "lib/shapes.mjs", "default.draw").template
    file = tmp_path / "template.mjs"
    file.write_text(template.template)

    run = subprocess.run([node, "--check", str(file)], capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stderr
    assert "new Shapes()" in template.template


def test_a_vitest_project_gets_describe_it_should_and_its_own_stubs(tmp_path):
    test = (
        'import { describe, expect, it, vi } from "vitest"\nimport { Rates } from "./rates"\n\n'
        'describe("Rates", () => {\n  it("should know", () => {\n    const spy = vi.fn()\n'
        "    expect(new Rates().find(spy)).toBe(1)\n  })\n})\n"
    )
    orders = (
        'import { Rates } from "./rates"\nexport class Orders {\n  constructor(private readonly rates: Rates) {}\n'
        "  async price(id: string): Promise<number> {\n    if (!id) throw new TypeError('id')\n"
        "    return this.rates.find(id)\n  }\n}\n"
    )
    rates = "export class Rates {\n  find(id: unknown) { return 1 }\n  other() { return 2 }\n}\n"
    root = written(
        tmp_path / "shop",
        {"src/rates.ts": rates, "src/rates.test.ts": test, "src/orders.ts": orders},
    )

    template = compose(root, "src/orders.ts", "Orders.price").template

    assert template.test_file == "src/orders.test.ts"
    assert template.conventions.framework == Convention("vitest", 1, 1)
    assert template.conventions.mock_style == Convention("vi.fn", 1, 1)
    assert template.template == (
        'import { Orders } from "./orders"\nimport { describe, expect, it, vi } from "vitest"\n\n'
        'describe("Orders.price", () => {\n'
        '  it("should give the expected result", async () => {\n'
        "    const rates = { find: vi.fn() }\n"
        "    const orders = new Orders(rates as never)\n"
        '    const id = "text"\n\n'
        "    const result = await orders.price(id)\n\n"
        "    throw new Error(`TODO: say what price() should give; it gave ${String(result)}`)\n"
        "  })\n\n"
        '  it("should throw TypeError", async () => {\n'
        "    const rates = { find: vi.fn() }\n"
        "    const orders = new Orders(rates as never)\n"
        '    const id = "text"\n\n'
        "    // TODO: arguments that lead to src/orders.ts:5\n"
        "    await expect(orders.price(id)).rejects.toThrow(TypeError)\n"
        "  })\n})\n"
    )


def test_go_tests_stand_beside_in_the_package_and_check_the_error(tmp_path):
    main = "package main\n\nfunc load(path string) (config *Config, err error) { return nil, nil }\n"
    root = written(tmp_path / "shop", {"go.mod": "module example.com/shop\n", "main.go": main})

    template = compose(root, "main.go", "load").template

    assert template.test_file == "main_test.go"
    assert template.template == (
        'package main\n\nimport (\n\t"testing"\n)\n\n'
        'func TestLoad(t *testing.T) {\n\tpath := "text"\n\n'
        "\tgot, err := load(path)\n\tif err != nil {\n"
        '\t\tt.Fatalf("load() error = %v", err)\n\t}\n\n'
        '\tt.Fatalf("TODO: say what load() should give; it gave %v", got)\n}\n\n'
        'func TestLoad_Error(t *testing.T) {\n\tpath := "text"\n\n'
        "\t// TODO: arguments that make it fail\n\t_, err := load(path)\n"
        '\tif err == nil {\n\t\tt.Fatal("load() error = nil, want one")\n\t}\n}\n'
    )


def test_go_tests_outside_the_package_import_it_and_use_testify_where_others_do(tmp_path):
    root = copied("go", tmp_path)

    template = compose(root, "store/store.go", "Open").template

    assert (template.test_file, template.exists) == ("store/store_test.go", True)
    assert "got, err := store.Open(ctx, path)" in template.template
    assert "require.NoError(t, err)" in template.template
    assert 'import "context"' in template.imports


def test_rust_tests_go_into_the_module_there_is(tmp_path):
    root = copied("rust", tmp_path)

    inside = compose(root, "src/store/mod.rs", "Store.open").template
    fresh = compose(root, "src/store/item.rs", "Tag.weight").template

    assert inside.test_file == "src/store/mod.rs"
    assert inside.insert_at.startswith("before line ")
    assert "mod tests" not in inside.template
    assert "Store::open(path);" in inside.template
    assert fresh.template.startswith("#[cfg(test)]\nmod tests {\n    use super::*;\n")
    assert "Tag::default()" in fresh.template


def test_methods_are_added_before_the_end_of_a_java_class(tmp_path):
    root = copied("java", tmp_path)

    template = compose(root, "src/main/java/com/acme/shop/Cart.java", "Cart.describe").template

    assert template.test_file == "src/test/java/com/acme/shop/CartTest.java"
    assert template.insert_at.endswith("the end of class CartTest")
    assert "void describe()" in template.template


def test_a_csharp_dependency_is_mocked_as_the_project_mocks(tmp_path):
    files = {
        "Shop/Cart.cs": "namespace Shop;\npublic interface IPrices { int Of(string id); }\n"
        "public class Cart {\n  public Cart(IPrices prices) {}\n"
        '  public int Total(string id) { if (id == "") throw new ArgumentException("id"); return 1; }\n}\n',
        "Shop/Rate.cs": "namespace Shop;\npublic class Rate { public int Get() { return 1; } }\n",
        "Shop.Tests/RateTests.cs": "using Moq;\nusing Xunit;\nnamespace Shop.Tests;\npublic class RateTests {\n"
        "  [Fact]\n  public void Get_GivesOne() {\n    var prices = new Mock<IPrices>();\n"
        "    Assert.Equal(1, new Rate().Get());\n  }\n}\n",
    }
    root = written(tmp_path / "net", files)

    template = compose(root, "Shop/Cart.cs", "Cart.Total").template

    assert template.test_file == "Shop.Tests/CartTests.cs"
    assert "namespace Shop.Tests;" in template.template
    assert "var prices = new Mock<IPrices>().Object;" in template.template
    assert "public void Total_ThrowsArgumentException()" in template.template
    assert "Assert.Throws<ArgumentException>(() => { cart.Total(id); });" in template.template


@pytest.mark.parametrize(
    ("source", "test", "target", "place"),
    [
        ("shop/cart.py", "tests/test_cart.py", "shop/price.py", "tests/test_price.py"),
        ("src/app/a/x.py", "tests/a/test_x.py", "src/app/b/c/y.py", "tests/b/c/test_y.py"),
        ("src/a/x.ts", "src/a/__tests__/x.test.ts", "src/b/y.tsx", "src/b/__tests__/y.test.tsx"),
        ("src/a/x.ts", "src/a/x.spec.ts", "lib/y.ts", "lib/y.spec.ts"),
        ("a/x.go", "a/x_test.go", "b/y.go", "b/y_test.go"),
        (
            "m/src/main/java/o/X.java",
            "m/src/test/java/o/XTest.java",
            "n/src/main/java/o/p/Y.java",
            "n/src/test/java/o/p/YTest.java",
        ),
        ("src/Shop/A/X.cs", "test/Shop.Tests/A/XTests.cs", "src/Web/B/Y.cs", "test/Web.Tests/B/YTests.cs"),
        ("packages/core/src/x.ts", "packages/core/test/x.spec.ts", "packages/ui/src/y.ts", "packages/ui/test/y.spec.ts"),
        ("app/X.php", "tests/Unit/XTest.php", "app/Models/Y.php", "tests/Unit/Models/YTest.php"),
    ],
)  # fmt: skip
def test_a_pair_shows_where_another_test_belongs(source, test, target, place):
    assert find_pairs([source, target], [test]) == [Pair(source, test)]
    assert propose([Pair(source, test)], target).path == place


def test_the_nearest_pairs_outweigh_more_distant_ones():
    pairs = [
        Pair("lib/a.py", "spec/test_a.py"),
        Pair("lib/b.py", "spec/test_b.py"),
        Pair("src/app/web/c.py", "tests/web/test_c.py"),
    ]

    found = propose(pairs, "src/app/web/d.py")

    assert (found.path, found.backers, found.total) == ("tests/web/test_d.py", 1, 1)


def test_two_sources_of_one_name_that_fit_alike_make_no_pair():
    assert find_pairs(["a/models.py", "b/models.py"], ["tests/test_models.py"]) == []


@given(st.text(alphabet="abcTest_.-Spec/", min_size=1, max_size=30))
def test_the_parts_of_a_test_name_make_the_path_again(path):
    name = split_test_name(path)
    file = f"{name.before}{name.stem}{name.after}"
    file = f"{file}.{name.ending}" if "." in path.rpartition("/")[2] else file

    joined = f"{name.folder}/{file}" if "/" in path else file

    assert joined == path or name.stem == ""


@given(
    st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,20}", fullmatch=True),
    st.sampled_from(
        ["snake", "test: snake", "camel", "Pascal", "Pascal_Parts", "test: camel", "should: snake"]
    ),
)
def test_a_name_of_a_test_is_an_identifier_in_the_style_asked_for(subject, style):
    name = name_test(subject, "raises ValueError", Convention(style, 1, 1), fallback="snake")

    assert name.isidentifier()
    assert learn_naming([name]) is not None
    if "snake" in style:
        assert name == name.lower()


@pytest.mark.parametrize(
    ("family", "type_text", "value"),
    [
        ("python", "str | None", '"text"'),
        ("python", "Annotated[int, Gt(0)]", "1"),
        ("python", "Sequence[Order]", "[]"),
        ("python", "Order", None),
        ("script", "string[]", "[]"),
        ("go", "[]string", "[]string{}"),
        ("java", "long", "1L"),
        ("csharp", "decimal?", "1m"),
        ("php", "?string", "'text'"),
        ("rust", "&'a str", '"text"'),
        ("cpp", "const std::string&", '"text"'),
        ("cpp", "Widget", None),
        ("python", None, None),
    ],
)
def test_a_plain_type_has_a_value_to_begin_with(family, type_text, value):
    assert placeholder(family, type_text) == value


@pytest.mark.parametrize(
    ("path", "kind", "fits"),
    [
        ("tests/test_cart.py", "unit", True),
        ("tests/integration/test_cart.py", "unit", False),
        ("tests/integration/test_cart.py", "integration", True),
        ("e2e/cart.spec.ts", "e2e", True),
        ("src/integrate.test.ts", "unit", True),
    ],
)
def test_the_type_of_a_test_is_told_by_its_path(path, kind, fits):
    assert is_of_type(path, kind) is fits


def test_a_module_that_the_test_file_has_as_a_whole_is_used_through_its_name(tmp_path):
    files = {
        "lib/money.js": "exports.round = function round (value) { return value }\n",
        "test/support/money.js": "exports.some = function some () { return 1 }\n",
        "test/money.js": "var assert = require('node:assert')\nvar money = require('../lib/money')\n\n"
        "describe('money', function () {\n  it('should round', function () {\n"
        "    assert.strictEqual(money.round(1), 1)\n  })\n})\n",
    }
    root = written(tmp_path / "shop", files)

    template = compose(root, "lib/money.js", "round").template

    assert template.test_file == "test/money.js"
    assert "const result = money.round(value)\n" in template.template
    assert template.imports is None


def test_a_python_test_derives_from_what_others_mean_by_the_name_and_from_no_model_of_that_name(tmp_path):
    root = written(
        tmp_path / "shop",
        {
            "shop/__init__.py": "",
            "shop/models.py": "class TestCase:\n    pass\n",
            "shop/rates.py": "def pay():\n    return 1\ndef owe():\n    return 1\n",
            "shop/mail.py": "def send():\n    return 1\n",
            "tests/test_rates.py": "from django.test import TestCase\nfrom shop.rates import pay\n"
            "class RateTests(TestCase):\n    def test_it(self):\n        self.assertTrue(pay())\n",
        },
    )

    added, _ = compose(root, "shop/rates.py", "owe")
    new, _ = compose(root, "shop/mail.py")

    assert "class OweTests(TestCase):\n" in added.template
    assert added.imports == ("from shop.rates import owe",)
    assert "from django.test import TestCase\n" in new.template
    assert "class SendTests(TestCase):\n" in new.template


def test_a_php_test_derives_from_the_class_that_others_derive_from(tmp_path):
    files = {
        "src/Rate.php": "<?php\nnamespace Shop;\nclass Rate { public function get(): int { return 1; } }\n",
        "src/Cart.php": "<?php\nnamespace Shop;\nclass Cart {\n  public function __construct(private Rate $rate) {}\n"
        "  public function total(string $id): int { if (!$id) { throw new \\LogicException('x'); }"
        " throw new LostException('x'); }\n}\n",
        "src/LostException.php": "<?php\nnamespace Shop;\nclass LostException extends \\Exception {}\n",
        "tests/RateTest.php": "<?php\nnamespace Shop\\Tests;\nuse Shop\\Rate;\nuse Acme\\Kit\\TestCase as KitTestCase;\n"
        "class RateTest extends KitTestCase {\n  public function testGet(): void {\n"
        "    $this->assertSame(1, (new Rate())->get());\n  }\n}\n",
    }
    root = written(tmp_path / "shop", files)

    template = compose(root, "src/Cart.php", "Cart.total").template

    assert template.test_file == "tests/CartTest.php"
    assert "namespace Shop\\Tests;\n" in template.template
    assert (
        "use Acme\\Kit\\TestCase;\nuse Shop\\Cart;\nuse Shop\\LostException;\nuse Shop\\Rate;\n"
        in template.template
    )
    assert "class CartTest extends TestCase\n" in template.template
    assert "$rate = $this->createMock(Rate::class);" in template.template
    assert "$this->expectException(LostException::class);" in template.template
    assert "$this->expectException(\\LogicException::class);" in template.template


def test_a_test_named_after_more_than_the_file_is_paired_by_what_it_calls(tmp_path):
    build = "<?php\nnamespace Shop\\{0};\n\nclass Builder\n{{\n    public function get(): int\n    {{\n        return 1;\n    }}\n}}\n"
    test = (
        "<?php\nnamespace Tests;\n\nuse PHPUnit\\Framework\\TestCase;\nuse Shop\\{0}\\Builder;\n\n"
        "class Database{0}BuilderTest extends TestCase\n{{\n    public function testGet(): void\n    {{\n"
        "        $builder = new Builder();\n        $this->assertSame(1, $builder->get());\n    }}\n}}\n"
    )
    root = written(
        tmp_path,
        {
            "composer.json": '{"autoload": {"psr-4": {"Shop\\\\": "src/"}}}',
            "src/Eloquent/Builder.php": build.format("Eloquent"),
            "src/Query/Builder.php": build.format("Query"),
            "tests/DatabaseEloquentBuilderTest.php": test.format("Eloquent"),
            "tests/DatabaseQueryBuilderTest.php": test.format("Query"),
        },
    )

    template, _ = compose(root, "src/Query/Builder.php")

    assert template.test_file == "tests/DatabaseQueryBuilderTest.php"
    assert "calls into" in template.placement
    assert template.existing_test_count == 1


MONEY = """\
package shop;

public class Money {
  private Money(long cents) {}

%s
  public Money plus(Money other) {
    return other;
  }
}
"""


@pytest.mark.parametrize(
    ("maker", "said"),
    [
        (
            "  public static Money of(long cents) { return new Money(cents); }\n",
            "take it from Money.of(cents)",
        ),
        (
            "  private static Money of(long cents) { return new Money(cents); }\n",
            "constructor of Money is private",
        ),
        ("", "every constructor of Money is private"),
    ],
)
def test_a_class_with_private_constructors_only_is_taken_from_its_maker(tmp_path, maker, said):
    root = written(tmp_path, {"src/main/java/shop/Money.java": MONEY % maker})

    template, _ = compose(root, "src/main/java/shop/Money.java", "Money.plus")

    assert "new Money(" not in template.template
    assert said in template.template


@pytest.mark.skipif(shutil.which("javac") is None, reason="needs javac")
def test_javac_compiles_a_template(tmp_path):
    maker = "  public static Money of(long cents) { return new Money(cents); }\n"
    root = written(tmp_path, {"src/main/java/shop/Money.java": MONEY % maker})
    template, _ = compose(root, "src/main/java/shop/Money.java")
    api = "package org.junit.jupiter.api;\npublic "
    written(
        tmp_path,
        {
            template.test_file: template.template,
            "stub/Test.java": f"{api}@interface Test {{}}\n",
            "stub/Assertions.java": f"{api}class Assertions {{ public static void fail(String why) {{}} }}\n",
        },
    )

    files = [str(path) for path in root.rglob("*.java")]
    done = subprocess.run(
        ["javac", "-d", str(tmp_path / "out"), *files], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr


def test_a_php_test_derives_from_a_base_of_the_project_whatever_it_is_called(tmp_path):
    files = {
        "src/Cart.php": "<?php\nnamespace Shop;\nclass Cart {\n  public function total(): int { return 1; }\n}\n",
        "src/Rate.php": "<?php\nnamespace Shop;\nclass Rate { public function get(): int { return 1; } }\n",
        "tests/RateTest.php": "<?php\nnamespace Shop\\Tests;\nuse Shop\\Rate;\n\nclass RateTest extends Base\n{\n"
        "  public function testGet() {\n    $this->assertSame(1, (new Rate())->get());\n  }\n}\n",
    }
    root = written(tmp_path / "shop", files)

    template = compose(root, "src/Cart.php", "Cart.total").template

    assert "class CartTest extends Base\n" in template.template


def test_a_typescript_test_imports_though_scripts_beside_it_require(tmp_path):
    files = {
        "package.json": '{"devDependencies": {"jest": "30"}}',
        "jest.config.js": "const nextJest = require('next/jest');\nmodule.exports = nextJest({});\n",
        "pages/cart.ts": "export default function total(id: string) { return id; }\n",
    }
    root = written(tmp_path / "shop", files)

    template, _ = compose(root, "pages/cart.ts")

    assert "import total from" in template.template
    assert "require(" not in template.template
