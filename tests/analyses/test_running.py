"""What runs what without a call in the text, and that all answers about tests agree on it."""

import pytest

from drift.analyses.impact import find_impact
from drift.analyses.outside_parents import find_outside_calls
from drift.analyses.reachability import find_reach
from drift.analyses.reaching_tests import find_reaching_tests
from drift.analyses.running.graph import LEAST_CONFIDENCE
from drift.analyses.running.outside import outside_runs
from drift.analyses.testing.affected import find_neighbourhood, reach_functions
from drift.analyses.testing.reach import find_covered
from drift.analyses.testing.suites import suites_of
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan


@pytest.fixture
def opened(tmp_path):
    readers = []

    def run(files):
        root = tmp_path / "project"
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        scan(root, ScanOptions(jobs=0))
        readers.append(IndexReader(StateDir(root).index_db))
        return readers[-1]

    yield run
    for reader in readers:
        reader.close()


def symbol(reader, qualname):
    (found,) = [one for one in reader.symbols.named(qualname.rpartition(".")[2]) if one.qualname == qualname]
    return found


def titles_running(reader, qualname):
    suites = suites_of(reader)
    one = symbol(reader, qualname).id
    found = reach_functions(find_neighbourhood(reader, suites, [one]), suites)[one]
    return {suites.cases[case].title for case in found}


def surely_running(reader, qualname):
    suites = suites_of(reader)
    one = symbol(reader, qualname).id
    found = reach_functions(find_neighbourhood(reader, suites, [one]), suites)[one]
    return {suites.cases[case].title for case, reach in found.items() if reach.confidence >= LEAST_CONFIDENCE}


FIXTURES = {
    "shop.py": "def connect(): return 1\ndef clean(): return 2\ndef log(): return 3\ndef price(): return 4\n",
    "tests/conftest.py": (
        "import pytest\nfrom shop import connect, clean\n"
        "@pytest.fixture\ndef store():\n    return connect()\n"
        "@pytest.fixture(autouse=True)\ndef tidy():\n    yield\n    clean()\n"
    ),
    "tests/deep/conftest.py": "import pytest\n@pytest.fixture\ndef store():\n    return 5\n",
    "tests/deep/test_deep.py": "def test_nearest(store):\n    assert store\n",
    "tests/test_shop.py": (
        "import pytest\nfrom shop import log, price\n"
        "@pytest.fixture\ndef basket(store):\n    return [store]\n"
        '@pytest.fixture(name="noise")\ndef make_noise():\n    return log()\n'
        "@pytest.fixture\ndef priced():\n    return price()\n"
        "def test_by_parameter(store):\n    assert store\n"
        "def test_through_another(basket):\n    assert basket\n"
        "def test_renamed(noise):\n    assert noise\n"
        '@pytest.mark.usefixtures("priced")\nclass TestMarked:\n    def test_marked(self):\n        pass\n'
        "def test_alone():\n    pass\n"
    ),
}


def test_a_fixture_runs_for_the_tests_that_name_it_and_the_nearest_one_counts(opened):
    reader = opened(FIXTURES)

    assert titles_running(reader, "connect") == {"test_by_parameter", "test_through_another"}
    assert titles_running(reader, "log") == {"test_renamed"}


def test_a_fixture_that_is_named_like_a_test_is_none_and_runs_for_those_that_name_it(opened):
    reader = opened(
        {
            "shop.py": "def make():\n    return 1\n",
            "test_shop.py": (
                "import pytest\nimport pytest_asyncio\nfrom shop import make\n"
                "@pytest.fixture\ndef test_app():\n    return make()\n"
                "@pytest_asyncio.fixture(params=[1])\nasync def test_client(test_app):\n    return test_app\n"
                "def test_it(test_client):\n    assert test_client\n"
                "def test_else():\n    assert True\n"
            ),
        }
    )

    assert titles_running(reader, "make") == {"test_it"}


def test_a_fixture_that_is_used_by_itself_runs_for_every_test_below_its_conftest(opened):
    reader = opened(FIXTURES)

    assert titles_running(reader, "clean") == {
        "test_by_parameter", "test_through_another", "test_renamed", "TestMarked.test_marked", "test_alone",
        "test_nearest",
    }  # fmt: skip


