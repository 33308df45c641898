"""Packages and workspaces of every manager, in projects written here; and manifests nobody vouches for."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.analyses.workspaces.detection import detect_packages
from drift.analyses.workspaces.membership import expand_members
from drift.manifests.contents import Membership, UnreadableManifestError
from drift.manifests.formats import MANIFESTS, WORKSPACES


def write(root, files):
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def detect(root, files):
    write(root, files)
    return detect_packages(root, files)


def held(found):
    return [(each.manager, each.file, sorted(each.members)) for each in found.workspaces]


def names(found):
    return {each.path: (each.name, each.manager, each.version) for each in found.packages}


def declared(found):
    packages = found.packages
    return {
        (packages[each.source].name, packages[each.target].name, each.scope) for each in found.declarations
    }


def test_an_application_that_only_asks_for_packages_is_one(tmp_path):
    found = detect(
        tmp_path,
        {
            "pyproject.toml": "[tool.ruff]\nline-length = 99\n[dependency-groups]\ntest = ['pytest']\n",
            "requirements/base.txt": "django==5\n",
            "requirements/local.txt": "ipdb\n",
            "docs/requirements.txt": "sphinx\n",
            "docs/conf.py": "",
            "shop/models.py": "",
        },
    )

    assert names(found) == {"": (tmp_path.name, "pip", None)}
    assert [(each.name, place) for each, place in found.packages[0].declared] == [
        ("pytest", "pyproject.toml"),
        ("django", "requirements/base.txt"),
        ("ipdb", "requirements/local.txt"),
    ]


def test_what_asks_for_packages_without_any_code_is_no_application(tmp_path):
    found = detect(tmp_path, {"package.json": '{"name":"web"}', "requirements.txt": "mkdocs\n", "a.js": ""})

    assert names(found) == {"": ("web", "npm", None)}


def test_gems_rails_applications_and_projects_of_cmake_are_packages(tmp_path):
    found = detect(
        tmp_path,
        {
            "gem/till.gemspec": 'Gem::Specification.new do |s|\n  s.name = "till"\n  s.add_dependency "rack"\nend\n',
            "gem/package-lock.json": "{}",
            "rails/Gemfile": 'gem "rails", "~> 8.0"\n',
            "rails/app.rb": "",
            "engine/CMakeLists.txt": "project(Engine VERSION 2.1 LANGUAGES CXX)\nfind_package(SDL2)\n",
            "engine/src/CMakeLists.txt": "project(Part)\n",
            "engine/src/a.cpp": "",
        },
    )

    assert names(found) == {
        "gem": ("till", "bundler", None),
        "rails": ("rails", "bundler", None),
        "engine": ("Engine", "cmake", "2.1"),
    }


def test_a_pnpm_workspace_takes_globs_and_leaves_out_what_is_negated(tmp_path):
    found = detect(
        tmp_path,
        {
            "pnpm-workspace.yaml": "# all\npackages:\n  - 'libs/*' # ours\n  - \"apps/**\"\n  - '!**/old'\ncatalog:\n  - no\n",
            "package.json": '{"name":"top","private":true}',
            "libs/a/package.json": '{"name":"@s/a","version":"1.0.0"}',
            "libs/old/package.json": '{"name":"@s/old"}',
            "apps/web/ui/package.json": '{"name":"@s/ui","dependencies":{"@s/a":"workspace:*"}}',
            "tools/x/package.json": '{"name":"x","devDependencies":{"@s/a":"1"}}',
        },
    )

    assert held(found) == [("pnpm", "pnpm-workspace.yaml", ["apps/web/ui", "libs/a"])]
    assert names(found)["libs/a"] == ("@s/a", "pnpm", "1.0.0")
    assert {each.path for each in found.packages if each.workspace is None} == {"", "libs/old", "tools/x"}
    assert declared(found) == {("@s/ui", "@s/a", "prod"), ("x", "@s/a", "dev")}


@pytest.mark.parametrize(
    ("lock", "extra", "manager"),
    [
        ("yarn.lock", "", "yarn"),
        ("package-lock.json", "", "npm"),
        ("bun.lock", "", "bun"),
        ("readme.txt", ',"packageManager":"yarn@4.1.0"', "yarn"),
        ("readme.txt", "", "npm"),
    ],
)
def test_workspaces_of_package_json_are_of_the_manager_that_locked_them(tmp_path, lock, extra, manager):
    found = detect(
        tmp_path,
        {
            "package.json": '{"name":"top","workspaces":{"packages":["./packages/{a,b}","!packages/b"]}'
            + extra
            + "}",
            lock: "",
            "packages/a/package.json": '{"name":"a"}',
            "packages/b/package.json": '{"name":"b"}',
        },
    )

    assert held(found) == [(manager, "package.json", ["packages/a"])]


def test_a_uv_workspace_has_members_exclusions_and_sources(tmp_path):
    found = detect(
        tmp_path,
        {
            "pyproject.toml": '[project]\nname="top"\nversion="2"\ndependencies=["my-lib"]\n[tool.uv.workspace]\n'
            'members=["libs/*"]\nexclude=["libs/skip"]\n[tool.uv.sources]\nmy-lib={workspace=true}\n',
            "libs/lib/pyproject.toml": '[project]\nname="My_Lib"\nversion="1"\n',
            "libs/skip/pyproject.toml": '[project]\nname="skip"\n',
            "tools/pyproject.toml": "[tool.ruff]\nline-length=100\n",
        },
    )

    assert held(found) == [("uv", "pyproject.toml", ["libs/lib"])]
    assert names(found) == {
        "": ("top", "uv", "2"),
        "libs/lib": ("My_Lib", "uv", "1"),
        "libs/skip": ("skip", "pip", None),
    }
    assert declared(found) == {("top", "My_Lib", "prod")}


def test_poetry_packages_are_joined_by_their_paths(tmp_path):
    found = detect(
        tmp_path,
        {
            "api/pyproject.toml": '[tool.poetry]\nname="api"\nversion="0.1"\n[tool.poetry.dependencies]\n'
            'python="^3"\ncore={path="../core", develop=true}\noutside={path="../../etc"}\n',
            "core/pyproject.toml": '[tool.poetry]\nname="core"\n',
        },
    )

    assert names(found) == {"api": ("api", "poetry", "0.1"), "core": ("core", "poetry", None)}
    assert declared(found) == {("api", "core", "prod")}
    (place,) = found.declarations
    assert (place.file, place.line) == ("api/pyproject.toml", 6)


def test_setup_py_is_read_and_never_run(tmp_path):
    found = detect(
        tmp_path,
        {
            "setup.py": "import setuptools\nopen('ran', 'w')\nsetuptools.setup(name='old', version=V, install_requires=['new>1'])\n",
            "new/setup.cfg": "[metadata]\nname = new\nversion = attr: new.V\n",
        },
    )

    assert names(found) == {"": ("old", "pip", None), "new": ("new", "pip", None)}
    assert declared(found) == {("old", "new", "prod")}
    assert not (tmp_path / "ran").exists()


def test_a_cargo_workspace_gives_its_version_and_takes_crates_by_path(tmp_path):
    found = detect(
        tmp_path,
        {
            "Cargo.toml": '[workspace]\nmembers=["crates/*"]\nexclude=["crates/fuzz"]\n[workspace.package]\nversion="3.1.0"\n',
            "crates/a/Cargo.toml": '[package]\nname="a-core"\nversion.workspace=true\n',
            "crates/b/Cargo.toml": '[package]\nname="b"\nversion="1.0.0"\n[dependencies]\nrenamed={path="../a", package="a-core"}\n[dev-dependencies]\nfuzz={path="../fuzz"}\n',
            "crates/fuzz/Cargo.toml": '[package]\nname="fuzz"\nversion="0.0.0"\n',
        },
    )

    assert held(found) == [("cargo", "Cargo.toml", ["crates/a", "crates/b"])]
    assert names(found)["crates/a"] == ("a-core", "cargo", "3.1.0")
    assert declared(found) == {("b", "a-core", None), ("b", "fuzz", "dev")}


def test_a_crate_beside_the_root_is_no_member_for_being_used(tmp_path):
    found = detect(
        tmp_path,
        {
            "fuzz/Cargo.toml": '[package]\nname="fuzz"\n[workspace]\n[dependencies]\nlib={path="../lib"}\nown={path="own"}\n',
            "fuzz/own/Cargo.toml": '[package]\nname="own"\n',
            "lib/Cargo.toml": '[package]\nname="lib"\n',
        },
    )

    assert held(found) == [("cargo", "fuzz/Cargo.toml", ["fuzz/own"])]


def test_go_work_uses_modules_and_refuses_those_outside(tmp_path):
    found = detect(
        tmp_path,
        {
            "go.work": "go 1.22\nuse (\n\t./svc // here\n\t./lib\n\t../elsewhere\n)\nuse ./tool\n",
            "svc/go.mod": "module ex.com/svc\nrequire ex.com/lib v1.0.0\n",
            "lib/go.mod": "module ex.com/lib\n",
            "tool/go.mod": "module ex.com/tool\n",
        },
    )

    assert held(found) == [("go", "go.work", ["lib", "svc", "tool"])]
    assert declared(found) == {("ex.com/svc", "ex.com/lib", "prod")}
    assert found.problems == ("go.work: ../elsewhere leads out of the project and is left out",)


def test_maven_modules_inherit_group_and_version(tmp_path):
    found = detect(
        tmp_path,
        {
            "pom.xml": "<project><groupId>g</groupId><artifactId>top</artifactId><version>7</version><modules><module>core</module><module>web/pom.xml</module></modules></project>",
            "core/pom.xml": "<project><parent><groupId>g</groupId><artifactId>top</artifactId><version>7</version></parent><artifactId>core</artifactId></project>",
            "web/pom.xml": "<project><parent><groupId>g</groupId><artifactId>top</artifactId><version>7</version></parent><artifactId>web</artifactId><dependencies><dependency><groupId>${project.groupId}</groupId><artifactId>core</artifactId></dependency></dependencies></project>",
        },
    )

    assert held(found) == [("maven", "pom.xml", ["core", "web"])]
    assert names(found)["core"] == ("g:core", "maven", "7")
    assert declared(found) == {("g:web", "g:core", "prod")}


def test_gradle_settings_name_projects_that_need_no_build_file(tmp_path):
    found = detect(
        tmp_path,
        {
            "settings.gradle.kts": 'rootProject.name = "top"\ninclude(":libs:data-store", ":app") // ":no"\n'
            'include(":moved")\nproject(":moved").projectDir = file("elsewhere/m")\n',
            "app/build.gradle.kts": 'version = "2"\ndependencies {\n  implementation(projects.libs.dataStore)\n  api(project(":moved"))\n}\n',
            "libs/data-store/src/A.java": "class A {}\n",
            "elsewhere/m/build.gradle": "",
        },
    )

    assert held(found) == [("gradle", "settings.gradle.kts", ["app", "elsewhere/m", "libs/data-store"])]
    assert names(found) == {
        "": ("top", "gradle", None),
        "app": ("app", "gradle", "2"),
        "libs/data-store": ("libs:data-store", "gradle", None),
        "elsewhere/m": ("moved", "gradle", None),
    }
    assert declared(found) == {("app", "libs:data-store", "prod"), ("app", "moved", "prod")}


def test_composer_holds_path_repositories_and_what_it_replaces(tmp_path):
    found = detect(
        tmp_path,
        {
            "composer.json": '{"name":"v/all","repositories":[{"type":"path","url":"packages/*"}],"replace":{"v/part":"self.version","v/other":"1.0"}}',
            "packages/a/composer.json": '{"name":"v/a","require":{"v/part":"^1"}}',
            "src/Part/composer.json": '{"name":"v/part"}',
            "src/Other/composer.json": '{"name":"v/other"}',
        },
    )

    assert held(found) == [("composer", "composer.json", ["packages/a", "src/Part"])]
    assert declared(found) == {("v/a", "v/part", "prod")}


def test_solutions_hold_projects_that_reference_each_other_by_path(tmp_path):
    found = detect(
        tmp_path,
        {
            "All.sln": 'Project("{FAE0}") = "Web", "src\\Web\\Web.csproj", "{1}"\nEndProject\nProject("{2150}") = "docs", "docs", "{2}"\n',
            "New.slnx": '<Solution><Project Path="src/Core/Core.csproj" /></Solution>',
            "src/Web/Web.csproj": '<Project><PropertyGroup><Version>$(V)</Version></PropertyGroup><ItemGroup><ProjectReference Include="..\\Core\\Core.csproj" /></ItemGroup></Project>',
            "src/Core/Core.csproj": "<Project><PropertyGroup><PackageId>Acme.Core</PackageId><Version>1.2</Version></PropertyGroup></Project>",
        },
    )

    assert held(found) == [("nuget", "All.sln", ["src/Web"]), ("nuget", "New.slnx", ["src/Core"])]
    assert names(found) == {"src/Web": ("Web", "nuget", None), "src/Core": ("Acme.Core", "nuget", "1.2")}
    assert declared(found) == {("Web", "Acme.Core", None)}


def test_all_workspaces_of_a_mixed_project_are_found_not_the_first(tmp_path):
    found = detect(
        tmp_path,
        {
            "package.json": '{"name":"web","workspaces":["web/*"]}',
            "web/ui/package.json": '{"name":"ui"}',
            "Cargo.toml": '[workspace]\nmembers=["crates/a"]\n',
            "crates/a/Cargo.toml": '[package]\nname="a"\n',
            "go.work": "use ./go\n",
            "go/go.mod": "module ex.com/go\n",
            "nested/pnpm-workspace.yaml": "packages: ['p/*']\n",
            "nested/p/one/package.json": '{"name":"one"}',
        },
    )

    assert [each[:2] for each in held(found)] == [
        ("pnpm", "nested/pnpm-workspace.yaml"),
        ("npm", "package.json"),
        ("cargo", "Cargo.toml"),
        ("go", "go.work"),
    ]
    assert {each.path for each in found.packages} == {"", "web/ui", "crates/a", "go", "nested/p/one"}


def test_a_package_asks_for_the_member_of_that_name_and_not_for_the_root(tmp_path):
    found = detect(
        tmp_path,
        {
            "package.json": '{"name":"core","private":true,"workspaces":["packages/*"]}',
            "packages/core/package.json": '{"name":"core"}',
            "sample/package.json": '{"name":"sample","dependencies":{"core":"1"}}',
        },
    )

    (only,) = found.declarations
    assert found.packages[only.target].path == "packages/core"


def test_a_build_for_two_managers_is_one_package_that_names_both(tmp_path):
    found = detect(
        tmp_path,
        {
            "pom.xml": "<project><groupId>g</groupId><artifactId>app</artifactId></project>",
            "settings.gradle": "rootProject.name = 'app'\n",
            "build.gradle": "version = '1'\n",
        },
    )

    (package,) = found.packages
    assert (package.name, package.manager, package.managers) == ("g:app", "maven", ("maven", "gradle"))
    assert package.manifests == ("pom.xml", "build.gradle")
    assert found.workspaces == ()


def test_a_module_at_the_root_that_the_workspace_names_is_a_member(tmp_path):
    found = detect(
        tmp_path,
        {"go.work": "use (\n.\n./sub\n)\n", "go.mod": "module m.com/a\n", "sub/go.mod": "module m.com/b\n"},
    )

    assert [(each.path, each.workspace, each.is_root) for each in found.packages] == [
        ("", "go.work", True),
        ("sub", "go.work", False),
    ]


def test_a_folder_without_a_manifest_is_no_package(tmp_path):
    found = detect(tmp_path, {"src/a.py": "", "lib/package.json": '{"type":"module"}'})

    assert found == ((), (), (), ())


def test_a_broken_manifest_is_a_problem_and_hides_no_other(tmp_path):
    found = detect(
        tmp_path,
        {"package.json": "{", "a/pom.xml": "<!DOCTYPE x><project/>", "b/go.mod": "module ex.com/b\n"},
    )

    assert [each.name for each in found.packages] == ["ex.com/b"]
    assert [each.partition(":")[0] for each in found.problems] == ["package.json", "a/pom.xml"]


def test_a_manifest_that_leads_out_of_the_project_is_not_read(tmp_path):
    root = tmp_path / "in"
    write(tmp_path, {"out/package.json": '{"name":"secret"}', "in/a.js": ""})
    (root / "package.json").symlink_to(tmp_path / "out/package.json")

    found = detect_packages(root, ["a.js"])

    assert found.packages == ()
    assert "outside the project" in found.problems[0]


@pytest.mark.parametrize("pattern", ["../up", "/etc", "C:/x", "~/x", "a/../../b", "..\\up"])
def test_a_pattern_that_leads_out_is_named_and_means_nothing(pattern):
    assert expand_members("", Membership("npm", (pattern,)), ["up", "etc", "b"]) == ((), (pattern,))


@pytest.mark.parametrize(
    ("base", "patterns", "excluded", "expected"),
    [
        ("", ("axum-*",), (), ["axum-core"]),
        ("", ("**",), ("x/**",), ["", "axum-core", "deep/axum-core"]),
        ("deep", ("*",), (), ["deep/axum-core"]),
        ("deep", ("../x/*",), (), ["x/y"]),
        ("", (".",), (), [""]),
        ("", ("x/",), (), ["x"]),
        ("", ("x/*",), ("x",), []),
    ],
)
def test_patterns_are_from_the_folder_of_the_workspace(base, patterns, excluded, expected):
    folders = ["", "axum-core", "deep/axum-core", "x", "x/y"]

    found = expand_members(base, Membership("cargo", patterns, excluded), folders)

    assert sorted(found.folders) == expected


PIECES = st.text(alphabet=st.sampled_from('{}[]<>"=:,/\n abc1.-@()#*!\\'), max_size=80) | st.sampled_from(
    [
        '{"workspaces": 1}',
        '{"workspaces": {"packages": [1, null]}}',
        '{"name": 3, "repositories": {"a": {"type": "path", "url": 1}}}',
        "[tool.uv]\nworkspace = 1",
        "[workspace]\nmembers = [1]",
        "[package]\nname = 1",
        "packages: [",
        "include(" + "':a'," * 30,
        "<project><modules><module/></modules></project>",
        "setup(**x)",
    ]
)


@given(st.sampled_from((*MANIFESTS, *WORKSPACES)), PIECES)
def test_whatever_a_file_holds_it_is_read_or_said_to_be_unreadable(form, text):
    read = form.describe if hasattr(form, "describe") else form.members
    try:
        found = read(text)
    except UnreadableManifestError:
        return
    assert found is None or found.manager is None or isinstance(found.manager, str)


# Each would take minutes where a pattern looks back; the whole table takes a second or two.
LONG = [
    "\n" * 200_000,
    "/*" * 100_000,
    "use (\n" * 50_000,
    "version" + " " * 200_000,
    "include" + " " * 200_000 + "x",
]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("text", LONG, ids=["lines", "comments", "blocks", "version", "include"])
def test_long_files_of_nothing_are_read_to_their_end(text):
    for form in (*MANIFESTS, *WORKSPACES):
        read = form.describe if hasattr(form, "describe") else form.members
        with suppress(UnreadableManifestError):
            found = read(text)
            assert found is None or getattr(found, "name", None) is None


@given(st.lists(st.text(alphabet="ab/*.{},!?[]\\~", max_size=12), max_size=4))
def test_no_pattern_takes_a_folder_that_is_not_there(patterns):
    folders = ["", "a", "a/b", "b/a"]

    found = expand_members("a", Membership("npm", tuple(patterns), tuple(patterns[:1])), folders)

    assert set(found.folders) <= set(folders)


def test_every_kind_of_file_is_named_once_in_its_table():
    for table in (MANIFESTS, WORKSPACES):
        patterns = [each.pattern for each in table]
        assert len(patterns) == len(set(patterns))
    assert any(Path("x.csproj").match(each.pattern) for each in MANIFESTS if "*" in each.pattern)
