"""Which tables hold what, who reaches them, what guards the way, and which rules are broken."""

import json
import os

import pytest

from drift.analyses.data_access import DataMap, Model, ModelField
from drift.context.health import security_part
from drift.context.workflows import workflow
from drift.index import IndexReader
from drift.kernel.errors import DriftError
from drift.project import StateDir, open_project
from drift.scan import ScanOptions, scan
from drift.security import BoundaryRuleError, Routes, judge_name, read_boundary_rules, summary
from drift.security.answers import Wish, boundaries_answer, boundary_data, security_answer
from drift.security.boundaries import find_boundaries
from drift.security.exposure import find_ways
from drift.security.reaching import ReachWish, reach_table
from drift.security.sensitive import find_sensitive, judge_field
from drift.security.summary import security_summary
from drift.tools import all_tools

MODELS = """from django.db import models
class Account(models.Model):
    email = models.EmailField()
    password_hash = models.CharField()
    password_changed_at = models.DateTimeField()
class Page(models.Model):
    title = models.CharField()
"""
SERVICE = """from shop.models import Account, Page
def load(email):
    return Account.objects.get(email=email)
def wipe():
    return Account.objects.all().delete()
def pages():
    return Page.objects.all()
"""
WEB = """from flask import Flask
from flask_login import login_required
from shop.service import load, pages, wipe
app = Flask(__name__)
""" + "".join(
    f"""
@app.get("/r{number}")
{"" if number == 0 else "@login_required"}
def r{number}():
    return {"load(1)" if number < 2 else "pages()"}
"""
    for number in range(7)
)
JOBS = """from shop.service import wipe
import click
@click.command()
def clean():
    wipe()
KEY = "AKIA{}"
""".format("IOSFODNN7QWERTYU")  # in two parts, so that this file holds no key
RULES = """
[[boundary]]
id = "accounts-in-service"
description = "Accounts are touched by the service alone."
tables = ["account", "shop_acc*"]
operations = ["delete"]
allowed_paths = ["shop/admin/**"]

[[boundary]]
id = "service-is-for-web"
modules = ["shop/service.py"]
allowed_paths = ["shop/web.py"]
severity = "warning"

[[boundary]]
id = "off"
tables = ["*"]
enabled = false
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    root = tmp_path_factory.mktemp("shop")
    files = {"models.py": MODELS, "service.py": SERVICE, "web.py": WEB, "jobs.py": JOBS, "__init__.py": ""}
    (root / "shop").mkdir()
    for name, text in files.items():
        (root / "shop" / name).write_text(text)
    rules = StateDir(root).rules
    rules.mkdir(parents=True)
    (rules / "boundaries.toml").write_text(RULES)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:
        yield reader, open_project(root, os.environ)


def _rows(shop, **wish):
    reader, project = shop
    found = boundaries_answer(
        reader, project, Wish(wish.get("module"), wish.get("table"), wish.get("sensitive", False), 10)
    )
    return found, boundary_data(reader, found, found.chosen)


def test_ways_to_a_table_are_walked_once_for_a_state_and_anew_for_the_next(tmp_path):
    (tmp_path / "shop").mkdir()
    for name, text in {
        "models.py": MODELS,
        "service.py": SERVICE,
        "jobs.py": JOBS,
        "__init__.py": "",
    }.items():
        (tmp_path / "shop" / name).write_text(text)
    found = []
    for text in ("", WEB):
        (tmp_path / "shop" / "web.py").write_text(text)
        scan(tmp_path, ScanOptions(jobs=0))
        with IndexReader(StateDir(tmp_path).index_db) as reader:
            table = next(
                one for one in find_boundaries(reader, tmp_path).tables if one.name == "shop_account"
            )
            first, _ = find_ways(reader, table.points)
            again, _ = find_ways(reader, table.points)
            assert again is first
            found.append([way.kind for way in first])

    assert found == [["cli"], ["cli", "http", "http"]]


def test_a_table_says_what_it_holds_and_who_comes_to_it(shop):
    _, data = _rows(shop, table="Account")

    (row,) = data.tables
    assert (row.table, row.priority, row.operations) == ("shop_account", "P0", {"read": 1, "delete": 1})
    assert row.sensitive[0] == "password_hash (credentials: its name says password hash)"
    assert [each.partition(" ")[0] for each in row.sensitive] == ["password_hash", "email"]
    assert (row.entry_points, row.unguarded) == (3, 1)
    ways = {each.entry: each for each in row.entries}
    assert ways["GET /r0"].guards == ()
    assert ways["GET /r1"].guards == ("login_required",)
    assert ways["GET /r0"].path == ("r0 shop/web.py:9", "load shop/service.py:2")
    assert any(each.kind == "cli" and each.guards is None for each in row.entries)


def test_health_counts_files_with_a_secret_or_a_flow(shop):
    part = security_part(*shop)

    assert (part.part, part.score, part.inputs["with_a_finding"]) == ("security", 80.0, 1.0)


def test_tables_are_chosen_by_module_and_by_what_they_hold(shop):
    assert [one.name for one in _rows(shop, sensitive=True)[0].chosen] == ["shop_account"]
    assert {one.name for one in _rows(shop, module="shop/service.py")[0].chosen} == {
        "shop_account",
        "shop_page",
    }
    assert _rows(shop, module="shop/web.py")[0].chosen == []
    with pytest.raises(DriftError, match="Acount") as caught:
        _rows(shop, table="Acount")
    assert "Account" in caught.value.recovery.similar or "shop_account" in caught.value.recovery.similar


def test_what_a_rule_forbids_is_told_with_its_place(shop):
    _, data = _rows(shop)

    assert data.rules == 2
    assert [(one.rule, one.file, one.line) for one in data.violations] == [
        ("boundaries/accounts-in-service", "shop/service.py", 5),
        ("boundaries/service-is-for-web", "shop/jobs.py", 1),
    ]


def test_a_route_without_the_guard_of_its_neighbours_is_open(shop):
    (found,) = Routes(shop[0]).open_beside_guarded(min_routes=5, min_guarded=0.9)

    assert (found.entry.detail, found.guarded, found.beside) == ("GET /r0", 6, 6)


def test_what_is_optionally_required_guards_and_what_is_optional_does_not(tmp_path):
    (tmp_path / "web.py").write_text(
        """from flask import Flask
