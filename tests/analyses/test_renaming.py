"""Renames: whole, no wider than they are, and still code afterwards."""

import subprocess

import pytest

from drift.analyses.lookup import find_symbols
from drift.analyses.usages.leaving import sort_left
from drift.analyses.usages.patching import diff_file, make_patch
from drift.analyses.usages.renaming import plan_rename, renamed_symbol, why_no_name
from drift.analyses.usages.shorthand import is_shorthand
from drift.index import IndexReader
from drift.kernel.errors import DriftError
from drift.scan import ScanOptions, scan


@pytest.fixture
def project(tmp_path):
    """A project of these files; what it gives back renames a symbol in it and applies the patch."""

    class Project:
        root = tmp_path

        def write(self, files):
            for path, text in files.items():
                (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / path).write_bytes(text.encode())
            scan(tmp_path, ScanOptions(jobs=0))

        def plan(self, wanted, new, **more):
            with IndexReader(tmp_path / ".drift/drift.db") as reader:
                symbol = find_symbols(reader, wanted).symbols[0]
                return plan_rename(reader, tmp_path, symbol, new, **more)

        def rename(self, wanted, new, **more):
            plan = self.plan(wanted, new, **more)
            with IndexReader(tmp_path / ".drift/drift.db") as reader:
                patch = make_patch(reader, plan)
            if patch.diff:
                subprocess.run(
                    ["git", "apply", "-"],
                    cwd=tmp_path,
                    input=patch.diff.encode(),
                    check=True,
                    capture_output=True,
                )
            return patch

        def text(self, path):
            return (tmp_path / path).read_bytes().decode()

    return Project()


def test_a_type_of_go_is_no_key_of_what_is_made(project):
    project.write(
        {
            "go.mod": "module shop\n",
            "handle.go": "package shop\n\ntype Handler struct{}\n\nfunc of(x any) bool {\n\tswitch x.(type) {\n\tcase Handler:\n"
            "\t\treturn true\n\t}\n\treturn false\n}\n",
            "serve.go": 'package shop\n\nimport "net/http"\n\nfunc serve(r http.Handler) *http.Server {\n\treturn &http.Server{\n'
            '\t\tAddr:    ":80",\n\t\tHandler: r,\n\t}\n}\n',
        }
    )

    project.rename("Handler", "Answerer")

    assert "case Answerer:" in project.text("handle.go")
    assert "Answerer" not in project.text("serve.go")


def test_a_function_is_renamed_where_it_is_meant_and_nowhere_else(project):
    project.write(
        {
            "pricing.py": '__all__ = ["total"]\n\n\ndef total(items):\n    return sum(items)\n',
            "bill.py": "from pricing import total\n\n\ndef pay(items):\n    return total(items)\n",
            "other.py": "def pay(total):\n    return total\n",
            "test_bill.py": 'from unittest.mock import patch\n\n\n@patch("pricing.total")\ndef test_it(fake): ...\n',
            "README.md": "Call `total`.\n",
        }
    )

    project.rename("pricing.py:4", "grand_total")

    assert (
        project.text("pricing.py")
        == '__all__ = ["grand_total"]\n\n\ndef grand_total(items):\n    return sum(items)\n'
    )
    assert (
        project.text("bill.py")
        == "from pricing import grand_total\n\n\ndef pay(items):\n    return grand_total(items)\n"
    )
    assert project.text("other.py") == "def pay(total):\n    return total\n"
    assert '"pricing.grand_total"' in project.text("test_bill.py")
    assert project.text("README.md") == "Call `total`.\n"


def test_a_struct_of_rust_is_renamed_where_a_pattern_further_down_takes_one_apart(project):
    project.write(
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/main.rs": "struct Bill { total: u32 }\nimpl Bill { fn load() -> Bill { Bill { total: 1 } } }\n"
            "fn pay() -> u32 {\n    let bill = Bill::load();\n    let Bill { total } = bill;\n    total\n}\n",
        }
    )

    project.rename("src/main.rs:1", "Invoice")

    assert "Bill" not in project.text("src/main.rs")


