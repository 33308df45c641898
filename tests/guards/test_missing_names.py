"""Names that nobody has, and calls that do not fit, in texts held against a small shop."""

import subprocess
from pathlib import Path

import pytest

from drift.guards.extension_names import may_mean
from drift.guards.missing_names import missing_names
from drift.guards.overlay import overlaid
from drift.guards.signatures import mismatches
from drift.guards.slips import is_slip
from drift.index import IndexReader


def _missing(shop: Path, reader: IndexReader, text: str) -> list[tuple[str, str | None]]:
    with overlaid(shop, reader, {"shop/till.py": text}) as overlay:
        return [(one.name, one.nearest) for one in missing_names(overlay, overlay.files["shop/till.py"])]


@pytest.mark.parametrize(
    ("text", "name", "nearest"),
    [
        ("from shop.cart import Cart\n\nCart().totals()\n", "totals", "total"),
        ("from shop.money import format_money\n\nformat_mony(1)\n", "format_mony", "format_money"),
        ("from shop import money\n\nmoney.format_price(1)\n", "format_price", "format_money"),
        ("from shop.cart import Cart\n\ndef show(cart: Cart):\n    cart.labels()\n", "labels", "label"),
        ("import os\n\nos.path.exist('a')\n", "exist", "exists"),
        ("from shop.nothing import thing\n", "shop.nothing", None),
        ("def parse_body():\n    pass\n\ndecode_body()\n", "decode_body", "parse_body"),
        (
            "class Till:\n    def open(self):\n        self.clos()\n    def close(self):\n        pass\n",
            "clos",
            "close",
        ),
        # Of a parent out of sight nothing is known, of the class itself enough; another class may have the name.
        (
            (
                "from django.db import models\n\n\nclass Bill(models.Model):\n    def archive_path(self):\n        return 1\n\n\n"
                "class Other:\n    def get_archive_path(self):\n        return 1\n\n\n"
                "def show(bill: Bill):\n    bill.get_archive_path()\n"
            ),
            "get_archive_path",
            "archive_path",
        ),
        (
            "from shop.money import Price\n\n\ndef show(price: Price):\n    return price.curency\n",
            "curency",
            "currency",
        ),
        (
            "from shop.cart import Cart\n\n\nclass Basket(Cart):\n    def total(self):\n        return super().totl()\n",
            "totl",
            "total",
        ),
    ],
)
def test_what_nobody_has_is_named_with_the_nearest_that_is_there(
    shop: Path, reader: IndexReader, text: str, name: str, nearest: str | None
) -> None:
    assert _missing(shop, reader, text) == [(name, nearest)]


