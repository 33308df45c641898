"""Import statements in the language and the style of the files around."""

import json

import pytest

from drift.analyses.import_packages import package_around
from drift.analyses.import_style import advise_imports
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan


@pytest.fixture
def advise(tmp_path):
    def run(files, names, target):
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
        scan(tmp_path, ScanOptions(jobs=0))
        with IndexReader(StateDir(tmp_path).index_db) as reader:
            return advise_imports(reader, tmp_path, names, target)

    return run


PYTHON = {
    "shop/__init__.py": "",
    "shop/cart.py": "class Cart: pass\n\n\ndef total(): pass\n",
    "shop/sub/__init__.py": "",
}


@pytest.mark.parametrize(
    ("extra", "target", "statement"),
    [
        ({}, "shop/new.py", "from shop.cart import Cart"),
        ({"shop/api.py": "from .cart import total\n"}, "shop/new.py", "from .cart import Cart"),
        ({"shop/sub/a.py": "from ..cart import total\n"}, "shop/sub/new.py", "from ..cart import Cart"),
        ({"shop/sub/a.py": "from shop.cart import total\n"}, "shop/sub/new.py", "from shop.cart import Cart"),
        (
            {"shop/__init__.py": "from .cart import Cart\n", "app.py": "from shop import Cart\n"},
            "new.py",
            "from shop import Cart",
        ),
        (
            {"shop/__init__.py": "from .cart import Cart\n", "app.py": "from shop import Cart\n"},
            "shop/new.py",
            "from shop.cart import Cart",
        ),
    ],
)
def test_python_imports_follow_the_neighbours(advise, extra, target, statement):
    assert advise(PYTHON | extra, ["Cart"], target).statements == (statement,)


def test_names_of_one_module_share_a_statement(advise):
    assert advise(PYTHON, ["Cart", "total"], "shop/new.py").statements == (
        "from shop.cart import Cart, total",
    )


SCRIPT = {
    "src/lib/money.ts": "export function round(x: number) { return x }\nexport interface Money { n: number }\n"
}


@pytest.mark.parametrize(
    ("extra", "target", "statement"),
    [
        ({}, "src/lib/new.ts", "import { round } from './money';"),
        (
            {"src/a.ts": 'import { round } from "./lib/money"\n'},
            "src/new.ts",
            'import { round } from "./lib/money"',
        ),
        (
            {"src/a.ts": "import { round } from './lib/money.js';\n"},
            "src/new.ts",
            "import { round } from './lib/money.js';",
        ),
        (
            {
                "src/lib/index.ts": "export { round } from './money';\n",
                "src/a.ts": "import { round } from './lib';\n",
                "src/b.ts": "import { round } from './lib';\n",
            },
            "src/deep/new.ts",
            "import { round } from '../lib';",
        ),
        (
            {
                "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"]}}}',
                "src/pages/a.ts": "import { round } from '@/lib/money';\n",
            },
            "src/pages/new.ts",
            "import { round } from '@/lib/money';",
        ),
    ],
)
def test_script_imports_follow_quotes_endings_barrels_and_aliases(advise, extra, target, statement):
    assert advise(SCRIPT | extra, ["round"], target).statements == (statement,)


@pytest.mark.parametrize(
    ("manifest", "statement"),
    [
        ({"name": "@shop/money"}, "import { round } from '@shop/money/src/lib/money';"),
        ({"name": "@shop/money", "main": "src/lib/money.ts"}, "import { round } from '@shop/money';"),
        (
            {"name": "@shop/money", "exports": {".": "./src/all.ts", "./*": {"types": "./src/lib/*.ts"}}},
            "import { round } from '@shop/money/money';",
        ),
        ({"name": "@shop/money", "exports": "./src/lib/money.ts"}, "import { round } from '@shop/money';"),
    ],
)
def test_what_another_package_offers_is_imported_by_its_name(advise, manifest, statement):
    files = {
        "packages/money/package.json": json.dumps(manifest),
        "packages/money/src/lib/money.ts": SCRIPT["src/lib/money.ts"],
        "packages/money/src/lib/other.ts": "import { round } from './money';\n",
        "apps/web/package.json": '{"name": "web"}',
    }

    assert advise(files, ["round"], "apps/web/new.ts").statements == (statement,)


