"""The packages of a project and one of them from all sides, asked as a client asks."""

import asyncio
import shutil
from datetime import UTC, date, datetime
from pathlib import Path

import jsonschema_rs
import pytest

from drift.analyses.workspaces.description import describe_package
from drift.analyses.workspaces.fitting import fit_context
from drift.analyses.workspaces.relations import survey_packages
from drift.analyses.workspaces.rows import SectionRow
from drift.analyses.workspaces.sections import PackageSection
from drift.index import IndexReader
from drift.kernel.render import render_value
from drift.kernel.tokens import count_tokens
from drift.kernel.wire import to_wire
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, Surface
from drift.scan import ScanOptions, scan
from drift.tools import all_tools

SHOP = {
    "package.json": '{"name":"shop","private":true,"workspaces":["packages/*"]}',
    "packages/core/package.json": '{"name":"@shop/core","version":"1.2.0","main":"index.ts"}',
    "packages/core/README.md": "# Core\n\n[![ci](https://x/y.svg)](https://x)\n\nPrices and carts\nfor every shop.\n\nMore.\n",
    "packages/core/index.ts": "export * from './price';\nexport { log } from './log';\n",
    "packages/core/price.ts": "import { log } from './log';\n"
    "export function total(cents: number): number {\n  log('t');\n  return cents;\n}\n"
    "export function unused(): void {}\n",
    "packages/core/log.ts": "export function log(text: string): void {\n  console.log(process.env.LEVEL, text);\n}\n",
    "packages/core/price.test.ts": "import { total } from './price';\ntest('total', () => { total(1); });\n",
    "packages/web/package.json": '{"name":"@shop/web","dependencies":{\n"@shop/core":"workspace:*",\n"react":"^19"}}',
    "packages/web/page.ts": "import React from 'react';\nimport { total } from '@shop/core';\n"
    "export const page = () => total(2);\n",
    "packages/admin/package.json": '{"name":"@shop/admin","dependencies":{"@shop/web":"*"}}',
    "packages/admin/list.ts": "import { total } from '@shop/core';\nimport { page } from '@shop/web/page';\n"
    "export const list = () => [total(3), page()];\n",
    "packages/idle/package.json": '{"name":"@shop/idle","dependencies":{"@shop/core":"*"}}',
    "packages/idle/idle.ts": "export const idle = 1;\n",
}


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def write(root, files):
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


@pytest.fixture
def ask(root, tmp_path):
    at = Environment(
        root,
        ProjectRegistry(tmp_path / "home/projects.json", lambda: datetime.now(UTC)),
        {},
        today=lambda: date(2026, 6, 1),
    )
    toolbox = all_tools().of_server(ServerName.ANALYSIS)
    runtime = ServerRuntime(ServerName.ANALYSIS, toolbox, Surface("full"), at=at)

    def run(files=None, **arguments):
        if files is not None:
            write(root, files)
            scan(root, ScanOptions(jobs=0))
        outcome = asyncio.run(runtime.call("drift_package_context", arguments))
        if not outcome.is_error:
            schema = all_tools().get("drift_package_context").output_schema
            jsonschema_rs.validator_for(schema).validate(outcome.structured())
        return outcome

    yield run
    runtime.close()


def data(outcome):
    assert not outcome.is_error, outcome.body
    return outcome.body["data"]


def test_the_list_tells_declared_from_used(ask):
    found = data(ask(SHOP))

    assert found["isMonorepo"]
    assert found["packageManagers"] == ["npm"]
    rows = {row["name"]: row for row in found["packages"]}
    assert list(rows) == ["shop", "@shop/admin", "@shop/core", "@shop/idle", "@shop/web"]
    assert rows["@shop/core"]["version"] == "1.2.0"
    assert rows["@shop/core"]["inWorkspace"]
    assert rows["shop"]["isRoot"]
    assert rows["@shop/admin"]["internalDependencies"] == ["@shop/core", "@shop/web"]
    assert rows["@shop/idle"]["unseen"] == ["@shop/core"]
    assert rows["@shop/web"]["symbols"] > 0


def test_an_import_that_no_manifest_declares_is_a_finding_with_its_place(ask):
    outcome = ask(SHOP)

    (row,) = data(outcome)["undeclared"]
    assert (row["package"], row["uses"], row["places"]) == ("@shop/admin", "@shop/core", 1)
    assert (row["file"], row["line"], row["onlyInTests"]) == ("packages/admin/list.ts", 1, False)
    assert row["reason"] == "packages/admin/package.json does not name it; it comes along with @shop/web"
    assert outcome.body["summary"].endswith("1 undeclared use between them")


