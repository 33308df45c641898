import os

import orjson
import pytest

from drift.context.composition import check_steps
from drift.registry import load_packs
from drift.registry.packs import built_in_packs
from drift.tools import all_tools

GOOD = {"name": "mine", "title": "Mine", "description": "d", "tools": ["drift_status"]}


def test_six_packs_are_built_in_and_can_be_switched_off():
    assert [pack.name for pack in built_in_packs()] == [
        "security-audit", "refactoring", "bug-fix", "code-review", "new-feature", "understand",
    ]  # fmt: skip
    assert "bug-fix" not in load_packs(disabled=["bug-fix"]).by_name


def test_a_projects_own_pack_wins_over_a_built_in_of_the_same_name(tmp_path):
    (tmp_path / "a.json").write_bytes(orjson.dumps({**GOOD, "name": "bug-fix"}))

    pack = load_packs(tmp_path).get("bug-fix")

    assert pack.is_custom
    assert pack.tools == ("drift_status",)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "JSON"),
        (orjson.dumps({**GOOD, "name": "../evil"}), "name"),
        (orjson.dumps({**GOOD, "surprise": 1}), "surprise"),
        (orjson.dumps({**GOOD, "config": {"maxTokens": 1}}), "config.maxTokens"),
        (b" " * 70_000, "larger than"),
        (b"\xff\xfe", ""),
    ],
)
def test_a_broken_pack_is_reported_and_hides_no_other(tmp_path, content, reason):
    (tmp_path / "bad.json").write_bytes(content)
    (tmp_path / "good.json").write_bytes(orjson.dumps(GOOD))

    packs = load_packs(tmp_path)

    assert "mine" in packs.by_name
    assert len(packs.problems) == 1
    assert packs.problems[0].startswith("bad.json: ")
    assert reason in packs.problems[0]


def test_a_pipe_among_the_packs_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "endless.json")

    assert load_packs(tmp_path).problems == ("endless.json: cannot be read (not a regular file)",)


def test_a_link_out_of_the_folder_of_packs_shows_nothing_of_what_it_leads_to(tmp_path):
    (tmp_path / "packs").mkdir()
    (tmp_path / "secret.json").write_text(
        '{"name": "hunter2 hunter2", "title": 1, "description": 1, "tools": 1}'
    )
    (tmp_path / "packs" / "mine.json").symlink_to(tmp_path / "secret.json")

    (problem,) = load_packs(tmp_path / "packs").problems

    assert "hunter2" not in problem
    assert "link" in problem


def test_a_wrong_value_does_not_fill_the_message(tmp_path):
    pack = {"name": "x" * 50_000, "title": "", "description": "", "tools": ["drift_status"]}
    (tmp_path / "long.json").write_bytes(orjson.dumps(pack))

    (problem,) = load_packs(tmp_path).problems

    assert len(problem) < 300


STEPS = [
    {"id": "who", "tool": "drift_callers", "args": {"symbol": "$input.target"}, "share": 2, "required": True}
]


def test_a_projects_own_pack_may_hold_its_own_steps(tmp_path):
    (tmp_path / "mine.json").write_bytes(orjson.dumps({**GOOD, "steps": STEPS}))

    (step,) = load_packs(tmp_path).get("mine").steps

    assert (step.id, step.tool, step.args) == ("who", "drift_callers", {"symbol": "$input.target"})
    assert (step.share, step.required, step.when) == (2, True, None)


@pytest.mark.parametrize(
    ("steps", "problem"),
    [
        ([{"id": "who"}], 'steps.0: "tool" is a required property'),
        ([{"id": "Who", "tool": "t"}], "steps.0.id: "),
        ([{"id": "who", "tool": "t", "share": 0}], "steps.0.share: 0 is less than the minimum"),
        ([{"id": "who", "tool": "t", "args": {"a": "$gone.x"}}], "steps.0.args.a: there is no step 'gone'"),
        ([{"id": "who", "tool": "t", "surprise": 1}], "steps.0: "),
        ([{"id": "who", "tool": "t"}] * 21, "steps: "),
    ],
)
def test_a_wrong_step_is_reported_with_its_place_in_the_file(tmp_path, steps, problem):
    (tmp_path / "mine.json").write_bytes(orjson.dumps({**GOOD, "steps": steps}))

    (told,) = load_packs(tmp_path).problems

    assert told.startswith(f"mine.json: {problem}")


def test_a_pack_nested_without_end_is_refused_before_anything_walks_it(tmp_path):
    deep = b'{"a":' * 500 + b"1" + b"}" * 500
    (tmp_path / "mine.json").write_bytes(
        orjson.dumps({**GOOD, "steps": [{"id": "who", "tool": "t", "args": {"a": orjson.Fragment(deep)}}]})
    )

    assert load_packs(tmp_path).problems == ("mine.json: is nested deeper than 16 levels",)


def test_two_files_with_one_pack_are_reported_and_the_later_counts(tmp_path):
    (tmp_path / "a.json").write_bytes(orjson.dumps(GOOD))
    (tmp_path / "b.json").write_bytes(orjson.dumps({**GOOD, "title": "Later"}))

    packs = load_packs(tmp_path)

    assert packs.get("mine").title == "Later"
    assert packs.problems == ("b.json: name: a.json has a pack 'mine', too; this one counts",)


@pytest.mark.parametrize("pack", built_in_packs(), ids=lambda pack: pack.name)
def test_the_steps_of_built_in_packs_can_be_run_with_tools_and_arguments_there_are(pack):
    check_steps(pack.steps)
    assert {step.tool for step in pack.steps} <= set(pack.tools)
    for step in pack.steps:
        known = all_tools().find(step.tool)
        if known is not None:
            assert set(step.args) <= set(known.input_schema["properties"]), step.id
            assert set(known.input_schema.get("required", ())) <= set(step.args), step.id