@pytest.mark.parametrize(
    "text",
    [
        "def show(cart):\n    cart.totals()\n",  # of an object of which nothing is known
        "class Any:\n    def __getattr__(self, name):\n        return print\n\nAny().thing()\n",
        "from outside import Base\n\nclass Till(Base):\n    def run(self):\n        self.opening()\n",
        "class Till:\n    def __init__(self, **kw):\n        for name in kw:\n            setattr(self, name, 1)\n\nTill().opening()\n",
        "from shop.cart import *\n\nthing()\n",
        "import unittest\n\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(1, 1)\n",
        (
            "from django.db import models\n\n\nclass Bill(models.Model):\n    def get_status(self):\n        return 1\n\n\n"
            "def show(bill: Bill):\n    bill.get_status_display()\n"
        ),
        "from shop.money import Price\n\n\ndef show(price: Price):\n    if isinstance(price, Tax):\n        price.double()\n",
        "from shop.money import Price\n\n\ndef show(price: Price):\n    price.curency = 1\n    return price.curency\n",
        "from shop.money import Price\n\n\ndef show(price: Price):\n    return getattr(price, 'curency') and price.curency\n",
        "class Any:\n    def close(self):\n        pass\n\n    def __getattr__(self, name):\n        return print\n\nAny().closed()\n",
        "class Mixin:\n    def run(self):\n        self.helper()\n\nclass Real(Mixin):\n    def helper(self):\n        pass\n",
    ],
)
def test_what_may_be_there_out_of_sight_is_accused_of_nothing(
    shop: Path, reader: IndexReader, text: str
) -> None:
    assert _missing(shop, reader, text) == []


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        ("format_money()", "cents is required and not given"),
        ("format_money(1, 'EUR')", "2 arguments are given by place, at most 1 are taken"),
        ("format_money(1, curency='EUR')", "there is no parameter curency"),
        ("Price(1, 'EUR', 3)", "3 arguments are given by place, at most 2 are taken"),
        ("Price(1).doubled(2)", "1 arguments are given by place, at most 0 are taken"),
        ("format_money(*a)", None),
        ("format_money(1, **b)", None),
        ("Price(cents=1)", None),
        ("Rebound().convert(1, 2)", None),
        ("Price.doubled(Price(1))", None),
    ],
)
def test_calls_are_held_against_what_they_call(
    shop: Path, reader: IndexReader, call: str, problem: str | None
) -> None:
    rebound = (
        "class Rebound:\n    def convert(one, two):\n        pass\n\n    convert = staticmethod(convert)\n\n"
    )
    text = f"from shop.money import Price, format_money\n\n{rebound}\na, b = [], {{}}\n{call}\n"

    with overlaid(shop, reader, {"shop/till.py": text}) as overlay:
        found = [one.problem for one in mismatches(overlay, overlay.files["shop/till.py"])]

    assert found == ([] if problem is None else [problem])


MADE = """from dataclasses import KW_ONLY, dataclass, field
from typing import ClassVar, NamedTuple

from pydantic import BaseModel, Field


@dataclass
class Point:
    kind: ClassVar[str] = "point"
    x: int
    y: int = 0
    known: list = field(default_factory=list)
    norm: float = field(init=False)


@dataclass(frozen=True)
class Named(Point):
    _: KW_ONLY
    name: str = ""


class Pair(NamedTuple):
    left: int
    right: int = 1


class Person(BaseModel):
    name: str
    age: int = 1
    mail: str = Field(..., description="x")


class Aliased(BaseModel):
    name: str = Field(alias="n")


class Plain:
    pass


"""


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        ("Point()", "x is required and not given"),
        ("Point(1, norm=2)", "there is no parameter norm"),
        ("Point(1, 2, [], 3)", "4 arguments are given by place, at most 3 are taken"),
        ("Named(1, 2, [], 'a')", "4 arguments are given by place, at most 3 are taken"),
        ("Named(1, name='a')", None),
        ("Pair(1, 2, 3)", "3 arguments are given by place, at most 2 are taken"),
        ("Pair(1)", None),
        ("Person(name='a')", "mail is required and not given"),
        ("Person('a', mail='b')", "1 arguments are given by place, at most 0 are taken"),
        ("Person(name='a', mail='b', agee=1)", "there is no parameter agee"),
        ("Person(name='a', mail='b')", None),
        ("Aliased(n='a')", None),
        ("Plain(1)", "1 arguments are given by place, at most 0 are taken"),
        ("Plain()", None),
    ],
)
def test_constructors_that_nobody_wrote_are_held_against_fields(
    shop: Path, reader: IndexReader, call: str, problem: str | None
) -> None:
    with overlaid(shop, reader, {"shop/till.py": f"{MADE}{call}\n"}) as overlay:
        found = [one.problem for one in mismatches(overlay, overlay.files["shop/till.py"])]

    assert found == ([] if problem is None else [problem])