def test_a_key_of_a_text_that_has_the_name_of_a_member_stays(project):
    files = {
        "notices/mail.go": (
            "package notices\n\ntype Mail struct {\n\tgreeting string\n}\n\n"
            'func (m *Mail) Greet() string {\n\treturn m.greeting + translate("notices.greeting")\n}\n\n'
            "func translate(key string) string { return key }\n"
        )
    }
    project.write(files)

    plan = project.plan("Mail.greeting", "salute")

    assert sorted((use.line, use.kind) for use in plan.changed) == [(4, "declaration"), (8, "value")]
    assert [use.kind for use in plan.left] == ["string"]


def test_documents_and_comments_change_where_that_is_asked_for(project):
    project.write({"a.py": "# total is slow\ndef total(): ...\n", "README.md": "Call `total`, totally.\n"})

    project.rename("total", "add_up", certainty="text")

    assert project.text("a.py") == "# add_up is slow\ndef add_up(): ...\n"
    assert project.text("README.md") == "Call `add_up`, totally.\n"


def test_overriders_are_renamed_together(project):
    project.write(
        {
            "shapes.py": "class Shape:\n    def area(self): ...\n\n\nclass Box(Shape):\n    def area(self): ...\n",
            "use.py": "from shapes import Box\n\nBox().area()\n",
        }
    )

    project.rename("Box.area", "surface")

    assert "area" not in project.text("shapes.py") + project.text("use.py")


def test_a_public_type_of_java_takes_its_file_with_it(project):
    project.write(
        {
            "src/Cart.java": "package shop;\n\npublic class Cart {\n  public Cart() {}\n}\n",
            "src/Shop.java": "package shop;\n\nclass Shop {\n  Cart cart = new Cart();\n}\n",
        }
    )

    project.rename("Cart", "Basket")

    assert not (project.root / "src/Cart.java").exists()
    assert project.text("src/Basket.java").count("Basket") == 2
    assert (
        project.text("src/Shop.java") == "package shop;\n\nclass Shop {\n  Basket cart = new Basket();\n}\n"
    )


def test_a_class_of_php_takes_the_file_it_is_loaded_from_with_it(project):
    project.write({"src/Cart.php": "<?php\nnamespace Shop;\nclass Cart {}\n"})

    project.rename("Cart", "Basket")

    assert project.text("src/Basket.php") == "<?php\nnamespace Shop;\nclass Basket {}\n"


@pytest.mark.parametrize(
    ("path", "moved"),
    [
        ("database/migrations/2024_01_31_120000_add_cart_lines.php", "2024_01_31_120000_drop_v2_lines.php"),
        ("database/migrations/2024_01_31_120000_add_cart.php", None),
        ("database/add_cart_lines.php", None),
    ],
)
def test_a_migration_of_php_takes_the_file_it_is_found_by_with_it(project, path, moved):
    project.write({path: "<?php\nclass AddCartLines extends Migration {}\n"})

    project.rename("AddCartLines", "DropV2Lines")

    there = f"{path.rpartition('/')[0]}/{moved}" if moved else path
    assert project.text(there) == "<?php\nclass DropV2Lines extends Migration {}\n"


def test_a_property_that_has_the_name_of_a_variable_keeps_it(project):
    project.write(
        {
            "src/sum.ts": "export function total(x: number[]) { return x.length; }\n",
            "src/use.ts": "import { total } from './sum';\nexport const api = { total, other: 1 };\n",
        }
    )

    project.rename("total", "count")

    assert project.text("src/use.ts") == (
        "import { count } from './sum';\nexport const api = { total: count, other: 1 };\n"
    )


def test_a_variable_that_has_the_name_of_a_property_keeps_it(project):
    project.write(
        {
            "src/types.ts": "export interface Props {\n  visible: boolean;\n}\n",
            "src/use.ts": "import { Props } from './types';\n"
            "export const show = ({ visible }: Props) => (visible ? 1 : 0);\n"
            "export const read = (props: Props) => props.visible;\n",
        }
    )

    project.rename("Props.visible", "shown")

    assert project.text("src/use.ts") == (
        "import { Props } from './types';\n"
        "export const show = ({ shown: visible }: Props) => (visible ? 1 : 0);\n"
        "export const read = (props: Props) => props.shown;\n"
    )


