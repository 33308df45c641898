"""Templates of tests as projects of each kind have them: where the runner looks, in their words, with what compiles."""

import pytest

from drift.analyses.test_templates.compose import check_language, compose_test
from drift.analyses.test_templates.subjects import choose_subjects
from drift.index import IndexReader
from drift.kernel.errors import DriftError
from drift.project import StateDir
from drift.scan import ScanOptions, scan


@pytest.fixture
def composed(tmp_path):
    """Writes the files, scans them and gives the template for a file, or for one of its functions."""

    def compose(files, path, name=None):
        for each, text in files.items():
            (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / each).write_text(text)
        scan(tmp_path, ScanOptions(jobs=0))
        with IndexReader(StateDir(tmp_path).index_db) as reader:
            file = reader.files.at(path)
            check_language(file)
            symbols = reader.symbols.of_file(file.id)
            wanted = [one for one in symbols if one.qualname == name] if name else None
            return compose_test(reader, tmp_path, file, choose_subjects(reader, file.id, wanted), kind="unit")

    return compose


RAILS = {
    "config/application.rb": "module Shop\n  class Application < Rails::Application\n  end\nend\n",
    "config/routes.rb": "Rails.application.routes.draw do\n  resources :orders, only: [:show]\nend\n",
    "app/models/order.rb": (
        "class Order < ApplicationRecord\n  belongs_to :user\n  attr_reader :note\n\n  def total(user, rate: 1)\n    raise ArgumentError if rate.zero?\n    1\n  end\n\n"
        "  def paid?\n    true\n  end\n\n  private\n\n  def secret\n    1\n  end\nend\n"
    ),
    "app/controllers/orders_controller.rb": "class OrdersController < ApplicationController\n  def show\n    render :show\n  end\nend\n",
    "app/controllers/carts_controller.rb": "class CartsController < ApplicationController\n  def index\n  end\nend\n",
}


def test_a_spec_stands_in_the_mirror_of_its_folder_and_makes_objects_by_factories(composed):
    template = composed(
        {
            **RAILS,
            "spec/rails_helper.rb": "require 'rspec/rails'\n",
            "spec/support/order.rb": "module OrderSupport\nend\n",
            "spec/factories/orders.rb": "FactoryBot.define do\n  factory :order do\n  end\n  factory :user do\n  end\nend\n",
            "app/models/cart.rb": "class Cart < ApplicationRecord\n  def size\n    1\n  end\nend\n",
            "spec/models/cart_spec.rb": (
                '# frozen_string_literal: true\n\nrequire "rails_helper"\n\nRSpec.describe Cart, type: :model do\n'
                '  describe "#size" do\n    it "counts" do\n      expect(create(:cart).size).to eq(1)\n    end\n  end\nend\n'
            ),
        },
        "app/models/order.rb",
    ).template

    assert template.test_file == "spec/models/order_spec.rb"
    assert template.functions == ("Order.total", "Order.paid?")
    assert template.template.startswith(
        '# frozen_string_literal: true\n\nrequire "rails_helper"\n\nRSpec.describe Order, type: :model do\n'
    )
    assert "order = create(:order)\n      user = create(:user)" in template.template
    assert "expect { order.total(user) }.to raise_error(ArgumentError)" in template.template


def test_a_test_of_rails_asks_for_the_route_of_an_action(composed):
    template = composed(
        {
            **RAILS,
            "test/test_helper.rb": 'require "rails/test_help"\n',
            "test/controllers/carts_controller_test.rb": (
                'require "test_helper"\n\nclass CartsControllerTest < ActionDispatch::IntegrationTest\n'
                '  test "should get index" do\n    get carts_url\n    assert_response :success\n  end\nend\n'
            ),
        },
        "app/controllers/orders_controller.rb",
    ).template

    assert template.test_file == "test/controllers/orders_controller_test.rb"
    assert "class OrdersControllerTest < ActionDispatch::IntegrationTest" in template.template
    assert 'get "/orders/1"' in template.template
    assert 'flunk "TODO' in template.template


