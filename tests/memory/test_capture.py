"""What hooks tell, and the little of it that is kept."""

import pytest

from drift.memory import Listing, MemoryStore
from drift.memory.work.capture import after_tool, before_tool, begin_session, end_session, is_excluded
from drift.memory.work.capture_events import ToolEvent, read_event
from drift.memory.work.debug_paths import list_paths

NOW = 1_700_000_900_000
CHANGE = "def total(cart): return sum(item.price for item in cart.items) - cart.discount"
ERROR = "Traceback\n  File '/a/b.py', line 3\nKeyError: 'discount' missing in cart"


@pytest.fixture
def tell(store, tmp_path):
    """Tell the store of one use of a tool; what the agent hears."""

    def run(
        tool, *, session="s1", before=False, at_ms=NOW, event="PostToolUse", answer=None, error=None, **given
    ):
        message = {
            "session_id": session, "cwd": str(tmp_path), "hook_event_name": event, "tool_name": tool,
            "tool_input": given, "tool_response": answer, "error": error,
        }  # fmt: skip
        heard = before_tool if before else after_tool
        return heard(store, read_event(message, tmp_path), now_ms=at_ms).context

    return run


def changes(store):
    return store.list(Listing(kinds=("change",)), limit=100).memories


def fail(tell, *, at_ms=NOW, error=ERROR, session="s1", command="pytest -q"):
    return tell(
        "Bash", command=command, error=error, event="PostToolUseFailure", at_ms=at_ms, session=session
    )


def test_a_change_is_kept_once_for_a_file_and_a_session_with_what_was_read_before(store, tell):
    tell("Read", file_path="price.py")
    tell("Edit", file_path="cart.py", new_string="import one thing and another thing here")
    tell("Edit", file_path="cart.py", new_string=CHANGE)

    (memory,) = changes(store)
    assert CHANGE in memory.text
    assert [link.path for link in memory.files] == ["cart.py"]
    assert memory.session == "s1"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Edit", {"file_path": "cart.py", "new_string": "x = 1"}),
        ("Write", {"file_path": ".env", "content": CHANGE}),
        ("Write", {"file_path": "node_modules/a/b.js", "content": CHANGE}),
        ("Write", {"file_path": "/etc/hosts", "content": CHANGE}),
        ("Write", {"file_path": "../outside.py", "content": CHANGE}),
        ("Write", {"file_path": 7, "content": [1]}),
        ("Read", {"file_path": "cart.py"}),
        ("Bash", {"command": "ls -la && cd src"}),
        ("mcp__drift__drift_memory_add", {"file_path": "cart.py", "content": CHANGE}),
    ],
)
def test_what_is_short_secret_foreign_or_only_looking_around_is_not_kept(store, tell, tool, given):
    tell(tool, **given)

    assert store.counts().total == 0


def test_the_same_change_in_another_session_is_not_kept_again(store, tell):
    tell("Edit", file_path="cart.py", new_string=CHANGE)
    tell("Edit", file_path="cart.py", new_string=CHANGE, session="s2")

    assert len(changes(store)) == 1


def test_the_same_change_again_in_a_session_adds_nothing(store, tell):
    for _ in range(3):
        tell("Edit", file_path="cart.py", new_string=CHANGE)

    assert changes(store)[0].text == CHANGE


def test_secrets_in_a_change_are_taken_out(store, tell):
    tell("Edit", file_path="cart.py", new_string=f"{CHANGE}\ntoken = 'ghp_{'a1B2' * 9}'")

    assert "ghp_" not in changes(store)[0].text


@pytest.mark.parametrize(
    "command",
    [
        'git add . && git commit -m "Give the discount a default of zero"',
        "git commit -m \"$(cat <<'EOF'\nGive the discount a default of zero\nEOF\n)\"",
    ],
)
def test_a_commit_is_kept_with_its_message(store, tell, command):
    tell("Bash", command=command, answer={"stdout": "1 file changed"})

    assert changes(store)[0].title == "Committed: Give the discount a default of zero"