def test_one_package_is_told_from_all_sides(ask):
    outcome = ask(SHOP, package="@shop/core")

    package = data(outcome)["package"]
    assert package["about"] == "Prices and carts for every shop."
    assert package["aboutSource"] == "packages/core/README.md:5"
    assert package["workspace"] == "package.json"
    assert package["apiCount"] == 1
    (first, *_) = package["publicApi"]
    assert (first["symbol"], first["at"]) == ("total", "packages/core/price.ts:2")
    assert (first["outsideFiles"], first["insideFiles"]) == (2, 0)
    assert "unused" not in {row["symbol"] for row in package["publicApi"]}
    assert package["keyFiles"][0]["file"] == "packages/core/price.ts"
    standing = {
        row["package"]: (row["standing"], row["symbols"]) for row in package["dependents"] if row["places"]
    }
    assert standing == {"@shop/web": ("used", ["total"]), "@shop/admin": ("transitive", ["total"])}
    assert package["tests"]["someInside"] == ["packages/core/price.test.ts"]
    assert package["sections"]["environment"][0]["about"] == "LEVEL"
    assert outcome.body["nextActions"][0]["args"] == {"target": "packages/core/price.ts:2"}


def test_dependencies_come_with_the_line_that_declares_them(ask):
    package = data(ask(SHOP, package="web"))["package"]

    (row,) = package["dependencies"]
    assert (row["package"], row["declaredAt"], row["at"]) == (
        "@shop/core",
        "packages/web/package.json:2",
        "packages/web/page.ts:2",
    )
    assert package["externals"] == [{"name": "react", "scope": "prod", "version": "^19", "imports": 1}]


def test_snippets_and_dependencies_can_be_left_out(ask):
    package = data(ask(SHOP, package="core", includeSnippets=False, includeDependencies=False))["package"]

    assert package["publicApi"]
    assert not any("signature" in row for row in package["publicApi"])
    assert (package["dependencies"], package["externals"]) == ([], [])


def test_packages_that_lead_back_to_each_other_are_a_warning(ask):
    back = {"packages/core/back.ts": "import { page } from '@shop/web/page';\nexport const back = page();\n"}

    outcome = ask(SHOP | back, package="@shop/core")

    warnings = outcome.body["warnings"]
    assert "2 packages depend on each other in a circle: @shop/core, @shop/web" in warnings
    assert any(
        each.startswith("uses @shop/web undeclared in 1 place, first packages/core/back.ts:1")
        for each in warnings
    )


def test_a_package_known_for_types_alone_makes_no_circle(ask):
    back = {
        "packages/core/back.ts": "import type { page } from '@shop/web/page';\nexport type Back = typeof page;\n"
    }

    outcome = ask(SHOP | back)

    assert not any("circle" in each for each in outcome.body.get("warnings", ()))


def test_pages_of_the_list_join_up(ask):
    first = ask(SHOP, limit=2)
    second = ask(limit=2, cursor=first.body["pagination"]["nextCursor"])
    last = ask(limit=2, cursor=second.body["pagination"]["nextCursor"])

    names = [row["name"] for page in (first, second, last) for row in data(page)["packages"]]
    assert names == ["shop", "@shop/admin", "@shop/core", "@shop/idle", "@shop/web"]
    assert not last.body["pagination"]["hasMore"]


@pytest.mark.parametrize(
    "wanted",
    ["@shop/core", "core", "packages/core", "./packages/core/", "packages/core/log.ts", "@SHOP/core"],
)
def test_a_package_is_found_by_name_its_end_its_folder_or_a_file(ask, wanted):
    assert data(ask(SHOP, package=wanted))["package"]["path"] == "packages/core"


def test_an_unknown_package_says_what_is_like_it(ask):
    outcome = ask(SHOP, package="@shop/cor")

    assert outcome.code == "INVALID_ARGUMENT"
    assert "@shop/core" in outcome.body["similar"]


def test_a_name_of_several_packages_asks_for_the_path(ask):
    two = {f"sample/{each}/package.json": '{"name":"starter"}' for each in "ab"}

    outcome = ask(two, package="starter")

    assert outcome.code == "INVALID_ARGUMENT"
    assert outcome.body["similar"] == ["sample/a", "sample/b"]
    assert data(ask(package="sample/b"))["package"]["path"] == "sample/b"


