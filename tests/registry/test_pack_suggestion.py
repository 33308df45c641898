import pytest

from drift.registry.pack_suggestion import suggest_packs
from drift.registry.packs import Pack, PackTrigger, built_in_packs


def names(**task):
    return [each.name for each in suggest_packs(built_in_packs(), **task)]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Fixes a crash", "bug-fix"),
        ("two bugs in the cart", "bug-fix"),
        ("restructuring of the cart", "refactoring"),
        ("are there vulnerabilities?", "security-audit"),
        ("please review my PR", "code-review"),
        ("implementing a new feature", "new-feature"),
        ("explain the architecture", "understand"),
    ],
)
def test_words_of_the_task_in_any_usual_form_suggest_a_pack(text, first):
    assert names(text=text)[0] == first


@pytest.mark.parametrize(
    "text", ["", "the address prefix", "a preview of the fixture", "insecurely typed", "?!"]
)
def test_words_that_only_contain_a_keyword_suggest_nothing(text):
    assert names(text=text) == []


def test_an_intent_weighs_more_than_a_word_and_both_more_than_each():
    by_intent, by_word, by_both = (
        suggest_packs(built_in_packs(), **task)[0]
        for task in ({"intent": "fix_bug"}, {"text": "a bug"}, {"intent": "fix_bug", "text": "a bug"})
    )

    assert by_word.confidence < by_intent.confidence < by_both.confidence < 1
    assert by_both.reason == "intent fix_bug, keyword bug"


def test_a_file_suggests_a_pack_by_its_name_or_its_folder():
    pack = Pack(
        "mine", "Mine", "d", ("t",), triggers=(PackTrigger("file", "api/*.py"), PackTrigger("file", "*.SQL"))
    )

    for file in ("shop/Login.py", "shop/auth/tokens.py", "auth/tokens.py"):
        assert names(file=file) == ["security-audit"]
    assert suggest_packs([pack], file="api/v1/cart.py")[0].reason == "file api/*.py"
    assert suggest_packs([pack], file="db/schema.sql")[0].reason == "file *.SQL"
    assert suggest_packs([pack], file="other/cart.py") == ()


def test_a_keyword_of_several_words_is_found_where_they_follow_each_other():
    pack = Pack("mine", "Mine", "d", ("t",), triggers=(PackTrigger("keyword", "Race condition"),))

    assert suggest_packs([pack], text="two race conditions in the pool")
    assert not suggest_packs([pack], text="a condition of the race")


def test_a_trigger_without_words_fires_never():
    pack = Pack(
        "mine", "Mine", "d", ("t",), triggers=(PackTrigger("keyword", ""), PackTrigger("keyword", "!?"))
    )

    assert suggest_packs([pack], text="anything") == ()
