import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from splintr import Tokenizer

from drift.kernel.render import render_value
from drift.kernel.tokens import count_tokens, estimate_tokens, tokenizer_name

STDLIB = Path(sysconfig.get_path("stdlib"))
ROWS = [
    {"function": f"load_{name}", "file": f"src/app/{name}.py", "line": 7 * index, "resolvedBy": "import"}
    for index, name in enumerate(["config", "users", "orders", "payments", "reports", "sessions"] * 5)
]


def run(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.strip()


def test_the_exact_tokenizer_is_used_where_it_is_installed():
    assert tokenizer_name() == "cl100k_base"
    assert count_tokens("hello world") == 2
    assert count_tokens("tiktoken is great!") == 6


def test_where_an_estimate_is_enough_nothing_is_loaded_that_counts():
    code = (
        "import sys\n"
        "from drift.kernel.tokens import *\n"
        "with estimated(): print(count_tokens('one two three'), 'splintr' in sys.modules)\n"
        "print(count_tokens('one two three'), 'splintr' in sys.modules)"
    )

    assert run(code).split() == ["3", "False", "3", "True"]


def test_without_the_exact_tokenizer_the_estimate_stands_in():
    code = (
        "import sys; sys.modules['splintr'] = None\n"
        "from drift.kernel.tokens import *\n"
        "print(tokenizer_name(), count_tokens('one two three') == estimate_tokens('one two three') == 3)"
    )

    assert run(code) == "estimate True"


def test_the_tokenizer_is_loaded_by_the_first_count_and_not_before():
    code = (
        "import sys; from drift.kernel.tokens import count_tokens, estimate_tokens\n"
        "estimate_tokens('a'); before = 'splintr' in sys.modules\n"
        "count_tokens('a'); print(before, 'splintr' in sys.modules)"
    )

    assert run(code) == "False True"


def test_names_of_special_tokens_are_text_like_any_other():
    assert count_tokens("<|endoftext|>") == 7


def test_texts_are_counted_as_ordinary_ones_whatever_they_name():
    ordinary = Tokenizer.from_pretrained("cl100k_base").encode_ordinary

    @given(st.text() | st.text("<|>endoftext im_", max_size=60))
    def check(text):
        assert count_tokens(text) == len(ordinary(text))

    check()


@given(st.text())
def test_any_text_can_be_counted(text):
    assert count_tokens(text) >= 0


@given(st.text(), st.text())
def test_an_estimate_never_shrinks_much_when_text_is_added(text, more):
    # A piece may merge with what follows it, so a few may go, but never a share of the whole.
    assert estimate_tokens(text + more) >= estimate_tokens(text) - 2


@given(st.text(min_size=1))
def test_an_estimate_lies_between_one_and_three_tokens_for_each_character(text):
    assert 1 <= estimate_tokens(text) <= 3 * len(text)


def test_nothing_has_no_tokens():
    assert count_tokens("") == estimate_tokens("") == 0


@pytest.mark.parametrize(
    ("text", "tolerance_percent"),
    [
        pytest.param((STDLIB / "argparse.py").read_text("utf-8"), 8, id="code"),
        pytest.param(render_value({"callers": ROWS}), 20, id="rendered"),
        pytest.param(str(ROWS).replace("'", '"'), 12, id="json"),
        pytest.param("The quick brown fox jumps over the lazy dog and runs away. " * 20, 8, id="prose"),
        pytest.param("请检查这个函数的调用者然后更新测试" * 5, 35, id="chinese"),
        pytest.param("✅ done 🚀 shipped 🐛 fixed 🔥 hot 💡 idea", 35, id="emoji"),
        pytest.param("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", 35, id="hash"),
    ],
)
def test_an_estimate_is_near_the_exact_count(text, tolerance_percent):
    assert estimate_tokens(text) == pytest.approx(count_tokens(text), rel=tolerance_percent / 100)
