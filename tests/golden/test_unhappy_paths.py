"""What every look-up tool says when it cannot answer: each error names a way out, no answer is made up."""

import pytest
from golden_answers import Shop, write_project

NO_SYMBOL = "Cart.totl"
BY_SYMBOL = {
    "drift_signature": {"symbol": NO_SYMBOL},
    "drift_callers": {"symbol": NO_SYMBOL},
    "drift_callees": {"symbol": NO_SYMBOL},
    "drift_type": {"type": NO_SYMBOL},
    "drift_similar": {"symbol": NO_SYMBOL},
    "drift_impact_analysis": {"target": NO_SYMBOL},
    "drift_reachability": {"location": NO_SYMBOL},
    "drift_graph": {"action": "mermaid", "source": NO_SYMBOL},
    "drift_explain": {"target": NO_SYMBOL},
    "drift_analyze_function": {"function": NO_SYMBOL},
}
BY_FILE = {
    "drift_test_template": {"targetFile": "shop/card.py"},
    "drift_test_topology": {"action": "coverage", "file": "shop/card.py"},
    "drift_explain": {"target": "shop/card.py"},
    "drift_impact_analysis": {"target": "shop/card.py"},
}
OF_PROJECT = {
    "drift_dependencies": {},
    "drift_middleware": {},
    "drift_errors": {},
    "drift_dead_code": {},
    "drift_files_list": {},
    "drift_graph": {"action": "central"},
    "drift_package_context": {},
    "drift_test_topology": {"action": "status"},
    "drift_context": {"intent": "fix_bug", "focus": "the total of an empty cart"},
    "drift_imports": {"symbols": ["Cart"], "targetFile": "shop/new.py"},
}
ONE_CHOICE = ("drift_callees", "drift_explain", "drift_analyze_function", "drift_similar")
ARGUMENT_OF = {
    "drift_signature": "symbol",
    "drift_callers": "symbol",
    "drift_callees": "symbol",
    "drift_explain": "target",
    "drift_analyze_function": "function",
    "drift_similar": "symbol",
    "drift_impact_analysis": "target",
    "drift_reachability": "location",
}
TWINS = {
    "a/load.py": "def load(path):\n    return path\n",
    "b/load.py": "def load(path):\n    return path\n",
}


@pytest.fixture
def opened(tmp_path):
    shops = []

    def open_shop(root, **how):
        shops.append(Shop(root, tmp_path, **how))
        return shops[-1]

    yield open_shop
    for shop in shops:
        shop.close()


@pytest.fixture
def shop(opened, tmp_path):
    return opened(write_project("python", tmp_path / "shop"))


@pytest.fixture
def folder(tmp_path):
    def write(files):
        root = tmp_path / "project"
        root.mkdir()
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        return root

    return write


@pytest.mark.parametrize("tool", BY_SYMBOL)
def test_an_unknown_symbol_comes_with_names_like_it(shop, tool):
    answer = shop.ask(tool, **BY_SYMBOL[tool])

    assert answer["code"] == "SYMBOL_NOT_FOUND"
    assert "total" in answer["similar"]
    assert answer["hint"]


@pytest.mark.parametrize("tool", BY_FILE)
def test_an_unknown_file_is_an_error_with_a_hint(shop, tool):
    answer = shop.ask(tool, **BY_FILE[tool])

    assert answer["code"] == "FILE_NOT_FOUND"
    assert answer["hint"]


def test_an_unknown_symbol_to_import_is_said_beside_the_known_ones(shop):
    answer = shop.ask("drift_imports", symbols=["Cart", "Crat"], targetFile="shop/new.py")

    assert answer["data"]["statements"] == ["from shop.cart import Cart"]
    assert answer["data"]["unresolved"][0]["symbol"] == "Crat"


@pytest.mark.parametrize("tool", ONE_CHOICE)
def test_symbols_of_one_name_are_answered_for_together(opened, folder, tool):
    answer = opened(folder(TWINS)).ask(tool, **{ARGUMENT_OF[tool]: "load"})

    assert answer["warnings"][0] == (
        "'load' means 2 symbols, and all are answered for: load a/load.py:1, load b/load.py:1"
    )


def test_an_ambiguous_symbol_names_all_candidates_and_how_to_choose(opened, folder):
    answer = opened(folder(TWINS)).ask("drift_rename", symbol="load", newName="read")

    assert answer["code"] == "INVALID_ARGUMENT"
    assert answer["similar"] == ["a/load.py:1 function load", "b/load.py:1 function load"]
    assert "file" in answer["hint"]


