"""What is called from outside the project is told as such, where no call in it is seen."""

import pytest

from drift.analyses.callables import entry_evidence
from drift.analyses.callers import find_callers
from drift.analyses.explain import explain_symbol
from drift.analyses.graph_rows import outside_warnings
from drift.analyses.lookup import find_symbols
from drift.analyses.testing.coverage import FunctionCoverage
from drift.analyses.testing.uncovered import find_uncovered
from drift.analyses.unseen_ways import find_unseen_way, unseen_caller_warnings
from drift.analyses.weighing import find_change, weigh_change
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

VIEWS = """\
from rest_framework.permissions import BasePermission
from rest_framework.views import APIView
from strange import Parent
from django.dispatch import receiver
class Owner(BasePermission):
    def has_object_permission(self, request, view, obj): ...
class Odd(Parent):
    def twist(self): ...
    def turn(self): return self.twist()
class Plain:
    def alone(self): ...
    def __str__(self): ...
class MailView(APIView):
    def post(self, request): ...
@receiver(logged_out)
def tidy(sender, **kwargs): ...
"""
URLS = "from django.urls import path\nfrom shop.views import MailView\nurlpatterns = [path('mail/', MailView.as_view())]\n"


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    root = tmp_path_factory.mktemp("called")
    (root / "shop").mkdir()
    for name, text in {"views.py": VIEWS, "urls.py": URLS, "__init__.py": ""}.items():
        (root / "shop" / name).write_text(text)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as opened:
        yield opened


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Owner.has_object_permission", "Django REST framework may call"),
        ("Odd.turn", "strange.Parent, a parent outside the project, may call"),
        ("Odd.twist", ""),
        ("Plain.alone", ""),
        ("Plain.__str__", "a name by which the language or a library calls it"),
    ],
)
def test_a_parent_outside_may_call_what_nobody_is_seen_to_call(reader, name, said):
    warnings = " ".join(outside_warnings(reader, find_symbols(reader, name).symbols[0]))

    assert said in warnings
    assert bool(said) == bool(warnings)


def test_an_entry_point_is_told_with_what_opens_it(reader):
    told = {
        name: entry_evidence(reader, find_symbols(reader, name).symbols[0])
        for name in ("MailView.post", "tidy")
    }

    assert told["tidy"] == ("event signal logged_out",)
    assert [each.partition(" -> ")[0] for each in told["MailView.post"]] == [
        "through its class: http POST /mail/"
    ]
    assert entry_evidence(reader, find_symbols(reader, "Plain.alone").symbols[0]) == ()


def test_what_calls_an_overridden_method_may_run_one_of_many_that_override_it(tmp_path):
    names = [f"Cmd{number}" for number in range(12)]
    heads = "".join(f"class {one} : public Command {{ public: int execute(); }};\n" for one in names)
    (tmp_path / "all.h").write_text(f"class Command {{ public: virtual int execute() = 0; }};\n{heads}")
    code = "".join(f"int {one}::execute() {{ return 1; }}\n" for one in names)
    (tmp_path / "all.cpp").write_text(
        f'#include "all.h"\n{code}int go(Command* one) {{ return one->execute(); }}\n'
    )
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as opened:
        symbol = next(one for one in opened.symbols.named("execute") if one.path == "all.cpp")
        assert "Command.execute at all.h:1 is overridden by it" in " ".join(outside_warnings(opened, symbol))


def test_calls_through_an_interface_are_told_of_each_of_very_many_that_fit_it(tmp_path):
    forms = "".join(
        f"type Form{number} struct {{}}\nfunc (f *Form{number}) Check(name string) (bool, error) {{ return true, nil }}\n"
        for number in range(12)
    )
    other = "type Other struct{}\nfunc (o *Other) Check(number int) int { return 1 }\n"
    texts = {
        "go.mod": "module shop\n",
        "checks/checks.go": (
            "package checks\ntype Checker interface { Check(name string) (ok bool, err error) }\n"
            'func Run(one Checker) { one.Check("a") }\n'
        ),
        "forms/forms.go": f"package forms\n{forms}{other}",
    }
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as opened:
        found = find_callers(opened, "Form7.Check", file=None, max_depth=2)
        (row,) = found.data(found.direct.places).callers
        assert (row.symbol, row.line, row.reason, row.candidates) == ("Run", 3, "override", 12)
        assert row.confidence < 0.1
        asked = find_symbols(opened, "Checker.Check").symbols[0]
        assert len(explain_symbol(opened, asked, rows=40).overridden_by or ()) == 12
        told = explain_symbol(opened, find_symbols(opened, "Checker").symbols[0], rows=3)
        assert (told.heir_count, len(told.heirs or ())) == (12, 3)
        assert find_callers(opened, "Other.Check", file=None, max_depth=1).direct.places == ()


