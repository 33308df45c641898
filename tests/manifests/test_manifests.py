"""Manifests and lock files: every kind, and the hostile ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.analyses.dependencies import survey_dependencies
from drift.index import IndexReader
from drift.manifests import cpp, dotnet, go, jvm, node, php, python, rust
from drift.manifests.contents import UnreadableManifestError
from drift.manifests.import_names import accounts_for, is_platform
from drift.manifests.reading import read_manifests
from drift.project import StateDir
from drift.scan import ScanOptions, scan

MANIFESTS = [
    ("pyproject.toml", '[project]\ndependencies=["a>=1 ; python_version>\'3\'"]\n', [("a", ">=1", "prod")]),
    ("pyproject.toml", '[dependency-groups]\ndev=["b", {include-group="x"}]\n', [("b", None, "dev")]),
    ("pyproject.toml", '[tool.poetry.dependencies]\npython="^3"\nc="^2"\n', [("c", "^2", "prod")]),
    ("requirements.txt", "d==1.0\n# no\n-r other.txt\n./local\n", [("d", "==1.0", "prod")]),
    ("requirements-dev.txt", "e\n", [("e", None, "dev")]),
    ("setup.cfg", "[options]\ninstall_requires =\n  f>1\n", [("f", ">1", "prod")]),
    ("Pipfile", '[packages]\ng="*"\n[dev-packages]\nh="*"\n', [("g", "*", "prod"), ("h", "*", "dev")]),
    ("package.json", '{"dependencies":{"@a/b":"^1"},"peerDependencies":{"c":"2"}}', [("@a/b", "^1", "prod"), ("c", "2", "peer")]),
    ("deno.json", '{"imports":{"@std/path":"jsr:@std/path@^1.0","hono/":"npm:/hono/","my":"./my.ts","x":1}}', [("@std/path", "^1.0", "prod"), ("hono", None, "prod")]),
    ("go.mod", "module m\nrequire (\n  x.com/a v1.0.0\n  x.com/b v2.0.0 // indirect\n)\nrequire x.com/c v3.0.0\n", [("x.com/a", "v1.0.0", "prod"), ("x.com/c", "v3.0.0", "prod")]),
    ("Cargo.toml", '[dependencies]\nserde = { version = "1", optional = true }\n[dev-dependencies]\nq = "2"\n', [("serde", "1", "optional"), ("q", "2", "dev")]),
    ("pom.xml", "<project xmlns='http://maven'><properties><v>3</v></properties><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>${v}</version><scope>test</scope></dependency></dependencies></project>", [("g:a", "3", "dev")]),
    ("build.gradle", "dependencies {\n  implementation 'g:a:1'\n  testImplementation(\"h:b:2\")\n}\n", [("g:a", "1", "prod"), ("h:b", "2", "dev")]),
    ("libs.versions.toml", '[versions]\nx="9"\n[libraries]\na={module="g:a", version.ref="x"}\nb="h:b:2"\n', [("g:a", "9", "prod"), ("h:b", "2", "prod")]),
    ("composer.json", '{"require":{"php":"^8","ext-json":"*","a/b":"^1"}}', [("a/b", "^1", "prod")]),
    ("x.csproj", '<Project><ItemGroup><PackageReference Include="N" Version="1"/></ItemGroup></Project>', [("N", "1", "prod")]),
    ("packages.config", '<packages><package id="M" version="2"/></packages>', [("M", "2", "prod")]),
    ("CMakeLists.txt", "find_package(Boost 1.80)\n# find_package(No)\n", [("Boost", "1.80", "prod")]),
    ("conanfile.txt", "[requires]\nfmt/10.0\n[generators]\ncmake\n", [("fmt", "10.0", "prod")]),
    ("conanfile.py", 'self.tool_requires("cmake/3.25")\n', [("cmake", "3.25", "build")]),
    ("vcpkg.json", '{"dependencies":["zlib",{"name":"fmt"}]}', [("zlib", None, "prod"), ("fmt", None, "prod")]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "expected"), MANIFESTS)
def test_a_manifest_declares_what_it_names(tmp_path, name, text, expected):
    (tmp_path / name).write_text(text)

    found = read_manifests(tmp_path, ())

    assert found.problems == ()
    assert [tuple(each.dependency) for each in found.declared] == expected


LOCKS = [
    ("poetry.lock", '[[package]]\nname="a"\nversion="1"\n', ("a", "1")),
    ("uv.lock", '[[package]]\nname="a"\nversion="1"\n', ("a", "1")),
    ("Pipfile.lock", '{"default":{"a":{"version":"==1"}}}', ("a", "1")),
    ("package-lock.json", '{"packages":{"":{},"node_modules/a":{"version":"1"},"node_modules/b/node_modules/a":{"version":"0"}}}', ("a", "1")),
    ("yarn.lock", '# yarn\n\n"@x/a@^1", "@x/a@^1.1":\n  version "1.2"\n', ("@x/a", "1.2")),
    ("pnpm-lock.yaml", "lockfileVersion: '9'\n\npackages:\n\n  '@x/a@1.2.3':\n    resolution: {}\n", ("@x/a", "1.2.3")),
    ("go.sum", "x.com/a v1.0.0 h1:=\nx.com/a v1.0.0/go.mod h1:=\n", ("x.com/a", "v1.0.0")),
    ("Cargo.lock", '[[package]]\nname="a"\nversion="1"\n', ("a", "1")),
    ("composer.lock", '{"packages":[{"name":"a/b","version":"1","autoload":{"psr-4":{"A\\\\B\\\\":"src"}}}]}', ("a/b", "1")),
    ("Directory.Packages.props", '<Project><ItemGroup><PackageVersion Include="N" Version="1"/></ItemGroup></Project>', ("N", "1")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "expected"), LOCKS)
def test_a_lock_settles_a_version(tmp_path, name, text, expected):
    (tmp_path / name).write_text(text)

    (found,) = read_manifests(tmp_path, ()).locked

    assert (found.package.name, found.package.version) == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pom.xml", "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><project>&a;</project>"),
        ("pom.xml", "<project>"),
        ("package.json", "[" * 200_000),
        ("pyproject.toml", "a = " + "[" * 5_000),
        ("setup.cfg", "no section\n"),
    ],
)
def test_a_hostile_or_broken_manifest_is_a_problem_and_no_more(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    (tmp_path / "go.mod").write_text("module m\nrequire x.com/c v3.0.0\n")

    found = read_manifests(tmp_path, ())

    assert [problem.partition(":")[0] for problem in found.problems] == [name]
    assert len(found.declared) == 1


def test_a_manifest_that_leads_out_of_the_project_is_not_read(tmp_path):
    (tmp_path / "secret.json").write_text('{"dependencies":{"a":"1"}}')
    (tmp_path / "in").mkdir()
    (tmp_path / "in/package.json").symlink_to(tmp_path / "secret.json")

    found = read_manifests(tmp_path / "in", ())

    assert found.declared == ()
    assert "outside the project" in found.problems[0]


PARSERS = [
    python.parse_pyproject,
    python.parse_requirements,
    python.parse_setup_cfg,
    python.parse_pipfile,
    python.parse_pipfile_lock,
    node.parse_package_json,
    node.parse_deno_json,
    node.parse_package_lock,
    node.parse_yarn_lock,
    node.parse_pnpm_lock,
    go.parse_go_mod,
    go.parse_go_sum,
    rust.parse_cargo_toml,
    php.parse_composer_json,
    php.parse_composer_lock,
    cpp.parse_cmake,
    cpp.parse_conanfile,
    cpp.parse_vcpkg,
    jvm.parse_pom,
    jvm.parse_gradle,
    jvm.parse_gradle_catalog,
    dotnet.parse_csproj,
    dotnet.parse_packages_config,
]
TEXTS = st.text(alphabet=st.sampled_from('{}[]<>"=:,/\n abc1.-@()#'), max_size=120) | st.sampled_from(
    [
        '{"dependencies": 1}',
        '{"packages": [1, {"name": 2}]}',
        "[project]\ndependencies = 1",
        "<a><package/></a>",
    ]
)


@given(st.sampled_from(PARSERS), TEXTS)
def test_whatever_a_file_holds_its_parser_answers_or_says_why_not(parser, text):
    try:
        found = parser(text)
    except UnreadableManifestError:
        return
    assert all(each.name for each in (*found.declared, *found.locked))


@pytest.mark.parametrize(
    ("ecosystem", "package", "imported"),
    [
        ("python", "PyYAML", "yaml"),
        ("python", "python-dateutil", "dateutil"),
        ("python", "typing_extensions", "typing_extensions"),
        ("node", "@types/lodash", "lodash"),
        ("go", "github.com/a/b/v2", "github.com/a/b"),
        ("rust", "tokio-util", "tokio_util"),
        ("jvm", "com.google.guava:guava", "com.google.common"),
        ("jvm", "org.springframework.boot:spring-boot-starter-web", "org.springframework.http"),
        ("jvm", "org.springframework.boot:spring-boot-starter-test", "org.assertj.core"),
        ("jvm", "com.xuxueli:xxl-tool", "com.xxl.tool"),
        ("jvm", "org.mybatis.spring.boot:mybatis-spring-boot-starter", "org.apache.ibatis"),
        ("dotnet", "DotNet.Glob", "DotNet.Globbing"),
        ("dotnet", "MailKit", "MimeKit.Utils"),
        ("dotnet", "AWSSDK.S3", "Amazon.Runtime"),
        ("php", "laravel/framework", "Illuminate\\Support"),
        ("dotnet", "Newtonsoft.Json", "Newtonsoft.Json.Linq"),
        ("cpp", "GTest", "gtest/gtest.h"),
        ("ruby", "nio4r", "nio/selector"),
        ("ruby", "rails", "action_controller"),
    ],
)
def test_packages_account_for_what_is_imported_from_them(ecosystem, package, imported):
    provides = ("Illuminate",) if ecosystem == "php" else ()
    assert accounts_for(ecosystem, package, imported, provides)
    assert not accounts_for(ecosystem, "something/else:altogether", imported)


@pytest.mark.parametrize(
    ("ecosystem", "imported"),
    [("python", "os.path"), ("python", "annotationlib"), ("python", "distutils.core"), ("python", "_typeshed.wsgi"), ("node", "bun"), ("node", "node:fs"), ("go", "net/http"), ("rust", "std"), ("jvm", "java.util"),
     ("php", "DateTime"), ("dotnet", "System.Text"), ("cpp", "vector")],
)  # fmt: skip
def test_standard_libraries_are_no_dependencies(ecosystem, imported):
    assert is_platform(ecosystem, imported)


def test_an_import_that_says_where_its_package_comes_from_needs_no_manifest(tmp_path):
    (tmp_path / "package.json").write_text('{"dependencies":{"a":"1"}}')
    (tmp_path / "x.ts").write_text("import 'npm:koa@2'\nimport 'jsr:@std/path'\nimport 'lost'\n")
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        found = survey_dependencies(reader, tmp_path)

    assert [row.package for row in found.undeclared] == ["lost"]


def test_linking_and_answers_read_the_same_workspace_of_pnpm():
    assert node.workspace_globs(
        {"workspaces": "a/*"}, pnpm="packages: ['b', '!c']\n", lerna='{"packages": ["d"]}'
    ) == [
        "a/*",
        "b",
        "!c",
        "d",
    ]


def test_the_path_of_a_go_module_ends_before_a_comment():
    text = "module example.com/shop // Deprecated: moved\nreplace example.com/cart v1.0.0 => ./cart\n"

    assert go.read_go_module(text) == ("example.com/shop", (("example.com/cart", "./cart"),))
    assert go.parse_go_mod(text).own_names == ("example.com/shop",)


@pytest.mark.parametrize("text", ["", "[" * 200_000, "{", "x = " + "[" * 100_000])
def test_what_linking_reads_of_a_broken_manifest_is_nothing(text):
    assert php.read_autoload(text) == php.Autoload()
    assert rust.read_crate(text) == rust.Crate()
