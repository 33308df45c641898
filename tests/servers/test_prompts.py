"""Prompts as a client gets them, of the real server at a real project."""

import json
import os
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import mcp_types as types
import pytest
from mcp import Client
from mcp.client._memory import InMemoryTransport
from mcp.shared.exceptions import MCPError

from drift.kernel.tokens import count_tokens
from drift.pipeline import Environment
from drift.project import ProjectRegistry
from drift.registry import ServerName, parse_surface
from drift.scan import ScanOptions, scan
from drift.servers import BLUEPRINTS, assemble

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("anyio_backend", ["asyncio"])]

MAIL = '''def send_receipt(order):
    """Send the receipt of an order."""
    if not order.address:
        raise ValueError("no address for the receipt")
    return deliver(order)


def deliver(order):
    return order
'''
TEST = "from shop.mail import send_receipt\n\n\ndef test_receipt():\n    send_receipt(None)\n"


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    (folder / "shop").mkdir(parents=True)
    (folder / "tests").mkdir()
    (folder / "shop/mail.py").write_text(MAIL)
    (folder / "shop/jobs.py").write_text(
        "from shop.mail import send_receipt\n\n\ndef nightly(order):\n    send_receipt(order)\n\n\ndef deliver():\n    pass\n"
    )
    (folder / "tests/test_mail.py").write_text(TEST)
    return folder


@pytest.fixture
def scanned(root):
    scan(root, ScanOptions(jobs=0))
    return root


@asynccontextmanager
async def session(root, **environ):
    """A client of the analysis server."""
    home = root.parent / "home"
    projects = ProjectRegistry(home / "projects.json", lambda: datetime.now(UTC))
    variables = {"HOME": str(home), "DRIFT_HOME": os.environ["DRIFT_HOME"], **environ}
    server = assemble(
        BLUEPRINTS[ServerName.ANALYSIS], parse_surface("entry"), at=Environment(root, projects, variables)
    )
    try:
        async with Client(InMemoryTransport(server.mcp)) as client:
            yield client
    finally:
        server.runtime.close()


def texts(prompt):
    return [message.content.text for message in prompt.messages]


async def test_prompts_are_listed_with_what_they_need(root):
    async with session(root) as client:
        prompts = (await client.list_prompts()).prompts

    needed = {each.name: {one.name: bool(one.required) for one in each.arguments} for each in prompts}
    scaffolds = {name: needed.pop(name) for name in list(needed) if name.startswith("scaffold-")}
    assert len(scaffolds) == 9
    assert all(needs["project_name"] and sum(needs.values()) == 1 for needs in scaffolds.values())
    assert needed == {
        "onboarding": {"project": False, "pack": False},
        "debug-issue": {"issue": True, "file": False},
        "refactor-plan": {"target": True},
        "code-review": {"file": False, "focus": False},
        "security-audit": {"focus": False},
    }


async def test_debugging_begins_with_the_places_the_callers_and_the_tests(scanned):
    issue = "the receipt is sent {without} an address"
    async with session(scanned) as client:
        asked, found = texts(await client.get_prompt("debug-issue", {"issue": issue, "file": "shop/jobs.py"}))

    assert issue in asked
    for fact in ("shop/mail.py", "raise ValueError", "nightly", "test_receipt"):
        assert fact in found
    assert count_tokens(found) <= 6_100


async def test_a_plan_begins_with_what_the_target_is_and_what_a_change_reaches(scanned):
    async with session(scanned) as client:
        asked, is_what, found = texts(await client.get_prompt("refactor-plan", {"target": "send_receipt"}))

    assert "Plan a refactoring of send_receipt" in asked
    assert "function send_receipt at shop/mail.py:1" in is_what
    for fact in ("drift_impact_analysis", "nightly", "test_receipt"):
        assert fact in found


