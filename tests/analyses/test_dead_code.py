"""Code that nobody uses in applications: what frameworks call is left alone, what is said to be dead surely is."""

import re
import tomllib
from importlib.resources import files

import pytest
from written_cases import names_of, read_case, write_case

from drift.analyses.dead_code.finding import Asked, look_through
from drift.analyses.usages.offering import Offering
from drift.index import IndexReader
from drift.languages.table import LANGUAGES
from drift.project import StateDir
from drift.scan import ScanOptions, scan


def levels_in(root):
    """How surely each symbol is dead, by whole name."""
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:
        found = look_through(reader, root, Asked(), check_cancelled=lambda: None)
    return {one.symbol.qualname: one.level for one in found.found}


@pytest.mark.parametrize("name", names_of("dead_code"))
def test_what_is_called_dead_in_an_application_is(tmp_path, name):
    """`high: a b` names all that is surely dead, `doubtful: c` what is listed with less."""
    case = read_case("dead_code", name)
    write_case(case, tmp_path)

    found = levels_in(tmp_path)

    expected = dict(case.expected)
    assert {one for one, level in found.items() if level == "high"} == set(expected["high"].split())
    doubtful = {one for one, level in found.items() if level != "high"}
    assert set(expected.get("doubtful", "").split()) <= doubtful


def test_what_overrides_a_method_of_a_class_outside_is_called_there(tmp_path):
    (tmp_path / "view.cpp").write_text(
        "#include <QTreeView>\nclass View : public QTreeView {\npublic:\n"
        "  void mousePressEvent(QMouseEvent *event) override { count++; }\n"
        "  void mouseCounted() { count++; }\n  int count;\n};\nint main() { View view; return 0; }\n"
    )

    found = levels_in(tmp_path)

    assert "View.mouseCounted" in found
    assert "View.mousePressEvent" not in found


def test_what_is_defined_apart_from_its_class_is_judged_as_its_member(tmp_path):
    (tmp_path / "CMakeLists.txt").write_text("add_executable(shop view.cpp)\n")
    (tmp_path / "view.h").write_text(
        "class Rule { public: virtual bool fits() = 0; };\nclass Sale : public Rule { bool fits() override; };\n"
        "class View : public QWidget {\npublic:\n  void paintEvent(QPaintEvent*);\n  void count(int n);\n};\n"
    )
    (tmp_path / "view.cpp").write_text(
        '#include "view.h"\nbool Sale::fits() { return true; }\nvoid View::paintEvent(QPaintEvent*) {}\n'
        "void View::count(int n) {}\nint main() { View view; Sale sale; Rule* one = &sale; return one->fits(); }\n"
    )

    found = levels_in(tmp_path)

    assert found == {"View.count": "high"}


def test_the_lists_of_what_keeps_code_alive_are_well_formed():
    rules = tomllib.loads(files("drift.analyses").joinpath("unseen_calls.toml").read_text("utf-8"))

    assert set(rules["hooks"]) <= {"any", *(language.name for language in LANGUAGES)}
    tables = ("hooks", "dynamic", "accessors", "bound", "docs", "decorators", "plain")
    lists = [names for table in tables for names in rules[table].values()]
    for framework in rules["framework"]:
        assert set(framework) <= {
            "name",
            "languages",
            "parents",
            "members",
            "finds",
            "decorators",
            "runs",
            "makes",
            "paths",
            "signs",
            "holds",
            "related",
            "certain",
            "dispatches",
            "open",
            "sure",
        }
        lists += [value for value in framework.values() if isinstance(value, list)]
        assert not framework.get("members") or framework.get("parents")
    assert all(name and isinstance(name, str) for names in lists for name in names)
    assert all(len(names) == len(set(names)) for names in lists)


def test_the_list_of_build_files_is_well_formed():
    kinds = tomllib.loads(files("drift.analyses.usages").joinpath("offering.toml").read_text("utf-8"))

    for kind in kinds.values():
        assert {kind["first"], kind["otherwise"]} <= {"application", "library"}
        assert all(re.compile(each, re.MULTILINE) for each in (*kind["application"], *kind["library"]))


class Place:
    def __init__(self, path, language):
        self.path, self.language = path, language


@pytest.mark.parametrize(
    ("texts", "path", "language", "expected"),
    [
        ({"package.json": '{"private": true, "main": "x.js"}'}, "src/a.ts", "typescript", True),
        ({"package.json": '{"main": "x.js"}'}, "src/a.ts", "typescript", False),
        ({"package.json": "{}", "lib/package.json": '{"exports": {}}'}, "lib/a.ts", "typescript", False),
        ({"pyproject.toml": "[build-system]\n"}, "shop/a.py", "python", False),
        ({"pyproject.toml": "[build-system]\n", "manage.py": ""}, "shop/a.py", "python", True),
        ({"requirements.txt": "django\n"}, "shop/a.py", "python", True),
        ({"a.py": ""}, "a.py", "python", False),
        ({"api/build.gradle": "id 'maven-publish'", "app/build.gradle": "id 'org.springframework.boot'"}, "api/A.java", "java", False),
        ({"api/build.gradle": "id 'maven-publish'", "app/build.gradle": "id 'org.springframework.boot'"}, "app/A.java", "java", True),
        ({"core/core.csproj": "<Project>", "web/web.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web">'}, "core/A.cs", "csharp", True),
        ({"go.mod": "module a", "main.go": "", "api/a.go": ""}, "api/a.go", "go", True),
        ({"go.mod": "module a", "main.go": "", "client/a.go": "", "internal/b.go": ""}, "client/a.go", "go", False),
        ({"go.mod": "module a", "main.go": "", "client/a.go": "", "internal/b.go": ""}, "internal/b.go", "go", True),
        ({"composer.json": '{"type": "project"}'}, "app/A.php", "php", True),
        ({"Cargo.toml": ""}, "src/a.rs", "rust", False),
        ({"CMakeLists.txt": "add_executable(shop a.cpp)"}, "src/a.h", "cpp", True),
        ({"CMakeLists.txt": "add_executable(shop a.cpp)\nadd_library(core b.cpp)"}, "src/a.h", "cpp", False),
        ({"CMakeLists.txt": "# add_library(core b.cpp)\nadd_library(options INTERFACE)", "src/CMakeLists.txt": "qt_add_executable(shop)",
          "src/view/CMakeLists.txt": "target_sources(shop PRIVATE a.cpp)"}, "src/view/a.h", "cpp", True),
        ({"CMakeLists.txt": "add_library(shop INTERFACE)\ntarget_include_directories(shop INTERFACE include)"}, "include/a.h", "cpp", False),
        ({"CMakeLists.txt": "install(FILES a.h DESTINATION include)", "src/CMakeLists.txt": "add_executable(shop a.cpp)"}, "src/a.h", "cpp", False),
        ({"shop.pro": "TEMPLATE = app\n"}, "a.h", "cpp", True),
        ({"shop.pro": "TEMPLATE = lib\n"}, "a.h", "c", False),
        ({"meson.build": "executable('shop', 'a.c')"}, "a.h", "c", True),
        ({"meson.build": "executable('shop', 'a.c')\ninstall_headers('a.h')"}, "a.h", "c", False),
        ({"a.cpp": ""}, "a.h", "cpp", False),
    ],
)  # fmt: skip
def test_others_can_use_what_a_library_exports_and_not_what_an_application_does(
    texts, path, language, expected
):
    offering = Offering(texts, texts.__getitem__)

    assert offering.is_application(Place(path, language)) is expected