def test_a_name_that_is_taken_blocks(project):
    project.write(
        {
            "a.py": "def total(): ...\n\n\ndef count(): ...\n",
            "b.py": "class C:\n    def total(self): ...\n\n    def count(self): ...\n",
        }
    )

    assert project.plan("a.py:1", "count").is_blocked
    assert project.plan("C.total", "count").is_blocked
    assert not project.plan("a.py:1", "amount").is_blocked


def test_what_a_person_has_to_look_at_is_said(project):
    project.write(
        {
            "a.py": "import abc\n\n\nclass C(abc.ABC):\n    def total(self):\n        amount = 1\n        return self.total() + amount\n",
            "b.py": "from a import C\n\nC().total(\n",
        }
    )

    kinds = {one.kind for one in project.plan("C.total", "amount").conflicts}

    assert {"public", "outside", "present"} <= kinds


def test_a_file_with_syntax_errors_is_named(project):
    project.write({"a.py": "def total(): ...\n", "b.py": "from a import total\n\ntotal()\ndef (:\n"})

    assert "partial" in {one.kind for one in project.plan("total", "amount").conflicts}


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("class", "python"),
        ("func", "go"),
        ("a-b", "python"),
        ("1a", "java"),
        ("", "rust"),
        ("a b", None),
        ("new", "typescript"),
        ("seen?", "python"),
    ],
)
def test_a_name_that_is_none_is_refused(name, language):
    assert why_no_name(name, language)


@pytest.mark.parametrize(
    ("name", "language"), [("total", "python"), ("$el", "typescript"), ("größe", "java"), ("seen?", "ruby")]
)
def test_a_good_name_is_taken(name, language):
    assert why_no_name(name, language) is None


@pytest.mark.parametrize(
    ("said", "path", "moves"),
    [
        ("config.eager_load_paths << Rails.root.join('lib')", "lib/text/cart_item.rb", True),
        (
            "config.autoload_paths += %W[#{config.root}/lib #{config.root}/extras]",
            "extras/cart_item.rb",
            True,
        ),
        ("config.autoload_paths << Rails.root.join('x', 'lib')", "x/lib/cart_item.rb", True),
        ("config.autoload_lib(ignore: %w[assets tasks])", "lib/cart_item.rb", True),
        ("config.autoload_paths << Rails.root.join('x', 'lib')", "lib/cart_item.rb", False),
        ("# config.autoload_paths << Rails.root.join('lib')", "lib/cart_item.rb", False),
    ],
)
def test_a_folder_that_settings_have_loaded_by_name_keeps_files_called_like_their_classes(
    project, said, path, moves
):
    project.write(
        {
            "config/application.rb": f"class App < Rails::Application\n  {said}\nend\n",
            path: "class CartItem\nend\n",
        }
    )

    plan = project.plan("CartItem", "BasketLine")

    assert plan.moves == ({path: path.replace("cart_item", "basket_line")} if moves else {})


def test_a_file_that_would_not_parse_is_left_out_and_named(project):
    project.write({"a.py": "def total(): ...\n"})

    patch = project.rename("total", "not a name(")

    assert patch.refused == {"a.py": "would not parse any more"}
    assert patch.diff == ""


def test_line_ends_and_a_missing_last_one_are_kept(project):
    project.write({"a.py": "def total(): ...\r\n\r\n\r\ntotal()"})

    project.rename("total", "amount")

    assert project.text("a.py") == "def amount(): ...\r\n\r\n\r\namount()"


def test_far_changes_have_hunks_of_their_own():
    old = b"".join(b"%d\n" % number for number in range(40))
    new = old.replace(b"3\n4", b"3\nx", 1).replace(b"\n30\n", b"\ny\n")

    diff = diff_file("a", old, new)

    assert diff.count("@@ -") == 2
    assert "@@ -2,7 +2,7 @@" in diff


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f({ total });", True),
        ("return { a, total, b };", True),
        ("import { total } from 'x';", False),
        ("export { total };", False),
        ("module.exports = { total };", False),
        ("const { total } = x;", False),
        ("f(a, total, b);", False),
        ("[total, 1]", False),
        ("({ total }) => 1", False),
        ("<Row value={total} />", False),
        ("const row={total}", True),
        ("<p>Sum: {total}</p>", False),
    ],
)
def test_short_properties_are_told_from_other_lists(text, expected):
    start = text.index("total")

    assert is_shorthand(text.encode(), start, start + 5) is expected