@pytest.mark.parametrize(
    ("path", "text", "missing", "wrong"),
    [
        (
            "src/P.java",
            'package a;\nrecord P(int a, String b) {}\nclass Z { void q() { new P(1); new P(1, "x"); } }\n',
            [],
            ["b is required and not given"],
        ),
        (
            "src/p.ts",
            (
                "class P { a = 1 }\nexport const f: Any = (a: number, b: number) => a\n"
                "export function g(p: P, a: number) { f(1); g(p, p.ab) }\n// @ts-expect-error on purpose\ng()\n"
            ),
            ["ab"],
            [],
        ),
        (
            "src/T.php",
            (
                "<?php\n/**\n * @method bool hasInfoRecords()\n */\nclass T {\n  public function __call($m, $a) { return 1; }\n}\n"
                "function f() { $t = new T(); $t->hasInfoRecords(); $t->hasInfoRecord(); }\n"
            ),
            ["hasInfoRecord"],
            [],
        ),
        (
            "src/U.php",
            (
                "<?php\nclass U { public function __call($m, $a) { return 1; } public function getFirst() {} }\n"
                "function f() { $u = new U(); $u->fetchFirst(); }\n"
            ),
            [],
            [],
        ),
    ],
)
def test_other_languages_are_held_against_what_they_declare(
    shop: Path, reader: IndexReader, path: str, text: str, missing: list[str], wrong: list[str]
) -> None:
    with overlaid(shop, reader, {path: text}) as overlay:
        file = overlay.files[path]

        assert [one.name for one in missing_names(overlay, file)] == missing
        assert [one.problem for one in mismatches(overlay, file)] == wrong


def test_what_an_installed_package_says_is_not_missing(shop: Path, reader: IndexReader) -> None:
    text = (
        "from lib import Base\n\n\nclass Bill(Base):\n    def total(self):\n        return 1\n\n\n"
        "def show(bill: Bill):\n    bill.totals()\n"
    )
    assert _missing(shop, reader, text) == [("totals", "total")]
    package = shop / ".venv/lib/python3.12/site-packages/lib"
    package.mkdir(parents=True)
    (package / "core.py").write_text("class Base:\n    def totals(self): ...\n")

    assert _missing(shop, reader, text) == []


def test_a_slip_is_a_word_or_a_letter_not_another_name() -> None:
    assert is_slip("fetchUser", "getUser")
    assert is_slip("route_all", "route")
    assert is_slip("exsits", "exists")
    assert not is_slip("NotUpdated", "_do_update")
    assert not is_slip("get_starttag_text", "handle_starttag")