def test_a_plain_test_of_ruby_requires_what_it_is_of(composed):
    template = composed(
        {"lib/shop/cart.rb": "class Cart\n  def size\n    1\n  end\nend\n"}, "lib/shop/cart.rb"
    ).template

    assert 'require "minitest/autorun"\nrequire "shop/cart"' in template.template
    assert "class CartTest < Minitest::Test\n  def test_size\n" in template.template


def test_a_page_is_refused_as_a_page(composed):
    with pytest.raises(DriftError, match="is a page"):
        composed({"app/views/orders/show.html.erb": "<%= total(1) %>\n"}, "app/views/orders/show.html.erb")


SDK = '<Project Sdk="Microsoft.NET.Sdk">\n<ItemGroup>\n{}\n</ItemGroup>\n</Project>\n'
DOTNET = {
    "src/Shop.Core/Shop.Core.csproj": SDK.format(""),
    "src/Shop.Core/GlobalUsings.cs": "global using Acme.Bus;\n",
    "src/Shop.Core/Carts/Cart.cs": (
        "using Acme.Mail;\nnamespace Shop.Core.Carts;\npublic class Cart\n{\n    private readonly IPost _post;\n"
        "    public Cart(IPost post) { _post = post; }\n    public int Total(int rate) { return rate; }\n}\n"
    ),
    "src/Shop.Core/Carts/Pipe.cs": (
        "namespace Shop.Core.Carts;\npublic class Pipe<TItem>\n{\n    public Pipe(ILog<TItem> log) { }\n"
        "    public int Run(TItem item) { return 1; }\n}\n"
    ),
    "src/Shop.Web/Shop.Web.csproj": SDK.format(
        '<ProjectReference Include="..\\Shop.Core\\Shop.Core.csproj" />'
    ),
    "src/Shop.Web/Page.cs": "namespace Shop.Web;\npublic class Page { }\n",
    "checks/Shop.Rules/Shop.Rules.csproj": SDK.format(
        '<PackageReference Include="Microsoft.NET.Test.Sdk" Version="17.0.0" />\n'
        '<PackageReference Include="xunit" Version="2.4.1" />\n'
        '<ProjectReference Include="..\\..\\src\\Shop.Core\\Shop.Core.csproj" />'
    ),
    "checks/Shop.Rules/Naming/NamingTests.cs": (
        "using Xunit;\nnamespace Shop.Rules.Naming\n{\n    public class NamingTests\n    {\n        [Fact]\n"
        "        public void Names_are_long() { Assert.True(true); }\n    }\n}\n"
    ),
}


def test_a_csharp_test_goes_into_the_project_that_uses_the_code_and_is_written_as_that_compiles(composed):
    template = composed(DOTNET, "src/Shop.Core/Carts/Cart.cs").template

    assert template.test_file == "checks/Shop.Rules/Carts/CartTests.cs"
    assert "namespace Shop.Rules.Carts\n{\n    public class CartTests" in template.template
    assert {"using Acme.Bus;", "using Acme.Mail;", "using Shop.Core.Carts;"} <= set(
        template.template.splitlines()
    )
    assert "throw new Xunit.Sdk.XunitException(" in template.template  # Assert.Fail came later


def test_a_generic_class_in_csharp_leaves_its_parameters_to_the_author(composed):
    template = composed(DOTNET, "src/Shop.Core/Carts/Pipe.cs").template

    assert "TItem item" not in template.template
    assert "ILog<" not in template.template


def test_a_csharp_project_that_no_test_uses_is_said_to_be_one(composed):
    files = {path: text for path, text in DOTNET.items() if not path.startswith("checks/")}

    found = composed(files, "src/Shop.Core/Carts/Cart.cs")

    assert any("no test project" in each for each in found.warnings)