@pytest.mark.parametrize(
    ("path", "moved"),
    [
        ("app/models/cart_item.rb", "app/models/basket_line.rb"),
        ("db/migrate/20240101_cart_item.rb", "db/migrate/20240101_basket_line.rb"),
        ("lib/cart_item.rb", None),  # which others require by its name
        ("app/models/old_cart_item.rb", None),
    ],
)
def test_a_file_that_a_loader_finds_by_the_name_of_its_class_moves_with_it(project, path, moved):
    project.write({path: "class CartItem\nend\n"})

    project.rename("CartItem", "BasketLine")

    assert project.text(moved or path) == "class BasketLine\nend\n"
    assert (project.root / path).exists() == (moved is None)


def test_such_a_file_has_each_run_of_capitals_as_one_word(project):
    project.write({"app/models/api_client.rb": "class APIClient\nend\n"})

    project.rename("APIClient", "HTTPClient")

    assert project.text("app/models/http_client.rb") == "class HTTPClient\nend\n"


def test_a_new_name_for_a_constructor_is_one_for_its_class(project):
    project.write(
        {"Order.java": "class Order {\n  Order(int id) {}\n  Order copy() { return new Order(1); }\n}\n"}
    )

    with IndexReader(project.root / ".drift/drift.db") as reader:
        (made,) = [one for one in reader.symbols.named("Order") if one.kind == "constructor"]
        (method,) = reader.symbols.named("copy")
        found, told = renamed_symbol(reader, made, ())

        assert (found.kind, found.qualname) == ("class", "Order")
        assert told == ("a constructor has the name of its class: this renames Order at Order.java:1",)
        assert renamed_symbol(reader, method, ()) == (method, ())


def test_what_stands_apart_from_its_declaration_is_renamed_in_all_that_override_it(project):
    project.write(
        {
            "src/Shape.h": "class Shape {\npublic:\n  virtual int area() const = 0;\n};\n",
            "src/Box.h": '#include "Shape.h"\nclass Box : public Shape {\npublic:\n  Box();\n  int area() const override;\n};\n',
            "src/Box.cpp": '#include "Box.h"\nBox::Box() {}\nint Box::area() const { return 1; }\n',
            "src/Disc.h": '#include "Shape.h"\nclass Disc : public Shape {\npublic:\n  int area() const override;\n};\n',
            "src/Disc.cpp": '#include "Disc.h"\nint Disc::area() const { return 2; }\n',
            "src/use.cpp": '#include "Disc.h"\nint use() { Disc disc; return disc.area(); }\n',
        }
    )

    project.rename("src/Box.h:5", "surface")

    texts = "".join(
        project.text(f"src/{name}") for name in ("Shape.h", "Box.h", "Box.cpp", "Disc.h", "Disc.cpp")
    )
    assert texts.count("surface") == 5
    assert "area" not in texts
    assert "disc.surface()" in project.text("src/use.cpp")


def test_a_class_takes_the_constructors_with_it_that_stand_apart_and_no_path_of_its_file(project):
    project.write(
        {
            "src/Box.h": "class Box {\npublic:\n  Box(int size);\n  int area() const;\n};\n",
            "src/Box.cpp": '#include "Box.h"\nBox::Box(int size) {}\nint Box::area() const { return 1; }\n',
            "tests/BoxTest.cpp": '#include "src/Box.h"\nint main() { Box box(1); return box.area(); }\n',
        }
    )

    project.rename("Box", "Crate")

    assert project.text("src/Box.cpp").startswith('#include "Box.h"\nCrate::Crate(int size) {}\nint Crate::')
    assert project.text("tests/BoxTest.cpp").startswith('#include "src/Box.h"\nint main() { Crate box')


