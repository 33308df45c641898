"""Code that stands apart from what it belongs to: methods outside their class, definitions outside their header."""

import pytest
from golden_answers import Shop

GO = {
    "go.mod": "module example.com/shop\n",
    "cart.go": "package shop\n\ntype Cart[T any] struct{}\n",
    "total.go": "package shop\n\nfunc (c *Cart[T]) Total() int { return 0 }\n",
}
CPP = {
    "include/disk.h": (
        "namespace store {\n"
        "class Disk {\n public:\n  int read(int count);\n  int read(const char* name);\n};\n"
        "int open(int mode);\n"
        "}\n"
    ),
    "src/disk.cpp": (
        '#include "disk.h"\n'
        "int store::Disk::read(int count) { return count; }\n"
        "namespace store {\n"
        "int Disk::read(const char* name) { return name[0]; }\n"
        "int open(int mode) { return mode; }\n"
        "}\n"
        "int use(store::Disk& disk) { return disk.read(3) + store::open(1); }\n"
    ),
    "src/other.cpp": "static int open(int mode) { return mode + 1; }\nint twice() { return open(2); }\n",
}


@pytest.fixture
def made(tmp_path):
    shops = []

    def make(files):
        root = tmp_path / "made"
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        shops.append(Shop(root, tmp_path))
        return shops[-1]

    yield make
    for shop in shops:
        shop.close()


def test_a_method_of_go_in_another_file_than_its_type_is_found_by_both_names(made):
    (row,) = made(GO).ask("drift_signature", symbol="Cart.Total")["data"]["signatures"]

    assert (row["symbol"], row["file"]) == ("Cart.Total", "total.go")


def test_methods_of_cpp_have_their_class_and_namespace_in_the_name(made):
    found = made(CPP).ask("drift_signature", symbol="Disk.read")["data"]["signatures"]

    assert {row["symbol"] for row in found} == {"store.Disk.read"}
    assert [(row["file"], row["line"]) for row in found] == [
        ("include/disk.h", 4),
        ("include/disk.h", 5),
        ("src/disk.cpp", 2),
        ("src/disk.cpp", 4),
    ]


def test_a_declaration_stands_for_the_definition_of_its_own_overload(made):
    shop = made(CPP)

    numbered = shop.ask("drift_callers", symbol="include/disk.h:4")["data"]
    named = shop.ask("drift_callers", symbol="include/disk.h:5")["data"]

    assert numbered["target"]["line"] == 2
    assert [row["symbol"] for row in numbered["callers"]] == ["use"]
    assert named["target"]["line"] == 4
    assert named["callers"] == []


def test_a_function_that_is_private_to_another_file_is_somebody_else(made):
    data = made(CPP).ask("drift_callers", symbol="include/disk.h:7")["data"]

    assert (data["target"]["file"], data["target"]["line"]) == ("src/disk.cpp", 5)
    assert [row["symbol"] for row in data["callers"]] == ["use"]


def test_what_a_header_offers_is_not_called_dead_and_its_declaration_never_is(made):
    found = made(CPP).ask("drift_dead_code", minLevel="low")["data"]["symbols"]
    exported = made(CPP).ask("drift_dead_code", minLevel="low", withExports=True)["data"]["symbols"]

    assert {row["symbol"] for row in found}.isdisjoint({"store.Disk.read", "store.open"})
    assert {row["file"] for row in exported} == {"src/disk.cpp", "src/other.cpp"}


def test_a_change_of_a_header_touches_who_calls_what_it_declares(made):
    users = made(CPP).ask("drift_impact_analysis", target="include/disk.h")["data"]["users"]

    assert [row["symbol"] for row in users] == ["use"]