from flask_jwt_extended import jwt_required
from auth import login_optionally_required
app = Flask(__name__)
@app.get("/asked")
@login_optionally_required
def asked():
    return 1
@app.get("/free")
@jwt_required(optional=True)
def free():
    return 2
"""
    )
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        routes = Routes(reader)
        guarded = {each.detail for each in routes.entries if routes.is_guarded(each)}

    assert guarded == {"GET /asked"}


def test_the_summary_counts_and_says_what_it_could_not_count(shop):
    data = security_answer(*shop, focus="all", limit=5)

    told = data.overview
    assert (told.total_tables, told.sensitive_fields, told.routes, told.guarded_routes) == (2, 2, 7, 6)
    assert (told.violations, told.open_routes) == (3, 1)
    assert (told.secrets, told.flows) == (1, 0)
    assert data.sensitive_data == {"credentials": 1, "financial": 0, "health": 0, "personal": 1}
    assert security_answer(*shop, focus="auth", limit=5).top_tables is None


def test_sensitive_fields_are_not_known_where_no_field_is(shop, monkeypatch):
    monkeypatch.setattr(
        summary, "find_boundaries", lambda *_: _without_fields(find_boundaries(shop[0], shop[1].root))
    )

    data = security_answer(*shop, focus="all", limit=5)

    assert (data.overview.sensitive_fields, data.overview.tables_without_fields) == (None, 2)
    assert "sensitive fields not known" in security_summary(data)


def _without_fields(found):
    return found._replace(tables=tuple(one._replace(model=None) for one in found.tables), sensitive=())


def test_entry_points_come_to_a_field_through_whom(shop):
    reader, project = shop
    answer = reach_table(reader, "shop_account.email", ReachWish(project.root, 10, 10, sensitive_only=False))

    assert answer.data.origin.kind == "table"
    assert {one.detail for one in answer.data.entry_points} == {"GET /r0", "GET /r1", "command"}
    assert "1 route of them without a guard" in answer.summary
    assert "may touch email" in answer.warnings[0]


@pytest.mark.parametrize("name", ["drift_security_deep", "drift_security_audit"])
def test_a_workflow_gives_its_steps_only_what_their_tools_take(name):
    for step in workflow(name).steps:
        tool = all_tools().find(step.tool)
        assert tool is not None, step
        assert set(step.args) <= {each.wire for each in tool.parameters}, step


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("passwordHash", "credentials"),
        ("API_KEY", "credentials"),
        ("stripe_secret", "credentials"),
        ("card_number", "financial"),
        ("CardHolderName", "financial"),
        ("diagnosis", "health"),
        ("dateOfBirth", "personal"),
        ("first_name", "personal"),
        ("password_changed_at", None),
        ("is_email_verified", None),
        ("author", None),
        ("health_check_url", None),
        ("token_count", None),
        ("name", None),
        ("ip_address", "personal"),
        ("", None),
    ],
)
def test_names_tell_what_a_field_holds(name, kind):
    found = judge_name(name)

    assert (found.kind if found else None) == kind


def test_types_and_marks_tell_what_a_name_does_not():
    assert judge_field(ModelField("contact", "models.EmailField", None, 1)).why == "its type is EmailField"
    assert (
        judge_field(ModelField("note", "string", None, 1), marks="[PersonalData] string Note").kind
        == "personal"
    )
    assert judge_field(ModelField("has_token", "bool", None, 1)) is None
    assert judge_field(ModelField("token", "BooleanField", None, 1)) is None
    assert judge_field(ModelField("email", "boolean", None, 1)) is None
    assert judge_name("ip_address").score < judge_name("address").score


@pytest.mark.parametrize(
    ("name", "beside", "found"),
    [
        ("Language", "code", []),
        ("Licence", "email", ["email", "full_name"]),
        ("CustomerCard", "number", ["full_name"]),
    ],
)
def test_a_full_name_is_personal_where_the_model_is_about_people(name, beside, found):
    fields = tuple(ModelField(one, "CharField", None, 1) for one in ("full_name", beside))
    data = DataMap((Model(name, name.lower(), "django", "models.py", 1, fields),), (), ())

    assert [one.field for one in find_sensitive(data)] == found


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[[boundary]]\nid = 'x'", "needs tables, fields or modules"),
        ("[[boundary]]\nid = 'X y'\ntables = ['a']", "id must be"),
        ("[[boundary]]\nid = 'x'\ntables = ['a']\nallowed = ['b']", "unknown keys: allowed"),
        ("[[boundary]]\nid = 'x'\ntables = 'a'", "must be a list"),
        ("[[boundary]]\nid = 'x'\ntables = ['(a+)+$']", "is no name"),
        ("[[boundary]]\nid = 'x'\ntables = ['a']\noperations = ['drop']", "is none of"),
        ("[[boundary]]\nid = 'x'\ntables = ['a']\nseverity = 'fatal'", "severity must be"),
        ("boundary = 3", "must be a list"),
        ("boundary = [1]", "must be a table"),
        ("[[boundary]\n", "no TOML"),
        (
            "[[boundary]]\nid = 'x'\ntables = ['a']\n[[boundary]]\nid = 'x'\ntables = ['b']",
            "another boundary",
        ),
    ],
)
def test_a_rule_that_is_wrong_says_why(tmp_path, text, problem):
    state = StateDir(tmp_path)
    state.rules.mkdir(parents=True)
    (state.rules / "boundaries.toml").write_text(text)

    with pytest.raises(BoundaryRuleError, match=r"boundaries\.toml") as caught:
        read_boundary_rules(state)
    assert problem in str(caught.value)


def test_rules_may_be_json(tmp_path):
    state = StateDir(tmp_path)
    state.rules.mkdir(parents=True)
    rule = {"id": "x", "tables": ["users"], "allowedPaths": ["src/**"], "excludePaths": ["tests/**"]}
    (state.rules / "boundaries.json").write_text(json.dumps({"version": "1", "boundaries": [rule]}))

    (found,) = read_boundary_rules(state)
    assert found.allows("src/a.py")
    assert found.allows("tests/a.py")
    assert not found.allows("web/a.py")
