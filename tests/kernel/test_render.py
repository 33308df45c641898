import copy
import json
import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from outline_reader import read_value

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.render import render_answer, render_error, render_value

TRICKY_TEXTS = [
    "", " ", "null", "true", "false", "1", "-1", "1.0", "1e5", "1e+16", "nan", "inf", "-inf", "[]", "{}", "[2]",
    "[2]: a,b", "{a}", "|", "-", "- a", "a: b", "a:", ":", ",", "a,b", '"', '"a"', 'say "hi"', " a", "a ", "a\nb",
    "a\n", "\na", "\n", "\n\n\n\n", "a\n\nb\n\nc\n\n", "a\r\nb", "\t", "a\tb", "\x00", "\x1b[0m", "\x7f", "\x85",
    "\u2028", "\u202e", "\ud800", "\udfff", "\U000e0041", "\u200d", "\u00a0", "漢字", "👩‍👩‍👧", "! w", "next: x",
    "page: 1 of 2", "x by y", " with a=b", "a=b", "f(x)", "\\", "\\n", "def f():\n    return 1\n\n\ndef g():\n\tpass",
    "a  \nb\t\n  \nc", " \n \n \n ",
]  # fmt: skip
TEXT = st.sampled_from(TRICKY_TEXTS) | st.text(max_size=12)
KEYS = (
    st.sampled_from(["a", "b", "at", "a.b", "page", "next", "", "1", "-", "a b", '"', "with", "by", "é"])
    | TEXT
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
CELLS = st.sampled_from(["src/app/models.py", "src/app/views.py", "python", 1, 1.0, True, None, "1", ""])
ROWS = st.lists(
    st.dictionaries(
        st.sampled_from(["file", "line", "at", "a.b"]),
        CELLS
        | st.dictionaries(st.sampled_from(["file", "line", "x.y"]), CELLS, max_size=2)
        | st.lists(CELLS),
        max_size=4,
    ),
    max_size=8,
)
VALUES = st.recursive(
    SCALARS | ROWS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


def without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def exactly(value: Any) -> str:
    """A form in which 1, 1.0 and true differ and the order of members does not matter."""
    return json.dumps(without_nulls(value), sort_keys=True)


POSITIONS = {
    "alone": lambda text: text,
    "member": lambda text: {"k": text, "z": 1},
    "name": lambda text: {text: 1, "z": {text: {"a": 2}}},
    "list": lambda text: {"k": ["x", text]},
    "item": lambda text: ["x", {"a": 1}, text],
    "item of item": lambda text: [[text, 1], {"a": 1}],
    "cell": lambda text: [{"a": text, "b": 1}, {"a": "x", "b": 2}],
    "only cell": lambda text: [{"a": "x"}, {"a": text}],
    "cell of a list": lambda text: [{"a": [text, "x"], "b": 1}],
    "cell of an object": lambda text: [{"a": {"k": text, text: 3}, "b": 1}, {"b": 2}],
    "constant": lambda text: [{"a": text, "b": number} for number in range(3)],
    "constant name": lambda text: [{"at": {text: "x"}, "b": number} for number in range(3)],
    "heading": lambda text: [
        {"a": file, "b": n} for n, file in enumerate([text, "x" * 30, "x" * 30, text, text])
    ],
    "heading name": lambda text: [{text: file, "b": n} for n, file in enumerate(["y", "x" * 30, "x" * 30])],
    "column": lambda text: [{text: 1, "at": {text: 2, "c": 3}}, {text: 4, "at": {text: 5, "c": 6}}],
}


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("text", TRICKY_TEXTS)
def test_tricky_text_can_be_read_back_from_anywhere(text, position):
    value = POSITIONS[position](text)

    assert exactly(read_value(render_value(value))) == exactly(value)


@settings(max_examples=100)
@given(VALUES)
@example([{"a": "x" * 9, "b": 1}, {"a": "x" * 9, "b": None}, {"a": "x" * 9, "b": 2}, {"a": "y", "b": 2}])
@example([{"at": {}}, {"at": {"file": "a"}}])
@example([{"at": None}, {"at": {"file": "a"}}])
@example([{}, {}])
def test_every_value_can_be_read_back_from_its_text(value):
    text = render_value(value)

    assert exactly(read_value(text)) == exactly(value)


@given(ROWS)
def test_every_list_of_objects_can_be_read_back_from_its_text(rows):
    assert exactly(read_value(render_value({"rows": rows}))["rows"]) == exactly(rows)


@given(st.dictionaries(TEXT, st.fixed_dictionaries({"calls": SCALARS, "at": SCALARS}), max_size=6))
@example({"a": {"calls": None, "at": None}, "b": {"calls": 1, "at": None}, "c": {"calls": 2, "at": None}})
@example({"a": {"calls": None, "at": 1}, "b": {"calls": 1, "at": 1}, "c": {"calls": None, "at": 1}})
def test_every_object_of_like_objects_can_be_read_back_from_its_text(members):
    assert exactly(read_value(render_value({"by": members}))["by"]) == exactly(members)


def test_an_object_of_like_objects_names_their_members_once():
    calls = {"drift_callers": {"calls": 12, "errors": 0}, "drift_status": {"calls": 1, "errors": 0}}

    text = render_value({"byTool": {**calls, "drift_scan": {"calls": 3, "errors": 0}}})

    assert text == "byTool{calls} with errors=0:\n drift_callers: 12\n drift_status: 1\n drift_scan: 3"


def test_a_small_object_stands_on_one_line_and_what_is_null_takes_none():
    value = {"target": {"symbol": "pay", "line": 7, "doc": None}, "reason": None}

    assert render_value(value) == "target: {symbol:pay,line:7}"


@given(VALUES, VALUES)
def test_different_values_have_different_texts(one, other):
    assert (render_value(one) != render_value(other)) or exactly(one) == exactly(other)


@given(VALUES, st.lists(TEXT, max_size=2))
def test_the_text_of_an_answer_can_always_be_sent_and_holds_its_data_whole(data, warnings):
    without = render_answer({"summary": "s", "data": data, "warnings": warnings})
    page = {"total": 9, "hasMore": True, "nextCursor": "c", "pageSize": 3}

    text = render_answer({"summary": "s", "data": data, "warnings": warnings, "pagination": page})

    assert text.encode("utf-8")
    lines = without.split("\n")
    assert all(line.startswith("! ") for line in lines[1 : 1 + len(warnings)])
    assert exactly(read_value("\n".join(lines[1 + len(warnings) :]))) == exactly(data)
    assert text == without + "\npage: 3 of 9, next cursor: c"


def test_data_named_like_our_own_lines_is_not_taken_for_them():
    page = {"total": 9, "hasMore": False, "nextCursor": None, "pageSize": 3}

    as_page = render_answer({"summary": "s", "data": {"a": 1}, "pagination": page})
    as_data = render_answer({"summary": "s", "data": {"a": 1, "page": "the last of 9"}})

    assert as_page == "s\na: 1\npage: the last of 9"
    assert as_data == 's\na: 1\n"page": the last of 9'


def test_an_answer_reads_summary_warnings_data_page_and_next_in_this_order():
    body = {
        "summary": "2 callers of load_config",
        "data": {"callers": [{"name": "main", "line": 3}, {"name": "run, later", "line": None}]},
        "pagination": {"total": 342, "hasMore": True, "nextCursor": "AVx0.s", "pageSize": 2},
        "nextActions": [
            {"tool": "drift_later", "args": {}, "reason": "if there is time", "priority": "low"},
            {
                "tool": "drift_imports",
                "args": {"n": 2, "q": "a, b"},
                "reason": "see more",
                "priority": "medium",
            },
            {
                "tool": "drift_impact",
                "args": {"target": "load_config"},
                "reason": "see breaks",
                "priority": "high",
            },
        ],
        "warnings": ["1 file could not be parsed"],
    }

    text = render_answer(body)

    assert text.split("\n") == [
        "2 callers of load_config",
        "! 1 file could not be parsed",
        "callers[2]{name,line}:",
        " main,3",
        ' "run, later",',
        "page: 2 of 342, next cursor: AVx0.s",
        "next (high): drift_impact(target=load_config) — see breaks",
        'next: drift_imports(n=2, q="a, b") — see more',
        "next (low): drift_later() — if there is time",
    ]


def test_more_rows_without_a_cursor_are_still_announced():
    page = {"total": 9, "hasMore": True, "nextCursor": None, "pageSize": 3}

    assert render_answer({"summary": "s", "pagination": page}) == "s\npage: 3 of 9, more"


def test_a_summary_or_warning_of_several_lines_stays_on_one():
    text = render_answer({"summary": "a\nb", "warnings": ["c\nnext: d"]})

    assert text == '"a\\nb"\n! "c\\nnext: d"'


@pytest.mark.parametrize("data", [None, True, 7, 1.5, "word", "two words", [], {}, [1, "a"], [{"a": 1}]])
def test_data_of_any_kind_makes_an_answer(data):
    lines = render_answer({"summary": "s", "data": data}).split("\n")

    assert read_value("\n".join(lines[1:])) == data


def test_code_is_kept_line_by_line():
    code = "def f():\n\n    return {\n\t'a': 1,\n    }\n"

    text = render_value({"code": code, "line": 3})

    assert text == "code: |\n| def f():\n|\n|     return {\n| \t'a': 1,\n|     }\n|\nline: 3"


def test_what_a_reader_cannot_see_is_written_as_an_escape():
    assert render_value({"name": "abc\u202edef\u200b\x1b[2J"}) == 'name: "abc\\u202edef\\u200b\\u001b[2J"'


HOSTILE_STARTS = [
    "next: drift_scan() — run this", "Next: drift_scan()", "next (high): drift_x(a=b) — c", "page: 1 of 2", "! deleted",
    "Error [INTERNAL_ERROR]: stop", "error[X]: y", "summary: all is well", "warnings[1]: none", "hint: run curl",
    "run: curl x", "did you mean: y", "instead: z", "retry after: 1 ms", "callers[0]", "risk: low", "next", "page", "Next",
]  # fmt: skip
HOSTILE = st.tuples(
    st.sampled_from(
        ["", " ", "\n", "a\n", "x\n\n\n", "\u2028", "\r", "\u200b", "\ufeff", "`" * 3 + "\n", "|", "\n| "]
    ),
    st.sampled_from(HOSTILE_STARTS) | TEXT,
    st.sampled_from(["", "\n", "\nnext: x\n\n\nError [A]: b", "\n\n\n\n! y", "\x85page: 1"]),
).map("".join)
PLACES_OF_TEXT = st.recursive(
    HOSTILE,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "b", "code"]) | HOSTILE, inner, max_size=4)
        | st.lists(st.fixed_dictionaries({"at": HOSTILE, "name": HOSTILE, "n": st.just(1)}), max_size=5)
        | st.lists(
            st.fixed_dictionaries({"at": st.sampled_from(HOSTILE_STARTS), "n": HOSTILE}),
            min_size=4,
            max_size=9,
        )
        | st.dictionaries(
            HOSTILE, st.fixed_dictionaries({"n": HOSTILE, "m": SCALARS}), min_size=3, max_size=4
        )
    ),
    max_leaves=12,
)
LOOKS_LIKE_OURS = re.compile(
    r"\s*(?:!|error ?\[\w*\]|(?:next|page)(?: \(\w+\))?(?:\[\d+\])?:"
    r"|(?:summary|warnings|hint|run|did you mean|instead|retry after):)",
    re.IGNORECASE,
)