def test_a_text_that_is_not_read_as_code_has_no_names_to_miss(shop: Path, reader: IndexReader) -> None:
    with overlaid(shop, reader, {"notes.txt": "call(me)"}) as overlay:
        assert list(missing_names(overlay, overlay.files["notes.txt"])) == []


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(
            {
                "a/Use.java": "package a;\nclass Use { int run(User user) { return new User().getAge() + user.getAge(); } }",
                "a/User.java": "package a;\nimport lombok.Data;\n@Data\nclass User { int age; User(int age) {} }",
            },
            id="members that a tool writes",
        ),
        pytest.param(
            {"a/Self.java": "package a;\n@lombok.Getter\nclass Self { Side side; int run() { return getSide(); } }"},
            id="its mark without an import",
        ),
        pytest.param(
            {"a.ts": "export class Bill {\n  lastName = 1\n}\n\nexport const key = { name: Bill.name }\n"},
            id="what a class of scripts has itself",
        ),
        pytest.param(
            {
                "Use.cs": "class Use { async Task Run(Store store) { await store.SaveAsync(); } }",
                "Store.cs": "class Store : OutsideContext, IStore { }",
                "IStore.cs": "interface IStore { Task SaveAsync(CancellationToken token); }",
            },
            id="an overload of a parent out of sight",
        ),
        pytest.param(
            {"Use.cs": "class Use { void Run() { Tell(1, note: null, 3); } void Tell(int one, string note, int last) { } }"},
            id="an argument behind one with a name",
        ),
        pytest.param(
            {"a.py": "from rest import View\n\n\nclass Bills(View):\n    def authenticate(self):\n        return self.authenticate_credentials(1)\n"},
            id="what a class has from its parent",
        ),
        pytest.param(
            {"a.vue": "<script setup>\nfunction state(one) {\n  return one\n}\nstate(1, 2)\n</script>\n"},
            id="a component without types",
        ),
        pytest.param({"web/app.ts": "import { Client } from './made-client'\n\nnew Client()\n"}, id="what a build makes"),
        pytest.param(
            {"web/src/app.ts": "import words from '@/words.json'\nimport more from './words.json'\n"}, id="what is not read as code"
        ),
        pytest.param(
            {"a.py": "from django.db import models\n\n\nclass Bill(models.Model):\n    def clean(self):\n        ...\n\n\ndef show(bill: Bill):\n    bill.full_clean()\n"},
            id="what a parent has with a word more",
        ),
        pytest.param(
            {
                "a/Dto.php": "<?php\nnamespace A;\nclass Dto { public int $id = 1; }\n",
                "a/Use.php": "<?php\nnamespace A;\nclass Use { public function run($all) { $found = $all->get(Dto::class); return $found->count(); } }\n",
            },
            id="what something gives that is told a class",
        ),
        pytest.param(
            {
                "web/entry.ts": (
                    "import { Made } from './__generated__/Made'\nexport interface Special { create?: boolean }\n"
                    "export interface Entry { tag: Omit<Made, 'uses'> & Special }\n"
                    "export function show(entry: Entry) { return entry.tag.key }\n"
                ),
            },
            id="a type of which a part is made by a build",
        ),
        pytest.param(
            {
                "src/Share.java": (
                    "package a;\nclass Callback { void done() {} }\nclass Share extends Outside {\n"
                    "  void run() { new Callback() { void done() { getDialog(); } }.done(); }\n}\n"
                ),
            },
            id="what a class around has from a parent out of sight",
        ),
        pytest.param(
            {"a.py": "from lib import Notify\n\n\nclass Custom(Notify):\n    def send(self):\n        return self._send()\n"},
            id="what a parent has beside what overrides it",
        ),
        pytest.param(
            {"net/List.cs": "namespace A; public class List(int mediator) { void Run() { var all = new List<string>(); } }"},
            id="a class that takes other type arguments",
        ),
        pytest.param(
            {"net/Key.cs": "namespace A; public class Key { int a; bool Equals(Key other) { return Equals(a, other.a); } }"},
            id="what every class has beside its own of that name",
        ),
        pytest.param(
            {"net/Info.cs": "namespace A; public record struct Info(int Scale); class Use { Info Run() { return new Info() { Scale = 1 }; } }"},
            id="a struct that is made of nothing",
        ),
        pytest.param(
            {
                "web/loose.ts": (
                    "export interface Loose {\n    // anything\n    [key: string]: any\n}\ninterface One { [name: string]: number }\n"
                    "export function show(given: Loose, one: One) { return given.ok && one.two }\n"
                ),
            },
            id="a type that says of any member what it is",
        ),
        pytest.param(
            {
                "web/bought.ts": (
                    "import { thing } from './bought/thing'\n"
                    "let found: any\ntry {\n    found = require('./nothing/thing')\n} catch (error) {\n    console.log(error, thing)\n}\n"
                ),
            },
            id="imports of a submodule and imports that are tried",
        ),
    ],
)  # fmt: skip
def test_code_that_runs_is_not_accused(shop: Path, reader: IndexReader, texts: dict[str, str]) -> None:
    (shop / ".gitignore").write_text("web/made-client.ts\n")
    (shop / ".gitmodules").write_text('[submodule "bought"]\n\tpath = web/bought\n')
    (shop / "web/src").mkdir(parents=True, exist_ok=True)
    (shop / "web/src/words.json").write_text("{}")
    if not (shop / ".git").exists():
        subprocess.run(["git", "init", "-q", str(shop)], check=True)

    with overlaid(shop, reader, texts) as overlay:
        found = [
            one
            for file in overlay.files.values()
            for one in (*missing_names(overlay, file), *mismatches(overlay, file))
        ]

    assert found == []


