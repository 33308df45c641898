"""Signals of Qt: what is connected with one runs where it is sent, and not where it is connected."""

from typed_cases import Linked

HEADER = """
#include <QObject>
class Shop : public QObject {
public:
    void sell(int n);
signals:
    void sold(int n);
    void closed();
    void unheard();
};
class Till : public QObject {
public:
    Till(Shop* shop, QPushButton* button);
    void ring();
Q_SIGNALS:
    void counted(int n);
public slots:
    void count(int n);
    void close();
    void note(int n);
    void press();
    void never(int n);
private:
    Shop* m_shop;
};
class Other : public QObject {
signals:
    void sold(int n);
};
"""
CODE = """
#include "shop.h"
void Shop::sell(int n) { emit sold(n); }
void shut(Shop* shop) { Q_EMIT shop->closed(); }
void other(Other* other) { emit other->sold(1); }
void silent(Shop* shop) { emit shop->unheard(); }
Till::Till(Shop* shop, QPushButton* button) {
    connect(shop, &Shop::sold, this, &Till::count);
    connect(m_shop, SIGNAL(closed()), this, SLOT(close()));
    connect(m_shop, SIGNAL(closed()), SLOT(press()));
    connect(shop, qOverload<int>(&Shop::sold), this, &Till::counted);
    connect(this, static_cast<void (Till::*)(int)>(&Till::counted), this, &Till::note, Qt::QueuedConnection);
    connect(shop, &Shop::closed, this, [this] { ring(); });
    QObject::connect(button, &QPushButton::clicked, this, &Till::press);
    connect(button, &QPushButton::pressed, [this]() { ring(); });
    disconnect(shop, &Shop::sold, this, &Till::never);
}
void Till::ring() {}
void Till::count(int n) {}
void Till::close() {}
void Till::note(int n) {}
void Till::press() {}
void Till::never(int n) {}
"""


def linked() -> Linked:
    return Linked("cpp", (".cpp", ".h"), {"shop.h": HEADER, "shop.cpp": CODE})


def runs(found: Linked, text: str) -> list[str]:
    link = found.call("shop.cpp", text)
    assert {(one.confidence, one.reason) for one in link.overriders} <= {(0.8, "signal")}
    return sorted(found.name(one.place).partition(":")[2] for one in link.overriders)


def test_who_sends_a_signal_runs_what_is_connected_with_it_also_through_another_signal():
    assert runs(linked(), "sold") == ["Till.counted", "count", "note"]


def test_signals_and_slots_by_their_old_macros_and_lambdas_run_too():
    assert runs(linked(), "shop->closed") == ["Till.<lambda>", "close", "press"]


def test_a_signal_of_another_class_or_one_that_nothing_is_connected_with_runs_nothing():
    found = linked()

    assert runs(found, "other->sold") == []
    assert runs(found, "shop->unheard") == []


def test_who_connects_a_slot_names_it_and_calls_nothing():
    found = linked()
    facts, links = found.facts["shop.cpp"], found.links["shop.cpp"]
    named = [
        (one.kind, found.name(target.place).partition(":")[2], target.reason)
        for one, link in zip(facts.references, links.references, strict=True)
        for target in link.targets
        if found.facts[target.place.path].symbols[target.place.symbol].kind == "method"
    ]

    assert {kind for kind, _, _ in named} == {"connect"}
    assert {("connect", one, "connected") for one in ("count", "close", "press", "note", "never")} <= set(
        named
    )
    assert not [call.text for call in facts.calls if call.text in {"SIGNAL", "SLOT", "closed", "close"}]


def test_a_lambda_that_is_connected_is_marked_as_such():
    symbols = linked().facts["shop.cpp"].symbols

    assert [one.modifiers for one in symbols if one.name == "<lambda>"] == [("connected",), ("connected",)]


def test_signals_of_qt_itself_are_ways_in():
    found = linked()
    entries = [(one.kind, one.detail) for one in found.facts["shop.cpp"].entry_points]
    handlers = [found.name(place).partition(":")[2] for _, place in found.links["shop.cpp"].handlers]

    assert entries == [("event", "QPushButton::clicked"), ("event", "QPushButton::pressed")]
    assert handlers == ["press"]
