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
