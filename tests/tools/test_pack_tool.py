"""drift_pack as a caller meets it: through the whole pipeline, on a small project and with tools of the test's own."""

import asyncio
import json
import subprocess
import threading
from dataclasses import dataclass
from datetime import UTC, date, datetime

import pytest

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import (
    Call,
    Caller,
    Effect,
    Reply,
    Scope,
    ServerName,
    Surface,
    Toolbox,
    definition_of,
    tool,
)
from drift.scan import ScanOptions, scan
from drift.tools import all_tools

MAIL = '''def send_receipt(order):
    """Send the receipt of an order."""
    if not order.address:
        raise ValueError("no address for the receipt")
    return deliver(order)


def deliver(order):
    return order
'''
GOOD = {"name": "mine", "title": "Mine", "description": "My own", "tools": ["drift_status"]}
FOCUS = "the receipt is sent without an address"


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a test tool."""

    rows: tuple[str, ...]


MEETING = threading.Barrier(2)
written: list[str] = []


@tool(category="surgical", title="Meet", tokens=(1, 2), ttl=0)
def meet_here(call: Call) -> Answer[Rows]:
    """Waits for the other."""
    MEETING.wait(300)
    return Answer("met", Rows(("here",)))


@tool(category="surgical", title="Meet", tokens=(1, 2), ttl=0)
def meet_there(call: Call) -> Answer[Rows]:
    """Waits for the other."""
    MEETING.wait(300)
    return Answer("met", Rows(("there",)))


@tool(category="surgical", title="Echo", tokens=(1, 2), ttl=0)
def echo(call: Call, text: str, times: int = 1) -> Answer[Rows]:
    """Says it again."""
    again = call.suggest("echo", "once more", text=text)
    return Answer(f"said {text[:20]}", Rows((text,) * times), next=(again,), warnings=("all is an echo",))


@tool(category="surgical", title="Fail", tokens=(1, 2), ttl=0)
def fail(call: Call) -> Answer[Rows]:
    """Fails."""
    raise DriftError(ErrorCode.SYMBOL_NOT_FOUND, "No such thing", Recovery(similar=("thong",)))


@tool(category="surgical", title="Write", tokens=(1, 2), effect=Effect.WRITES)
def write_down(call: Call) -> Answer[Rows]:
    """Writes."""
    written.append("x")
    return Answer("wrote", Rows(()))


OWN = [definition_of(each) for each in (meet_here, meet_there, echo, fail, write_down)]


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "shop"
    (folder / "tests").mkdir(parents=True)
    (folder / "mail.py").write_text(MAIL)
    (folder / "jobs.py").write_text(
        "from mail import send_receipt\n\n\ndef nightly(order):\n    send_receipt(order)\n"
    )
    (folder / "tests/test_mail.py").write_text(
        "from mail import send_receipt\n\n\ndef test_receipt():\n    send_receipt(None)\n"
    )
    return folder


@pytest.fixture
def ask(root, tmp_path):
    at = Environment(
        root, ProjectRegistry(tmp_path / "home/projects.json", lambda: datetime.now(UTC)), {},
        today=lambda: date(2026, 6, 1),
    )  # fmt: skip
    toolbox = Toolbox([*all_tools().of_server(ServerName.ANALYSIS), *OWN])
    runtime = ServerRuntime(ServerName.ANALYSIS, toolbox, Surface("full"), at=at)

    def ask(action, /, tool="drift_pack", caller=None, client=None, **arguments):
        given = {"action": action, **arguments} if action else arguments
        return asyncio.run(runtime.call(tool, given, caller=caller, client=client))

    yield ask
    runtime.close()


@pytest.fixture
def scanned(root, ask):
    scan(root, ScanOptions(jobs=0))
    return ask


@pytest.fixture
def run(root, ask):
    """Runs a pack with these steps that the project brings along."""

    def run(*steps, **arguments):
        (root / ".drift/packs").mkdir(parents=True, exist_ok=True)
        pack = {**GOOD, "tools": [step["tool"] for step in steps], "steps": list(steps)}
        (root / ".drift/packs/mine.json").write_text(json.dumps(pack))
        return ask("run", name="mine", **arguments)

    return run


def sections(outcome):
    return {each["step"]: each for each in outcome.body["data"]["run"]["sections"]}


def gaps(outcome):
    return {each["step"]: each for each in outcome.body["data"]["run"]["unanswered"]}


def test_a_built_in_pack_finds_the_place_and_asks_the_others_about_it(scanned):
    outcome = scanned("run", name="bug-fix", focus=FOCUS)

    found = sections(outcome)
    assert found["places"]["data"]["files"][0]["file"] == "mail.py"
    assert found["code"]["data"]["signatures"][0]["body"] == MAIL.partition("\n\n\n")[0]
    assert [row["symbol"] for row in found["callers"]["data"]["callers"]] == ["nightly", "test_receipt"]
    assert [row["test"] for row in found["impact"]["data"]["tests"]] == ["test_receipt"]
    assert gaps(outcome)["prevalidate"]["reason"] == "needs code; call it by itself"
    assert outcome.body["summary"].startswith(f"Bug fix: {len(found)} sections, 1 failed, ")


def test_a_given_target_stands_before_what_was_found(scanned):
    found = sections(scanned("run", name="bug-fix", focus=FOCUS, target="deliver"))

    assert found["code"]["data"]["signatures"][0]["symbol"] == "deliver"


def test_a_class_and_its_constructor_are_one_target_to_all_steps(ask, root):
    (root / "Price.java").write_text(
        "class Price {\n  Price() {}\n  Price copy() { return new Price(); }\n}\n"
    )
    scan(root, ScanOptions(jobs=0))

    outcome = ask("run", name="refactoring", target="Price")

    assert {"places", "impact", "callers"} <= set(sections(outcome))
    assert sections(outcome)["impact"]["data"]["changed"][0]["symbol"] == "Price"


def test_a_target_that_means_several_symbols_is_answered_with_all_of_them(ask, root):
    (root / "post.py").write_text("def deliver():\n    pass\n")
    scan(root, ScanOptions(jobs=0))

    impact = sections(ask("run", name="refactoring", target="deliver"))["impact"]["data"]

    assert {row["file"] for row in impact["changed"]} == {"mail.py", "post.py"}


@pytest.mark.parametrize(
    "name", ["security-audit", "refactoring", "bug-fix", "code-review", "new-feature", "understand"]
)
def test_every_built_in_pack_answers_within_its_budget_and_names_every_gap(scanned, name):
    outcome = scanned("run", name=name, focus=FOCUS, file="jobs.py")

    assert not outcome.is_error, outcome.text
    assert len(sections(outcome)) >= 3
    assert outcome.tokens <= outcome.body["data"]["run"]["budgetTokens"]
    assert all(each["reason"] for each in gaps(outcome).values())
    unforeseen = {each["tool"]: each["reason"] for each in gaps(outcome).values() if "code" in each}
    assert set(unforeseen) <= {"drift_recent", "drift_decisions"}, (
        unforeseen
    )  # the project is in no git repository


def test_a_review_of_nothing_named_is_of_what_is_not_committed_yet(ask, root):
    git = ["git", "-C", str(root), "-c", "user.name=t", "-c", "user.email=t@example.com"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "Begin"]):
        subprocess.run([*git, *words], check=True)
    (root / "mail.py").write_text(MAIL.replace("return order", "return order.id"))
    scan(root, ScanOptions(jobs=0))

    outcome = ask("run", name="code-review")

    assert [row["symbol"] for row in sections(outcome)["change"]["data"]["changed"]] == ["deliver"]
    assert gaps(outcome)["impact"]["reason"] == "only when $input.target | $input.file"


def test_a_project_without_an_index_gets_the_cause_and_the_way_out(ask):
    outcome = ask("run", name="bug-fix", focus=FOCUS)

    assert outcome.code == "SCAN_REQUIRED"
    assert outcome.body["message"].startswith("Step places (drift_context): ")
    assert outcome.body["command"] == "drift scan"


def test_a_required_step_that_is_given_nothing_says_what_to_give(scanned):
    outcome = scanned("run", name="bug-fix")

    assert outcome.code == "MISSING_REQUIRED_PARAM"
    assert outcome.body["message"].startswith("focus: step places (drift_context) cannot do without")


def test_independent_steps_run_at_the_same_time(run):
    outcome = run({"id": "a", "tool": "meet_here"}, {"id": "b", "tool": "meet_there"})

    assert sections(outcome)["a"]["data"] == {"rows": ["here"]}
    assert sections(outcome)["b"]["data"] == {"rows": ["there"]}


def test_a_step_gets_what_an_earlier_one_found_whatever_their_order_in_the_file(run):
    outcome = run(
        {"id": "last", "tool": "echo", "args": {"text": "$first.rows[0]"}},
        {"id": "first", "tool": "echo", "args": {"text": "$input.focus"}},
        focus="hello",
    )

    assert list(sections(outcome)) == ["last", "first"]
    assert sections(outcome)["last"]["data"] == {"rows": ["hello"]}


def test_an_optional_step_that_fails_is_named_and_those_behind_it_say_so(run):
    outcome = run(
        {"id": "bad", "tool": "fail"},
        {"id": "behind", "tool": "echo", "args": {"text": "$bad.rows[0]"}},
        {"id": "good", "tool": "echo", "args": {"text": "hello"}},
    )

    assert list(sections(outcome)) == ["good"]
    assert gaps(outcome)["bad"] == {
        "step": "bad", "tool": "fail", "reason": "No such thing", "code": "SYMBOL_NOT_FOUND", "similar": ["thong"],
    }  # fmt: skip
    assert gaps(outcome)["behind"]["reason"] == "text is not known: step bad has none"


def test_a_required_step_that_fails_ends_the_pack_with_its_cause(run):
    outcome = run(
        {"id": "bad", "tool": "fail", "required": True}, {"id": "good", "tool": "echo", "args": {"text": "a"}}
    )

    assert outcome.code == "SYMBOL_NOT_FOUND"
    assert outcome.body["message"] == "Step bad (fail): No such thing"
    assert outcome.body["similar"] == ["thong"]


def test_a_pack_whose_every_step_failed_is_an_error(run):
    assert run({"id": "bad", "tool": "fail"}, {"id": "gone", "tool": "nowhere"}).code == "SYMBOL_NOT_FOUND"


def test_a_pack_with_nothing_to_run_says_why_for_each_step(run):
    outcome = run({"id": "gone", "tool": "nowhere"}, {"id": "not-now", "tool": "echo", "when": "$input.file"})

    assert outcome.body["summary"] == "Mine (the project's own pack): 0 sections, 2 skipped"
    assert gaps(outcome)["not-now"]["reason"] == "only when $input.file"


@pytest.mark.parametrize(
    "name", ["write_down", "drift_setup", "drift_pack", "drift_batch", "drift_tool", "drift_scan"]
)
def test_a_pack_that_a_repository_brings_along_changes_nothing(run, root, name):
    written.clear()

    outcome = run(
        {"id": "evil", "tool": name, "args": {"action": "init"}}, {"id": "ok", "tool": "drift_status"}
    )

    assert gaps(outcome)["evil"]["reason"] == "may change something; call it by itself"
    assert written == []
    assert not (root / "drift.toml").exists()


def test_wrong_arguments_of_a_step_are_told_as_those_of_any_call(run):
    outcome = run({"id": "a", "tool": "echo", "args": {"txt": "hello"}}, {"id": "ok", "tool": "drift_status"})

    assert gaps(outcome)["a"]["code"] in {"INVALID_ARGUMENT", "MISSING_REQUIRED_PARAM"}


@pytest.mark.parametrize("budget", [500, 1_000, 3_000])
def test_sections_share_one_budget_and_every_cut_is_said(run, budget):
    outcome = run(
        {"id": "long", "tool": "echo", "args": {"text": "some words in a row", "times": 2_000}, "share": 3},
        {"id": "longer", "tool": "echo", "args": {"text": "some more words", "times": 3_000}},
        {"id": "short", "tool": "echo", "args": {"text": "a"}},
        maxTokens=budget,
    )

    found = sections(outcome)
    assert outcome.tokens <= budget
    assert found["short"]["data"] == {"rows": ["a"]}
    assert "cut" not in found["short"]
    assert len(found["long"]["data"]["rows"]) > len(found["longer"]["data"]["rows"])
    for name in ("long", "longer"):
        assert any(
            said.startswith(f"rows: {len(found[name]['data']['rows'])} of ") for said in found[name]["cut"]
        )
    assert f"2 cut to fit {budget:,} tokens" in outcome.body["summary"]


def test_next_actions_and_warnings_come_once_and_never_name_a_call_just_made(run):
    outcome = run(
        {"id": "a", "tool": "echo", "args": {"text": "one", "times": 2}},
        {"id": "b", "tool": "echo", "args": {"text": "one", "times": 3}},
        {"id": "c", "tool": "echo", "args": {"text": "two"}},
    )

    assert [action["args"] for action in outcome.body["nextActions"]] == [{"text": "one"}]
    assert outcome.body["warnings"] == ["a: all is an echo"]


def test_a_pack_without_steps_calls_its_tools_with_what_it_is_given(scanned, root):
    (root / ".drift/packs").mkdir()
    pack = {**GOOD, "tools": ["drift_callers", "drift_explain", "drift_imports"]}
    (root / ".drift/packs/mine.json").write_text(json.dumps(pack))

    shown = scanned("get", name="mine").body["data"]["pack"]
    outcome = scanned("run", name="mine", target="send_receipt")

    assert shown["usualSteps"][0]["args"] == {"symbol": "$input.target"}
    assert list(sections(outcome)) == ["callers", "explain"]
    assert gaps(outcome)["imports"]["reason"] == "targetFile is not known: give file"


def test_a_run_without_a_name_is_answered_with_the_packs_that_fit(ask):
    outcome = ask("run", focus="refactor the mail")

    assert outcome.code == "MISSING_REQUIRED_PARAM"
    assert outcome.body["similar"] == ["refactoring"]


def test_an_unknown_pack_is_answered_with_the_nearest(ask):
    outcome = ask("get", name="bugfix")

    assert (outcome.code, outcome.body["similar"]) == ("PACK_NOT_FOUND", ["bug-fix"])


def test_the_list_tells_of_broken_packs_with_the_place(ask, root):
    (root / ".drift/packs").mkdir(parents=True)
    (root / ".drift/packs/bad.json").write_text(
        json.dumps({**GOOD, "steps": [{"id": "a", "tool": "t", "share": 99}]})
    )

    outcome = ask("list")

    assert len(outcome.body["data"]["packs"]) == 6
    assert outcome.body["warnings"] == ["pack bad.json: steps.0.share: 99 is greater than the maximum of 10"]


def test_a_suggestion_comes_with_its_reason_and_the_call_to_make(ask):
    outcome = ask("suggest", focus="a bug in the mail", file="mail.py")

    assert outcome.body["data"]["suggestions"][0]["reason"] == "keyword bug"
    assert outcome.body["nextActions"][0]["args"] == {
        "action": "run", "name": "bug-fix", "focus": "a bug in the mail", "file": "mail.py",
    }  # fmt: skip
    assert ask("suggest").code == "MISSING_REQUIRED_PARAM"
    assert ask("suggest", focus="hm").body["data"]["suggestions"] == []


def test_a_pack_is_made_shown_run_and_deleted(ask, root):
    steps = [{"id": "say", "tool": "echo", "args": {"text": "$input.focus"}}]
    made = ask("create", definition={**GOOD, "tools": ["echo", "nowhere"], "steps": steps})
    shown = ask("get", name="mine").body["data"]["pack"]
    ran = ask("run", name="mine", focus="hello")
    gone = ask("delete", name="mine", confirm=True)

    assert made.body["warnings"] == ["This version of Drift has no nowhere"]
    assert shown["file"] == ".drift/packs/mine.json"
    assert shown["missingTools"] == ["nowhere"]
    assert shown["definition"]["steps"][0]["args"] == {"text": "$input.focus"}
    assert shown["usualSteps"] == []
    assert sections(ran)["say"]["data"] == {"rows": ["hello"]}
    assert gone.body["summary"] == "Deleted the pack mine (.drift/packs/mine.json)"
    assert list((root / ".drift/packs").iterdir()) == []
    assert ask("run", name="mine").code == "PACK_NOT_FOUND"


@pytest.mark.parametrize("name", ["bug-fix", "understand"])
def test_what_get_shows_can_be_made_a_pack_of_ones_own(ask, name):
    definition = ask("get", name=name).body["data"]["pack"]["definition"]

    made = ask("create", definition={**definition, "title": "Ours"})

    assert not made.is_error, made.text
    assert f"It now stands in place of the built-in pack {name}" in made.body["warnings"]
    assert ask("get", name=name).body["data"]["pack"]["definition"]["title"] == "Ours"


@pytest.mark.parametrize(
    ("definition", "problem"),
    [
        ({}, 'definition: pack: "name" is a required property'),
        ({**GOOD, "name": "../evil"}, "definition: name: "),
        ({**GOOD, "steps": [{"id": "a", "tool": "t", "args": {"x": "$b.c"}}]}, "definition: steps.0.args.x: there is no step"),
    ],
)  # fmt: skip
def test_a_wrong_definition_is_refused_with_the_place_and_nothing_is_written(ask, root, definition, problem):
    outcome = ask("create", definition=definition)

    assert outcome.code == "INVALID_ARGUMENT"
    assert outcome.body["message"].startswith(problem)
    assert not (root / ".drift").exists()


def test_a_pack_that_is_there_is_not_written_over(ask, root):
    ask("create", definition=GOOD)
    before = (root / ".drift/packs/mine.json").read_bytes()

    again = ask("create", definition={**GOOD, "title": "Other"})

    assert again.code == "INVALID_ARGUMENT"
    assert "mine.json" in again.body["message"]
    assert (root / ".drift/packs/mine.json").read_bytes() == before


def test_a_link_in_the_way_is_not_written_through(ask, root):
    (root / ".drift/packs").mkdir(parents=True)
    (root / ".drift/packs/mine.json").symlink_to(root / "precious.py")

    assert ask("create", definition=GOOD).code == "INVALID_ARGUMENT"
    assert not (root / "precious.py").exists()


def test_a_folder_of_packs_that_leads_out_is_not_written_to(ask, root, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (root / ".drift").mkdir()
    (root / ".drift/packs").symlink_to(tmp_path / "elsewhere")

    assert ask("create", definition=GOOD).code == "PATH_OUTSIDE_PROJECT"
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_only_the_projects_own_packs_are_deleted_from_whatever_file_they_are_in(ask, root):
    (root / ".drift/packs").mkdir(parents=True)
    (root / ".drift/packs/other-name.json").write_text(json.dumps(GOOD))

    built_in = ask("delete", name="bug-fix", confirm=True)
    ask("delete", name="mine", confirm=True)

    assert built_in.code == "INVALID_ARGUMENT"
    assert "mcp.packs.disabled" in built_in.body["hint"]
    assert list((root / ".drift/packs").iterdir()) == []


class Person:
    """A client whose person gives one reply."""

    can_answer = True

    def __init__(self, reply):
        self.reply = reply
        self.asked = []

    async def ask(self, question):
        self.asked.append(question.message)
        return self.reply

    def report(self, done, total, message):
        """Nobody looks."""


@pytest.mark.parametrize(
    ("reply", "is_deleted"),
    [
        (None, False),
        (Reply(accepted=False, content={}), False),
        (Reply(accepted=True, content={"confirm": False}), False),
        (Reply(accepted=True, content={"confirm": True}), True),
    ],
)
def test_a_pack_is_deleted_only_when_somebody_confirms_it(ask, root, reply, is_deleted):
    ask("create", definition=GOOD)
    person = Person(reply)

    outcome = ask("delete", client=person, name="mine")

    assert person.asked == ["Delete the pack mine (.drift/packs/mine.json)?"]
    assert outcome.is_error is not is_deleted
    assert (root / ".drift/packs/mine.json").exists() is not is_deleted


def test_a_caller_who_may_only_read_runs_packs_and_writes_none(ask, root):
    reader = Caller("token", frozenset({Scope.READ}))
    writer = Caller("token", frozenset({Scope.READ, Scope.WRITE}))

    refused = ask("create", caller=reader, definition=GOOD)
    listed = ask("list", caller=reader)
    made = ask("create", caller=writer, definition=GOOD)

    assert (refused.code, refused.body["requiredScopes"]) == ("FORBIDDEN", ["drift:write"])
    assert not listed.is_error
    assert not made.is_error
    assert ask("delete", caller=reader, name="mine", confirm=True).code == "FORBIDDEN"
    assert (root / ".drift/packs/mine.json").exists()


def test_runs_are_counted_only_once_people_agreed(ask):
    def runs():
        return {row["name"]: row["runs"] for row in ask("list").body["data"]["packs"]}["mine"]

    ask("create", definition=GOOD)
    ask("run", name="mine")
    before = runs()
    ask("enable", tool="drift_telemetry")
    ask("run", name="mine")
    ask("run", name="mine")

    assert before is None
    assert runs() == 2


def test_counts_that_cannot_be_kept_do_not_stop_a_run(ask, root):
    ask("create", definition=GOOD)
    ask("enable", tool="drift_telemetry")
    (root / ".drift/pack-runs.json").write_text("[]")

    assert not ask("run", name="mine").is_error
    assert {row["runs"] for row in ask("list").body["data"]["packs"]} == {None}


def test_the_tools_called_most_are_offered_as_a_pack(ask):
    nothing = ask("infer")
    ask("enable", tool="drift_telemetry")
    for _ in range(3):
        ask(None, tool="drift_status")
        ask(None, tool="echo", text="a")
    ask(None, tool="drift_discover")
    ask(None, tool="echo", text="a")

    outcome = ask("infer")
    made = ask("create", **{key: outcome.body["nextActions"][0]["args"][key] for key in ("definition",)})

    assert nothing.body["nextActions"][0]["tool"] == "drift_telemetry"
    assert outcome.body["data"]["used"] == [
        {"tool": "echo", "calls": 4},
        {"tool": "drift_status", "calls": 3},
    ]
    assert outcome.body["data"]["definition"]["tools"] == ["echo", "drift_status"]
    assert not made.is_error


def test_a_pack_runs_through_the_dispatchers(ask):
    ask("create", definition=GOOD)
    call = {"action": "run", "name": "mine"}

    relayed = ask(None, tool="drift_tool", name="drift_pack", args=call)
    batched = ask(None, tool="drift_batch", calls=[{"tool": "drift_pack", "args": call}])

    assert list(sections(relayed)) == ["status"]
    assert batched.body["data"]["succeeded"] == 1
