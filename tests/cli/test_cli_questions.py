"""Short commands for the questions people ask."""

import shlex
import subprocess

import pytest

from drift.cli.command_lines import command_line
from drift.cli.exits import Exit
from drift.cli.intent_words import choose_intent
from drift.cli.questions import QUESTIONS, SYNONYMS
from drift.cli.slots import slots_of
from drift.cli.tool_command import tool_commands
from drift.tools import all_tools

CART = """\
class Cart:
    def add(self, item):
        return total([item])


def total(items):
    return sum(items)


def checkout():
    return Cart().add(1)


def forgotten():
    return 2
"""


@pytest.fixture
def shop(place):
    (place.project / "cart.py").write_text(CART)
    (place.project / "test_cart.py").write_text(
        "from cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n"
    )
    return place


def test_the_questions_are_the_first_thing_help_shows(place):
    out = place.run("--help").out

    order = [out.index(f"\n{group}\n") for group in ("Ask", "Set up", "Serve")]
    assert order == sorted(order)
    assert all(f"\n  {name}" in out for name in QUESTIONS)


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_is_about_arguments_its_tool_has(name):
    verb = QUESTIONS[name]
    known = {slot.wire: slot for slot in slots_of(all_tools().get(verb.tool))}

    assert {verb.operand, verb.second, verb.leading, *verb.brings, *verb.usual} - {None} <= known.keys()
    assert all(value in known[key].choices for key, value in verb.brings.items() if known[key].choices)


def test_no_question_hides_another_tool():
    for name in (*QUESTIONS, *SYNONYMS):
        hidden = tool_commands().get(name)

        assert hidden is None or hidden.name == QUESTIONS[name].tool


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("callers", "total"), "cart.py:3"),
        (("callees", "Cart.add"), "total"),
        (("find", "cart", "total"), "cart.py"),
        (("search", "cart"), "cart.py"),
        (("grep", "return", "Cart()"), "checkout"),
        (("references", "total"), "declaration"),
        (("refs", "total", "--kind", "call"), "cart.py:3"),
        (("rename", "total", "amount"), "total to amount"),
        (("rename", "total", "amount", "--patch"), "+def amount"),
        (("explain", "cart.py"), "cart.py"),
        (("show", "checkout"), "return Cart().add(1)"),
        (("impact", "total"), "risk"),
        (("tests", "total"), "test_total"),
        (("dead",), "cart.py:14"),
        (("unused", "."), "forgotten"),
        (("uncovered",), "forgotten"),
        (("cycles",), "cycle"),
        (("check", "--all"), "Policy default passed"),
        (("similar", "total", "of", "items"), "cart.py:6"),
        (("similar", "--symbol", "total"), "like total"),
        (("context", "the cart adds up wrong"), "cart.py"),
        (("context", "fix_bug", "total is wrong"), "cart.py"),
        (("context", "--intent", "fix_bug", "total", "is", "wrong"), "cart.py"),
    ],
)
def test_a_question_is_answered_in_a_project_that_was_never_set_up(shop, words, said):
    result = shop.run(*words)

    assert result.code == Exit.OK, result.err
    assert said in result.out


def test_a_check_that_fails_ends_with_an_error_and_the_verdict(shop):
    result = shop.run("quality-gate", "--coverage-threshold", "50")

    assert result.code != Exit.OK
    assert "coverage errored" in result.out


def test_impact_and_tests_alone_are_about_the_uncommitted_changes(shop):
    for command in ("init -q", "add -A", "-c user.name=a -c user.email=a@b commit -qm x"):
        subprocess.run(["git", *shlex.split(command)], cwd=shop.project, check=True)
    assert "nothing to weigh" in shop.run("impact").out

    (shop.project / "cart.py").write_text(CART.replace("sum(items)", "sum(items) + 1"))

    assert "1 symbol" in shop.run("impact").out
    assert "test_total" in shop.run("tests").out


def test_a_chosen_intent_is_told_and_needs_a_focus(shop):
    assert "Taken as fix_bug" in shop.run("context", "total is wrong").err
    assert "Taken as" not in shop.run("context", "fix_bug", "total is wrong").err
    missing = shop.run("context", "fix_bug")
    assert missing.code == Exit.USAGE
    assert "required: focus" in missing.err


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Cart total is wrong when an item has a discount", "fix_bug"),
        ("users cannot reset their password", "fix_bug"),
        ("Saving doesn\u2019t keep the date", "fix_bug"),
        ("add tests for error handling", "add_test"),
        ("add a button that fixes nothing", "add_feature"),
        ("rename Cart to Basket", "refactor"),
        ("Is login open to SQL injection?", "security_audit"),
        ("how are sessions stored?", "understand_code"),
        ("Error.add", "understand_code"),
        ("", "understand_code"),
    ],
)
def test_the_kind_of_a_task_is_read_from_its_words(text, intent):
    assert choose_intent(text) == intent


@pytest.mark.parametrize(
    ("tool", "arguments", "line"),
    [
        ("drift_impact_analysis", {"target": "a.py:3"}, "drift impact a.py:3"),
        ("drift_test_topology", {"action": "affected", "files": ["a.py", "B"]}, "drift tests a.py B"),
        ("drift_test_topology", {"action": "status"}, "drift test-topology status"),
        ("drift_context", {"intent": "fix_bug", "focus": "it fails"}, "drift context fix_bug 'it fails'"),
        ("drift_signature", {"symbol": "a.py:3", "includeBody": True}, "drift show a.py:3"),
        ("drift_recent", {"days": 90}, "drift recent --days 90"),
        ("drift_similar", {"symbol": "x"}, "drift similar --symbol x"),
    ],
)
def test_calls_are_written_as_the_questions_they_are(tool, arguments, line):
    assert command_line(tool, arguments, all_tools()) == line