def test_three_errors_start_a_path_and_the_command_that_passes_again_resolves_it(store, tell):
    for _ in range(2):
        fail(tell)
    assert list_paths(store) == ()
    fail(tell)
    tell("Edit", file_path="cart.py", new_string="timeout = 60 seconds instead of the thirty before")
    fail(tell)
    tell("Edit", file_path="cart.py", new_string="discount = cart.get('discount', 0) is the default")
    tell("Bash", command="pytest -q", answer={"stdout": "3 passed"})

    (path,) = list_paths(store)
    assert not path.is_open
    assert "discount', 0" in (path.resolution or "")
    assert "pytest -q passed" in (path.resolution or "")
    assert any("timeout" in one for one in path.failed)


def test_errors_far_apart_start_no_path(store, tell):
    for minute in range(0, 30, 10):
        fail(tell, at_ms=NOW + minute * 60_000)

    assert list_paths(store) == ()


def test_a_similar_error_in_a_later_session_is_answered_with_what_solved_it(store, tell):
    for _ in range(3):
        fail(tell)
    tell("Edit", file_path="cart.py", new_string="discount = cart.get('discount', 0) is the default")
    tell("Bash", command="pytest -q", answer={"stdout": "3 passed"})

    heard = fail(
        tell, session="s2", error="KeyError: 'discount' missing in cart 77 at 0x12", command="make test"
    )

    assert "solved by" in heard
    assert fail(tell, session="s2", error="ModuleNotFoundError: No module named 'requests'") == ""


def test_before_an_edit_the_agent_hears_each_thing_once_a_session(tell):
    tell("Edit", file_path="cart.py", new_string=CHANGE)

    assert "cart.discount" in tell("Edit", before=True, session="s2", file_path="cart.py")
    assert tell("Edit", before=True, session="s2", file_path="cart.py") == ""
    assert tell("Edit", before=True, session="s1", file_path="cart.py") == ""
    assert tell("Read", before=True, session="s3", file_path="cart.py") == ""
    assert tell("Edit", before=True, session="s3", file_path="other.py") == ""


def test_a_session_is_summed_up_and_the_next_one_hears_of_it(store, tell):
    tell("Edit", file_path="cart.py", new_string=CHANGE)
    tell("Bash", command='git commit -m "Give the discount a default"')

    assert end_session(store, "s1", now_ms=NOW) == "1 file changed, most: cart.py; 1 commit"
    assert "most: cart.py" in begin_session(store, "s2", now_ms=NOW).context
    assert end_session(store, "s9", now_ms=NOW) is None


def test_without_a_store_looking_leaves_no_trace(tmp_path):
    absent = MemoryStore(tmp_path / "none.db")
    event = read_event({"tool_name": "Edit", "tool_input": {"file_path": "a.py"}}, tmp_path)

    assert begin_session(absent, "s1", now_ms=NOW).context == ""
    assert before_tool(absent, event, now_ms=NOW).context == ""
    assert end_session(absent, "s1", now_ms=NOW) is None
    assert not absent.is_present


@pytest.mark.parametrize(
    "path", ["a/.env", ".env.local", "keys/id_rsa", "x.pem", "Cargo.lock", "dist/app.js"]
)
def test_files_that_must_not_be_captured_are_known(path):
    assert is_excluded(path)
    assert not is_excluded("src/environment.py")


@pytest.mark.parametrize(
    "message", [{}, {"tool_input": 3}, {"tool_input": {"edits": [1, {"new_string": 5}]}}]
)
def test_messages_of_any_shape_are_read(tmp_path, message):
    event = read_event({**message, "session_id": "../\0"}, tmp_path)

    assert (event.session, event.file, event.change, event.error) == ("unknown", None, "", "")


def test_a_secret_in_a_command_is_kept_nowhere(store):
    secret = "AKIAIOSFODNN7EXAMPLF"
    # Where a text is cut is where half a secret would stay.
    command = f"deploy --region eu-central-1 --target production --verbose --key {secret} --now"
    failed = ToolEvent("s1", "Bash", command=command, error="RuntimeError: the deploy queue refused the job")
    for moment in range(4):
        after_tool(store, failed, now_ms=NOW + moment)
    after_tool(store, ToolEvent("s1", "Bash", command=command), now_ms=NOW + 9)
    subject = "Deploy the queue with a key of its own, since the old one was shared between stages. " * 2
    commit = f'git commit -m "{subject}It was {secret}"'
    after_tool(store, ToolEvent("s1", "Bash", command=commit), now_ms=NOW + 10)

    assert store.counts().total == 2
    store.close()
    assert all(secret[:8].encode() not in path.read_bytes() for path in store.path.parent.iterdir())