@pytest.mark.parametrize("tool", ONE_CHOICE)
def test_an_ambiguous_symbol_is_chosen_by_its_file_or_its_place(opened, folder, tool):
    shop = opened(folder(TWINS))

    by_file = shop.ask(tool, **{ARGUMENT_OF[tool]: "load", "file": "b/load.py"})
    by_place = shop.ask(tool, **{ARGUMENT_OF[tool]: "b/load.py:1"})

    assert "code" not in by_file
    assert by_file["data"] == by_place["data"]


def test_a_signature_shows_all_of_a_name(opened, folder):
    answer = opened(folder(TWINS)).ask("drift_signature", symbol="load")

    assert [row["file"] for row in answer["data"]["signatures"]] == ["a/load.py", "b/load.py"]


@pytest.mark.parametrize("tool", ARGUMENT_OF)
def test_a_symbol_whose_file_was_removed_since_is_gone(shop, tool):
    (shop.root / "shop/checkout.py").unlink()

    answer = shop.ask(tool, **{ARGUMENT_OF[tool]: "receipt"})

    assert answer["code"] == "SYMBOL_NOT_FOUND"


@pytest.mark.parametrize("tool", ARGUMENT_OF)
def test_a_symbol_that_was_edited_away_since_is_gone(shop, tool):
    file = shop.root / "shop/checkout.py"
    file.write_text(file.read_text().replace("def receipt(", "def invoice("))

    gone = shop.ask(tool, **{ARGUMENT_OF[tool]: "receipt"})
    new = shop.ask(tool, **{ARGUMENT_OF[tool]: "invoice"})

    assert gone["code"] == "SYMBOL_NOT_FOUND"
    assert "code" not in new


def test_a_caller_that_was_edited_away_since_calls_no_more(shop):
    file = shop.root / "shop/checkout.py"
    before = shop.ask("drift_callers", symbol="Cart.total")["data"]["callers"]
    file.write_text(file.read_text().replace("return cart.total()", "return 0"))

    after = shop.ask("drift_callers", symbol="Cart.total")["data"]["callers"]

    assert {row["symbol"] for row in before} - {row["symbol"] for row in after} == {"pay"}


def test_an_error_type_nobody_knows_comes_with_names_like_it(shop):
    answer = shop.ask("drift_errors", action="places", type="EmptyCard")

    assert answer["code"] == "SYMBOL_NOT_FOUND"
    assert answer["similar"] == ["EmptyCart"]


def test_a_project_that_was_never_scanned_is_scanned_for_the_first_question(opened, tmp_path):
    shop = opened(write_project("python", tmp_path / "shop"), scanned=False)

    answer = shop.ask("drift_callers", symbol="Cart.total")

    assert {row["symbol"] for row in answer["data"]["callers"]} >= {"pay", "receipt"}


@pytest.mark.parametrize("tool", sorted({*BY_SYMBOL, *OF_PROJECT}))
def test_without_the_scan_that_comes_first_a_tool_says_how_to_have_one(opened, tmp_path, tool):
    shop = opened(write_project("python", tmp_path / "shop"), scanned=False, fresh=False)

    answer = shop.ask(tool, **{**BY_SYMBOL, **OF_PROJECT}[tool])

    assert answer["code"] == "SCAN_REQUIRED"
    assert answer["command"]


@pytest.mark.parametrize("tool", OF_PROJECT)
def test_an_empty_project_has_an_empty_answer(opened, folder, tool):
    answer = opened(folder({})).ask(tool, **OF_PROJECT[tool])

    assert "code" not in answer
    assert answer["summary"]


@pytest.mark.parametrize("tool", BY_SYMBOL)
def test_an_empty_project_has_no_symbols(opened, folder, tool):
    assert opened(folder({})).ask(tool, **BY_SYMBOL[tool])["code"] == "SYMBOL_NOT_FOUND"


@pytest.mark.parametrize("tool", OF_PROJECT)
def test_one_broken_file_hides_nothing_of_the_others(opened, tmp_path, tool):
    root = write_project("python", tmp_path / "shop")
    (root / "shop/broken.py").write_text("def half(:\n    return (\n\n\ndef whole():\n    return 2\n")
    (root / "shop/bytes.py").write_bytes(b"\xff\xfe\x00garbage\x00")

    answer = opened(root).ask(tool, **OF_PROJECT[tool])

    assert "code" not in answer


def test_a_broken_file_is_told_and_its_whole_parts_are_found(opened, folder):
    shop = opened(folder({"shop/broken.py": "def half(:\n    return (\n\n\ndef whole():\n    return 2\n"}))

    explained = shop.ask("drift_explain", target="shop/broken.py")["data"]["file"]
    found = shop.ask("drift_signature", symbol="whole")["data"]["signatures"]

    assert explained["problem"].startswith("line 1")
    assert [row["line"] for row in found] == [5]
