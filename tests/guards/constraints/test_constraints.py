from datetime import UTC, datetime

import pytest

from drift.guards.constraints import verify
from drift.guards.constraints.asking import ConstraintWish, answer
from drift.guards.constraints.book import read_book
from drift.guards.constraints.mining import mine
from drift.guards.overlay import overlaid
from drift.kernel.errors import DriftError

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
LAYER = "layers/shop/storage"


def ask(reader, project, action, **rest):
    return answer(reader, project, ConstraintWish(action, **rest), by="agent", now=NOW)


def test_layers_wrappers_and_guards_are_mined_with_their_counts(reader):
    found = {each.id: each for each in mine(reader)}

    assert found[LAYER].predicate.get("never") == ("shop/services/**",)
    # Each service but the first uses two tables.
    assert (found[LAYER].counts.holding, found[LAYER].counts.sites) == (59, 59)
    wrapper = found["wrapper/http-requests:shop/client.py"]
    assert "For HTTP requests call fetch of shop/client.py, not requests.get" in wrapper.rule
    assert (wrapper.counts.holding, wrapper.counts.sites) == (30, 31)
    routes = found["routes/auth"]
    assert routes.predicate.get("guards") == ("login_required",)
    assert (routes.counts.holding, routes.counts.sites) == (30, 31)


@pytest.mark.parametrize(
    ("id_", "kind", "broken"),
    [
        ("order/acquire", "must_follow", "Make29Command.run"),
        ("cause/python", "must_propagate", None),
        ("pair/Command-Handler", "structure", "Make29Command"),
        ("parents/shop/commands", "structure", None),
    ],
)
def test_pairs_causes_and_parents_are_mined_with_what_breaks_them(reader, layered, id_, kind, broken):
    found = {each.id: each for each in mine(reader)}[id_]

    detail = ask(reader, layered, "show", id=id_).data.detail

    assert found.type == kind
    assert found.counts.holding >= found.counts.sites - 1 >= 20
    if id_ != "parents/shop/commands":
        assert [(each.file, each.symbol) for each in detail.counterexamples] == [
            ("shop/commands/make29.py", broken)
        ]


def test_orders_and_counts_that_no_list_names_are_mined(reader, layered, rules):
    found = {each.id: each for each in mine(reader)}

    order, one = found["before/save:validate"], found["one-type/shop/drafts"]
    assert order.rule == "Before .save the same function calls .validate on the same object"
    assert (order.type, order.category, order.counts.holding, order.counts.sites) == (
        "must_precede", "validation", 29, 30,
    )  # fmt: skip
    assert (one.type, one.counts.holding, one.counts.sites) == ("cardinality", 29, 30)
    assert (found["one-route"].counts.holding, found["one-route"].counts.sites) == (31, 31)
    # What stands in nearly every function comes before nothing in particular; what is a known pair is told as that.
    assert [id_ for id_ in found if id_.startswith(("before/", "after/"))] == ["before/save:validate"]
    assert [each.file for each in ask(reader, layered, "show", id=one.id).data.detail.counterexamples] == [
        "shop/drafts/draft29.py"
    ]
    changed = {"shop/drafts/draft29.py": {3}}
    assert not verify(reader, layered, lines=changed).violations, "nobody approved it"
    ask(reader, layered, "approve", id=order.id, reason="Nothing unchecked is kept")
    assert [each.rule for each in verify(reader, layered, lines=changed).violations] == [
        "constraint/must-precede"
    ]


def test_what_breaks_a_constraint_is_named_with_its_place(reader, layered):
    found = verify(reader, layered, statuses=("discovered",), least_confidence=0.7)

    told = {(each.evidence["constraint"], each.file, each.line) for each in found.violations}
    assert told == {
        ("wrapper/http-requests:shop/client.py", "shop/direct.py", 5),
        ("routes/auth", "shop/web/open.py", 4),
        ("order/acquire", "shop/commands/make29.py", 6),
        ("cause/python", "shop/commands/make29.py", 9),
        ("pair/Command-Handler", "shop/commands/make29.py", 4),
        ("before/save:validate", "shop/drafts/draft29.py", 3),
        ("one-type/shop/drafts", "shop/drafts/draft29.py", 9),
    }
    assert LAYER in {each.id for each in found.satisfied}
    by_rule = {each.rule: each for each in found.violations}
    assert by_rule["constraint/must-wrap"].suggestion == "Call fetch of shop/client.py, as 30 files do."


