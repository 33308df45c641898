import os

import orjson
import pytest

from drift.registry import load_packs
from drift.registry.packs import built_in_packs

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

    assert load_packs(tmp_path).problems == ("endless.json: is not a regular file",)


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
