"""`drift memory hook` as a process of its own, with what Claude Code sends and with what nobody should.

Claude Code reads standard output as the protocol, and takes exit code 2 as an order to stop what it was about to do.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from drift.cli.commands import memory_hook
from drift.memory import Listing, MemoryStore
from store_places import memory_db

EVENTS = tuple(memory_hook.EVENTS)
CODE = "def total(cart): return sum(item.price for item in cart.items) - cart.discount"


@pytest.fixture
def project(place):
    (place.project / ".drift").mkdir()
    return place.project


def told(project, **message):
    """A message with what all of them have."""
    envelope = {
        "session_id": "7c1e0a34-5a2b-4f6e-9d3a-1f2b3c4d5e6f",
        "transcript_path": str(project / "transcript.jsonl"),
        "cwd": str(project),
        "permission_mode": "default",
    }
    return json.dumps({**envelope, **message}).encode()


def hook(place, event, stdin):
    """What the hook says to the agent; nothing but the protocol may come out, and nothing may be refused."""
    return said_by(place.spawn("memory", "hook", event, stdin=stdin))


def said_by(done):
    assert (done.code, done.err) == (0, "")
    if not done.out:
        return None
    (line,) = done.out.splitlines()
    answer = json.loads(line)
    assert set(answer) == {"hookSpecificOutput"}
    assert set(answer["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    return answer["hookSpecificOutput"]


def memories(project):
    store = MemoryStore(memory_db(project))
    kept = store.list(Listing(), limit=100).memories if store.is_present else ()
    store.close()
    return kept


def logged(project):
    path = project / ".drift" / "hooks.log"
    return path.read_text() if path.exists() else ""


@pytest.mark.slow
def test_a_session_as_claude_code_tells_it_is_kept_and_brought_back(place, project):
    file = str(project / "cart.py")
    edit = {"file_path": file, "old_string": "pass", "new_string": CODE, "replace_all": False}
    edited = {
        "filePath": file,
        "oldString": "pass",
        "newString": CODE,
        "structuredPatch": [],
        "userModified": False,
    }
    ran = {"command": "pytest -q", "description": "Run the tests"}
    output = {"stdout": "3 passed", "stderr": "", "interrupted": False, "isImage": False}
    session = [
        ("session-start", {"hook_event_name": "SessionStart", "source": "startup", "model": "any"}),
        ("pre-tool-use", {"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": edit}),
        ("post-tool-use", {"hook_event_name": "PostToolUse", "tool_name": "Edit", "tool_input": edit,
                           "tool_response": edited, "tool_use_id": "toolu_01"}),
        ("post-tool-use", {"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": ran,
                           "error": "Command failed with exit code 1: KeyError: 'discount' missing in cart",
                           "is_interrupt": False}),
        ("post-tool-use", {"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": ran,
                           "tool_response": output}),
        ("stop", {"hook_event_name": "Stop", "stop_hook_active": False}),
    ]  # fmt: skip

    assert [hook(place, event, told(project, **message)) for event, message in session] == [None] * 6

    begun = hook(place, "session-start", told(project, session_id="next", source="resume"))
    before = hook(place, "pre-tool-use", told(project, session_id="third", tool_name="Edit", tool_input=edit))
    assert "cart.py" in begun["additionalContext"]
    assert (before["hookEventName"], CODE[:20] in before["additionalContext"]) == ("PreToolUse", True)
    assert [one.title for one in memories(project)] == ["Changed cart.py"]
    assert logged(project) == ""


def hostile(project):
    edit = {"file_path": str(project / "a.py"), "new_string": "alpha beta gamma delta epsilon"}
    return {
        "ten megabytes": told(project, tool_name="Write", tool_input={**edit, "content": "word " * 2_000_000}),
        "a megabyte of one word": told(project, tool_name="Write", tool_input={**edit, "content": "x" * 1_000_000}),
        "half a message": b'{"session_id": "s1", "tool_na',
        "NULs": b"\0" * 100,
        "NULs in texts": told(project, session_id="a\0b", tool_name="Edit",
                              tool_input={"file_path": "a\0.py", "new_string": "alpha beta\0 gamma delta"}),
        "a NUL in the directory": told(project, cwd="a\0b"),
        "half of a surrogate pair": told(project, session_id="\ud800", tool_name="Edit",
                                         tool_input={"file_path": "\ud800.py", "new_string": "\ud800 beta gamma delta"}),
        "bytes that are no text": b'{"cwd": "\xff\xfe"}',
        "a directory without end": told(project, cwd="/" + "x" * 100_000),
        "a file without end": told(project, tool_name="Edit", tool_input={**edit, "file_path": "x/" * 100_000}),
        "a number without end": b'{"session_id": ' + b"9" * 5_000 + b"}",
        "a deep nest": b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
        "other shapes": told(project, session_id=5, tool_name=[], tool_input=7, tool_response=[1], cwd={}),
        "edits of other shapes": told(project, tool_name="MultiEdit",
                                      tool_input={**edit, "edits": [None, 5, {"new_string": ["a"]}]}),
        "a file outside": told(project, tool_name="Edit", tool_input={**edit, "file_path": "../../etc/passwd"}),
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("event", EVENTS)
def test_no_message_disturbs_the_client_or_writes_outside(place, project, event):
    for name, stdin in hostile(project).items():
        assert said_by(place.run("memory", "hook", event, stdin=stdin)) is None, name

    paths = [link.path for memory in memories(project) for link in memory.files]
    assert not any(path.startswith(("..", "/")) for path in paths)
    assert {path.name for path in project.iterdir()} == {".drift", "pyproject.toml"}


def test_a_message_that_cannot_be_read_is_logged(place, project):
    assert hook(place, "stop", b"{") is None

    assert "stop: JSONDecodeError" in logged(project)


@pytest.mark.parametrize(
    "words", [[], ["Stop"], ["stop", "now"], ["--bogus"], ["stop", "--json"], ["\x1b[2J"]]
)
def test_wrong_usage_neither_blocks_the_client_nor_looks_like_an_answer(place, words):
    result = place.run("memory", "hook", *words, stdin=b"{}")

    assert (result.code, result.out) == (1, "")  # 2 would make the client block the tool
    assert "session-start" in result.err
    assert "\x1b" not in result.err


@pytest.mark.slow
@pytest.mark.parametrize("redirection", ["<&-", ">&- </dev/null", "2>&- </dev/null", "<&- >&- 2>&-"])
def test_closed_streams_are_no_failure(place, project, redirection):
    command = f'"{sys.executable}" -P -m drift memory hook session-start {redirection}'

    done = subprocess.run(
        command, shell=True, cwd=project, env=place.environ, capture_output=True, timeout=300, check=False
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_client_that_never_ends_its_message_is_not_waited_for(place, project):
    command = [sys.executable, "-P", "-m", "drift", "memory", "hook", "pre-tool-use"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=project, env=place.environ, stdin=pipe, stdout=pipe, stderr=pipe
    ) as process:
        process.stdin.write(b'{"session_id": ')
        process.stdin.flush()

        assert process.wait(300) == 0

        assert (process.stdout.read(), process.stderr.read()) == (b"", b"")
    assert "did not end" in logged(project)


@pytest.fixture
def run_hook(place, project, monkeypatch):
    # Run out of patience, the command ends its process, which here is that of the tests.
    monkeypatch.setattr(memory_hook, "_PATIENCE_SECONDS", 600)

    def run(**surroundings):
        edit = {"file_path": "cart.py", "new_string": CODE}
        message = told(project, tool_name="Edit", tool_input=edit)
        result = place.run("memory", "hook", "post-tool-use", stdin=message, **surroundings)
        assert (result.code, result.out, result.err) == (0, "", "")

    return run


def test_memories_that_are_switched_off_are_not_captured(project, run_hook):
    (project / "drift.toml").write_text("[cortex]\nenabled = false\n")

    run_hook()

    assert not (project / ".drift" / "memory").exists()
    assert logged(project) == ""


@pytest.mark.parametrize("by", ["settings", "variable"])
def test_memories_are_captured_where_the_settings_keep_them(project, place, run_hook, by):
    if by == "settings":
        home = Path(place.environ["DRIFT_HOME"])
        home.mkdir(parents=True, exist_ok=True)
        (home / "settings.toml").write_text('[cortex]\ndb_path = ".drift/elsewhere.db"\n')
        run_hook()
    else:
        run_hook(environ={"DRIFT_CORTEX_DB_PATH": ".drift/elsewhere.db"})

    store = MemoryStore(project / ".drift" / "elsewhere.db")
    assert store.counts().total == 1
    store.close()
    assert not memory_db(project).exists()


def test_memories_are_not_captured_where_the_repository_says(project, run_hook):
    (project / "drift.toml").write_text('[cortex]\ndb_path = ".drift/elsewhere.db"\n')

    run_hook()

    assert not (project / ".drift" / "elsewhere.db").exists()


def test_settings_that_are_wrong_are_logged(project, run_hook):
    (project / "drift.toml").write_text("[cortex]\nenabled = 7\n")

    run_hook()

    assert "cortex.enabled" in logged(project)