@pytest.mark.parametrize(
    ("path", "text", "missing"),
    [
        pytest.param(
            "php/Till.php",
            "<?php\nnamespace A;\nuse function A\\make_user;\nfunction make_user() {}\nfunction run() { make_users(); other_thing(); }\n",
            [("make_users", "make_user", "likely")],
            id="a function of everybody's that nobody has",
        ),
        pytest.param(
            "php/Kind.php",
            "<?php\nenum Kind { case One; public static function first() {} }\nfunction run() { Kind::firsts(); Kind::cases(); }\n",
            [("firsts", "first", "certain")],
            id="an enumeration",
        ),
        pytest.param(
            "a/Kind.java",
            "package a;\nenum Kind { ONE; static Kind first() { return ONE; } }\n"
            "class Use { void run() { Kind.firsts(); Kind.valueOf(1); Kind.first().ordinal(); } }\n",
            [("firsts", "first", "certain")],
            id="an enumeration of Java",
        ),
        pytest.param(
            "a/Paid.java",
            "package a;\nimport lombok.RequiredArgsConstructor;\nimport lombok.Data;\n@Data\nclass Other { int age; }\n"
            "@RequiredArgsConstructor\nclass Paid { void send() {} void run() { sendAll(); } }\n",
            [("sendAll", "send", "certain")],
            id="a class of which a tool writes constructors alone",
        ),
        pytest.param(
            "go/kind.go",
            "package a\ntype Kind int\nfunc (k Kind) Label() {}\nfunc run(k Kind) { k.LabelValue(); k.Label() }\n",
            [("LabelValue", "Label", "likely")],
            id="a type made of a number has no methods but its own",
        ),
        pytest.param(
            "web/page.ts",
            "import { useMenu } from 'menus'\nconst { openMenu } = useMenu()\nconst user = getUser()\nopenMenuAll(user)\n",
            [("openMenuAll", "openMenu", "likely")],
            id="a slip of a variable, and no verb before one",
        ),
        pytest.param(
            "php/CaseTest.php",
            "<?php\nuse PHPUnit\\TestCase;\nclass CaseTest extends TestCase { protected function setUp(): void { parent::setUps(); } }\n",
            [("setUps", None, "likely")],
            id="what is called on a parent is nearly the method around",
        ),
        pytest.param(
            "shop/form.py",
            "from outside import Base\nfrom shop.forms import Form\n\n\nclass Long(Form, Base):\n"
            "    def run(self):\n        self.fill_in_all()\n        self.fillIn()\n        self.clean_all()\n",
            [("fill_in_all", "fill_in", "likely")],
            id="a word more on what the project itself calls, and none on what a parent calls",
        ),
        pytest.param(
            "web/view.js",
            "class View {\n  constructor() {\n    this.made = make({ run() { this.shows() } })\n  }\n  show() {}\n}\n",
            [],
            id="a method of an object that is written out has another this",
        ),
        pytest.param(
            "web/harness.ts",
            "class Harness { show() {}\n  fix(given: object) { Object.defineProperty(given, 'a', {}) } }\nnew Harness().shows()\n",
            [("shows", "show", "certain")],
            id="what is done to what is given is not done to the class",
        ),
        pytest.param(
            "web/state.ts",
            "const Key = 'a'\ninterface State { [Key]: string }\nexport function show(state: State) { return state.other }\n",
            [],
            id="a member whose name stands for another",
        ),
        pytest.param(
            "web/filters.ts",
            "interface Filters { cohort: string }\nexport function show(f: Filters) { return (f as any).cohorts }\n",
            [],
            id="a cast",
        ),
        pytest.param(
            "a/Hidden.java",
            "package a;\nimport static b.Posts.snapshot;\nclass Hidden { void run() { String snapshot = snapshot(); } }\n",
            [],
            id="a variable that has the name of an imported function",
        ),
        pytest.param(
            "shop/alone.py",
            "class Alone:\n    def run(self):\n        super().runs()\n",
            [("runs", None, "likely")],
            id="a parent that is not written",
        ),
        pytest.param(
            "shop/unknown.py",
            "def show(form, other):\n    form.fill_in_all()\n    other.fill_in_all()\n    form.clean_all()\n",
            [("fill_in_all", "fill_in", "likely")],
            id="what others call on something of the same name",
        ),
    ],
)
def test_more_of_what_nobody_has(
    shop: Path, reader: IndexReader, path: str, text: str, missing: list[tuple[str, str | None, str]]
) -> None:
    with overlaid(shop, reader, {path: text}) as overlay:
        found = [(one.name, one.nearest, one.grade) for one in missing_names(overlay, overlay.files[path])]

    assert found == missing