def test_a_change_answers_for_its_own_lines_alone(reader, layered):
    asked = {"statuses": ("discovered",), "least_confidence": 0.7}

    assert not verify(reader, layered, lines={"shop/direct.py": {1}}, **asked).violations
    assert len(verify(reader, layered, lines={"shop/direct.py": {5}}, **asked).violations) == 1
    assert not verify(reader, layered, files={"shop/web/page1.py"}, **asked).violations


def test_what_was_approved_becomes_stale_and_stays(reader, layered, rules):
    ask(reader, layered, "approve", id=LAYER, reason="Storage is for itself")
    written = read_book(layered.state).constraints[LAYER]
    rules(
        (layered.state.rules / "constraints.toml")
        .read_text()
        .replace('["shop/storage/**"]', '["shop/nowhere/**"]'),
        "constraints.toml",
    )

    rows = {each.id: each for each in ask(reader, layered, "list", most=100).data.constraints}

    assert (written.status, written.by, written.reason) == ("approved", "agent", "Storage is for itself")
    assert written.predicate.get("never") == ("shop/services/**",)
    assert rows[LAYER].status == "stale"


def test_what_is_ignored_is_no_longer_listed_nor_counted(reader, layered, rules):
    ask(reader, layered, "ignore", id="routes/auth")

    listed = ask(reader, layered, "list", most=100).data.constraints
    found = verify(reader, layered, statuses=("discovered",), least_confidence=0.7)

    assert "routes/auth" not in {each.id for each in listed}
    assert "routes/auth" not in {each.evidence["constraint"] for each in found.violations}
    assert ask(reader, layered, "list", status="ignored").data.total == 1


OWN = """
[layers]
web = ["shop/web/**"]
storage = ["shop/storage/**"]

[[boundary]]
from = "storage"
never = ["requests", "web"]

[[boundary]]
from = "web"
only = ["shop/services/**", "shop/app.py"]
severity = "warning"

[[constraint]]
id = "own/ordered"
type = "must_precede"
category = "data"
rule = "Tables are loaded before anything is fetched"
where = { files = ["shop/services/**"] }
order = { first = ["load0"], then = ["fetch"] }

[[constraint]]
id = "own/followed"
type = "must_follow"
category = "data"
rule = "What is fetched is loaded again"
where = { files = ["shop/services/**"] }
order = { first = ["fetch"], then = ["load9"] }

[[constraint]]
id = "own/tested"
type = "must_have"
category = "testing"
rule = "Services are tested"
where = { files = ["shop/services/order1.py", "shop/services/order2.py"] }
tests = {}

[[constraint]]
id = "own/tables"
type = "data_flow"
category = "data"
rule = "Orders are touched in storage"
access = { tables = ["orders"], in = ["shop/storage/**"] }

[[constraint]]
id = "own/one-type"
type = "cardinality"
category = "structural"
rule = "A file declares one type, where it declares any"
where = { files = ["shop/drafts/draft1.py", "shop/web/page1.py"] }
declares = { kinds = ["class"] }

[[constraint]]
id = "own/rust"
type = "must_propagate"
category = "errors"
rule = "Errors keep their cause"
where = { languages = ["rust"] }
cause = {}
"""