def test_of_two_packages_in_one_folder_the_larger_is_meant_and_the_other_named(ask):
    files = {
        "pyproject.toml": "[project]\nname='two'\n",
        "package.json": '{"name":"two"}',
        "a.py": "A = 1\n",
        "b.py": "",
        "c.js": "",
    }

    outcome = ask(files, package="two")

    assert data(outcome)["package"]["manager"] == "pip"
    assert (
        "not to be confused with the other of this name or folder: package.json" in outcome.body["warnings"]
    )
    assert data(ask(package="package.json"))["package"]["manager"] == "npm"


def test_a_single_package_is_described_at_once(ask, root):
    shutil.copytree(Path(__file__).parents[1] / "projects/python", root, dirs_exist_ok=True)

    outcome = ask({"pyproject.toml": "[project]\nname='shop'\nversion='3'\ndescription='Sells.'\n"})

    package = data(outcome)["package"]
    assert not data(outcome)["isMonorepo"]
    assert (package["name"], package["about"], package["apiCount"]) == ("shop", "Sells.", 0)
    assert package["publicApi"][0]["insideFiles"] > 0
    assert data(ask(list=True))["packages"][0]["name"] == "shop"


def test_a_project_without_manifests_says_so_and_invents_nothing(ask):
    outcome = ask({"src/a.py": "A = 1\n", "lib/b.py": "B = 1\n"})

    assert data(outcome) == {"isMonorepo": False, "packageManagers": []}
    assert outcome.body["summary"] == "No package: no manifest names one in the folders of 2 indexed files"


def test_an_empty_project_has_no_package(ask):
    assert ask({}).body["summary"].startswith("No package")


def test_a_project_that_was_never_scanned_says_so(ask):
    assert ask(package="x").code in {"SCAN_REQUIRED", "CALLGRAPH_NOT_BUILT"}


def test_broken_files_and_manifests_are_named_and_the_rest_is_told(ask):
    broken = {
        "packages/core/bad.ts": "export function (((\n",
        "packages/bad/package.json": "{",
        "packages/bad/x.ts": "",
    }

    outcome = ask(SHOP | broken, package="core")

    assert any(each.startswith("not read: packages/bad/package.json") for each in outcome.body["warnings"])
    assert data(outcome)["package"]["sections"]["problems"][0]["at"] == "packages/core/bad.ts"


def test_a_package_deleted_since_is_no_longer_there(ask, root):
    assert not ask(SHOP, package="@shop/idle").is_error
    shutil.rmtree(root / "packages/idle")

    scan(root, ScanOptions(jobs=0))

    assert ask(package="@shop/idle").code == "INVALID_ARGUMENT"


MANY = {
    f"packages/p{number}/package.json": f'{{"name":"p{number}","dependencies":{{"@shop/core":"*"}}}}'
    for number in range(20)
}


def test_a_small_budget_is_kept(ask):
    outcome = ask(SHOP | MANY, package="core", maxTokens=700)

    assert outcome.tokens <= 700
    assert len(data(outcome)["package"]["dependents"]) < data(outcome)["package"]["dependentCount"] == 23


def test_cuts_begin_with_dependencies_and_keep_the_counts(root):
    write(root, SHOP | MANY)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(root / ".drift/drift.db") as reader:
        landscape = survey_packages(reader, root)
        core = next(at for at, each in enumerate(landscape.packages) if each.name == "@shop/core")
        whole = describe_package(reader, root, landscape, core)

    tokens = count_tokens(render_value(to_wire(whole)))
    cut = fit_context(whole, tokens - 1)

    assert fit_context(whole, tokens) == whole
    assert len(cut.dependents) < len(whole.dependents) == 23
    assert (cut.dependent_count, cut.public_api) == (23, whole.public_api)


def test_a_domain_joins_in_with_a_section_of_its_own(root):
    write(root, SHOP)
    scan(root, ScanOptions(jobs=0))
    rules = PackageSection(
        "rules", lambda subject: iter([SectionRow(subject.package.name, "no I/O", "rules:1")] * 99)
    )

    with IndexReader(root / ".drift/drift.db") as reader:
        found = describe_package(reader, root, survey_packages(reader, root), 0, sections=(rules,))

    assert len(found.sections["rules"]) == 20
    assert found.sections["rules"][0] == SectionRow("shop", "no I/O", "rules:1")