def test_what_very_many_have_under_one_whole_name_is_answered_for_together(tmp_path):
    for number in range(12):
        text = f"package p{number}\ntype Form struct {{}}\nfunc (f *Form) Check() {{}}\nfunc run{number}(f *Form) {{ f.Check() }}\n"
        (tmp_path / f"p{number}").mkdir()
        (tmp_path / f"p{number}" / "form.go").write_text(text)
    hook = "import { OnInit } from '@angular/core';\nexport class Cart implements OnInit { ngOnInit() {} other() {} }\n"
    (tmp_path / "cart.ts").write_text(hook)
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as opened:
        found = find_callers(opened, "Form.Check", file=None, max_depth=1)
        assert found.direct.counts.callers == 12
        assert "and 4 more" in found.warnings()[0]
        told = [
            outside_warnings(opened, find_symbols(opened, name).symbols[0]) for name in ("ngOnInit", "other")
        ]
        assert [bool(each) for each in told] == [True, False]


MADE = {
    "Advice.java": (
        "@ControllerAdvice\nclass Advice {\n  @ExceptionHandler(Gone.class) String gone() { return null; }\n"
        "  String plain() { return null; }\n}\n"
    ),
    "Rules.cs": "class OrderRules : AbstractValidator<Order> { public OrderRules() { RuleFor(x => x.Id); } }\n",
}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "Advice.gone",
            ("Spring (ExceptionHandler) may call Advice.gone: such calls are not in the project",),
        ),
        (
            "Advice",
            ("Spring (ControllerAdvice) may make objects of Advice: such calls are not in the project",),
        ),
        ("Advice.plain", ()),
        ("OrderRules", ("ASP.NET may make objects of OrderRules: such calls are not in the project",)),
        (
            "OrderRules.OrderRules",
            ("ASP.NET may call OrderRules.OrderRules: such calls are not in the project",),
        ),
    ],
)
def test_what_a_container_makes_and_runs_is_told_where_nobody_is_seen_to(tmp_path, name, told):
    for path, text in MADE.items():
        (tmp_path / path).write_text(text, "utf-8")
    scan(tmp_path)

    with IndexReader(StateDir(tmp_path).index_db) as reader, reader.snapshot():
        (symbol,) = [one for one in reader.symbols.named(name.rpartition(".")[2]) if one.qualname == name]
        assert outside_warnings(reader, symbol) == told


def test_what_runs_when_the_program_starts_may_be_run_by_tests_that_start_it(tmp_path):
    (tmp_path / "Program.cs").write_text("using Shop;\nvar app = new App();\napp.Configure();\n", "utf-8")
    (tmp_path / "App.cs").write_text(
        "namespace Shop;\npublic class App {\n  public void Configure() { Add(); }\n  void Add() {}\n  public void Alone() {}\n}\n",
        "utf-8",
    )
    scan(tmp_path)

    with IndexReader(StateDir(tmp_path).index_db) as reader, reader.snapshot():
        (added,) = reader.symbols.named("Add")
        (alone,) = reader.symbols.named("Alone")
        assert unseen_caller_warnings(reader, [added, alone]) == (
            "App.Add runs when the program starts: tests that start all of it run that, too, and are not told",
        )


ADVICE = """package shop;
import org.springframework.web.bind.annotation.*;
@RestControllerAdvice
public class Advice {
  @ExceptionHandler(Bad.class) public String tell(Bad bad) { return new Told().add(bad); }
}
class Told {
  String add(Bad bad) { return fill(bad); }
  private String fill(Bad bad) { return "a"; }
  String alone() { return "b"; }
}
"""


def test_a_doubt_is_handed_down_to_what_runs_through_what_a_framework_calls(tmp_path):
    (tmp_path / "Advice.java").write_text(ADVICE, "utf-8")
    scan(tmp_path)

    with IndexReader(StateDir(tmp_path).index_db) as reader, reader.snapshot():
        (fill,), (alone,) = reader.symbols.named("fill"), reader.symbols.named("alone")
        assert unseen_caller_warnings(reader, [fill, alone]) == (
            "Spring (ExceptionHandler) may call Advice.tell, through which Told.fill runs: tests that start it are not told",
        )
        assert find_unseen_way(reader, alone) is None


GO = """package shop

import (
	"sync"

	pb "example.com/api/orders"
)

type Counter struct {
	sync.Mutex
}

func (c *Counter) Count() int { return 1 }

type Orders struct {
	pb.UnimplementedOrdersServer
}

func (o *Orders) Pay() int { return 2 }
"""