def test_a_mark_on_a_class_uses_a_fixture_for_its_tests(opened):
    assert titles_running(opened(FIXTURES), "price") == {"TestMarked.test_marked"}


def test_all_answers_about_tests_find_the_same(opened):
    reader = opened(FIXTURES)

    for name in ("connect", "clean", "log", "price"):
        one = symbol(reader, name)
        affected = titles_running(reader, name)
        impact = find_impact(reader, [one], max_depth=10)
        titles = {suites_of(reader).cases[each.symbol_id].title for each in impact.tests}
        explained = {row.test for row in find_reaching_tests(reader, one.id)}
        reached = find_reach(reader, (one,), "inverse", max_depth=10).data(())
        assert affected == titles == explained
        assert reached.tests == len(affected)
        assert one.id in find_covered(reader, suites_of(reader))


def test_what_overrides_a_method_outside_runs_where_another_of_that_parent_is_called(opened):
    reader = opened(
        {
            "web.py": (
                "from werkzeug.test import Client\n"
                "class OwnClient(Client):\n"
                "    def open(self, *args):\n        note()\n        return super().open(*args)\n"
                "def note(): pass\n"
                "class App:\n"
                "    def client(self) -> OwnClient:\n        return OwnClient(self)\n"
                "    def __call__(self, environ, start_response):\n        return self.answer(environ)\n"
                "    def answer(self, environ): return []\n"
            ),
            "tests/test_web.py": (
                "from web import App\n"
                "def test_request():\n    client = App().client()\n    client.get('/')\n"
                "def test_no_request():\n    App()\n"
            ),
        }
    )

    assert titles_running(reader, "note") == {"test_request"}
    assert titles_running(reader, "App.answer") == {"test_request"}


def test_a_path_that_a_test_expects_counts_less_than_the_one_it_asks_for(opened):
    shop = {
        **SHOP,
        "tests/test_shop.py": (
            "from shop import app\n"
            "def test_links():\n    client = app.test_client()\n    found = client.get('/orders/new')\n"
            "    assert found.headers == {'link': 'http://localhost/orders/7'}\n"
        ),
    }
    reader = opened(shop)
    suites = suites_of(reader)
    asked, expected = (symbol(reader, name).id for name in ("order_form", "show_order"))

    found = reach_functions(find_neighbourhood(reader, suites, [asked, expected]), suites)
    (sure,), (unsure,) = (found[one].values() for one in (asked, expected))

    assert unsure.confidence < sure.confidence / 1.5


def test_a_call_on_the_own_object_leads_back_to_no_override_of_a_sibling(opened):
    reader = opened(
        {
            "shop.py": "def login(): return 1\ndef check(): return 2\n",
            "tests/test_shop.py": (
                "from django.test import TestCase\nfrom shop import login, check\n"
                "class AdminTests(TestCase):\n"
                "    def setUp(self):\n        super().setUp()\n        login()\n"
                "    def test_admin(self):\n        self.assertTrue(1)\n"
                "class PlainTests(TestCase):\n"
                "    def test_plain(self):\n        self.assertEqual(check(), 2)\n"
            ),
        }
    )

    assert titles_running(reader, "login") == {"AdminTests.test_admin"}


def test_of_methods_that_a_call_outside_leads_back_to_those_run_whose_object_is_there(opened):
    reader = opened(
        {
            "forms.py": (
                "from rest_framework import serializers\n"
                "class OrderSerializer(serializers.Serializer):\n"
                "    def __init__(self, data): ...\n"
                "    def validate(self, data):\n        data = super().validate(data)\n        return price()\n"
                "class LineSerializer(serializers.Serializer):\n"
                "    def __init__(self, data): ...\n"
                "    def validate(self, data):\n        data = super().validate(data)\n        return count()\n"
                "def price(): return 1\ndef count(): return 2\n"
            ),
            "tests/test_forms.py": (
                "from forms import OrderSerializer, LineSerializer\n"
                "def test_order():\n    OrderSerializer({}).is_valid()\n"
                "def test_line():\n    LineSerializer({}).is_valid()\n"
            ),
        }
    )

    assert titles_running(reader, "price") == {"test_order"}
    assert titles_running(reader, "count") == {"test_line"}