def test_a_class_of_the_same_name_in_another_namespace_keeps_it_though_it_is_only_declared_ahead(project):
    project.write(
        {
            "box.h": (
                "namespace Ui { class Box; }\nnamespace lib { class Cart; }\n"
                "class Box {\npublic:\n  Box();\n  Ui::Box* ui;\n  lib::Cart* cart;\n};\n"
            ),
            "box.cpp": '#include "box.h"\nBox::Box() : ui(new Ui::Box) {}\nint f() { ::Box b; return 1; }\n',
            "cart.h": "namespace lib {\nclass Cart;\nclass Cart { public: int total(); };\n}\n",
        }
    )

    project.rename("Box", "Crate")
    project.write({})
    project.rename("Cart", "Basket")

    assert project.text("box.h") == (
        "namespace Ui { class Box; }\nnamespace lib { class Basket; }\n"
        "class Crate {\npublic:\n  Crate();\n  Ui::Box* ui;\n  lib::Basket* cart;\n};\n"
    )
    assert project.text("box.cpp") == (
        '#include "box.h"\nCrate::Crate() : ui(new Ui::Box) {}\nint f() { ::Crate b; return 1; }\n'
    )
    assert project.text("cart.h").count("Basket") == 2


def test_a_member_that_overrides_something_outside_is_not_renamed(project):
    project.write(
        {
            "Cart.cs": "namespace Shop;\npublic class Cart {\n  public override int GetHashCode() { return 1; }\n}\n",
            "src/lib.rs": (
                "use std::fmt;\npub struct Cart;\nimpl Cart {\n    pub fn total(&self) -> u8 { 1 }\n}\n"
                "impl fmt::Display for Cart {\n    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) }\n}\n"
            ),
        }
    )

    in_csharp, of_trait, own = (
        project.plan("Cart.cs:3", "Code"),
        project.plan("src/lib.rs:7", "show"),
        project.plan("src/lib.rs:4", "sum"),
    )

    assert in_csharp.is_blocked
    assert "overrides something" in in_csharp.conflicts[-1].message
    assert of_trait.is_blocked
    assert not own.is_blocked


def test_code_that_a_tool_wrote_and_that_is_compiled_with_the_rest_follows_a_type(project):
    project.write(
        {
            "ShopContext.cs": "namespace Shop.Data;\npublic class ShopContext { }\n",
            "Migrations/Init.Designer.cs": (
                "// <auto-generated />\nusing Shop.Data;\nnamespace Shop.Migrations\n{\n"
                "    [DbContext(typeof(ShopContext))]\n    partial class Init { }\n}\n"
            ),
        }
    )

    project.rename("ShopContext", "StoreContext")

    assert "typeof(StoreContext)" in project.text("Migrations/Init.Designer.cs")


def test_a_module_that_goes_on_in_other_files_is_one_and_takes_its_folder_with_it(project):
    project.write(
        {
            "app/models/couriers/bike.rb": "module Couriers\n  class Bike\n  end\nend\n",
            "app/models/couriers/van.rb": "class Couriers::Van < Couriers::Bike\nend\n",
            "app/models/order.rb": 'class Order\n  KIND = "Couriers::Bike"\n  def by\n    Couriers::Van.new\n  end\nend\n',
        }
    )

    project.rename("app/models/couriers/bike.rb:1", "Senders")

    assert project.text("app/models/senders/bike.rb").startswith("module Senders")
    assert project.text("app/models/senders/van.rb").startswith("class Senders::Van < Senders::Bike")
    assert '"Senders::Bike"' in project.text("app/models/order.rb")
    assert "Senders::Van.new" in project.text("app/models/order.rb")


def test_an_association_says_what_is_named_after_it(project):
    project.write(
        {
            "app/models/entry.rb": "class Entry < ApplicationRecord\n  belongs_to :user\nend\n",
            "app/models/user.rb": "class User < ApplicationRecord\nend\n",
            "app/views/entries/show.html.erb": "<p><%= user.name %></p>\n<p><%= @entry.user.name %></p>\n",
        }
    )

    plan = project.plan("Entry.user", "reader")

    assert any("column user_id" in one.message for one in plan.conflicts)
    page = [use for use in plan.left if use.path.endswith(".erb") and use.certainty != "text"]
    assert 1 not in {use.line for use in page}