def test_what_a_struct_embeds_calls_nothing_of_it_unless_a_server_is_made_so(tmp_path):
    (tmp_path / "shop.go").write_text(GO)
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        warned = {
            name: " ".join(outside_warnings(reader, find_symbols(reader, name).symbols[0]))
            for name in ("Counter.Count", "Orders.Pay")
        }

    assert warned["Counter.Count"] == ""
    assert "gRPC may call" in warned["Orders.Pay"]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"package.json": "{}"}, ""),
        ({"nuxt.config.ts": "export default {}\n"}, "Nuxt (by the folder) may call"),
        ({"main.ts": "import { defineEventHandler } from 'h3'\n"}, "Nuxt (by the folder) may call"),
        ({"next.config.js": "module.exports = {}\n"}, ""),
    ],
)
def test_a_folder_is_that_of_a_framework_only_where_the_project_uses_it(tmp_path, files, said):
    (tmp_path / "server" / "plugins").mkdir(parents=True)
    (tmp_path / "server" / "plugins" / "mail.ts").write_text("export function send() { return 1 }\n")
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        warned = " ".join(outside_warnings(reader, find_symbols(reader, "send").symbols[0]))

    assert said in warned
    assert bool(said) == bool(warned)


APPS = """\
from django.apps import AppConfig
from kit import keep
class ShopConfig(AppConfig):
    name = "shop"
    def ready(self):
        keep(handle)
def handle(sender, **kwargs): ...
def forgotten(): ...
"""


@pytest.fixture
def shop(tmp_path):
    (tmp_path / "shop" / "migrations").mkdir(parents=True)
    for path, text in {
        "shop/__init__.py": "",
        "shop/apps.py": APPS,
        "shop/tasks.py": "from kit import rpc_method\n@rpc_method(name='Mail.send')\ndef deliver(mail): ...\n",
        "shop/migrations/0001_first.py": "def forwards(apps):\n    apps.objects.filter(1)\n",
    }.items():
        (tmp_path / path).write_text(text)
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as opened:
        yield tmp_path, opened


@pytest.mark.parametrize("target", ["shop/apps.py", "ShopConfig", "ShopConfig.ready"])
def test_impact_of_a_file_and_a_class_tells_what_may_call_their_methods(shop, target):
    root, opened = shop
    change = find_change(opened, root, target, file=None, base="HEAD")
    told = [each for each in weigh_change(opened, root, change, max_depth=3).warnings() if "may call" in each]

    (warning,) = told
    assert warning.startswith("Django applications")
    assert "ShopConfig.ready" in warning


def test_what_something_keeps_is_not_dead_where_no_test_runs_it_and_migrations_come_last(shop):
    _, opened = shop
    functions = opened.testing.functions()
    rows = [FunctionCoverage(one, False, "call graph", 1.0, None, None) for one in functions]
    found = {one.function.name: one.may_be_fine[0].partition(":")[0] for one in find_uncovered(opened, rows)}

    assert found["deliver"] == "registered"
    assert found["handle"] == "handed on"
    assert found["forgotten"] == "dead"
    assert [*found][-1] == "forwards"


def test_what_tests_call_something_by_the_name_of_comes_after_what_no_test_names(tmp_path):
    (tmp_path / "shop.py").write_text(
        "class Box:\n    def add_source(self):\n        a()\n        b()\n        return self.load()\n\n"
        "    def save_whole(self):\n        return 1\n"
    )
    (tmp_path / "test_shop.py").write_text(
        "from lib import given\n\n\ndef test_box():\n    box = given()\n    box.add_source()\n    box.save()\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as reader:
        rows = [
            FunctionCoverage(one, False, "call graph", 1.0, None, None) for one in reader.testing.functions()
        ]
        first, second = find_uncovered(reader, rows)

    assert first.function.name == "save_whole"
    assert not any("named in a test" in why for why in first.may_be_fine)
    assert "named in a test: test_shop.py:6 calls something of its name" in second.may_be_fine


TRAITS = """\
use far::Handler;
pub trait Source: Send + Clone { fn tile(&self) { } }
#[derive(Clone)]
pub struct Guard;
impl Guard { pub fn work(&self) {} fn quiet(&self) {} }
impl Drop for Guard { fn drop(&mut self) {} }
impl Source for Guard { fn tile(&self) {} }
impl Handler for Guard { fn handle(&self) {} }
pub struct Lone;
impl Lone { pub fn idle(&self) {} }
impl Drop for Lone { fn drop(&mut self) {} }
"""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Guard.handle", "far.Handler, a parent outside the project, may call"),
        ("Guard.drop", "std.Drop, a parent outside the project, may call"),
        ("Guard.work", ""),
        ("Guard.quiet", ""),
        ("Guard.tile", ""),
        ("Source.tile", ""),
        ("Lone.idle", ""),
    ],
)
def test_a_trait_outside_calls_only_what_stands_in_its_own_part(tmp_path, name, said):
    (tmp_path / "Cargo.toml").write_text('[package]\nname = "x"\n[dependencies]\nfar = "1"\n')
    (tmp_path / "src").mkdir()
    (tmp_path / "src/lib.rs").write_text(TRAITS)
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as reader:
        warnings = " ".join(outside_warnings(reader, find_symbols(reader, name).symbols[0]))

    assert said in warnings
    assert bool(said) == ("a parent outside" in warnings)