def test_what_another_package_keeps_to_itself_cannot_be_imported(advise):
    files = {
        "packages/money/package.json": '{"name": "@shop/money", "exports": {".": "./src/all.ts"}}',
        "packages/money/src/money.ts": SCRIPT["src/lib/money.ts"],
        "apps/web/package.json": '{"name": "web"}',
    }

    found = advise(files, ["round"], "apps/web/new.ts")

    assert found.statements == ()
    assert (
        found.unresolved[0].reason
        == "@shop/money does not offer packages/money/src/money.ts to other packages"
    )


@pytest.mark.parametrize(
    ("barrels", "statement"),
    [
        ({"index.ts": "export { round, type Kind } from './money';\n"}, "import { round } from '@shop/money';"),
        ({"index.ts": "export * from './all';\n", "all.ts": "export * from './money';\n"}, "import { round } from '@shop/money';"),
        ({"index.ts": "", "sub/index.ts": "export { round } from '../money';\n"}, "import { round } from '@shop/money/sub';"),
        ({"index.ts": "export { round as cut } from './money';\n"}, None),
        ({"index.ts": "export * as money from './money';\n"}, None),
    ],
)  # fmt: skip
def test_what_an_offered_file_exports_again_is_imported_from_there(advise, barrels, statement):
    exports = {".": "./src/index.ts", "./sub": "./src/sub/index.ts"}
    files = {
        "packages/money/package.json": json.dumps({"name": "@shop/money", "exports": exports}),
        "packages/money/src/money.ts": "export type Kind = string;\nexport function round() {}\n",
        **{f"packages/money/src/{path}": text for path, text in barrels.items()},
        "apps/web/package.json": '{"name": "web", "dependencies": {"@shop/money": "*"}}',
    }

    assert advise(files, ["round"], "apps/web/new.ts").statements == ((statement,) if statement else ())


def test_a_file_that_a_package_offers_built_is_imported_as_others_import_it(advise):
    files = {
        "packages/money/package.json": '{"name": "@shop/money", "exports": {"./*": "./dist/*.js"}}',
        "packages/money/src/money.ts": SCRIPT["src/lib/money.ts"] + "export function cut() {}\n",
        "package.json": '{"name": "shop", "private": true, "workspaces": ["packages/*", "apps/*"]}',
        "apps/web/package.json": '{"name": "web", "dependencies": {"@shop/money": "*"}}',
        "apps/web/old.ts": "import { cut } from '@shop/money/src/money';\ncut();\n",
        "apps/bot/package.json": '{"name": "bot"}',
    }

    (near,) = advise(files, ["round"], "apps/web/new.ts").advice
    (far,) = advise(files, ["round"], "apps/bot/new.ts").advice

    assert near.statement == "import { round } from '@shop/money/src/money';"
    assert "depend" not in near.reason
    assert "bot does not depend on @shop/money" in far.reason


@pytest.mark.parametrize(
    ("manifest", "settings", "path", "statement"),
    [
        ({"main": "dist/index.js"}, None, "src/index.ts", "import { round } from '@shop/money';"),
        ({"exports": {".": {"import": "./dist/index.js"}}}, None, "src/index.ts", "import { round } from '@shop/money';"),
        ({"exports": {"./*": "./dist/*.js"}}, None, "src/money.ts", "import { round } from '@shop/money/money';"),
        ({"exports": {"./*": "./dist/*.js"}}, {"compilerOptions": {"rootDir": "."}}, "src/money.ts", "import { round } from '@shop/money/src/money';"),
        ({"exports": {"./*": "./dist/*.js"}}, {"include": ["src/**/*.ts", "scripts"]}, "src/money.ts", "import { round } from '@shop/money/src/money';"),
    ],
)  # fmt: skip
def test_what_a_package_offers_built_is_known_by_what_it_is_built_from(
    advise, manifest, settings, path, statement
):
    files = {
        "packages/money/package.json": json.dumps({"name": "@shop/money", **manifest}),
        f"packages/money/{path}": "export function round() {}\n",
        "apps/web/package.json": '{"name": "web", "dependencies": {"@shop/money": "*"}}',
        "apps/web/old.ts": "import { x } from 'y';\n",
    }
    if settings is not None:
        files["packages/money/tsconfig.json"] = json.dumps(settings)

    assert advise(files, ["round"], "apps/web/new.ts").statements == (statement,)


