"""Methods of C++: what overrides in the private part of a class, what names its class, what a parent outside calls."""

import pytest

from drift.analyses.callers import find_callers
from drift.analyses.explain import explain_symbol
from drift.analyses.graph_rows import outside_warnings
from drift.analyses.impact_rows import user_rows
from drift.analyses.lookup import find_symbols
from drift.analyses.outside_parents import unseen_caller
from drift.analyses.signatures import Wanted, describe_signatures, signature_summary
from drift.analyses.usages.references import find_references
from drift.analyses.weighing import find_change, weigh_change
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

NAMES = [f"Rule{number}" for number in range(12)]
RULES = "".join(f"class {one} : public Rule {{ bool fits(int n) override; }};\n" for one in NAMES)
TEXTS = {
    "CMakeLists.txt": "project(shop)\nadd_executable(shop rules.cpp view.cpp)\n",
    "rules.h": (
        f"class Rule {{ public: virtual bool fits(int n) = 0; virtual int price(int n); }};\n{RULES}"
        "class Sale : public Rule { public: bool fits(int n); int price(int n) override;\nprivate: int cut(int n); };\n"
    ),
    "rules.cpp": (
        '#include "rules.h"\n'
        + "".join(f"bool {one}::fits(int n) {{ return n; }}\n" for one in NAMES)
        + "int Rule::price(int n) { return n; }\n"
        "int Sale::price(int n) { return cut(Rule::price(n)); }\n"
        "int Sale::cut(int n) { return this->Rule::price(n); }\n"
        "bool go(Rule* one) { return one->fits(1) && one->price(1); }\n"
        "int plain(Sale* one) { return one->Rule::price(1); }\n"
    ),
    "view.h": (
        "class View : public QWidget {\n  bool eventFilter(QObject* o, QEvent* e) override;\n"
        "  void paintEvent(QPaintEvent* e);\n  void redrawn(int n);\n};\n"
        "class Panel : public Strange {\n  void shown(int n) override;\n  void told(int n);\n  virtual void asked();\n};\n"
        "class Below : public Panel {\n  void shown(int n) override;\n  void asked() override;\n};\n"
    ),
    "view.cpp": (
        '#include "view.h"\n'
        "bool View::eventFilter(QObject* o, QEvent* e) {\n  return QWidget::eventFilter(o, e);\n}\n"
        "void View::paintEvent(QPaintEvent* e) {}\nvoid View::redrawn(int n) {}\n"
        "void Panel::shown(int n) {}\nvoid Panel::told(int n) {}\nvoid Panel::asked() {}\n"
        "void Below::shown(int n) {}\nvoid Below::asked() {}\n"
        "struct Other : QObject { bool eventFilter(QObject* o, QEvent* e) override {\n  return QObject::eventFilter(o, e);\n} };\n"
    ),
}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    found = tmp_path_factory.mktemp("members")
    for path, text in TEXTS.items():
        (found / path).write_text(text)
    scan(found, ScanOptions(jobs=0))
    return found


@pytest.fixture(scope="module")
def reader(root):
    with IndexReader(StateDir(root).index_db) as opened:
        yield opened


def callers(reader, root, name):
    found = find_callers(reader, name, file=None, max_depth=1, root=root)
    return {row.symbol: (row.call, row.confidence) for row in found.data(found.direct.places).callers}


def symbol(reader, name):
    return next(one for one in find_symbols(reader, name).symbols if "declaration" not in one.modifiers)


def test_what_overrides_in_the_private_part_of_a_class_runs_by_calls_through_the_base(reader, root):
    assert callers(reader, root, "Rule3.fits") == {"go": ("one->fits", 0.07)}


def test_a_call_that_names_the_class_runs_its_method_and_none_below(reader, root):
    assert callers(reader, root, "Sale.price") == {"go": ("one->price", 0.3)}
    assert {one: call for one, (call, _) in callers(reader, root, "Rule.price").items()} == {
        "Sale.price": "Rule::price",
        "Sale.cut": "this->Rule::price",
        "go": "one->price",
        "plain": "one->Rule::price",
    }


def test_impact_tells_a_call_of_an_overridden_method_as_surely_as_callers_do(reader, root):
    weighed = weigh_change(
        reader, root, find_change(reader, root, "Rule3.fits", file=None, base="HEAD"), max_depth=3
    )

    (row,) = user_rows(reader, weighed.impact, weighed.impact.direct)

    assert (row.symbol, row.reason, row.confidence) == ("go", "override", 0.07)


@pytest.mark.parametrize(
    ("name", "caller"),
    [
        ("View.eventFilter", "Qt may call View.eventFilter"),
        ("View.paintEvent", "Qt may call View.paintEvent"),
        ("View.redrawn", None),
        ("Panel.shown", "Strange, a parent outside the project, may call Panel.shown"),
        ("Panel.told", None),
        ("Below.shown", "Strange, a parent outside the project, may call Below.shown"),
        ("Below.asked", None),
    ],
)
def test_a_parent_outside_may_call_what_says_that_it_overrides(reader, name, caller):
    told = [one for one in outside_warnings(reader, symbol(reader, name)) if "may call" in one]

    assert told == ([f"{caller}: such calls are not in the project"] if caller else [])