def test_what_is_mixed_with_others_has_what_they_have(shop: Path, reader: IndexReader) -> None:
    text = (
        "from outside import Base\nfrom shop.forms import Form\n\n\nclass Mixin:\n    def run(self):\n        self.fill_in_all()\n\n\n"
        "class Whole(Mixin, Form, Base):\n    pass\n"
    )

    assert _missing(shop, reader, text) == [("fill_in_all", "fill_in")]


def test_what_a_class_inherits_is_in_sight_by_its_bare_name(shop: Path, reader: IndexReader) -> None:
    texts = {
        "web/Base.cs": "public class Base : Outside { protected void CallRefresh() {} }",
        "web/Page.cs": "public class Page : Base { void Run() { CallRefreshAll(); } }",
    }

    with overlaid(shop, reader, texts) as overlay:
        found = [(one.name, one.nearest) for one in missing_names(overlay, overlay.files["web/Page.cs"])]

    assert found == [("CallRefreshAll", "CallRefresh")]


_CLOCK = "namespace A; public static class Clock { public static void Reset() {} }"
_PRICE = "namespace A; public class Price { public void Round() {} public static Price Create() { return new Price(); } }"


@pytest.mark.parametrize(
    ("call", "missing"),
    [
        ("Clock.ResetAll()", [("ResetAll", "Reset", "certain")]),
        ("Clock.Begin()", [("Begin", None, "certain")]),
        # A package may add methods to objects, so that only a slip of a name is told.
        ("price.RoundAll()", [("RoundAll", "Round", "likely")]),
        ("price.Should()", []),
        ("Price.Create().RoundAll()", [("RoundAll", "Round", "likely")]),
        ("Parts.Begin()", []),  # a tool may write the other part
        ("MakeLine()", [("MakeLine", "CreateLine", "likely")]),
    ],
)
def test_types_of_csharp_have_what_they_declare(
    shop: Path, reader: IndexReader, call: str, missing: list[tuple[str, str | None, str]]
) -> None:
    texts = {
        "net/Clock.cs": _CLOCK,
        "net/Price.cs": _PRICE,
        "net/Parts.cs": "namespace A; public static partial class Parts { public static void Reset() {} }",
        "net/Lines.cs": "namespace B; public static class Lines { public static int CreateLine() { return 1; } }",
        "net/Till.cs": f"using static B.Lines;\nnamespace A; public class Till {{ void Run(Price price) {{ {call}; }} }}",
    }

    with overlaid(shop, reader, texts) as overlay:
        found = [
            (one.name, one.nearest, one.grade) for one in missing_names(overlay, overlay.files["net/Till.cs"])
        ]

    assert found == missing