QT = {
    "src/Box.h": "#ifndef BOX_H\nnamespace shop {\nclass Lid {};\nclass Box {\npublic:\n  int open(Lid *lid);\n};\n}\n#endif\n",
    "src/Box.cpp": '#include "Box.h"\nnamespace shop {\nint Box::open(Lid *lid) { return 1; }\n}\n',
    "src/Can.h": "class Can {\npublic:\n  int open();\n};\n",
    "src/Can.cpp": '#include "Can.h"\nint Can::open() { return 1; }\n',
    "tests/runner.h": "#define TEST_MAIN(X) int main() { X x; return QTest::qExec(&x); }\n",
    "tests/CanTest.h": '#include <QtTest>\n#include "tests/runner.h"\n#include "src/Can.h"\nclass CanTest : public QObject {\nQ_OBJECT\nprivate slots:\n  void TestOpen_Should_Work();\n};\n',
    "tests/CanTest.cpp": '#include "CanTest.h"\n\nvoid CanTest::TestOpen_Should_Work()\n{\n\tQCOMPARE(Can().open(), 1);\n}\n\nTEST_MAIN(CanTest);\n',
    "tests/CMakeLists.txt": "set(TESTS\n\tCanTest.cpp\n)\n",
}


def test_a_test_of_qt_is_a_class_of_slots_with_the_main_of_the_project_and_its_line_in_the_build(composed):
    found = composed(QT, "src/Box.cpp", "shop.Box.open")

    assert found.template.test_file == "tests/BoxTest.cpp"
    text = found.template.template
    assert '#include <QtTest>\n#include "src/Box.h"\n#include "tests/runner.h"\n' in text
    assert "private slots:\n\tvoid TestOpen();" in text
    assert "shop::Lid *lid = nullptr;" in text
    assert 'TEST_MAIN(BoxTest);\n\n#include "BoxTest.moc"' in text
    assert found.warnings[0] == "tests/CMakeLists.txt:2 lists CanTest.cpp: add BoxTest.cpp there"


def test_a_test_of_qt_that_is_there_gets_a_definition_and_says_where_it_is_declared(composed):
    found = composed(QT, "src/Can.h", "Can.open").template

    assert found.test_file == "tests/CanTest.cpp"
    assert found.exists
    assert found.template.startswith("void CanTest::TestOpen()\n{\n\tCan can;")
    assert "tests/CanTest.h: void TestOpen();" in found.insert_at


def test_an_enum_of_rust_is_one_of_its_plain_variants_and_what_is_to_do_has_a_type(composed):
    files = {
        "Cargo.toml": '[package]\nname = "shop"\n',
        "src/lib.rs": (
            "pub enum Kind {\n    Big(u8),\n    Small,\n}\nimpl Kind {\n    pub fn price(&self) -> u8 { 1 }\n}\n"
            "pub struct Cart { size: u8 }\nimpl Cart {\n    pub fn size(&self) -> u8 { self.size }\n}\n"
        ),
    }

    text = composed(files, "src/lib.rs").template.template

    assert "let kind: Kind = Kind::Small;" in text
    assert 'let cart: Cart = todo!("a Cart");' in text


def test_a_php_test_stands_where_the_settings_look_and_names_global_classes(composed):
    template = composed(
        {
            "phpunit.xml": '<phpunit><testsuites><testsuite name="Unit"><directory>./tests/Unit</directory></testsuite></testsuites></phpunit>',
            "application/jobs/001_send_mail.php": "<?php\nclass Send_mail {\n    public function run(): void {}\n}\n",
            "tests/TestCase.php": "<?php\nnamespace Tests;\nclass TestCase extends \\PHPUnit\\Framework\\TestCase {}\n",
            "tests/Unit/Helpers/TextTest.php": (
                "<?php\nnamespace Tests\\Unit\\Helpers;\nuse Tests\\TestCase;\nclass TextTest extends TestCase {\n"
                "    public function testIt(): void { $this->assertTrue(true); }\n}\n"
            ),
        },
        "application/jobs/001_send_mail.php",
    ).template

    assert template.test_file == "tests/Unit/Jobs/Send_mailTest.php"
    assert "use Send_mail;\nuse Tests\\TestCase;\n\nclass Send_mailTest extends TestCase" in template.template