async def test_a_file_can_be_planned_for_as_well(scanned):
    async with session(scanned) as client:
        _asked, is_what, found = texts(await client.get_prompt("refactor-plan", {"target": "shop/mail.py"}))

    assert "2 symbols" in is_what
    assert "nightly" in found


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("debug-issue", {"issue": "no address"}),
        ("refactor-plan", {"target": "send_receipt"}),
        ("code-review", {"focus": "no address"}),
    ],
)
async def test_a_project_that_is_not_scanned_gets_its_prompt_with_what_must_come_first(root, name, arguments):
    async with session(root, DRIFT_SCAN_AUTO="false") as client:
        asked, found = texts(await client.get_prompt(name, arguments))

    assert next(iter(arguments.values())) in asked
    assert found.startswith("Drift has no index to answer from: ")
    assert "`drift scan`" in found


async def test_a_project_that_scans_by_itself_needs_no_word_about_it(root):
    async with session(root) as client:
        _asked, found = texts(await client.get_prompt("debug-issue", {"issue": "no address for the receipt"}))

    assert "shop/mail.py" in found


async def test_a_pack_that_is_switched_off_leaves_the_context(scanned):
    async with session(scanned, DRIFT_MCP_PACKS_DISABLED="bug-fix") as client:
        _asked, found = texts(await client.get_prompt("debug-issue", {"issue": "no address for the receipt"}))

    assert "shop/mail.py" in found
    assert "drift_callers" not in found


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("debug-issue", {"issue": "  "}, "MISSING_REQUIRED_PARAM"),
        ("debug-issue", {"issue": "x", "file": "../../etc/passwd"}, "PATH_OUTSIDE_PROJECT"),
        ("refactor-plan", {"target": "send_reciept"}, "SYMBOL_NOT_FOUND"),
        ("refactor-plan", {"target": " "}, "MISSING_REQUIRED_PARAM"),
    ],
)
async def test_a_prompt_that_cannot_be_written_says_what_to_give_instead(scanned, name, arguments, code):
    async with session(scanned) as client:
        with pytest.raises(MCPError) as refused:
            await client.get_prompt(name, arguments)

    data = refused.value.error.data
    assert refused.value.error.code == types.INVALID_PARAMS
    assert data["code"] == code
    if code == "SYMBOL_NOT_FOUND":
        assert any("send_receipt" in each for each in data["similar"])


async def test_blanks_are_completed_with_files_and_symbols(scanned):
    issue, plan = (
        types.PromptReference(type="ref/prompt", name=name) for name in ("debug-issue", "refactor-plan")
    )
    async with session(scanned) as client:
        files = (await client.complete(issue, {"name": "file", "value": "shop/"})).completion
        targets = (await client.complete(plan, {"name": "target", "value": "send"})).completion
        paths = (await client.complete(plan, {"name": "target", "value": "mail"})).completion

    assert files.values == ["shop/jobs.py", "shop/mail.py"]
    assert targets.values == ["send_receipt"]
    assert paths.values == ["shop/mail.py", "tests/test_mail.py"]


async def test_nothing_is_completed_before_a_scan(root):
    plan = types.PromptReference(type="ref/prompt", name="refactor-plan")
    async with session(root, DRIFT_SCAN_AUTO="false") as client:
        found = (await client.complete(plan, {"name": "target", "value": ""})).completion

    assert found.values == []


async def test_a_review_begins_with_what_the_file_should_follow_and_conventions_are_resources(scanned):
    async with session(scanned) as client:
        asked, rules, found = texts(await client.get_prompt("code-review", {"file": "shop/mail.py"}))
        listed = await client.read_resource("drift://conventions")
        category = await client.read_resource("drift://patterns?category=errors")
        with pytest.raises(MCPError, match="not found"):
            await client.read_resource("drift://patterns/errors/invented")
        with pytest.raises(MCPError, match="not found"):
            await client.read_resource("drift://patterns?category=invented")

    assert "shop/mail.py" in asked
    assert "shop/mail.py decides by" in rules
    assert "What Drift found" in found
    assert json.loads(listed.contents[0].text)["data"]["patterns"] == []
    assert "patterns" in json.loads(category.contents[0].text)["data"]