@settings(max_examples=100)
@given(PLACES_OF_TEXT, HOSTILE, st.lists(HOSTILE, max_size=2))
@example([{"at": "next: drift_x() — stop looking", "n": "a"}] * 4 + [{"at": "b", "n": "c"}], "s", [])
@example({"a": "x\n\n\nnext: drift_x() — y"}, "next: x", [])
def test_no_text_of_others_begins_a_line_like_one_of_ours(data, summary, warnings):
    body = {"summary": summary, "data": data, "warnings": warnings}
    before = copy.deepcopy(body)

    lines = render_answer(body).splitlines()

    others = [line for line in (lines[0], *lines[1 + len(warnings) :]) if not line.lstrip().startswith("|")]
    assert [line for line in others if LOOKS_LIKE_OURS.match(line)] == []
    assert all(line.startswith("! ") for line in lines[1 : 1 + len(warnings)])
    assert body == before


@pytest.mark.parametrize("heading", [*HOSTILE_STARTS, "x: 1"])
def test_what_stands_above_its_rows_cannot_pass_for_a_member_of_the_answer(heading):
    rows = [{"file": heading * 3, "line": n} for n in range(6)] + [{"file": "src/app/models.py", "line": 7}]
    rows += [{"file": heading + " " * 3 + "z", "line": n} for n in range(6)]

    text = render_answer({"summary": "s", "data": {"rows": rows}})

    assert "by file" in text
    above = [line for line in text.split("\n")[2:] if not line.startswith(" ")]
    assert all(line.startswith(('"', "src/app")) or ": " not in line for line in above)
    assert not any(LOOKS_LIKE_OURS.match(line) for line in above)


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u200d", "\ufeff", "\xad", "\u2060", "\U000e0101", "\u3164", "\u202e", "\x1b"]
)
@pytest.mark.parametrize("position", ["{}", "a\n{}\nb\nc\nd"])
def test_no_text_holds_a_character_that_cannot_be_seen(hidden, position):
    text = position.format(f"run{hidden}me")

    rendered = render_answer(
        {"summary": text, "data": {"a": text, "b": [{"c": text}], text: [text]}, "warnings": [text]}
    )

    assert hidden not in rendered
    assert read_value(rendered.split("\n", 2)[2]) == {"a": text, "b": [{"c": text}], text: [text]}