@pytest.mark.parametrize(
    ("path", "text", "missing"),
    [
        (
            "go/mux.go",
            (
                'package a\nimport "net/http"\ntype Router interface {\n\thttp.Handler\n\tGet()\n}\ntype Mux struct{}\n'
                "var _ Router = &Mux{}\nfunc (m *Mux) Get() {}\nfunc run() {\n\tm := &Mux{}\n\tm.GetAll()\n}\n"
            ),
            [("GetAll", "certain")],
        ),
        (
            "src/Parser.php",
            (
                "<?php\nuse Psr\\Middleware;\nclass Parser implements Middleware { private function registerOne() {}\n"
                "  public function process() { $this->addOne(); $this->registerOne(); } }\n"
            ),
            [("addOne", "certain")],
        ),
        (
            "tests/PageTest.php",
            (
                "<?php\nuse PHPUnit\\Framework\\TestCase;\nclass PageTest extends TestCase { private function getMockLogger() {}\n"
                "  public function testIt() { $this->fetchMockLogger(); $this->createMock(1); $this->getName(); } }\n"
            ),
            [("fetchMockLogger", "likely")],
        ),
        (
            "src/Page.java",
            (
                "package a;\nimport jakarta.ws.rs.*;\nclass Base extends Outside { void checkOne() {} }\n"
                "class Page extends Base { void run() { verifyOne(); checkOne(); } }\n"
            ),
            [("verifyOne", "likely")],
        ),
        (
            "src/More.java",
            (
                "package a;\nimport static org.Checks.*;\nclass Base extends Outside { void checkOne() {} }\n"
                "class More extends Base { void run() { verifyOne(); } }\n"
            ),
            [],
        ),
    ],
)
def test_an_interface_promises_members_and_a_package_gives_types(
    shop: Path, reader: IndexReader, path: str, text: str, missing: list[tuple[str, str]]
) -> None:
    with overlaid(shop, reader, {path: text}) as overlay:
        assert [(one.name, one.grade) for one in missing_names(overlay, overlay.files[path])] == missing


def test_a_constant_of_another_file_is_what_it_was_given(shop: Path, reader: IndexReader) -> None:
    texts = {
        "web/log.ts": "class Logger { warn(text: string) { return text } }\nexport const log = new Logger()\n",
        "web/use.ts": "import { log } from './log'\nlog.warn('a', 1)\nlog.warn('a')\nlog.begin()\n",
    }

    with overlaid(shop, reader, texts) as overlay:
        file = overlay.files["web/use.ts"]

        assert [(one.line, one.problem) for one in mismatches(overlay, file)] == [
            (2, "2 arguments are given by place, at most 1 are taken")
        ]
        assert [(one.name, one.grade) for one in missing_names(overlay, file)] == [("begin", "certain")]


@pytest.mark.parametrize(
    ("model", "missing"),
    [
        ("{ find(id: string) { return id } }", [("findValue", "find")]),
        ("{ find(id: string) { return id }, ...others }", []),
        ("{ findOne(id: string) { return id }, ...others }", []),
        ("{ find(id: string) { return id }, findValue: await others }", []),
        ("{ [key]() {}, find(id: string) { return id } }", []),
    ],
)
def test_an_object_that_is_written_out_has_what_stands_in_it(
    shop: Path, reader: IndexReader, model: str, missing: list[tuple[str, str]]
) -> None:
    texts = {
        "web/model.ts": f"export const model = {model}\n",
        "web/use.ts": "import { model } from './model'\nexport function use() { return model.findValue('a') }\n",
    }

    with overlaid(shop, reader, texts) as overlay:
        found = [(one.name, one.nearest) for one in missing_names(overlay, overlay.files["web/use.ts"])]

    assert found == missing


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("FromJsonAll", "FromJson", True),
        ("AppendCookies", "AddCookies", True),
        ("AddSwaggerGen", "AddSwagger", False),
        ("AddServiceConfigsAll", "AddServiceConfigs", True),
        ("AddRestEaseClient", "AddRestClient", False),
        ("FromJsonAsync", "FromJson", False),
    ],
)
def test_a_method_of_a_package_is_not_taken_for_a_slip(name: str, known: str, meant: bool) -> None:
    assert may_mean(name, known) is meant
