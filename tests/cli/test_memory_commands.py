import json

import pytest

from drift.cli.commands.memory_verbs import verb_rows
from drift.cli.exits import Exit
from drift.cli.memory_table import VERBS
from drift.tools import all_tools
from store_places import memory_db


def saved(place, *words):
    result = place.run("memory", "add", "--json", *words)
    assert result.code == Exit.OK, result.err
    return json.loads(result.out)["data"]["id"]


def test_a_memory_is_added_found_shown_and_hidden_by_plain_words(place):
    memory = saved(place, "the", "gateway", "refuses", "retries", "--type", "tribal", "--tags", "pay,bank")

    found = place.run("memory", "search", "why", "does", "the", "gateway", "refuse")
    shown = place.run("memory", "show", memory)

    assert memory in found.out
    assert "pay" in shown.out
    assert "the gateway refuses retries" in shown.out
    assert place.run("memory", "delete", memory).code == Exit.OK
    assert memory not in place.run("memory", "list").out
    assert place.run("memory", "restore", memory).code == Exit.OK
    assert memory in place.run("memory", "list").out


def test_every_reading_verb_answers_before_anything_is_saved(place):
    for words in (["list"], ["search", "x"], ["recall", "x"], ["timeline"], ["context", "x"], ["status"]):
        result = place.run("memory", *words)

        assert result.code == Exit.OK, words
        assert "Nothing has been saved" in result.out


def test_json_is_the_whole_answer(place):
    memory = saved(place, "one", "fact")

    answer = json.loads(place.run("memory", "recall", "fact", "--json").out)

    assert [row["id"] for row in answer["data"]["results"]] == [memory]
    assert "meta" in answer


def test_a_timeline_tells_when(place):
    saved(place, "one", "fact")

    rows = json.loads(place.run("memory", "timeline", "fact", "--json").out)["data"]["results"]

    assert rows[0]["at"].startswith("20")


def test_words_that_look_like_options_can_be_text(place):
    memory = saved(place, "--", "--force", "is", "never", "used")

    assert memory in place.run("memory", "search", "--", "--force").out


@pytest.mark.parametrize("words", [["serch", "x"], ["recal"]])
def test_a_misspelt_verb_names_the_one_meant(place, words):
    result = place.run("memory", *words)

    assert result.code == Exit.USAGE
    assert "did you mean" in result.err


def test_a_verb_without_its_words_says_what_is_missing(place):
    assert place.run("memory", "search").code == Exit.USAGE
    assert place.run("memory", "show").code == Exit.USAGE


def test_an_unknown_memory_is_an_error_with_a_hint(place):
    result = place.run("memory", "show", "m_nope")

    assert result.code == Exit.FAILED
    assert "RESOURCE_NOT_FOUND" in result.err


def test_help_lists_the_verbs_and_explains_each(place):
    listed = place.run("memory", "--help").out

    assert place.run("memory").out == listed
    for verb in verb_rows():
        assert f"  {verb} " in listed
    for name, verb in VERBS.items():
        if verb.tool in all_tools():
            explained = place.run("memory", name, "--help")
            assert explained.code == Exit.OK
            assert f"drift memory {name}" in explained.out


def test_any_memory_tool_is_a_verb_by_its_short_name(place):
    assert place.run("memory", "discover").code == Exit.OK
    assert place.run("memory", "update", saved(place, "a", "fact"), "--importance", "high").code == Exit.OK


def test_a_damaged_store_is_salvaged_and_a_sound_one_left_alone(place):
    saved(place, "one", "fact")
    sound = place.run("memory", "salvage")
    store = memory_db(place.project, place.environ)
    from drift.memory.opened import close_stores

    close_stores()
    content = bytearray(store.read_bytes())
    content[:100] = b"\0" * 100
    store.write_bytes(bytes(content))

    broken = place.run("memory", "list")
    salvaged = place.run("memory", "salvage")

    assert sound.code == Exit.FAILED
    assert "drift memory salvage" in broken.err
    assert salvaged.code == Exit.OK, salvaged.err
    assert "0 memories saved" in salvaged.out  # without its header nothing of a file can be read
    (kept,) = [one for one in store.parent.iterdir() if one.is_file() and one.read_bytes() == bytes(content)]
    assert kept.name in "".join(salvaged.out.split())
    assert place.run("memory", "list").code == Exit.OK


def test_a_memory_of_the_person_is_kept_with_user_and_shown_as_such_in_every_project(place, tmp_path):
    on = {"DRIFT_CORTEX_USER_STORE": "true"}
    added = place.run("memory", "add", "--user", "--json", "I", "like", "short", "commits", environ=on)
    assert added.code == Exit.OK, added.err
    memory = json.loads(added.out)["data"]["id"]
    other = tmp_path / "elsewhere"
    (other / ".git").mkdir(parents=True)

    for words in (["list"], ["search", "short", "commits"]):
        found = place.run("memory", *words, cwd=other, environ=on)
        assert memory in found.out
        assert "user" in found.out
        assert memory not in place.run("memory", *words, cwd=other).out


def test_without_the_setting_user_says_how_to_turn_it_on(place):
    refused = place.run("memory", "save", "--user", "I like short commits")

    assert refused.code == Exit.ENVIRONMENT
    assert "DRIFT_CORTEX_USER_STORE=true" in refused.err