CRATES = {
    "Cargo.toml": '[workspace]\nmembers=["a","b"]\n',
    "a/Cargo.toml": '[package]\nname="my-a"\nversion="1.0.0"\n',
    "a/src/lib.rs": "pub fn price() -> u32 { 1 }\n",
    "b/Cargo.toml": '[package]\nname="b"\nversion="1.0.0"\n[dependencies]\nmy-a = { path = "../a" }\n',
    "b/src/main.rs": "use my_a::price;\nfn main() { price(); }\n",
}
PROJECTS = {
    "All.sln": 'Project("{F}") = "Core", "Core\\Core.csproj", "{1}"\nProject("{F}") = "Web", "Web\\Web.csproj", "{2}"\n',
    "Core/Core.csproj": "<Project/>",
    "Core/Price.cs": "namespace Shop.Core;\npublic class Price { public int Cents() => 1; }\n",
    "Web/Web.csproj": '<Project><ItemGroup><ProjectReference Include="..\\Core\\Core.csproj"/></ItemGroup></Project>',
    "Web/Page.cs": "using Shop.Core;\nnamespace Shop.Web;\npublic class Page { public int Total(Price p) => p.Cents(); }\n",
}
MODULES = {
    "go.work": "use ./lib\nuse ./svc\n",
    "lib/go.mod": "module ex.com/lib\n",
    "lib/lib.go": "package lib\nfunc Price() int { return 1 }\n",
    "svc/go.mod": "module ex.com/svc\nrequire ex.com/lib v0.0.0\n",
    "svc/main.go": 'package main\nimport "ex.com/lib"\nfunc main() { lib.Price() }\n',
}
UV = {
    "pyproject.toml": "[project]\nname='top'\n[tool.uv.workspace]\nmembers=['libs/*']\n",
    "libs/core/pyproject.toml": "[project]\nname='core-lib'\n",
    "libs/core/src/core_lib/__init__.py": "def price():\n    return 1\n",
    "libs/web/pyproject.toml": "[project]\nname='web'\ndependencies=['core-lib']\n",
    "libs/web/src/web/__init__.py": "from core_lib import price\n\n\ndef page():\n    return price()\n",
}
MAVEN = {
    "pom.xml": "<project><groupId>g</groupId><artifactId>top</artifactId><modules><module>core</module><module>web</module></modules></project>",
    "core/pom.xml": "<project><groupId>g</groupId><artifactId>core</artifactId></project>",
    "core/src/main/java/g/core/Price.java": "package g.core;\npublic class Price { public int cents() { return 1; } }\n",
    "web/pom.xml": "<project><groupId>g</groupId><artifactId>web</artifactId><dependencies><dependency><groupId>g</groupId><artifactId>core</artifactId></dependency></dependencies></project>",
    "web/src/main/java/g/web/Page.java": "package g.web;\nimport g.core.Price;\npublic class Page { int total(Price p) { return p.cents(); } }\n",
}
COMPOSER = {
    "composer.json": '{"name":"v/all","repositories":[{"type":"path","url":"packages/*"}]}',
    "packages/core/composer.json": '{"name":"v/core","autoload":{"psr-4":{"V\\\\Core\\\\":"src/"}}}',
    "packages/core/src/Price.php": "<?php\nnamespace V\\Core;\nclass Price { public function cents() { return 1; } }\n",
    "packages/web/composer.json": '{"name":"v/web","require":{"v/core":"*"},"autoload":{"psr-4":{"V\\\\Web\\\\":"src/"}}}',
    "packages/web/src/Page.php": "<?php\nnamespace V\\Web;\nuse V\\Core\\Price;\nclass Page { public function total(Price $p) { return $p->cents(); } }\n",
}


@pytest.mark.parametrize(
    ("files", "used", "user", "symbol"),
    [
        (CRATES, "my-a", "b", "price"),
        (PROJECTS, "Core", "Web", "Price"),
        (MODULES, "ex.com/lib", "ex.com/svc", "Price"),
        (UV, "core-lib", "web", "price"),
        (MAVEN, "g:core", "g:web", "Price"),
        (COMPOSER, "v/core", "v/web", "Price"),
    ],
    ids=["cargo", "nuget", "go", "uv", "maven", "composer"],
)
def test_use_between_packages_is_seen_in_every_ecosystem(ask, files, used, user, symbol):
    package = data(ask(files, package=used))["package"]

    (row,) = package["dependents"]
    assert (row["package"], row["standing"]) == (user, "used")
    assert row["symbols"] == [symbol]
    assert row["declaredAt"].startswith(row["at"].partition("/")[0])
    assert package["publicApi"][0]["symbol"] == symbol