def test_a_name_alone_in_another_package_is_something_else(project):
    project.write(
        {
            "go.mod": "module shop\n",
            "a/client.go": "package a\n\ntype Client struct{}\n",
            "b/client.go": "package b\n\ntype Client struct{}\n\nfunc New() *Client { return &Client{} }\n",
            "src/x/Cart.java": "package x;\nclass Cart { Cart next; }\n",
            "src/y/Cart.java": "package y;\nclass Cart { Cart next; }\n",
        }
    )

    in_go, in_java = project.plan("a/client.go:3", "Caller"), project.plan("src/x/Cart.java:2", "Basket")

    assert {use.path for use in (*in_go.changed, *in_go.left)} == {"a/client.go"}
    assert {use.path for use in (*in_java.changed, *in_java.left)} == {"src/x/Cart.java"}


def test_the_name_of_a_member_in_a_setting_that_names_its_type_follows(project):
    project.write(
        {
            "src/x/OrderMapper.java": "package x;\npublic interface OrderMapper { Order load(int id); }\n",
            "src/x/OrderMapper.xml": '<mapper namespace="x.OrderMapper">\n<select id="load">select 1</select>\n</mapper>\n',
            "src/x/CartMapper.xml": '<mapper namespace="x.CartMapper">\n<select id="load">select 1</select>\n</mapper>\n',
        }
    )

    project.rename("OrderMapper.load", "read")

    assert 'id="read"' in project.text("src/x/OrderMapper.xml")
    assert 'id="load"' in project.text("src/x/CartMapper.xml")


def test_objects_that_are_named_otherwise_and_words_of_prose_are_counted_and_not_shown(project):
    calls = "".join(f"def call{number}(lang):\n    lang.load({number})\n\n\n" for number in range(9))
    project.write(
        {
            "carts.py": "class Cart:\n    def load(self): ...\n",
            "langs.py": "class Lang:\n    def load(self, text): ...\n",
            "other.py": f"{calls}def read(loader, cart):\n    cart.load()\n",
            "README.md": "How to load a page.\n",
        }
    )

    left = sort_left(project.plan("Cart.load", "open"))

    assert left.counts == {"possible": 1, "text": 1}
    assert [use.text for use in left.shown] == ["cart.load()"]


def test_a_component_is_renamed_where_it_is_the_value_of_an_attribute_or_stands_between_tags(project):
    project.write(
        {
            "src/Page.tsx": "export const total = 1;\nexport const Page = () => <p>a</p>;\n",
            "src/Routes.tsx": (
                "import { Page, total } from './Page';\n\n"
                'export const Routes = () => (\n  <Route path="/" component={Page}>\n    {total}, {total}\n  </Route>\n);\n'
            ),
        }
    )

    project.rename("Page", "Start")
    scan(project.root, ScanOptions(jobs=0))
    project.rename("total", "sum")

    assert "component={Start}" in project.text("src/Routes.tsx")
    assert "{sum}, {sum}" in project.text("src/Routes.tsx")


def test_what_the_language_calls_by_its_name_keeps_that(project):
    project.write(
        {
            "cart.py": "class Cart:\n    def __init__(self): ...\n\n    def __len__(self): ...\n\n    def size(self): ...\n"
        }
    )

    assert project.plan("cart.py:2", "make").is_blocked
    assert project.plan("cart.py:4", "count").is_blocked
    assert not project.plan("cart.py:6", "count").is_blocked


def test_what_a_file_exports_without_a_name_has_none_to_change(project):
    project.write(
        {
            "cart.js": (
                "export default class extends Model {\n  size(kind) {\n"
                "    switch (kind) {\n      case 1:\n        return 1;\n      default:\n        return 2;\n    }\n  }\n}\n"
            ),
            "page.js": "import Cart from './cart';\nnew Cart().size(1);\n",
        }
    )

    with pytest.raises(DriftError, match="has no name in the code"):
        project.plan("cart.js:1", "Cart")