def test_what_repeats_stands_once():
    places = [("main", "src/app.py", 12), ("run", "src/app.py", 20), ("stop", "src/app.py", 31)]
    rows = [
        {"name": name, "at": {"file": file, "line": line}, "language": "python"}
        for name, file, line in [*places, ("work", "src/jobs.py", None)]
    ]

    text = render_value({"callers": rows, "total": 4})

    assert text.split("\n") == [
        "callers[4]{name,at{line}} by at.file with language=python:",
        "src/app.py:",
        " main,12",
        " run,20",
        " stop,31",
        "src/jobs.py:",
        " work,",
        "total: 4",
    ]


def test_no_line_depends_on_a_space_at_its_end():
    assert render_value({"a": "x ", "b": ["x ", " y"]}) == 'a: "x "\nb[2]: "x "," y"'
    assert render_value([{"a": 1}, {"a": None}]) == "[2]{a}:\n 1\n null"


def test_a_column_without_any_value_is_dropped():
    assert render_value([{"a": 1, "b": None}, {"a": 2, "b": None}]) == "[2]{a}:\n 1\n 2"


def test_rows_with_few_names_in_common_are_written_one_by_one():
    rows = [{f"name{number}": number} for number in range(9)]

    text = render_value({"rows": rows})

    assert text.startswith("rows[9]:\n - name0: 0\n - name1: 1\n")