def _pom(name, *needs):
    needed = "".join(
        f"<dependency><groupId>shop</groupId><artifactId>{each}</artifactId></dependency>" for each in needs
    )
    return (
        f"<project><groupId>shop</groupId><artifactId>{name}</artifactId>"
        f"<dependencies>{needed}</dependencies></project>"
    )


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {
                "carts/pom.xml": _pom("carts"),
                "carts/src/main/java/shop/carts/Cart.java": "package shop.carts;\npublic class Cart {}\n",
                "bills/pom.xml": _pom("bills", "carts"),
                "bills/src/main/java/shop/bills/Bill.java": "package shop.bills;\nclass Bill {}\n",
                "mails/pom.xml": _pom("mails", "bills"),
                "mails/src/main/java/shop/mails/Mail.java": "package shop.mails;\nclass Mail {}\n",
                "posts/pom.xml": _pom("posts"),
                "posts/src/main/java/shop/posts/Post.java": "package shop.posts;\nclass Post {}\n",
            },
            {"mails/src/main/java/shop/mails/Mail.java": None, "posts/src/main/java/shop/posts/Post.java": "shop:posts does not depend on shop:carts"},
        ),
        (
            {
                "Carts/Carts.csproj": "<Project Sdk='Microsoft.NET.Sdk'/>",
                "Carts/Cart.cs": "namespace Shop.Carts;\npublic class Cart {}\n",
                "Web/Web.csproj": (
                    "<Project Sdk='Microsoft.NET.Sdk'><ItemGroup>"
                    "<ProjectReference Include='..\\Carts\\Carts.csproj'/></ItemGroup></Project>"
                ),
                "Web/Page.cs": "namespace Shop.Web;\nclass Page {}\n",
                "Mails/Mails.csproj": "<Project Sdk='Microsoft.NET.Sdk'/>",
                "Mails/Mail.cs": "namespace Shop.Mails;\nclass Mail {}\n",
            },
            {"Web/Page.cs": None, "Mails/Mail.cs": "Mails does not depend on Carts"},
        ),
    ],
)  # fmt: skip
def test_it_is_told_that_the_package_of_a_file_does_not_depend_on_that_of_the_symbol(advise, files, said):
    told = {path: advise(files, ["Cart"], path).advice[0].reason for path in said}

    assert {path: "does not depend" in reason for path, reason in told.items()} == {
        path: missing is not None for path, missing in said.items()
    }
    assert all(missing in told[path] for path, missing in said.items() if missing is not None)


def test_a_file_is_in_the_package_of_the_nearest_manifest_that_can_be_read_and_has_a_name(tmp_path):
    for folder, text in {"": '{"name": "whole"}', "a": "{}", "a/b": "{"}.items():
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "package.json").write_text(text)

    assert package_around(tmp_path, "a/b/x.ts")[:4] == ("", "whole", None, None)


def test_what_no_statement_can_name_is_not_imported_by_one(advise):
    found = advise({**PYTHON, "shop/0001_first.py": "def move(): pass\n"}, ["move"], "shop/new.py")

    assert found.statements == ()
    assert found.unresolved[0].reason.startswith("no import statement can name shop.0001_first")


def test_a_name_that_is_not_exported_cannot_be_imported(advise):
    found = advise({"src/a.ts": "function hidden() { return 1 }\n"}, ["hidden"], "src/b.ts")

    assert found.statements == ()
    assert found.unresolved[0].reason == "src/a.ts:1 does not export it"


@pytest.mark.parametrize(
    ("files", "name", "target", "statement"),
    [
        (
            {"src/com/acme/Cart.java": "package com.acme;\npublic class Cart {}\n"},
            "Cart",
            "src/com/other/New.java",
            "import com.acme.Cart;",
        ),
        (
            {"go.mod": "module example.com/shop\n", "store/store.go": "package store\n\nfunc Open() {}\n"},
            "Open",
            "api/new.go",
            'import "example.com/shop/store"',
        ),
        (
            {
                "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n',
                "src/lib.rs": "pub mod store;\n",
                "src/store.rs": "pub struct Item;\n",
            },
            "Item",
            "src/api.rs",
            "use crate::store::Item;",
        ),
        (
            {"app/Cart.php": "<?php\nnamespace App\\Shop;\nclass Cart {}\n"},
            "Cart",
            "app/New.php",
            "use App\\Shop\\Cart;",
        ),
        (
            {
                "Shop/Cart.cs": "namespace Acme.Shop;\npublic class Cart {}\n",
                "Web/A.cs": "namespace Web;\nclass A {}\n",
            },
            "Cart",
            "Web/New.cs",
            "using Acme.Shop;",
        ),
        (
            {
                "include/store/item.h": "struct Item { int n; };\n",
                "src/a.cpp": '#include "store/item.h"\nint a() { Item i; return i.n; }\n',
            },
            "Item",
            "src/new.cpp",
            '#include "store/item.h"',
        ),
    ],
)
def test_each_language_has_its_own_statement(advise, files, name, target, statement):
    assert advise(files, [name], target).statements == (statement,)