def test_methods_that_lombok_writes_for_a_field_follow_its_name(project):
    project.write(
        {
            "src/shop/Order.java": "package shop;\n\nimport lombok.Data;\n\n@Data\npublic class Order {\n  private String note;\n}\n",
            "src/shop/Cart.java": (
                "package shop;\n\npublic class Cart {\n  void copy(Order one, Order other, Bill bill) {\n"
                "    one.setNote(other.getNote()); // setNote\n    bill.setNote(null);\n  }\n}\n"
            ),
            "src/shop/Bill.java": "package shop;\n\npublic class Bill {\n  public void setNote(String note) { }\n}\n",
        }
    )

    project.rename("Order.note", "remark")

    assert "private String remark;" in project.text("src/shop/Order.java")
    assert "one.setRemark(other.getRemark()); // setNote\n    bill.setNote(null);" in project.text(
        "src/shop/Cart.java"
    )


def test_a_declaration_that_adds_to_what_stands_elsewhere_keeps_its_name(project):
    project.write(
        {
            "src/window.ts": (
                "export {}\ndeclare global { interface Window { stat?: () => void }\n  interface Own { a: number } }\n"
                "declare module 'vue' { interface Props { user: string } }\n"
                "declare namespace Shop { interface Item { a: number } }\nwindow.stat?.()\n"
            ),
            "src/env.d.ts": "interface ImportMetaEnv { readonly KEY: string }\ninterface Plain { a: number }\n",
            "src/view.ts": "interface Document { a: number }\nexport const one: Document = { a: 1 }\n",
        }
    )

    told = {
        name: [(one.is_blocking, one.message) for one in project.plan(name, "Other").conflicts]
        for name in ("Window", "Own", "vue.Props", "Shop.Item", "ImportMetaEnv", "Plain", "Document")
    }

    assert told == {
        "Window": [(True, "it adds to the global Window, which keeps its name")],
        "Own": [(False, "it is declared for all files, and may add to the global Own, which keeps its name")],
        "vue.Props": [(True, "it adds to Props of the module vue, which keeps its name")],
        "Shop.Item": [],
        "ImportMetaEnv": [(True, "it adds to the global ImportMetaEnv, which keeps its name")],
        "Plain": [],
        "Document": [],
    }


def test_what_a_framework_looks_for_in_a_file_by_its_name_keeps_that(project):
    project.write(
        {
            "package.json": '{"dependencies": {"next": "15"}}',
            "next.config.js": "module.exports = {}\n",
            "src/app/api/items/route.ts": "const find = () => 1\nexport const GET = () => find()\nexport const helper = () => 2\n",
            "src/app/layout.tsx": (
                "export async function generateMetadata() { return {} }\n"
                "export default function Layout({ children }) { return children }\n"
            ),
            "src/lib/items.ts": "export const POST = () => 1\n",
        }
    )

    blocking = {
        name: project.plan(name, "other").is_blocked
        for name in ("GET", "find", "helper", "generateMetadata", "Layout", "POST")
    }

    assert [name for name, is_blocked in blocking.items() if is_blocked] == ["GET", "generateMetadata"]