def test_a_method_of_a_model_runs_for_who_saves_one_that_a_mapper_made(opened):
    reader = opened(
        {
            "shop.py": (
                "from django.db import models\n"
                "class Order(models.Model):\n"
                "    def delete(self):\n        forget()\n        return super().delete()\n"
                "def forget(): pass\n"
            ),
            "tests/test_shop.py": (
                "from django.db import models\nfrom shop import Order\n"
                "def test_made():\n    Order()\n"
                "def test_kept(order: models.Model):\n    order.delete()\n"
            ),
        }
    )

    assert "test_kept" in titles_running(reader, "forget")


def test_what_decorates_a_handler_runs_when_its_file_is_imported_and_what_it_gives_with_requests(opened):
    reader = opened(
        {
            "manage.py": "",
            "shop/views.py": (
                "def marked(view):\n    return mark(view)\ndef mark(view):\n    return view\n"
                "def checked(view):\n    def inner(request):\n        return check(view)\n    return inner\n"
                "def check(view): return view\n"
                "@marked\n@checked\ndef orders(request):\n    return 1\n"
            ),
            "shop/urls.py": (
                "from django.urls import path\nfrom shop import views\n"
                "urlpatterns = [path('orders/', views.orders)]\n"
            ),
            "shop/tests/test_views.py": (
                "from django.test import TestCase\nclass OrderTests(TestCase):\n"
                "    def test_orders(self):\n        self.client.get('/orders/')\n"
            ),
        }
    )

    assert titles_running(reader, "check") == {"OrderTests.test_orders"}
    assert titles_running(reader, "mark") == set()


def test_middleware_that_only_a_test_makes_runs_for_no_request_of_others(opened):
    reader = opened(
        {
            "manage.py": "",
            "shop/middleware.py": (
                "class Timed:\n    def __init__(self, get_response):\n        self.get_response = get_response\n"
                "    def __call__(self, request):\n        return note(request)\ndef note(request): return request\n"
            ),
            "shop/views.py": "def orders(request):\n    return 1\n",
            "shop/urls.py": (
                "from django.urls import path\nfrom shop import views\n"
                "urlpatterns = [path('orders/', views.orders)]\n"
            ),
            "shop/tests/test_views.py": (
                "from django.test import TestCase\nclass OrderTests(TestCase):\n"
                "    def test_orders(self):\n        self.client.get('/orders/')\n"
            ),
            "shop/tests/test_middleware.py": (
                "from shop.middleware import Timed\ndef test_timed():\n    assert Timed(print)('request')\n"
            ),
        }
    )

    assert titles_running(reader, "note") == {"test_timed"}


def test_an_inner_function_that_is_handed_out_runs_with_what_hands_it_out(opened):
    reader = opened(
        {
            "deep.py": "def sort(rows):\n    return sorted(rows, key=lambda row: weigh(row))\ndef weigh(row): return 1\n",
            "tests/test_deep.py": "from deep import sort\ndef test_sort():\n    assert sort([1])\n",
        }
    )

    assert titles_running(reader, "weigh") == {"test_sort"}


def test_a_method_that_others_call_by_its_name_does_not_run_for_who_makes_the_object(opened):
    reader = opened(
        {
            "dom.js": (
                "function Dom(tag) {\n  this.show = function () { paint(tag); };\n  this.resolved = function () { tell(); };\n}\n"
                "function paint(tag) {}\nfunction tell() {}\nfunction open(box) { box.show(); }\n"
                "module.exports = { Dom, open };\n"
            )
        }
    )
    inner = {name: reader.symbols.named(name)[0].id for name in ("show", "resolved")}
    runs = {run.used: run.confidence for run in outside_runs(reader) if run.used in inner.values()}

    assert runs[inner["resolved"]] == 0.9
    assert runs[inner["show"]] < LEAST_CONFIDENCE


def test_a_method_that_stands_in_for_one_of_a_parent_runs_for_who_makes_its_class(opened):
    reader = opened(
        {
            "kinds.py": (
                "class Kind:\n    def convert(self, value): raise NotImplementedError\n"
                "class Number(Kind):\n    def __init__(self, low): self.low = low\n"
                "    def convert(self, value): return narrow(value)\n"
                "def narrow(value): return int(value)\n"
                "def run(kind, value):\n    return kind.convert(value)\n"
            ),
            "tests/test_kinds.py": (
                "from kinds import Number, run\ndef test_number():\n    assert run(Number(1), '2')\n"
            ),
        }
    )

    assert titles_running(reader, "narrow") == {"test_number"}