def test_own_rules_are_evaluated_and_what_cannot_be_is_said(reader, layered, rules):
    rules(OWN)

    found = verify(reader, layered)

    assert not found.problems
    told = {(each.evidence["constraint"], each.file) for each in found.violations}
    assert {each for each in told if each[0] == "own/tested"} == {("own/tested", "shop/services/order2.py")}
    followed = {each[1] for each in told if each[0] == "own/followed"}
    assert len(followed) == 29
    assert "shop/services/order9.py" not in followed
    layered_web = {each[1] for each in told if each[0] == "boundary/web-2"}
    assert layered_web == {f"shop/web/page{number}.py" for number in range(30)}
    assert {each.id for each in found.satisfied} == {"boundary/storage-1", "own/one-type", "own/ordered"}
    assert {each.id: each.reason for each in found.skipped} == {
        "own/tables": "no call here is known to reach data",
        "own/rust": "the index has no file of rust",
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            '[[constraint]]\nid = "a"\ntype = "must"\ncategory = "api"\nrule = "r"\ncause = {}',
            "type: must be one of",
        ),
        ('[[constraint]]\nid = "a"\ntype = "naming"\ncategory = "api"\nrule = "r"', "one of uses, calls"),
        (
            '[[constraint]]\nid = "a"\ntype = "naming"\ncategory = "api"\nrule = "r"\ncalls = { nver = ["x"] }',
            "calls: nver is not known; did you mean never?",
        ),
        ('[[boundary]]\nnever = ["x"]', "from: is missing"),
        ('[[boundary]]\nfrom = "a"\ntables = ["x"]\ncalls = ["y"]', "one boundary, one rule"),
        ("[[boundary]\n", "it is no TOML"),
        ('constraint = "x"', "constraint: must be a list of tables"),
    ],
)
def test_what_is_written_wrong_is_named_and_the_rest_counts(layered, rules, text, problem):
    rules(text, "wrong.toml")
    rules(OWN)

    book = read_book(layered.state)

    assert len(book.problems) == 1
    assert problem in book.problems[0]
    assert book.problems[0].startswith(".drift/rules/wrong.toml: ")
    assert len(book.constraints) == 8


def test_an_excused_place_and_an_unknown_id_are_told_apart(reader, layered, rules):
    rules(
        '[[constraint]]\nid = "own/fetch"\ntype = "must_not_have"\ncategory = "api"\nrule = "No fetching"\n'
        'calls = { never = ["requests.get"] }'
    )

    shown = ask(reader, layered, "show", id="own/fetch").data.detail

    assert [each.file for each in shown.counterexamples] == ["shop/client.py", "shop/direct.py"]
    with pytest.raises(DriftError, match="decided where it is written"):
        ask(reader, layered, "approve", id="own/fetch")
    with pytest.raises(DriftError, match="No constraint has the id"):
        ask(reader, layered, "show", id="own/fetched")


PAGE = (
    "from shop.app import app\nfrom shop.services.order1 import order1\n\n\n"
    "@app.route('/orders/one')\ndef page():\n    return order1(1)\n"
)
TABLE = "import requests\nfrom shop.services.order1 import order1\n\n\ndef load1(key):\n    return order1(key)\n\n\ndef ask():\n    return requests.get('https://shop')\n"


def test_texts_that_are_not_on_disk_are_held_to_the_same(reader, layered):
    asked = {"statuses": ("discovered",), "least_confidence": 0.7}
    texts = {"shop/web/page1.py": PAGE, "shop/web/added.py": PAGE, "shop/storage/table1.py": TABLE}

    with overlaid(layered.root, reader, texts) as overlay:
        found = verify(reader, layered, overlay=overlay, **asked)

    assert {(each.evidence["constraint"], each.file, each.line) for each in found.violations} == {
        ("routes/auth", "shop/web/page1.py", 5),
        ("routes/auth", "shop/web/added.py", 5),
        (LAYER, "shop/storage/table1.py", 2),
        ("wrapper/http-requests:shop/client.py", "shop/storage/table1.py", 10),
    }


def test_a_text_as_it_is_on_disk_comes_out_as_the_file_does(reader, layered, rules):
    rules(OWN)
    paths = ["shop/direct.py", "shop/web/open.py", "shop/web/page3.py", "shop/services/order2.py"]
    statuses = ("custom", "discovered")
    stored = verify(reader, layered, files=set(paths), statuses=statuses, least_confidence=0.7)

    texts = {path: (layered.root / path).read_text() for path in paths}
    with overlaid(layered.root, reader, texts) as overlay:
        drafted = verify(reader, layered, overlay=overlay, statuses=statuses, least_confidence=0.7)

    assert stored.violations
    assert drafted == stored