def test_a_name_behind_another_class_is_no_use_of_a_method(reader, root):
    found = find_references(reader, root, symbol(reader, "View.eventFilter"))

    assert [(one.path, one.line) for one in found.uses] == [("view.cpp", 2), ("view.h", 2)]


def test_a_definition_is_as_visible_as_its_declaration(reader):
    apart = symbol(reader, "Sale.cut")
    both = find_symbols(reader, "Sale.price").symbols

    assert explain_symbol(reader, apart, rows=1).visibility == "private"
    assert [one.visibility for one in describe_signatures(reader, [apart], Wanted())] == ["private"]
    assert signature_summary("price", (*both, *both), both).startswith(
        "2 symbols fit 'price', declared in 4 places"
    )


def test_headers_of_a_program_offer_nothing_to_others(reader, root, tmp_path):
    found = find_callers(reader, "Rule.price", file=None, max_depth=1, root=root)
    library = dict(TEXTS) | {"CMakeLists.txt": "add_library(shop rules.cpp)\n"}
    for path, text in library.items():
        (tmp_path / path).write_text(text)
    scan(tmp_path, ScanOptions(jobs=0))

    assert found.data(()).flags == ()
    with IndexReader(StateDir(tmp_path).index_db) as opened:
        (flag,) = find_callers(opened, "Rule.price", file=None, max_depth=1, root=tmp_path).data(()).flags
        assert flag.flag == "publicApi"


def test_a_template_is_below_the_type_that_it_is_given(tmp_path):
    (tmp_path / "a.h").write_text(
        "template <typename Base>\nclass Part : public Base { public: void own(); };\n"
        "class Window : public Part<QMainWindow> {\npublic:\n  void closeEvent(QCloseEvent* e);\n"
        "  void on_save_clicked();\n  void other(int n);\n};\n"
    )
    (tmp_path / "a.cpp").write_text(
        '#include "a.h"\nvoid Window::closeEvent(QCloseEvent* e) {}\nvoid Window::on_save_clicked() {}\n'
        "void Window::other(int n) {}\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as opened:
        callers = {
            one: unseen_caller(opened, symbol(opened, f"Window.{one}"))
            for one in ("closeEvent", "on_save_clicked", "other")
        }

    assert callers == {"closeEvent": "Qt", "on_save_clicked": "Qt", "other": None}


def test_slots_of_an_adaptor_are_called_from_outside(tmp_path):
    (tmp_path / "a.h").write_text(
        "class Adaptor : public QDBusAbstractAdaptor {\npublic slots:\n  void open(QString path) {}\n};\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as opened:
        assert unseen_caller(opened, symbol(opened, "Adaptor.open")) == "D-Bus, by Qt,"


CONNECTED = {
    "till.h": (
        "class Till : public QObject {\npublic:\n  Till(QPushButton* button);\n  void ring();\n  void start();\n"
        "signals:\n  void sold(int n);\npublic slots:\n  void count(int n);\n};\n"
    ),
    "till.cpp": (
        '#include "till.h"\n#include <QObject>\n'
        "Till::Till(QPushButton* button) {\n  connect(this, &Till::sold, this, &Till::count);\n"
        "  connect(button, &QPushButton::clicked, this, [this] { ring(); });\n}\n"
        "void Till::ring() {}\nvoid Till::count(int n) {}\nvoid Till::start() { emit sold(1); }\n"
        "int main() { Till till(nullptr); till.start(); return 0; }\n"
    ),
}


def test_who_sends_a_signal_uses_what_is_connected_and_who_connects_it_names_it_alone(tmp_path):
    for path, text in CONNECTED.items():
        (tmp_path / path).write_text(text)
    scan(tmp_path, ScanOptions(jobs=0))

    def users(reader, name):
        weighed = weigh_change(
            reader, tmp_path, find_change(reader, tmp_path, name, file=None, base="HEAD"), max_depth=9
        )
        rows = user_rows(reader, weighed.impact, weighed.impact.product)
        entries = [(one.entry.kind, one.entry.detail) for one in weighed.impact.entries]
        return {(row.symbol, row.depth, row.reason) for row in rows}, entries

    with IndexReader(StateDir(tmp_path).index_db) as opened:
        assert users(opened, "Till.count") == (
            {("Till.start", 1, "signal"), ("Till.Till", 1, "connected"), ("main", 2, "assigned")},
            [("main", "main")],
        )
        assert users(opened, "Till.ring") == (
            {("Till.Till.<lambda>", 1, "inherited")},
            [("event", "QPushButton::clicked")],
        )
        found = find_callers(opened, "Till.count", file=None, max_depth=1, root=tmp_path)
        (row,) = found.data(found.direct.places).callers
        assert (row.symbol, row.confidence, row.candidates) == ("Till.start", 0.8, None)