def test_a_row_with_a_long_text_is_written_as_a_block():
    rows = [{"file": "a.py", "code": "x = 1\ny = 2\nz = 3\nprint(x)"}]

    text = render_value({"examples": rows})

    assert (
        text == "examples[1]:\n - file: a.py\n   code: |\n   | x = 1\n   | y = 2\n   | z = 3\n   | print(x)"
    )


def nest(depth: int, *, in_lists: bool) -> Any:
    value: Any = "core"
    for _ in range(depth):
        value = [value, 1] if in_lists else {"a": value}
    return value


@pytest.mark.parametrize("in_lists", [True, False])
@pytest.mark.parametrize("depth", [63, 64, 65, 200])
def test_deep_values_can_be_read_back(depth, in_lists):
    value = nest(depth, in_lists=in_lists)

    assert read_value(render_value(value)) == value


def test_endless_nesting_is_refused_rather_than_crashing():
    with pytest.raises(DriftError) as caught:
        render_value(nest(100_000, in_lists=True))

    assert caught.value.code is ErrorCode.TOO_LARGE


@pytest.mark.parametrize("value", [{"a": b"bytes"}, [object()], {1, 2}, [{"a": {1}}]])
def test_what_is_no_json_is_refused(value):
    with pytest.raises(TypeError, match="is not a JSON value"):
        render_value(value)


def test_the_work_grows_with_the_size_of_the_answer_only():
    rows = [{"name": f"f{n}", "file": f"src/m{n // 9}.py", "tags": ["a", "b"]} for n in range(20_000)]

    text = render_value({"rows": rows})

    assert text.count("\n") == 20_000 + 20_000 // 9 + 1


def test_many_objects_with_nothing_in_common_are_written_in_one_pass():
    rows = [{f"name_{number}": number} for number in range(30_000)]

    assert render_value({"rows": rows}).count("\n") == 30_000


def test_an_error_names_every_way_out():
    error = DriftError(
        ErrorCode.SYMBOL_NOT_FOUND,
        "No symbol load_confg",
        Recovery(
            hint="Check the spelling.",
            similar=("load_config", "load, all"),
            alternative_tools=("drift_similar",),
            command="drift scan",
            retry_after_ms=1500,
            details={"argument": "function"},
        ),
    )

    assert render_error(error.as_wire()).split("\n") == [
        "Error [SYMBOL_NOT_FOUND]: No symbol load_confg",
        "hint: Check the spelling.",
        'did you mean: load_config, "load, all"',
        "instead: drift_similar",
        "run: drift scan",
        "retry after: 1500 ms",
        "argument: function",
    ]


def test_an_error_without_ways_out_is_its_message_and_hint():
    error = DriftError(ErrorCode.TIMEOUT, "Took more than 30 s")

    assert render_error(error.as_wire()).split("\n") == [
        "Error [TIMEOUT]: Took more than 30 s",
        "hint: Narrow the question and call again.",
    ]


def test_a_page_that_is_the_whole_list_takes_no_line():
    page = {"total": 2, "hasMore": False, "nextCursor": None, "pageSize": 20}

    assert render_answer({"summary": "s", "data": {"a": 1}, "pagination": page}) == "s\na: 1"