def test_what_is_in_the_same_package_needs_no_import(advise):
    found = advise({"go.mod": "module m\n", "a/a.go": "package a\n\nfunc Open() {}\n"}, ["Open"], "a/new.go")

    assert found.statements == ()
    assert found.advice[0].reason == "same package a"


def test_go_packages_that_would_import_each_other_are_refused(advise):
    files = {
        "go.mod": "module m\n",
        "a/a.go": 'package a\n\nimport "m/b"\n\nfunc Open() { b.Shut() }\n',
        "b/b.go": "package b\n\nfunc Shut() {}\n",
    }

    assert "import cycle" in advise(files, ["Open"], "b/new.go").unresolved[0].reason


def test_a_name_from_outside_is_imported_as_the_project_does_elsewhere(advise):
    files = {"a.py": "import numpy as np\n", "b.py": "import numpy as np\nfrom os.path import join\n"}

    assert advise(files, ["np", "join"], "c.py").statements == (
        "import numpy as np",
        "from os.path import join",
    )


def test_a_symbol_of_tests_is_not_imported_into_product_code(advise):
    files = {"tests/test_a.py": "def helper(): pass\n"}

    assert advise(files, ["helper"], "app.py").unresolved[0].symbol == "helper"
    assert advise(files, ["helper"], "tests/test_b.py").statements != ()


def test_the_nearer_of_two_equal_names_is_chosen_and_the_other_named(advise):
    files = {
        "a/cat.ts": "export class Cat {}\n",
        "a/one.ts": "import { Cat } from './cat';\n",
        "b/cat.ts": "export class Cat {}\n",
        "b/one.ts": "import { Cat } from './cat';\n",
    }

    (advice,) = advise(files, ["Cat"], "b/new.ts").advice

    assert advice.source == "b/cat.ts:1"
    assert advice.alternatives == ("Cat a/cat.ts:1",)


@pytest.mark.parametrize(
    ("path", "text", "statement"),
    [
        (
            "src/price-list.ts",
            "export default function (a: number) { return a }\n",
            "import priceList from './price-list';",
        ),
        ("src/cart.ts", "export default class { total() { return 1 } }\n", "import Cart from './cart';"),
        ("src/404.ts", "export default () => 1\n", "import _404 from './404';"),
    ],
)
def test_an_export_without_a_name_is_named_after_its_file(advise, path, text, statement):
    files = {path: text, "src/use.ts": "const x = 1;\n"}

    assert advise(files, ["default"], "src/use.ts").statements == (statement,)


def test_a_crate_is_called_as_its_library_not_as_its_first_binary(advise):
    files = {
        "Cargo.toml": '[[bin]]\nname = "shopd"\npath = "src/main.rs"\n\n[package]\nname = "my-shop"\nversion = "0.1.0"\n',
        "src/lib.rs": "pub mod cart;\n",
        "src/cart.rs": "pub struct Cart;\n",
        "tests/cart.rs": "fn unused() {}\n",
    }

    advice = advise(files, ["Cart"], "tests/cart.rs")

    assert "use my_shop::cart::Cart;" in str(advice)


def test_a_class_inside_another_of_cpp_comes_with_the_header_of_that(advise):
    files = {
        "source/Panel.h": "#pragma once\nclass Panel {\npublic:\n  class Zone { public: Zone(int n); };\n};\n",
        "source/Panel.cpp": '#include "Panel.h"\nPanel::Zone::Zone(int n) {}\n',
        "source/Label.cpp": "int f() { return 1; }\n",
    }

    found = advise(files, ["Zone"], "source/Label.cpp")

    assert found.statements == ('#include "Panel.h"',)
    assert found.advice[0].use_as == "Panel::Zone"