def test_what_a_file_runs_when_it_is_imported_is_a_faint_way_where_there_is_no_other(opened):
    reader = opened(
        {
            "table.py": "def build(): return {}\nTABLE = build()\n",
            "tests/test_table.py": "import table\ndef test_table():\n    assert table\n",
        }
    )
    suites = suites_of(reader)
    one = symbol(reader, "build").id

    (reach,) = reach_functions(find_neighbourhood(reader, suites, [one]), suites)[one].values()

    assert reach.confidence < 0.3


SHOP = {
    "shop.py": (
        "from flask import Flask\napp = Flask(__name__)\n"
        "@app.get('/orders/<int:number>')\ndef show_order(number):\n    return find(number)\n"
        "def find(number): return str(number)\n"
        "@app.post('/orders/new')\ndef add_order():\n    return keep()\n"
        "def keep(): return 'kept'\n"
        "@app.get('/orders/new')\ndef order_form():\n    return 'form'\n"
    ),
    "tests/test_shop.py": (
        "from shop import app\n"
        "def test_show():\n    client = app.test_client()\n    assert client.get('/orders/7')\n"
        "def test_add():\n    client = app.test_client()\n    assert client.post('/orders/new?quick=1')\n"
        "def test_other():\n    assert '/orders/7'\n"
    ),
}


def test_a_request_of_a_test_runs_the_handler_of_its_method_and_path(opened):
    reader = opened(SHOP)

    assert titles_running(reader, "find") == {"test_show"}
    assert titles_running(reader, "keep") == {"test_add"}
    assert titles_running(reader, "order_form") == set()


def test_a_request_of_mock_mvc_runs_the_method_of_the_controller(opened):
    reader = opened(
        {
            "src/main/java/shop/OwnerController.java": (
                "package shop;\nimport org.springframework.web.bind.annotation.*;\n"
                '@RestController\nclass OwnerController {\n  @GetMapping("/owners/{ownerId}")\n'
                '  String showOwner(int ownerId) { return ""; }\n'
                '  @GetMapping("/owners/new")\n  String ownerForm() { return ""; }\n}\n'
            ),
            "src/test/java/shop/OwnerControllerTests.java": (
                "package shop;\nimport org.junit.jupiter.api.Test;\nclass OwnerControllerTests {\n"
                '  @Test\n  void shows() throws Exception { mockMvc.perform(get("/owners/{ownerId}", 1)); }\n}\n'
            ),
        }
    )

    assert titles_running(reader, "OwnerController.showOwner") == {"OwnerControllerTests.shows"}
    assert titles_running(reader, "OwnerController.ownerForm") == set()


def test_what_runs_a_group_of_commands_runs_its_commands(opened):
    reader = opened(
        {
            "tool.py": (
                "import click\n@click.group()\ndef cli(): pass\n"
                "@cli.command()\ndef build():\n    compile_all()\ndef compile_all(): pass\n"
            ),
            "tests/test_tool.py": (
                "from click.testing import CliRunner\nfrom tool import cli\n"
                "def test_build():\n    CliRunner().invoke(cli, ['build'])\n"
            ),
        }
    )

    assert titles_running(reader, "compile_all") == {"test_build"}


def test_a_name_in_a_call_that_nobody_can_place_is_a_faint_way_where_there_is_no_other(opened):
    reader = opened(
        {
            "tags.py": "class Tags:\n    def retag(self): return 1\n    def other(self): return 2\n",
            "tests/test_tags.py": "from web import page\ndef test_page():\n    page.items.retag()\n",
        }
    )
    suites = suites_of(reader)
    one = symbol(reader, "Tags.retag").id

    (reach,) = reach_functions(find_neighbourhood(reader, suites, [one]), suites)[one].values()

    assert reach.is_faint
    assert titles_running(reader, "Tags.other") == set()


def test_a_test_that_is_named_after_a_function_is_a_faint_way_to_it(opened):
    reader = opened(
        {
            "rates.py": "def exchange_rate(): return 1\n",
            "tests/test_rates.py": "import subprocess\ndef test_exchange_rate():\n    subprocess.run(['rates'])\n",
        }
    )

    assert titles_running(reader, "exchange_rate") == {"test_exchange_rate"}


