"""Answers about shapes that applications have and libraries seldom: one small project in several languages."""

import pytest

from drift.analyses.callables import call_target
from drift.analyses.callees import find_calls
from drift.analyses.explain import explain_file, explain_symbol
from drift.analyses.graph_rows import outside_warnings, unseen_way_warnings
from drift.analyses.impact import find_impact
from drift.analyses.middleware import find_middleware, middleware_warnings
from drift.analyses.paths import find_ways, hop_rows
from drift.analyses.reachability import walk_forward, walk_inverse
from drift.analyses.symbol_choice import choose_symbol
from drift.analyses.testing.mocks import cases_of_mock, find_mocks
from drift.analyses.testing.suites import suites_of
from drift.analyses.types import describe_type
from drift.analyses.unseen_calls import family_of
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

FILES = {
    "Shop/Prices.cs": (
        "namespace Shop;\npublic class Order { public int Total { get; set; } }\n"
        "public class Ware { public int Weight { get; set; } }\npublic class GiftWare : Ware {}\n"
        "public class Prices {\n  public Prices(int start) { Reset(); }\n  void Reset() {}\n"
        "  public int Price(int n) => n;\n"
        "  public int[] All(int[] many) => many.Select(one => Price(one)).ToArray();\n"
        "  public void Print(Order order) {}\n}\n"
        "public class Page { public void Show() { new Prices(1).All(null); } }\n"
    ),
    "Shop.Tests/PricesTests.cs": (
        "namespace Shop.Tests;\npublic class PricesTests {\n"
        "  [Fact] public void TestExport() { new Store().Export(); }\n}\n"
        "public class Store { public void Export() {} }\n"
    ),
    "src/main/java/shop/Pool.java": (
        "package shop;\npublic class Pool {\n  void work() {}\n"
        "  void start() { new Thread(new Runnable() { public void run() { work(); } }).start(); }\n"
        "  void open() { start(); }\n}\n"
    ),
    "notices/agents.py": "class Agent:\n    def send(self): ...\n\n\ndef notify(agent: Agent):\n    agent.send()\n"
    + "".join(
        f"\n\nclass Agent{number}(Agent):\n    def send(self): return post{number}()\n\n\ndef post{number}(): ...\n"
        for number in range(12)
    ),
    "server/auth.go": (
        'package server\n\nimport "github.com/gin-gonic/gin"\n\ntype Auth struct{}\n\n'
        "func (a *Auth) Check() gin.HandlerFunc { return nil }\n"
    ),
    "Shop/Timing.cs": (
        "using Microsoft.AspNetCore.Http;\nnamespace Shop;\npublic class Timing {\n"
        "  public Task Invoke(HttpContext context) { return null; }\n}\n"
    ),
    "web/page.ts": (
        "import { draw, useEffect } from 'lib';\nfunction load() { fetchAll() }\nfunction fetchAll() {}\n"
        "export function Shelf() { useEffect(() => { [1].map(one => load()); });\n"
        "  const later = () => fetchAll(); draw(later) }\n"
    ),
    "web/shop.module.ts": (
        "import { Module } from '@nestjs/common';\nimport { ShopController } from './shop.controller';\n"
        "@Module({ controllers: [ShopController] })\nexport class ShopModule {}\n"
    ),
    "web/sizes.ts": (
        "export type Size = 'small' | 'large';\nexport type Labels = { size: Size };\n"
        "export const label = ({ size }: { size: Size }) => size;\nexport function shown() { return label({ size: 'small' }) }\n"
    ),
    "web/shop.controller.ts": "export class ShopController { constructor(private x: string) {} }\n",
    "src/Batch.php": (
        "<?php\nclass Batch {\n  private bool $deep;\n  public function setDeep(bool $deep) {}\n"
        "  public function setUp() {}\n}\n"
    ),
    "app/Cookies.php": (
        "<?php\nuse Illuminate\\Cookie\\Middleware\\EncryptCookies as Base;\nclass Cookies extends Base {}\n"
    ),
    "api/orders.ts": (
        "import { OrdersApi } from '@gen/api';\nimport { Ledger } from './ledger';\n"
        "export class Orders extends OrdersApi {\n  constructor(private ledger: Ledger) { super() }\n"
        "  pay() { return settle() }\n}\nfunction settle() { return 1 }\n"
    ),
    "api/ledger.ts": "export class Ledger { constructor(x: number) {} }\n",
    "bank/src/main/java/bank/Lock.java": "package bank;\npublic interface Lock { void take(); }\n",
    "bank/src/main/java/bank/RealLock.java": "package bank;\npublic class RealLock implements Lock { public void take() {} }\n",
    "bank/src/test/java/bank/LockTest.java": (
        "package bank;\nimport org.junit.jupiter.api.Test;\nclass LockTest {\n  @MockBean\n  private Lock lock;\n"
        "  @Test void takes() { lock.take(); }\n}\n"
    ),
    "server/app.go": "package server\n\ntype App struct{}\n",
    "server/pages.go": "package server\n\nfunc (a *App) Index() {}\n",
    "site/props.ts": "export async function getServerSideProps() { return { props: {} } }\n",
    "site/pages/urls.tsx": (
        "export { getServerSideProps } from '../props';\nexport default function Urls() { return <p/> }\n"
    ),
    "web/query.ts": (
        "export function useOrders() { return useQuery({ queryFn: () => 1 }) }\n"
        "export function Orders() { return useOrders().data }\n"
    ),
    "web/short.pipe.ts": (
        "import { Pipe, PipeTransform } from '@angular/core';\n"
        "@Pipe({name: 'short'})\nexport class ShortPipe implements PipeTransform { transform(x: string) { return x } }\n"
    ),
    "api/whole.pipe.ts": (
        "import { PipeTransform } from '@nestjs/common';\n"
        "export class WholePipe implements PipeTransform { transform(x: string) { return x } }\n"
    ),
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    root = tmp_path_factory.mktemp("application")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as found:
        yield found


def symbol(reader, qualname):
    (found,) = [one for one in reader.symbols.named(qualname.rpartition(".")[2]) if one.qualname == qualname]
    return found


def users(reader, qualname):
    impact = find_impact(reader, [symbol(reader, qualname)], max_depth=5)
    names = {one.id: one.qualname for one in reader.symbols.many(each.symbol_id for each in impact.product)}
    return {(names[one.symbol_id], one.depth) for one in impact.product}


def reaching(reader, qualname):
    found = walk_inverse(reader, call_target(reader, symbol(reader, qualname)), max_depth=5).closure.reached
    return {one.qualname for one in reader.symbols.many(each.symbol_id for each in found)}


def test_what_a_lambda_uses_is_used_by_the_function_around_it_and_by_its_callers(reader):
    found = users(reader, "Prices.Price")

    assert {("Prices.All", 2), ("Page.Show", 3)} <= found


def test_a_function_uses_what_it_hands_to_a_library_in_an_object(reader):
    found = users(reader, "useOrders.queryFn")

    assert found == {("useOrders", 1), ("Orders", 2)}


def test_a_page_that_exports_a_function_of_another_file_uses_it_and_enters_through_it(reader):
    loader = symbol(reader, "getServerSideProps")

    impact = find_impact(reader, [loader], max_depth=5)
    told = explain_symbol(reader, loader, rows=5)

    assert users(reader, "getServerSideProps") == {("urls", 1)}
    assert [one.entry.detail for one in impact.entries] == ["GET /urls"]
    assert unseen_way_warnings(reader, [one.symbol_id for one in impact.product]) == ()
    assert [(row.file, row.how) for row in told.used_by] == [("site/pages/urls.tsx", "export")]


def test_what_a_class_without_a_name_uses_is_used_by_the_method_around_it(reader):
    found = users(reader, "Pool.work")

    assert {("Pool.start", 2), ("Pool.open", 3)} <= found
    assert {"Pool.start", "Pool.open"} <= reaching(reader, "Pool.work")


def test_who_calls_a_method_that_very_many_override_uses_each_of_them(reader):
    assert users(reader, "post3") == {("Agent3.send", 1), ("notify", 2)}


def test_those_who_take_an_object_are_users_of_its_class_but_not_their_callers(reader):
    assert users(reader, "Order") == {("Prices.Print", 1)}
    assert users(reader, "Size") == {("Labels", 1), ("label", 1)}


def test_a_class_and_its_name_again_mean_the_constructor(reader):
    assert choose_symbol(reader, "Prices.Prices")[0].kind == "constructor"
    assert choose_symbol(reader, "Prices")[0].kind == "class"


def test_a_pipe_of_angular_is_no_middleware_of_nest_and_a_method_may_give_gin_some(reader):
    assert [row.name for row in find_middleware(reader)] == ["Timing", "WholePipe", "Cookies", "Auth.Check"]


def test_what_every_request_runs_is_told_with_the_tests_that_no_link_shows(reader):
    (said,) = middleware_warnings(reader, [symbol(reader, "WholePipe.transform"), symbol(reader, "Prices")])

    assert said == (
        "WholePipe is pipe of NestJS: every request that it stands before runs it, and so do tests that send one, "
        "of which those are told whose route is known"
    )


def test_a_method_of_an_object_that_is_handed_on_may_run_for_whoever_is_given_it(reader):
    assert outside_warnings(reader, symbol(reader, "useOrders.queryFn")) == (
        "useOrders.queryFn is of an object that useOrders hands on: who is given it may call it",
    )


def test_a_method_of_a_type_of_another_file_is_of_no_object_that_is_handed_on(reader):
    assert outside_warnings(reader, symbol(reader, "App.Index")) == ()


def test_a_class_that_is_asked_for_by_its_type_may_be_made_by_a_container(reader):
    assert outside_warnings(reader, symbol(reader, "Ledger.constructor")) == (
        "Ledger is asked for by its type at api/orders.ts:4: a container may make it",
    )


def test_users_that_a_parent_outside_may_call_are_told_with_it(reader):
    (said,) = unseen_way_warnings(reader, [symbol(reader, "Orders.pay").id])

    assert said.startswith(
        "@gen/api.OrdersApi, a parent outside the project, may call Orders.pay, through which"
    )
    assert unseen_way_warnings(reader, [symbol(reader, "Prices.Price").id]) == ()


def test_an_accessor_of_a_field_may_be_called_by_the_name_of_the_field(reader):
    (said,) = outside_warnings(reader, symbol(reader, "Batch.setDeep"))

    assert said.startswith(
        "a form, mapper or serialiser, which know accessors by the name of their field, may"
    )
    assert outside_warnings(reader, symbol(reader, "Batch.setUp")) == ()


def test_a_class_that_a_container_is_given_may_be_made_by_it(reader):
    assert outside_warnings(reader, symbol(reader, "ShopController.constructor")) == (
        "ShopController is handed on at web/shop.module.ts:3: what is given it may make objects of it",
    )


def test_a_function_makes_the_calls_of_what_it_hands_on_without_a_name(reader):
    shelf = symbol(reader, "Shelf")

    assert [one.text for one in find_calls(reader, [shelf]).calls] == ["useEffect", "[1].map", "load", "draw"]
    (way,) = find_ways(reader, "Shelf", "fetchAll", max_depth=5).found
    assert [row.callee for row in hop_rows(reader, way)][-2:] == ["load", "fetchAll"]


def test_a_type_has_the_fields_of_its_parents(reader):
    fields = describe_type(reader, symbol(reader, "GiftWare"), depth=1).fields

    assert [(one.name, one.inherited_from) for one in fields] == [("Weight", "Ware")]


def test_a_mock_of_an_interface_replaces_what_implements_it(reader):
    test = next(one for one in reader.files.stamps() if one.path.endswith("LockTest.java"))
    suites = suites_of(reader)
    suites.read_all(reader)

    (mock,) = find_mocks(reader, suites, [test.id], lambda path: FILES[path])

    assert mock.target == "Lock"
    assert symbol(reader, "RealLock.take").id in mock.targets
    assert {suites.cases[one].title for one in cases_of_mock(suites, mock)} == {"LockTest.takes"}


def test_a_framework_calls_members_of_classes_in_its_own_languages_alone():
    assert [one.name for one in family_of(["LitComponent"], "typescript").frameworks] == [
        "Web components and editors"
    ]
    assert family_of(["yew.Component"], "rust").frameworks == ()


def test_a_parent_named_whole_tells_the_framework_before_one_named_by_its_end():
    names = [
        [one.name for one in family_of([parent]).frameworks]
        for parent in ("Illuminate\\Routing.Controller", "Microsoft.AspNetCore.Mvc.Controller")
    ]

    assert names == [["Laravel controllers"], ["ASP.NET"]]


def test_a_call_through_an_interface_reaches_each_that_may_run_in_its_place_however_many(tmp_path):
    names = ["Mail", "Post", "Bell", "Drum", "Flag"]
    (tmp_path / "agents.ts").write_text(
        "export interface Agent { send(): void }\n"
        + "".join(f"export class {one} implements Agent {{ send() {{ ring{one}() }} }}\n" for one in names)
        + "".join(f"function ring{one}() {{}}\n" for one in names)
        + "export function notify(agent: Agent) { agent.send() }\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as opened:
        (notify,) = opened.symbols.named("notify")
        found = walk_forward(opened, [notify.id], max_depth=5).closure.reached
        reached = {one.qualname for one in opened.symbols.many(each.symbol_id for each in found)}

        assert {f"{one}.send" for one in names} < reached
        assert "notify" in reaching(opened, "ringFlag")


def test_a_route_to_something_outside_is_no_way_into_what_its_file_registers_beside_it(tmp_path):
    (tmp_path / "urls.py").write_text(
        "from django.urls import path\nfrom docs_library import DocsView\nfrom views import hook\n"
        'urlpatterns = [path("docs/", DocsView.as_view()), path("hook/", hook)]\n'
    )
    (tmp_path / "views.py").write_text(
        "from rest_framework.decorators import api_view, permission_classes\n\n\n"
        '@api_view(["POST"])\ndef hook(request):\n    return run()\n\n\ndef run(): ...\n'
    )
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        impact = find_impact(reader, [reader.symbols.qualified("run")[0]], max_depth=16)

    assert [one.entry.detail for one in impact.entries] == ["ANY /hook/ -> hook"]


def test_an_explanation_says_how_much_more_there_is_and_how_often_something_is_called(tmp_path):
    (tmp_path / "app.py").write_text(
        "from flask import Flask\n\napp = Flask(__name__)\n\n\nclass Box:\n    def one(self): ...\n    def two(self): ...\n"
        "    def three(self): ...\n\n\ndef open_box():\n    return Box()\n\n\n"
        + "".join(
            f'@app.get("/{name}")\ndef {name}():\n    open_box()\n    return open_box()\n\n\n'
            for name in ("a1", "b1", "c1")
        )
    )
    (tmp_path / "test_app.py").write_text(
        "from app import Box\n\n\ndef test_kind(box: Box):\n    assert box\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        file = explain_file(reader, reader.files.at("app.py"), rows=2)
        box = explain_symbol(reader, reader.symbols.qualified("Box")[0], rows=2)
        route = explain_symbol(reader, reader.symbols.qualified("a1")[0], rows=2)

    assert (len(file.entry_points), file.entry_point_count) == (2, 3)
    assert (len(box.parts), box.part_count, box.test_users) == (2, 3, 1)
    assert [(one.symbol, one.times) for one in route.uses] == [("open_box", 2)]