def test_a_python_test_joins_the_one_named_after_its_folder_and_has_the_parent_of_that(composed):
    case = "from django.test import TestCase\nfrom shop.services.carts import total\n\n\nclass {}({}):\n    def test_it(self):\n        total()\n"
    files = {
        "shop/services/carts.py": "def total():\n    return 1\n",
        "shop/tests/helpers.py": "from django.test import TestCase\n\n\nclass ApiTestCase(TestCase):\n    pass\n",
        "shop/tests/test_carts_service.py": case.format("CartsServiceTests", "TestCase"),
    }
    api = "from shop.tests.helpers import ApiTestCase\n\n\nclass {}({}):\n    def test_it(self): ...\n"
    files |= {
        f"shop/tests/test_carts_api{number}.py": api.format(f"Api{number}", "ApiTestCase")
        for number in range(4)
    }

    template = composed(files, "shop/services/carts.py").template

    assert template.test_file == "shop/tests/test_carts_service.py"
    assert "(TestCase):" in template.template


SCRIPTS = {
    "package.json": '{"devDependencies": {"vitest": "1"}}',
    "src/api/utils.ts": "export async function fetchJson(url: string) {\n  return fetch(url)\n}\n",
    "src/api/settings.ts": 'import { fetchJson } from "./utils"\n\nexport function get() {\n  return fetchJson("/settings")\n}\n',
    "src/Badge.tsx": "export function Badge({ text }: { text: string }) {\n  return <b>{text}</b>\n}\n",
    "src/api/other.ts": "export const other = () => 1\n",
    "src/api/other.test.ts": (
        'import { expect, it, vi } from "vitest"\nimport { other } from "./other"\n\nit("gives one", () => {\n'
        "  const stub = vi.fn()\n  expect(other()).toBe(1)\n})\n"
    ),
}


def test_a_promise_that_no_word_says_is_waited_for_and_the_network_is_stood_in_for(composed):
    text = composed(SCRIPTS, "src/api/settings.ts").template.template

    assert "async () => {" in text
    assert "await get()" in text
    assert "globalThis.fetch = vi.fn().mockResolvedValue(" in text


def test_a_component_is_rendered(composed):
    template = composed(SCRIPTS, "src/Badge.tsx").template

    assert template.test_file == "src/Badge.test.tsx"
    assert "import { render } from '@testing-library/react'" in template.template
    assert "render(<Badge {...props} />)" in template.template


def test_a_php_test_in_a_new_folder_has_the_namespace_that_the_tests_give_their_folders(composed):
    test = (
        "<?php\nnamespace Shop\\Tests\\Unit\\Helper;\nuse PHPUnit\\Framework\\TestCase;\nclass TextTest extends TestCase {\n"
        "    public function testIt(): void { (new \\Shop\\Helper\\Text())->it(); }\n}\n"
    )
    template = composed(
        {
            "src/Helper/Text.php": "<?php\nnamespace Shop\\Helper;\nclass Text {\n    public function it(): int { return 1; }\n}\n",
            "src/Cart/Bag.php": (
                "<?php\nnamespace Shop\\Cart;\nuse Shop\\Helper\\Text;\nclass Bag {\n"
                "    public function add(Text $text, ?Text $more): int { return 1; }\n}\n"
            ),
            "tests/unit/Helper/TextTest.php": test,
        },
        "src/Cart/Bag.php",
    ).template

    assert template.test_file == "tests/unit/Cart/BagTest.php"
    assert "namespace Shop\\Tests\\Unit\\Cart;" in template.template
    assert "$text = $this->createMock(Text::class);" in template.template
    assert "$more = null; // TODO" in template.template