def test_a_field_of_rust_is_renamed_where_its_type_is_made_and_taken_apart(project):
    project.write(
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": "pub mod bill;\npub mod order;\npub mod use_both;\n",
            "src/bill.rs": "pub struct Bill { pub total: u32, pub note: u8 }\n"
            "impl Bill { pub fn of(total: u32) -> Self { Self { total, note: 1 } }\n"
            "pub fn zero() -> Bill { Bill { total: 0, ..Bill::of(1) } } }\n",
            "src/order.rs": "pub struct Order { pub total: u32 }\n"
            "impl Order { pub fn of(total: u32) -> Self { Self { total } } }\n",
            "src/use_both.rs": "use crate::bill::Bill;\nuse crate::order::Order;\n"
            "pub fn both(given: Bill) -> (Bill, Order) {\n    let interval = 3;\n"
            "    let Bill { total, .. } = given;\n"
            "    match total { 0 => (Bill { total: interval, note: 0 }, Order { total: 1 }), _ => (Bill { note: 1, total }, Order { total }) }\n}\n"
            "pub fn plain(total: u32) -> u32 { total }\n",
        }
    )
    patch = project.rename("Bill.total", "sum")

    assert patch.diff
    assert project.text("src/bill.rs") == (
        "pub struct Bill { pub sum: u32, pub note: u8 }\n"
        "impl Bill { pub fn of(total: u32) -> Self { Self { sum: total, note: 1 } }\n"
        "pub fn zero() -> Bill { Bill { sum: 0, ..Bill::of(1) } } }\n"
    )
    assert project.text("src/order.rs").count("total") == 3
    assert project.text("src/use_both.rs") == (
        "use crate::bill::Bill;\nuse crate::order::Order;\n"
        "pub fn both(given: Bill) -> (Bill, Order) {\n    let interval = 3;\n"
        "    let Bill { sum: total, .. } = given;\n"
        "    match total { 0 => (Bill { sum: interval, note: 0 }, Order { total: 1 }), _ => (Bill { note: 1, sum: total }, Order { total }) }\n}\n"
        "pub fn plain(total: u32) -> u32 { total }\n"
    )


def test_an_attribute_of_csharp_is_renamed_by_its_short_name_too(project):
    project.write(
        {
            "Guards.cs": "namespace Acme;\npublic class GuardedAttribute : Attribute {}\npublic class Guarded {}\n",
            "Orders.cs": "namespace Acme.Orders;\n[Guarded]\nclass Order {}\n[Acme.Guarded(1), GuardedAttribute]\nclass Bill {\n"
            " object Make() => new Guarded();\n}\n",
            "Other.cs": "using Microsoft.AspNetCore;\nnamespace Other;\n[Guarded]\nclass Order {}\n",
        }
    )

    project.rename("GuardedAttribute", "RequiredAttribute")

    assert project.text("Orders.cs").splitlines()[1:6] == [
        "[Required]", "class Order {}", "[Acme.Required(1), RequiredAttribute]", "class Bill {", " object Make() => new Guarded();",
    ]  # fmt: skip
    assert "[Guarded]" in project.text("Other.cs")


def test_what_an_initializer_of_csharp_sets_is_renamed_with_the_property(project):
    project.write(
        {
            "Item.cs": "namespace Acme;\npublic class Item { public bool Done { get; set; } }\npublic class Other { public bool Done { get; set; } }\n",
            "Main.cs": "namespace Acme;\nclass Main {\n Item A() => new Item { Done = true };\n Item B() => new() { Done = true };\n"
            " Other C() => new Other { Done = true };\n object D() => new { Done = true };\n void E(Item i) { i.Done = true; Send(new() { Done = true }); }\n}\n",
        }
    )

    plan = project.plan("Item.Done", "Finished")
    project.rename("Item.Done", "Finished")

    assert project.text("Main.cs").splitlines()[2:7] == [
        " Item A() => new Item { Finished = true };",
        " Item B() => new() { Finished = true };",
        " Other C() => new Other { Done = true };",
        " object D() => new { Done = true };",
        " void E(Item i) { i.Finished = true; Send(new() { Done = true }); }",
    ]
    assert [(use.line, use.certainty) for use in plan.left] == [(7, "possible")]


def test_a_static_method_of_csharp_is_no_member_of_an_object(project):
    project.write(
        {
            "Groups.cs": "namespace Acme;\npublic interface IGroup { static abstract void Map(object group); }\n"
            "public class Teams : IGroup { public static void Map(object group) {} }\n",
            "Main.cs": 'namespace Acme;\nclass Main {\n void A(IMapper mapper, dynamic app) { app.Map("/", 1); mapper.Map(app); }\n'
            " void B<T>() where T : IGroup { T.Map(1); Teams.Map(2); }\n}\n",
        }
    )

    plan = project.plan("IGroup.Map", "Add")
    project.rename("IGroup.Map", "Add")

    assert plan.left == ()
    assert project.text("Main.cs").splitlines()[2:4] == [
        ' void A(IMapper mapper, dynamic app) { app.Map("/", 1); mapper.Map(app); }',
        " void B<T>() where T : IGroup { T.Add(1); Teams.Add(2); }",
    ]