RAILS = {"config/application.rb": "module Shop\n  class Application < Rails::Application\n  end\nend\n"}
RUBY = {
    "lib/shop/cart.rb": "class Cart\nend\n",
    "bin/run.rb": "puts 1\n",
    "lib/shop/bill.rb": "class Bill\nend\n",
}


@pytest.mark.parametrize(
    ("files", "target", "statement"),
    [
        ({**RAILS, "app/models/cart.rb": "class Cart\nend\n"}, "app/jobs/pay_job.rb", None),
        (RUBY, "bin/run.rb", 'require "shop/cart"'),
        (RUBY, "lib/shop/bill.rb", 'require_relative "cart"'),
        (
            {**RUBY, "test/a_test.rb": 'require_relative "../lib/shop/cart"\n'},
            "test/b_test.rb",
            'require "shop/cart"',
        ),
    ],
)
def test_ruby_requires_what_nothing_loads_by_its_name(advise, files, target, statement):
    row = advise(files, ["Cart"], target).advice[0]

    assert row.statement == statement


def test_what_a_crate_offers_at_its_root_is_named_from_there_in_other_crates(advise):
    files = {
        "Cargo.toml": '[workspace]\nmembers = ["api", "web"]\n',
        "api/Cargo.toml": '[package]\nname = "shop-api"\n',
        "api/src/lib.rs": "mod error;\npub use error::Failure;\n",
        "api/src/error.rs": "pub struct Failure;\n",
        "web/Cargo.toml": '[package]\nname = "web"\n[dependencies]\nshop-api = { path = "../api" }\n',
        "web/src/main.rs": "fn main() {}\n",
    }

    assert advise(files, ["Failure"], "web/src/main.rs").statements == ("use shop_api::Failure;",)


def test_a_class_of_php_that_composer_does_not_load_is_said_to_be_one(advise):
    files = {
        "composer.json": '{"autoload": {"classmap": ["lib/"]}}',
        "lib/Cart.php": "<?php\nclass Cart {}\n",
        "old/Bill.php": "<?php\nclass Bill {}\n",
        "index.php": "<?php\n",
    }

    cart, bill = advise(files, ["Cart", "Bill"], "index.php").advice

    assert cart.confidence == 1.0
    assert "Composer does not load it" in bill.reason


def test_a_header_is_included_from_where_the_files_around_include_others(advise):
    files = {
        "src/gui/Box.h": "class Box {};\n",
        "src/gui/Box.cpp": '#include "Box.h"\n',
        "src/core/Can.h": "class Can {};\n",
        "src/app/main.cpp": '#include "src/core/Can.h"\n',
        "src/app/run.cpp": "int run();\n",
    }

    assert advise(files, ["Box"], "src/app/run.cpp").statements == ('#include "src/gui/Box.h"',)


def test_go_refuses_a_circle_over_other_packages_and_what_is_internal(advise):
    files = {
        "go.mod": "module shop\n",
        "a/a.go": 'package a\n\nimport "shop/b"\n\ntype A struct{ B b.B }\n',
        "b/b.go": 'package b\n\nimport "shop/c"\n\ntype B struct{ C c.C }\n',
        "c/c.go": "package c\n\ntype C struct{}\n",
        "d/internal/e/e.go": "package e\n\ntype E struct{}\n",
    }

    circle, internal = advise(files, ["A", "E"], "c/c.go").unresolved

    assert "b/b.go:3 imports shop/c" in circle.reason
    assert "keeps d/internal/e to what is below d" in internal.reason


def test_a_class_of_php_in_a_namespace_that_composer_does_not_map_is_said_to_be_one(advise):
    files = {
        "composer.json": '{"autoload": {"psr-4": {"Shop\\\\": "src/"}}}',
        "src/Cart.php": "<?php\nnamespace Shop;\nclass Cart {}\n",
        "migrations/Version1.php": "<?php\nnamespace Application\\Migrations;\nclass Version1 {}\n",
        "web/index.php": "<?php\n",
    }

    cart, version = advise(files, ["Cart", "Version1"], "web/index.php").advice

    assert cart.confidence == 1.0
    assert "Composer does not load it" in version.reason