def test_a_method_of_rust_for_a_type_declared_elsewhere_is_named_with_it(composed):
    files = {
        "Cargo.toml": '[package]\nname = "shop"\n',
        "src/lib.rs": "mod cart;\nmod form;\n",
        "src/cart.rs": "pub struct Cart;\n",
        "src/form.rs": (
            "use crate::cart::Cart;\npub struct Form;\nimpl TryFrom<Form> for Cart {\n    type Error = String;\n"
            "    fn try_from(value: Form) -> Result<Self, Self::Error> { Ok(Cart) }\n}\n"
        ),
    }

    assert "Cart::try_from(value)" in composed(files, "src/form.rs").template.template


def test_a_script_test_takes_what_stands_beside_it_from_there(composed):
    files = {
        **SCRIPTS,
        "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}',
        "src/api/index.ts": 'export * from "./settings"\nexport * from "./other"\n',
        "src/use.ts": 'import { get } from "@/api"\n\nexport const used = get\n',
    }

    assert "from './settings'" in composed(files, "src/api/settings.ts").template.template.replace('"', "'")


def test_a_value_of_rust_for_a_type_parameter_fits_its_bound_and_helpers_of_tests_are_left_out(composed):
    files = {
        "Cargo.toml": '[package]\nname = "shop"\n',
        "src/lib.rs": (
            "use std::path::Path;\npub fn load<P: AsRef<Path>>(from: P) -> u8 { 1 }\n"
            "#[cfg(test)]\nmod tests {\n    fn dummy() -> u8 { 1 }\n    #[test]\n    fn it() { dummy(); }\n}\n"
        ),
    }

    template = composed(files, "src/lib.rs").template

    assert 'let from = std::path::Path::new("text");' in template.template
    assert template.functions == ("load",)


def test_a_spec_of_a_controller_sends_its_action_where_the_folder_alone_says_what_it_is(composed):
    template = composed(
        {
            **RAILS,
            "spec/controllers/carts_controller_spec.rb": (
                'require "spec_helper"\n\nRSpec.describe CartsController do\n  it "works" do\n    get :index\n'
                "    expect(response).to be_ok\n  end\nend\n"
            ),
        },
        "app/controllers/orders_controller.rb",
    ).template

    assert "get :show, params: { id: 1 }" in template.template


def test_a_go_test_stands_in_its_folder_and_takes_no_error_for_an_object(composed):
    template = composed(
        {
            "go.mod": "module example.com/shop\n",
            "api/queue.go": "package api\n\nfunc Show() int { return 1 }\n",
            "api/queue_test.go": (
                'package api\n\nimport (\n\t"testing"\n\n\t"example.com/shop/queue"\n)\n\n'
                "func TestShow(t *testing.T) {\n\tqueue.NewErr(nil)\n\tShow()\n}\n"
            ),
            "queue/queue.go": (
                "package queue\n\ntype Err struct{ inner error }\n\n"
                "func NewErr(inner error) error { return &Err{inner} }\n\nfunc (e *Err) Unwrap() error { return e.inner }\n\n"
                'func (e *Err) Error() string { return "no" }\n'
            ),
        },
        "queue/queue.go",
    ).template

    assert template.test_file == "queue/queue_test.go"
    assert "err := NewErr(" in template.template
    assert "errInstance := &Err{} // TODO" in template.template
    assert ", err := NewErr" not in template.template


def test_a_test_of_mocha_begins_with_it_also_beside_tests_of_jest(composed):
    template = composed(
        {
            "client/package.json": '{"devDependencies": {"jest": "29"}}',
            "client/a.js": "export function a() { return 1; }\n",
            "client/a.test.js": "import { a } from './a';\ntest('gives one', () => { expect(a()).toBe(1); });\n",
            "server/package.json": '{"devDependencies": {"mocha": "10", "chai": "4"}}',
            "server/b.js": "function b() { return 2; }\nmodule.exports = { b };\n",
        },
        "server/b.js",
    ).template

    assert template.conventions.framework.value == "mocha"
    assert "it('" in template.template
    assert "test('" not in template.template
