"""Answers about one language, on a project with a probe of each: `tests/projects/profiles`."""

import shutil
from pathlib import Path

import pytest

from drift.analyses.language_profiles import Asked, actions_of, find_in_language
from drift.index import IndexReader
from drift.languages.profiles import PROFILED, load_profile
from drift.languages.table import LANGUAGES
from drift.project import StateDir
from drift.scan import ScanOptions, scan

PROJECT = Path(__file__).parents[1] / "projects" / "profiles"


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    root = tmp_path_factory.mktemp("profiles") / "shop"
    shutil.copytree(PROJECT, root)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as opened:
        yield opened, root


def find(reader, language, action, **asked):
    return find_in_language(*reader, language=language, action=action, asked=Asked(**asked))


def ask(reader, language, action, **asked):
    """The data of the whole answer, and its summary."""
    found = find(reader, language, action, **asked)
    order = found.rows.usual()
    return found.data(tuple(sorted(found.rows.rows, key=order.key))), found.summary


@pytest.mark.parametrize("name", PROFILED)
def test_every_profile_is_well_formed(name):
    profile = load_profile(name)

    assert set(profile.languages) <= {one.name for one in LANGUAGES}
    assert len({each.name for each in profile.frameworks}) == len(profile.frameworks)


@pytest.mark.parametrize("language", PROFILED)
def test_every_action_of_every_language_answers_with_rows_that_have_a_place_and_a_key_of_their_own(
    reader, language
):
    for action in actions_of(language):
        found = find(reader, language, action)
        keys = [found.rows.usual().key(row) for row in found.rows.rows]

        assert found.summary
        assert len(set(keys)) == len(keys)
        found.data(tuple(found.rows.rows))


def test_a_status_counts_code_and_frameworks(reader):
    data, summary = ask(reader, "typescript", "status")

    assert summary.endswith("React, NestJS, Express")
    assert data.counts["files"] == 5
    assert [(row.framework, row.routes) for row in data.frameworks] == [
        ("React", None),
        ("NestJS", 2),
        ("Express", 1),
    ]


def test_a_language_that_is_absent_or_elsewhere_is_told_apart_from_nothing_found(reader):
    data, summary = ask(reader, "python", "errors", path="web")

    assert summary == "There is Python in the project, but none below web outside tests (includeTests)"
    assert data.issues is None
    assert data.reason


@pytest.mark.parametrize(
    ("language", "routes"),
    [
        ("typescript", ["GET /orders/:id NestJS", "POST /orders NestJS", "GET /health Express"]),
        ("python", ["GET /orders/{order_id} FastAPI", "POST /orders/ FastAPI", "GET /pages/<name> Flask"]),
        ("java", ["GET /orders/{id} Spring"]),
        ("php", ["GET /orders/{id} Laravel"]),
        ("go", ["GET /orders/:id gin"]),
        ("rust", ["GET /orders axum"]),
    ],
)
def test_routes_are_told_with_their_frameworks(reader, language, routes):
    data, _ = ask(reader, language, "routes")

    assert [f"{row.method} {row.path} {row.framework}" for row in data.routes] == routes


def test_what_stands_before_a_route_is_told_without_what_makes_it(reader):
    data, _ = ask(reader, "typescript", "routes", framework="nestjs")

    assert [row.guards for row in data.routes] == [("@UseGuards(AuthGuard)",), None]


@pytest.mark.parametrize(
    ("language", "issues"),
    [
        ("typescript", ["swallowed-error 23", "unhandled-async 28"]),
        ("python", ["swallowed-error 30", "swallowed-error 34"]),
        ("java", ["default-returned 15", "swallowed-error 23"]),
        ("php", ["swallowed-error 25", "suppressed 22"]),
        ("go", ["ignored-error 79", "ignored-error 65", "ignored-error 66"]),
        # And none of the tests in the file.
        ("rust", ["ignored-error 31", "panic 47", "unwrap 30", "unwrap 39"]),
        ("csharp", ["async-void 35", "throw-ex 40"]),
    ],
)
def test_places_that_lose_errors_are_told_as_error_handling_has_them(reader, language, issues):
    data, _ = ask(reader, language, "errors")

    # Which errors a framework answers is for error handling to know.
    told = [f"{row.rule} {row.line}" for row in data.issues if row.rule != "no-try-catch"]
    assert told == issues