def test_a_test_named_after_several_functions_is_about_the_one_it_calls(opened):
    reader = opened(
        {
            "shop.py": "class Store:\n    def export(self): return 1\nclass Page:\n    def export(self): return 2\n",
            "tests/test_shop.py": "from shop import Store\ndef test_export():\n    assert Store().export() == 1\n",
        }
    )

    assert titles_running(reader, "Store.export") == {"test_export"}
    assert titles_running(reader, "Page.export") == set()


PACKAGES = {
    "go.mod": "module example.com/shop\n",
    "store/store.go": (
        "package store\n\nvar tables = makeTables()\n\nvar handlers = []func(){handle}\n\nfunc handle() {}\n\n"
        "func makeTables() []string { return nil }\n"
    ),
    "store/setup.go": "package store\n\nfunc init() { connect() }\n\nfunc connect() {}\n",
    "store/store_test.go": 'package store\n\nimport "testing"\n\nfunc TestOpen(t *testing.T) {}\n',
    "web/web.go": 'package web\n\nimport (\n\t"example.com/shop/queue"\n\t"example.com/shop/store"\n)\n\nfunc Serve() {}\n',
    "queue/queue.go": "package queue\n\nfunc init() { listen() }\n\nfunc listen() {}\n",
    "web/web_test.go": 'package web\n\nimport "testing"\n\nfunc TestServe(t *testing.T) {}\n',
    "other/other.go": "package other\n\nfunc init() { alone() }\n\nfunc alone() {}\n",
}


def test_tests_of_go_are_told_of_what_starts_their_package_and_next_of_what_starts_an_imported_one(opened):
    reader = opened(PACKAGES)

    assert titles_running(reader, "connect") == {"TestOpen"}
    assert titles_running(reader, "makeTables") == {"TestOpen"}
    assert titles_running(reader, "listen") == {"TestServe"}
    assert titles_running(reader, "alone") == set()
    assert titles_running(reader, "handle") == set()  # put into a variable and not called


def test_what_super_calls_outside_does_not_run_the_overrides_of_sibling_classes(opened):
    reader = opened(
        {
            "views.py": (
                "from django.views.generic import CreateView\n"
                "class NewBug(CreateView):\n"
                "    def get_context_data(self):\n        return super().get_context_data()\n"
                "class NewPlan(CreateView):\n"
                "    def get_form(self):\n        note()\n        return super().get_form()\n"
                "    def get_context_data(self):\n        return super().get_context_data()\n"
                "def note(): pass\n"
                "def fill(view: CreateView):\n    return view.get_form()\n"
            )
        }
    )
    own = reader.symbols.qualified("NewPlan.get_form")[0]

    def reached(name):
        (one,) = reader.symbols.qualified(name)
        depths = find_reach(reader, (one,), "forward", max_depth=10).reach.depths
        return {each.qualname for each in reader.symbols.many(depths)}

    assert "NewPlan.get_form" not in reached("NewBug.get_context_data")
    assert {"NewPlan.get_form", "note"} <= reached("fill")
    assert [each.calls[0].line for each in find_outside_calls(reader, own)] == [13]


def test_what_is_named_in_types_alone_runs_nothing(opened):
    reader = opened(
        {
            "package.json": '{"devDependencies": {"vitest": "1"}}',
            "src/db.ts": (
                "import { connect } from './link'\nconnect()\n"
                "export const rows = 1\nexport type Row = { id: number }\n"
                "export async function load() { return [{ id: 1 }] }\n"
                "export async function save() { return [{ id: 1 }] }\n"
            ),
            "src/link.ts": "export function connect() { return 1 }\n",
            "src/sum.ts": (
                "import { load, Row, rows } from './db'\n"
                "export function sum(all: Awaited<ReturnType<typeof load>>, one: Row, count: typeof rows) { return 1 }\n"
            ),
            "src/keep.ts": (
                "import { save } from './db'\n"
                "export function keep(all: ReturnType<typeof save>) { return typeof save === 'function' && save() }\n"
            ),
            "src/sum.test.ts": (
                "import { sum } from './sum'\ntest('sums', () => { expect(sum([], { id: 1 }, 1)).toBe(1) })\n"
            ),
            "src/keep.test.ts": (
                "import { keep } from './keep'\ntest('keeps', () => { expect(keep(null)).toBe(1) })\n"
            ),
        }
    )

    assert titles_running(reader, "load") == set()
    assert titles_running(reader, "save") == {"keeps"}
    assert titles_running(reader, "connect") == {"keeps"}


