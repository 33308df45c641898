"""Questions over a fleet are answered from all its repositories, with places, and say what they do not rest on."""

import asyncio
import json
from datetime import UTC, datetime

import pytest

from drift.fleet import Action, Question, answer_fleet, asked_fleet
from drift.fleet.facts import Facts, Kept, pack, unpack
from drift.fleet.store import FleetStore, State
from drift.kernel.errors import DriftError, ErrorCode
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry, open_project
from drift.registry import ServerName, parse_surface
from drift.scan import ScanOptions, scan
from drift.tools import tools_of


@pytest.fixture
def project(fleet, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    return open_project(tmp_path / "elsewhere", {"DRIFT_FLEET_FILE": str(fleet.file)})


@pytest.fixture
def ask(project):
    def asking(action: Action, **given):
        with asked_fleet(project, datetime.now(UTC)) as asked:
            return answer_fleet(asked, Question(action, **given), project)

    return asking


def test_callers_in_other_repositories_are_found_by_package_and_name(ask):
    found = ask("callers", function="add_tax", repository="pricing")

    (row,) = found.ranked.rows
    assert (row.repository, row.file, row.line, row.caller) == ("orders", "app.py", 10, "show")
    assert (row.name, row.wants, row.declared_at) == (
        "pricing_lib.tax.add_tax",
        "==1.0",
        "requirements.txt:2",
    )
    assert found.summary == "1 call of add_tax of pricing in 1 other repository"


def test_a_method_is_found_by_its_class_and_a_full_name_without_a_repository(ask):
    by_class = ask("callers", function="Rates.of", repository="pricing").ranked.rows
    by_name = ask("callers", function="pricing_lib.tax.add_tax").ranked.rows

    assert [row.name for row in by_class] == ["pricing_lib.tax.Rates.of"]
    assert [row.repository for row in by_name] == ["orders"]


def test_a_function_of_the_same_name_in_another_package_is_none(ask):
    assert ask("callers", function="add_tax", repository="shop").ranked.rows == []


def test_requests_between_services_lead_to_their_endpoints_or_are_told_to_lead_nowhere(ask):
    rows = {(row.caller, row.function): row for row in ask("contracts").ranked.rows}

    answered, gone = rows["shop", "order"], rows["shop", "gone"]
    assert (answered.status, answered.provider, answered.by) == ("answered", "orders", "host")
    assert (answered.endpoint, answered.provider_file, answered.handler) == ("/orders/<id>", "app.py", "show")
    assert (gone.status, gone.provider, gone.method) == ("unanswered", "orders", "DELETE")
    assert ("shop", "other") not in rows  # another host than the fleet's


def test_contracts_of_one_repository_are_those_it_makes_and_answers(ask):
    assert ask("contracts", repository="pricing").ranked.rows == []
    assert {row.caller for row in ask("contracts", repository="orders").ranked.rows} == {"shop"}


def test_repositories_follow_break_or_leave_a_convention_undecided(tmp_path):
    names = {
        "one": ("snake", True),
        "two": ("snake", True),
        "three": ("camel", True),
        "four": ("camel", False),
    }
    database, listed = tmp_path / "fleet" / "fleet.db", tmp_path / "fleet.toml"
    database.parent.mkdir()
    listed.write_text("".join(f'[[repositories]]\nname = "{name}"\npath = "{name}"\n' for name in names))
    now = datetime.now(UTC).isoformat(timespec="seconds")
    with FleetStore(database, may_make=True) as store:
        for name, (variant, is_decided) in names.items():
            kept = Kept(
                "names/case", f"Names are {variant}", variant, is_decided, 0.9, 20, 2, "a.py:3\nb.py:4"
            )
            facts = Facts((), (), (), (), (), (kept,), ())
            store.put(State(name, "file:///x", None, now, scanned_at=now), unpack(pack(facts)))
    project = open_project(tmp_path, {"DRIFT_FLEET_FILE": str(listed)})

    with asked_fleet(project, datetime.now(UTC)) as asked:
        (row,) = answer_fleet(asked, Question("conventions"), project).ranked.rows
        stands = answer_fleet(asked, Question("conventions", convention="names/case"), project)
        with pytest.raises(DriftError) as unknown:
            answer_fleet(asked, Question("conventions", convention="names/cas"), project)

    assert (row.variant, row.follow, row.break_, row.undecided) == ("snake", 2, 1, 1)
    assert {each.repository: each.way for each in stands.ranked.rows} == {
        "one": "follows",
        "two": "follows",
        "three": "breaks",
        "four": "undecided",
    }
    assert stands.ranked.rows[0].places == ("a.py:3", "b.py:4")
    assert unknown.value.recovery.similar == ("names/case",)


def test_a_repository_that_is_not_in_the_fleet_and_a_fleet_that_is_not_named_are_told(ask, tmp_path):
    with pytest.raises(DriftError, match="not in the fleet"):
        ask("callers", function="x", repository="unheard")
    with pytest.raises(DriftError) as unnamed, asked_fleet(open_project(tmp_path, {}), datetime.now(UTC)):
        pass

    assert unnamed.value.code is ErrorCode.CONFIG_INVALID


def call(root, environ, name, arguments):
    at = Environment(
        root, ProjectRegistry(root / "projects.json", lambda: datetime.now(UTC)), environ=environ
    )
    runtime = ServerRuntime(ServerName.ANALYSIS, tools_of(ServerName.ANALYSIS), parse_surface("full"), at=at)
    try:
        return asyncio.run(runtime.call(name, arguments)).body
    finally:
        runtime.close()


def test_the_tool_pages_and_warns_of_what_could_not_be_scanned(fleet, tmp_path):
    body = call(
        tmp_path, {"DRIFT_FLEET_FILE": str(fleet.file)}, "drift_fleet", {"action": "contracts", "limit": 1}
    )

    assert len(body["data"]["contracts"]) == 1
    assert body["pagination"]["hasMore"]
    assert any("nowhere (STORE_UNAVAILABLE" in each for each in body["warnings"])


@pytest.fixture
def governed(fleet, tmp_path):
    """A list with a folder of instructions beside it, and the settings that name it."""
    rules = tmp_path / "rules"
    rules.mkdir()
    entry = {"id": "never-log-cards", "title": "Cards", "body": "Never log card numbers. Mask them."}
    more = {"priority": 1, "audience": "all", "requirement": "mandatory", "categories": ["logging"]}
    (rules / "never-log-cards.json").write_text(json.dumps(entry | more))
    listed = tmp_path / "fleet.toml"
    listed.write_text(f'home = "{fleet.home}"\ninstructions = "rules"\n')
    return {"DRIFT_FLEET_FILE": str(listed)}


def test_instructions_of_the_fleet_are_one_catalog_for_all_and_are_only_read(governed, tmp_path):
    before = (tmp_path / "rules" / "never-log-cards.json").read_bytes()

    listing = call(tmp_path, governed, "drift_fleet", {"action": "instructions"})
    whole = call(tmp_path, governed, "drift_fleet", {"action": "instructions", "search": "never-log-cards"})

    assert [row["text"] for row in listing["data"]["instructions"]] == ["Never log card numbers"]
    assert whole["data"]["instructions"][0]["text"] == "Never log card numbers. Mask them."
    assert (tmp_path / "rules" / "never-log-cards.json").read_bytes() == before


def test_instructions_of_the_fleet_join_the_context_of_a_project_without_any(governed, tmp_path):
    shop = tmp_path / "shop"
    shop.mkdir()
    (shop / "cards.py").write_text("def log_card(card):\n    print(card)\n")
    scan(shop, ScanOptions(jobs=0))

    body = call(shop, governed, "drift_context", {"intent": "fix_bug", "focus": "log_card logs card numbers"})

    (told,) = body["data"]["sections"]["instructions"]
    assert "drift_fleet instructions never-log-cards" in json.dumps(told)
