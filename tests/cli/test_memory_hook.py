"""`drift memory hook`: called by a client for every use of a tool, so quick, silent and harmless."""

import json
import subprocess
import sys

import pytest

from drift.cli.commands import memory_hook
from drift.memory import Listing, MemoryStore
from drift.memory.opened import close_stores
from store_places import memory_db

CHANGE = "def total(cart): return sum(item.price for item in cart.items) - cart.discount"


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Run out of patience, the command ends its process, which here is that of the tests."""
    monkeypatch.setattr(memory_hook, "_PATIENCE_SECONDS", 600)


@pytest.fixture
def hook(place):
    (place.project / ".drift").mkdir()

    def run(event, **message):
        told = {"session_id": "s1", "cwd": str(place.project), **message}
        result = place.run("memory", "hook", event, stdin=json.dumps(told).encode())
        assert (result.code, result.err) == (0, "")
        return json.loads(result.out)["hookSpecificOutput"] if result.out else None

    return run


def edit(hook, event="post-tool-use", session="s1", **given):
    given = {"file_path": "cart.py", "new_string": CHANGE, **given}
    return hook(event, tool_name="Edit", tool_input=given, session_id=session)


def logged(place):
    path = place.project / ".drift" / "hooks.log"
    return path.read_text() if path.exists() else ""


def test_what_one_session_changed_the_next_one_hears_before_it_edits(hook, place):
    assert hook("session-start", source="startup") is None
    assert edit(hook) is None
    assert hook("stop") is None

    begun = hook("session-start", session_id="s2", hook_event_name="SessionStart")
    assert begun["hookEventName"] == "SessionStart"
    assert "1 file changed, most: cart.py" in begun["additionalContext"]
    heard = edit(hook, "pre-tool-use", session="s3")
    assert heard["hookEventName"] == "PreToolUse"
    assert "cart.discount" in heard["additionalContext"]
    assert logged(place) == ""


def test_a_failure_is_answered_under_the_name_the_client_gave_it(hook):
    def fail(session):
        return hook(
            "post-tool-use", hook_event_name="PostToolUseFailure", session_id=session, tool_name="Bash",
            tool_input={"command": "pytest"}, error="KeyError: 'discount' missing in cart",
        )  # fmt: skip

    for _ in range(3):
        assert fail("s1") is None
    hook("post-tool-use", tool_name="Bash", tool_input={"command": "pytest"}, tool_response={"stdout": "ok"})

    assert fail("s2")["hookEventName"] == "PostToolUseFailure"


def test_a_project_without_state_gets_none(place):
    result = place.run("memory", "hook", "post-tool-use", stdin=b'{"tool_name": "Edit"}')

    assert (result.code, result.out, result.err) == (0, "", "")
    assert not (place.project / ".drift").exists()


@pytest.mark.parametrize("stdin", [b"", b"nonsense", b"[]", b"null", b"\xff\xfe", b'{"cwd": 3}', b"{" * 9999])
def test_whatever_comes_in_the_client_is_not_disturbed(place, stdin):
    (place.project / ".drift").mkdir()

    for event in memory_hook.EVENTS:
        result = place.run("memory", "hook", event, stdin=stdin)
        assert (result.code, result.out, result.err) == (0, "", "")


def test_a_store_that_cannot_be_used_is_logged_and_not_shown(hook, place):
    store = memory_db(place.project, place.environ)
    store.parent.mkdir(parents=True)
    store.write_bytes(b"no database" * 500)

    assert edit(hook) is None

    assert "post-tool-use: " in logged(place)
    assert store.read_bytes().startswith(b"no database")


def test_the_log_is_kept_small(hook, place):
    log = place.project / ".drift" / "hooks.log"
    log.write_bytes(b"x" * 300_000)
    store = memory_db(place.project, place.environ)
    store.parent.mkdir(parents=True)
    store.write_bytes(b"no database" * 500)

    edit(hook)

    assert log.stat().st_size < 150_000


def test_links_out_of_the_project_are_not_written_through(hook, place, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (place.project / ".drift" / "memory").symlink_to(tmp_path / "elsewhere")

    edit(hook)

    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert memory_db(place.project, place.environ).exists()


def test_an_unknown_event_does_not_look_like_a_refusal(place):
    result = place.run("memory", "hook", "sesion-start", stdin=b"{}")

    assert result.code == 1  # 2 would make the client block the tool
    assert "session-start" in result.err


def test_a_process_of_its_own_keeps_what_it_was_told(place):
    (place.project / ".drift").mkdir()
    message = {"session_id": "s1", "cwd": str(place.project), "tool_name": "Edit",
               "tool_input": {"file_path": "cart.py", "new_string": CHANGE}}  # fmt: skip

    done = place.spawn("memory", "hook", "post-tool-use", stdin=json.dumps(message).encode())

    assert (done.code, done.out, done.err) == (0, "", "")
    kept = MemoryStore(memory_db(place.project, place.environ)).list(Listing(kinds=("change",)))
    assert [one.title for one in kept.memories] == ["Changed cart.py"]


def test_a_hook_imports_nothing_of_the_servers(place):
    script = (
        "import sys, io\n"
        "sys.stdin = io.TextIOWrapper(io.BytesIO(b'{}'))\n"
        "from drift.cli.entry import main\n"
        "main(['memory', 'hook', 'session-start'])\n"
        "print([name for name in sys.modules if name.split('.')[0] in {'mcp', 'tree_sitter', 'starlette', 'asyncio'}"
        " or name.startswith(('drift.tools', 'drift.servers', 'drift.index', 'drift.pipeline'))])\n"
    )
    (place.project / ".drift").mkdir()
    done = subprocess.run(
        [sys.executable, "-P", "-c", script],
        cwd=place.project,
        env=place.environ,
        capture_output=True,
        check=True,
    )

    assert done.stdout.decode().strip() == "[]"


def test_a_session_hears_of_the_person_where_that_is_on_and_of_the_project_when_their_store_is_broken(
    hook, place
):
    edit(hook)
    hook("stop")
    place.environ["DRIFT_CORTEX_USER_STORE"] = "true"
    assert place.run("memory", "save", "--user", "I like short commits").code == 0

    told = hook("session-start", session_id="s2")["additionalContext"]
    assert "I like short commits" in told
    assert "cart.py" in told
    close_stores()  # or what waits beside the file would mend it
    (personal,) = (place.home / ".drift" / "user").rglob("cortex.db")
    personal.write_bytes(b"no database at all " * 100)
    told = hook("session-start", session_id="s3")["additionalContext"]
    assert "I like short commits" not in told
    assert "cart.py" in told
    assert "session-start" in logged(place)
    del place.environ["DRIFT_CORTEX_USER_STORE"]
    assert "cart.py" in hook("session-start", session_id="s4")["additionalContext"]


def test_wrong_settings_are_told_when_a_session_begins(hook, place):
    edit(hook)
    (place.project / "drift.toml").write_text("[cortex]\nuser_store = 3\n")

    said = hook("session-start", session_id="s2")["additionalContext"]

    assert "user_store" in said
    assert "drift doctor" in said
    assert "user_store" in logged(place)


def test_a_project_without_memories_tells_of_the_person_and_keeps_none(hook, place):
    place.environ["DRIFT_CORTEX_USER_STORE"] = "true"
    place.run("memory", "save", "--user", "I like short commits")

    assert "I like short commits" in hook("session-start")["additionalContext"]
    assert not memory_db(place.project, place.environ).exists()


def test_a_prompt_hears_what_fits_once_and_again_after_a_compaction(hook, place):
    said = "Prices are integers of cents because floats lost a cent in invoices"
    assert place.run("memory", "save", said).code == 0

    def ask(**more):
        asked = "make invoice prices floats to show parts of cents"
        return hook("user-prompt-submit", prompt=asked, **more)

    heard = ask(hook_event_name="BeforeAgent")
    assert (heard["hookEventName"], said in heard["additionalContext"]) == ("BeforeAgent", True)
    assert ask() is None
    assert hook("pre-compact", trigger="auto") is None
    assert ask()["hookEventName"] == "UserPromptSubmit"
    assert hook("user-prompt-submit", prompt=["no", "text"]) is None
    assert logged(place) == ""