def test_what_makes_the_head_of_a_layout_runs_with_each_page_below(opened):
    reader = opened(
        {
            "package.json": '{"devDependencies": {"@playwright/test": "1", "next": "15"}}',
            "src/app/shop/layout.tsx": (
                "import { title } from '../../heads'\nexport async function generateMetadata() { return title() }\n"
                "export default function Layout({ children }) { return children }\n"
            ),
            "src/app/shop/items/page.tsx": (
                "export function generateViewport() { return {} }\nfunction generateMetadata() { return {} }\n"
                "export default function Items() { return <b/> }\n"
            ),
            "src/app/about/page.tsx": "export default function About() { return <b/> }\n",
            "src/heads.ts": "export function title() { return { title: 'shop' } }\n",
            "e2e/items.spec.ts": (
                "import { test } from '@playwright/test'\n"
                "test('items', async ({ page }) => { await page.goto('/shop/items') })\n"
                "test('about', async ({ page }) => { await page.goto('/about') })\n"
            ),
        }
    )

    assert titles_running(reader, "title") == {"items"}
    assert titles_running(reader, "generateViewport") == {"items"}
    assert titles_running(reader, "About") == {"about"}


def test_a_procedure_is_run_by_who_calls_it_by_its_keys_and_not_by_who_lists_it(opened):
    reader = opened(
        {
            "package.json": '{"dependencies": {"@trpc/server": "11"}, "devDependencies": {"vitest": "1"}}',
            "src/trpc.ts": (
                "import { initTRPC } from '@trpc/server'\nconst t = initTRPC.create()\n"
                "export const router = t.router\nexport const publicProcedure = t.procedure\n"
            ),
            "src/orders.ts": (
                "import { router, publicProcedure } from './trpc'\n"
                "const listOrders = publicProcedure.input(1).query(() => readOrders())\n"
                "const addOrder = publicProcedure.mutation(() => saveOrder())\n"
                "function readOrders() { return [] }\nfunction saveOrder() { return 1 }\n"
                "export const orders = router({ list: listOrders, add: addOrder })\n"
                "export const shop = router({ orders })\n"
            ),
            "src/orders.test.ts": (
                "import { shop } from './orders'\n"
                "test('lists', async () => { await shop.createCaller({}).orders.list() })\n"
                "test('knows', () => { expect(shop).toBeDefined() })\n"
            ),
        }
    )

    assert surely_running(reader, "readOrders") == {"lists"}
    assert surely_running(reader, "saveOrder") == set()


def test_what_a_hook_gives_back_is_run_by_who_calls_it(opened):
    reader = opened(
        {
            "package.json": '{"devDependencies": {"vitest": "1"}}',
            "src/toasts.ts": (
                "export function raise(text: string) { return remember(text) }\nfunction remember(text: string) { return text }\n"
                "function listen(on: () => void) { on() }\nfunction heard() { return 1 }\n"
                "export function useToast() {\n  listen(heard)\n  return { raise, state: 1 }\n}\n"
                "export function makeToast() {\n  return { raise }\n}\n"
            ),
            "src/view.tsx": (
                "import { useToast } from './toasts'\n"
                "export function Shown() { const { state } = useToast(); return <b>{state}</b> }\n"
                "export function Raising() { const { raise } = useToast(); raise('a'); return <b/> }\n"
            ),
            "src/view.test.tsx": (
                "import { render } from '@testing-library/react'\nimport { Shown, Raising } from './view'\n"
                "test('shows', () => { render(<Shown/>) })\ntest('raises', () => { render(<Raising/>) })\n"
            ),
        }
    )

    assert surely_running(reader, "useToast") == {"shows", "raises"}
    assert surely_running(reader, "heard") == {"shows", "raises"}
    assert surely_running(reader, "remember") == {"raises"}