def test_hooks_against_their_rules_come_first_with_the_reason(reader):
    data, _ = ask(reader, "typescript", "hooks")

    assert [(row.hook, row.line, row.problem) for row in data.hooks if row.kind == "misuse"] == [
        ("useTotal", 10, "under a condition or behind an early return"),
        ("useEffect", 12, "in a loop"),
        ("useState", 19, "under a condition or behind an early return"),
        ("useState", 20, "in a callback: onClick of span"),
        ("useState", 30, "in a function that is neither a component nor a hook"),
    ]
    assert [(row.hook, row.kind) for row in data.hooks if row.kind in {"custom", "package"}] == [
        ("useCoupon", "custom"),  # by its name alone: calling it anywhere breaks no rule
        ("useTotal", "custom"),
        ("useQuery", "package"),
    ]


def test_components_are_told_with_their_hooks(reader):
    data, _ = ask(reader, "typescript", "components")

    assert [(row.component, row.form, row.hooks, row.users) for row in data.components] == [
        ("Cart", "function", ("useState", "useTotal", "useEffect"), 1),
        ("Line", "function", ("useQuery", "useState"), 1),
        ("Basket", "class", (), 0),
    ]


def test_files_of_vue_and_marked_classes_are_components(tmp_path):
    (tmp_path / "Total.vue").write_text(
        "<template><b>{{ sum }}</b></template>\n<script setup>\nconst sum = useSum()\n</script>\n"
    )
    (tmp_path / "Page.vue").write_text(
        "<template><Total /></template>\n<script setup>\nimport Total from './Total.vue'\n</script>\n"
    )
    (tmp_path / "cart.ts").write_text(
        "import { Component } from '@angular/core';\n@Component({ template: '' })\nexport class Cart {}\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as opened:
        data, summary = ask((opened, tmp_path), "typescript", "components")

    assert summary == "3 components: 2 files of vue, 1 class"
    assert [(row.component, row.form, row.hooks, row.users) for row in data.components] == [
        ("Total", "vue", ("useSum",), 1),
        ("Cart", "class", (), 0),
        ("Page", "vue", (), None),
    ]


def test_blocking_calls_are_told_where_a_loop_waits_for_them(reader):
    data, _ = ask(reader, "python", "async")

    blocking = {row.function: row.blocking for row in data.functions}
    assert blocking == {
        "read_order": (
            "time.sleep:13 (asyncio.sleep)",
            "load:15 runs requests.get at py/api.py:19",
        ),
        "write_order": (),  # what it hands to a thread blocks nobody
    }


@pytest.mark.parametrize(
    ("language", "action", "told"),
    [
        ("php", "traits", [("LogsOrders", ["OrderController"]), ("Unused", [])]),
        ("go", "interfaces", [("Store", ["Memory"]), ("Empty", [])]),  # Half has one of two methods
        ("rust", "traits", [("Store", ["Memory"])]),
    ],
)
def test_who_keeps_what_an_interface_promises_is_told(reader, language, action, told):
    data, _ = ask(reader, language, action)

    assert [
        (row.name, [each.partition(" ")[0] for each in row.implementers]) for row in data.interfaces
    ] == told


def test_goroutines_are_told_with_what_recovers_and_ends_them(reader):
    data, _ = ask(reader, "go", "goroutines")

    assert [(row.starts, row.has_recover, row.has_cancel, len(row.issues)) for row in data.goroutines] == [
        ("work(jobs)", False, True, 1),
        ("func()", False, False, 1),  # ends by itself
        ("guarded(context.Background())", True, True, 0),
    ]


@pytest.mark.parametrize(
    ("language", "blocking"),
    [
        ("rust", {"show": ("std::thread::sleep:29 (tokio::time::sleep)",), "main": ()}),
        (
            "csharp",
            {
                "DetailViewModel.Load": (
                    ".Result:38 (await)",
                    "System.Threading.Thread.Sleep:39 (await Task.Delay)",
                ),
                "DetailViewModel.ReadAsync": (),
            },
        ),
    ],
)
def test_waiting_in_asynchronous_code_is_told(reader, language, blocking):
    data, _ = ask(reader, language, "async")

    assert {row.function: row.blocking for row in data.functions} == blocking


def test_unsafe_code_is_told_by_place(reader):
    data, _ = ask(reader, "rust", "unsafe")

    assert [(row.rule, row.line, row.function) for row in data.issues] == [("unsafe block", 40, "fast")]


def test_destructors_that_should_be_virtual_are_told_where_others_descend(reader):
    data, _ = ask(reader, "cpp", "virtual")

    assert [(row.name, row.descendants, row.destructor, bool(row.problem)) for row in data.hierarchies] == [
        ("Shape", 1, "not virtual", True),
        ("Safe", 0, "virtual", False),
    ]


def test_a_class_that_deletes_and_may_be_copied_has_a_problem(reader):
    data, _ = ask(reader, "cpp", "classes")

    assert [row.name for row in data.classes if row.problem] == ["Shape", "Buffer"]


def test_memory_without_a_seen_owner_comes_first(reader):
    data, _ = ask(reader, "cpp", "memory")

    assert [(row.way, row.function, bool(row.problem)) for row in data.memory] == [
        ("new", "leak", True),
        ("malloc", "leak", True),
        ("new", "main", False),
        ("new", "Buffer.Buffer", False),
        ("delete", "main", False),
        ("delete", "Buffer.~Buffer", False),
        ("smart", "main", False),
    ]


def test_templates_are_told_with_their_specialisations(reader):
    data, _ = ask(reader, "cpp", "templates")

    assert [(row.name, row.parameters, row.specialisations) for row in data.templates] == [
        ("largest", "template <typename T>", 0),
        ("Stack", "template <typename T>", 1),
        ("Box", "template <typename T>", 0),  # and not what is defined of it outside
    ]


def test_bindings_that_lead_nowhere_are_told_apart_from_those_that_are_not_known(reader):
    data, _ = ask(reader, "wpf", "bindings")

    assert [(row.path, row.status, row.context) for row in data.bindings if row.status != "found"] == [
        ("Totl", "missing", "MainViewModel"),
        ("SellCommand", "missing", "MainViewModel"),
        ("Tite", "missing", "Line"),  # an item of the list around it
        ("Missing", "unknown", "DetailViewModel"),  # its context by name alone
    ]


def test_contexts_are_told_with_how_they_are_known(reader):
    data, _ = ask(reader, "wpf", "datacontext")

    assert [(row.view, row.context, row.how) for row in data.contexts] == [
        ("DetailView", "DetailViewModel", "by its name alone"),
        ("MainWindow", "MainViewModel", "markup says it"),
    ]


def test_commands_are_told_with_where_they_are_bound(reader):
    data, _ = ask(reader, "wpf", "commands")

    assert [(row.command, row.status, row.bound_in) for row in data.commands] == [
        ("SellCommand", "missing", ()),
        ("BuyCommand", "bound", ("wpf/MainWindow.xaml:12",)),
    ]


def test_view_models_that_are_set_without_a_word_come_first(reader):
    data, _ = ask(reader, "wpf", "mvvm")

    assert [(row.name, row.notifies_by, row.silent) for row in data.view_models] == [
        ("DetailViewModel", None, ("Name",)),
        ("Line", None, ()),  # set where it is made, if at all
        ("MainViewModel", "INotifyPropertyChanged", ()),
    ]


def test_another_error_without_the_first_is_a_lost_cause(tmp_path):
    (tmp_path / "A.java").write_text(
        "class A { void f() { try { g(); } catch (X e) { throw new Y(); } }\n"
        "void g() { try { f(); } catch (X e) { throw new Y(e); } } }\n"
    )
    (tmp_path / "orders.py").write_text(
        "from django.db import models\n\n\nclass Order(models.Model):\n    pass\n\n\n"
        "def paid():\n    return Order.objects.filter(paid=True)\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as opened:
        errors, _ = ask((opened, tmp_path), "java", "errors")
        data, summary = ask((opened, tmp_path), "python", "data-access")

    assert [row.line for row in errors.issues if row.rule == "lost-cause"] == [1]
    assert [(row.table, row.operation, row.framework, row.line) for row in data.access_points] == [
        ("order", "read", "django", 9)
    ]
    assert [(row.model, row.accesses) for row in data.models] == [("Order", 1)]
    assert summary == "1 access point, 1 model; 0 in raw SQL"


def test_errors_of_rust_that_go_on_to_the_caller_or_stand_in_tests_are_not_lost(tmp_path):
    (tmp_path / "lib.rs").write_text(
        "fn save() -> Result<u8, E> { Ok(1) }\n"
        "fn run() -> Result<(), E> {\n    save()?;\n    let _ = save()?;\n    save();\n    let _ = save();\n    Ok(())\n}\n"
        "#[cfg(test)]\nmod checks {\n    fn prove() {\n        save().unwrap();\n        save();\n    }\n}\n"
        "fn last() { save().unwrap(); }\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as opened:
        data, _ = ask((opened, tmp_path), "rust", "errors")

    assert sorted((row.line, row.rule) for row in data.issues) == [
        (5, "ignored-error"),
        (6, "ignored-error"),
        (16, "unwrap"),
    ]


def test_a_goroutine_that_goes_through_what_may_be_a_channel_is_not_known_to_be_endless(tmp_path):
    (tmp_path / "go.mod").write_text("module example.com/a\n\ngo 1.22\n")
    (tmp_path / "a.go").write_text(
        "package a\n\nvar queue = make(chan int)\n\nfunc Run() {\n\tgo func() {\n\t\tfor one := range queue {\n"
        "\t\t\tuse(one)\n\t\t}\n\t}()\n\tgo func() {\n\t\tfor {\n\t\t\tuse(1)\n\t\t}\n\t}()\n}\n\nfunc use(one int) {}\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as opened:
        data, _ = ask((opened, tmp_path), "go", "goroutines")

    assert [(row.line, row.has_cancel, len(row.issues)) for row in data.goroutines] == [
        (11, False, 2),
        (6, None, 1),
    ]


def test_a_loop_with_a_way_out_is_not_endless_and_a_list_of_types_is_no_promise(tmp_path):
    (tmp_path / "go.mod").write_text("module example.com/a\n\ngo 1.22\n")
    (tmp_path / "a.go").write_text(
        "package a\n\ntype Number interface{ int | float64 }\n\nfunc Run() {\n\tgo func() {\n\t\tfor {\n"
        "\t\t\tif read() != nil {\n\t\t\t\treturn\n\t\t\t}\n\t\t}\n\t}()\n}\n\nfunc read() error { return nil }\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as opened:
        data, _ = ask((opened, tmp_path), "go", "goroutines")
        _, told = ask((opened, tmp_path), "go", "interfaces")

    assert data.counts["endless"] == 0
    assert told == "1 interface, 0 that no type satisfies in the project"


def test_memory_that_is_handed_on_by_its_variable_or_given_a_parent_has_an_owner(tmp_path):
    (tmp_path / "a.cpp").write_text(
        "#include <memory>\nvoid keep(int* one);\nstruct Window { void fill(); void lose(); Window* made_; };\n"
        "void Window::fill() {\n  auto new_one = new int(1);\n  keep(new_one);\n  made_ = new QLabel(parent);\n"
        "  auto child = new Panel(this);\n  std::unique_ptr<int> held{\n    new int(2)};\n}\n"
        "char* copy() { char* to = (char*)malloc(3); return to; }\n"
        "void Window::lose() {\n  auto lost = new int(3);\n  lost->use();\n  auto gone = (char*)malloc(4);\n}\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as opened:
        data, _ = ask((opened, tmp_path), "cpp", "memory")

    assert [(row.way, row.line) for row in data.memory if row.problem] == [("new", 14), ("malloc", 16)]


def test_setters_that_are_woven_tell_of_changes(tmp_path):
    (tmp_path / "Main.xaml").write_text(
        '<Window x:Class="A.Main" xmlns="http://schemas.microsoft.com/winfx/2006/xaml/presentation" '
        'xmlns:x="http://schemas.microsoft.com/winfx/2006/xaml" xmlns:vm="clr-namespace:A">\n'
        "  <Window.DataContext><vm:MainViewModel/></Window.DataContext>\n"
        '  <Button Content="{Binding Name}" Command="{Binding SaveCommand}"/>\n</Window>\n'
    )
    (tmp_path / "MainViewModel.cs").write_text(
        "namespace A {\n  public partial class MainViewModel : INotifyPropertyChanged {\n"
        "    public string Name { get; set; }\n    [RelayCommand] private void OnSave() { Name = null; }\n  }\n}\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as opened:
        quiet, _ = ask((opened, tmp_path), "wpf", "mvvm")
        (tmp_path / "FodyWeavers.xml").write_text("<Weavers>\n  <PropertyChanged />\n</Weavers>\n")
        woven, _ = ask((opened, tmp_path), "wpf", "mvvm")
        bindings, _ = ask((opened, tmp_path), "wpf", "bindings")

    assert [row.silent for row in quiet.view_models] == [("Name",)]
    assert [row.silent for row in woven.view_models] == [()]
    assert {row.status for row in bindings.bindings} == {"found"}
