"""No regular expression of the package may take time that grows faster than its text.

A pattern that holds the interpreter holds every caller of a server: the interpreter's lock is not given up inside.
"""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from pattern_list import Found, list_patterns
from pattern_risk import find_risk

_SHORT_CALLS = "tried on the texts of calls, which are cut to 200 characters"
_SHORT_NAMES = "tried on names of files, which have at most 255 bytes"
_PARENTHESES = (
    "three levels of parentheses: a fourth ends the try at once, so a text is gone over a few times at most"
)
# What the rules below cannot see to be harmless, with why it is.
HARMLESS = {
    "analyses/testing/signs.py load_signs()": _SHORT_CALLS,
    "kernel/tokens.py _PIECE": "the alternative after the one that fails takes the same blanks whole",
    "languages/cpp/quieting.py _BEFORE_BODY": _PARENTHESES,
    "languages/cpp/quieting.py _CONSTRAINT": _PARENTHESES,
    "languages/cpp/quieting.py _IN_THE_WAY": _PARENTHESES,
    "languages/cpp/quieting.py _LINE_MACRO": _PARENTHESES,
    "languages/cpp/quieting.py _LINKAGE_GUARD": "begins with # and goes on over lines that do not",
    "languages/cpp/quieting.py _TYPE_STATEMENT": _PARENTHESES,
    "languages/typescript/components.py _MUSTACHE": "three levels of braces: a fourth ends the try at once",
    "protocol/framing.py _ID_IN_TAIL": "begins at a bare quote, and the string it reads ends with one",
    "scan/roles.py role_rules()": _SHORT_NAMES,
}


@pytest.fixture(scope="module")
def risky() -> dict[str, str]:
    return dict(_risks(list_patterns()))


def _risks(found: Iterator[Found]) -> Iterator[tuple[str, str]]:
    for where, pattern, methods in found:
        for method in sorted(methods):
            if (risk := find_risk(pattern.pattern, pattern.flags, method)) is not None:
                yield where, f"{method} {pattern.pattern!r}: {risk}"


def test_every_pattern_takes_linear_time(risky):
    found = [f"{where}: {risk}" for where, risk in risky.items() if where not in HARMLESS]

    assert not found, "\n".join(found)


def test_what_is_said_to_be_harmless_is_still_there(risky):
    assert set(HARMLESS) <= set(risky)


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(a+)+b", "match"),
        (r"(?:a|a)*b", "match"),
        (r"\s*\n\s*x", "match"),
        (r"\s*x", "search"),
        (r"\w+\(", "findall"),
        (r"(?m)^\s*import", "findall"),
        (r".*x.*y", "match"),
        (r"\s+$", "sub"),
        (r'"[^"]*\s[^"]*"', "match"),
        (r"<.*>", "sub"),
        (r'"(?:[^"\\]|\\.)*"', "search"),
        (r"a.*?b", "search"),
        (r"\s*+x", "search"),
        (r"(\w+)\s*:\s*(.+?)\s*(?:=\s*(.+))?$", "match"),
        (r"[\w.]+@\w+", "search"),
        (r"\b[\w-]+:", "search"),
        (r"[A-Z]+[a-z]*(?:[A-Z]+[a-z]*)+", "fullmatch"),
        (r"a{0,5000}a{0,5000}b", "match"),
        (r"(?P<q>a+)b*(?P=q)c", "match"),
    ],
)
def test_slow_patterns_are_found(pattern, method):
    assert find_risk(pattern, 0, method) is not None


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"\w+", "findall"),
        (r"(?m)^[ \t]*import", "findall"),
        (r"(?<!\w)\w+\(", "findall"),
        (r"\b\w+\(", "findall"),
        (r"(?<!\s)\s+\.", "sub"),
        (r"\s*+=\s*+(.*)", "match"),
        (r"(?:[^\"\\]++|\\.)*+x", "match"),
        (r"(?m)^import\b.*$", "findall"),
        (r"a[^\n]{0,300}b", "search"),
        (r"[a-z]+(?:_[a-z]+)*", "findall"),
        (r"(?s)```.*?(?:```|\Z)", "sub"),
        (r"^\s*name", "search"),
        (r"(?:\w+\.)*Result\b", "match"),
    ],
)
def test_harmless_patterns_are_let_through(pattern, method):
    assert find_risk(pattern, 0, method) is None


# Linear matching needs some hundredths of a second of these; before, each took minutes.
_SECONDS_OF_CPU = 30
_LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
{work}
"""
_KNOWN = {
    "newlines of a correction": (
        "from drift.memory.lessons.correction_diff import compare_code\n"
        "for filler in ('\\n', 'a::', ' ', 'a', 'import ', '@', '(', 'a.'):\n"
        "    compare_code(filler * 20_000, filler * 19_999 + 'x')"
    ),
    "calls of a focus": (
        "from drift.context.focus import read_focus\n"
        "for filler in ('a', '`', '(', 'a(', '\\n', ' '):\n"
        "    read_focus(filler * 500_000)"
    ),
    "sentences of a memory": (
        "from drift.memory.truth.sentences import split_sentences\n"
        "for filler in ('```', '[', '(', ' ', '\\n', '\"'):\n"
        "    list(split_sentences(filler * 300_000))"
    ),
    "headings of a document": (
        "from drift.memory.transfer.markdown_sections import read_sections\n"
        "read_sections('# ' + ' #' * 300_000 + 'x')"
    ),
    "traces of a fault": (
        "from drift.memory.work.debug_paths import normalise_error\n"
        "for filler in ('a', 'a-', '/', 'a/'):\n"
        "    normalise_error('error ' + filler * 300_000)"
    ),
}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits of CPU time")
@pytest.mark.parametrize("case", _KNOWN)
def test_texts_that_held_a_server_are_read_at_once(case):
    script = _LIMITED.format(seconds=_SECONDS_OF_CPU, work=_KNOWN[case])

    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)

    assert ended.returncode == 0, ended.stderr.decode()[-500:]
