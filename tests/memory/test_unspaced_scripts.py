"""Languages that put no space between words are found by their words, and beside others in one store."""

import pytest

from drift.kernel.words import spaced
from drift.memory import Draft
from drift.memory.search import Setting, WordCounts, search
from drift.memory.search.questions import read_question
from drift.memory.work.prompting import recall_for_prompt

NOW = 1_800_000_000_000
NOTES = {
    "pool": "数据库连接池的上限是二十、超过会导致请求排队",
    "cache": "我们使用Redis缓存会话、不要放在内存里",
    "price": "価格は整数のセントで保存する。浮動小数点は請求書で誤差が出た",
    "retry": "支払いの再試行では冪等キーを必ず保持すること",
    "kana": "ガベージコレクションの設定は変更しない",
    "deploy": "การปรับใช้ระบบต้องทำหลังจากสำรองฐานข้อมูลเสมอ",
    "login": "ผู้ใช้ต้องเข้าสู่ระบบใหม่เมื่อรหัสผ่านเปลี่ยน",
    "english": "Prices are integers of cents because floats lost a cent",
}


@pytest.fixture
def kept(store):
    ids = {store.add(Draft(type="decision", text=text), actor="t").id: name for name, text in NOTES.items()}
    return store, ids


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("连接池有多大", "pool"),
        ("缓存", "cache"),
        ("why redis", "cache"),
        ("価格の保存方法", "price"),
        ("支払いを再試行する", "retry"),
        ("ｶﾞﾍﾞｰｼﾞコレクション", "kana"),
        ("สำรองฐานข้อมูล", "deploy"),
        ("รหัสผ่าน", "login"),
        ("cents", "english"),
    ],
)
def test_a_word_finds_the_memory_that_holds_it_first(kept, question, name):
    store, ids = kept

    with store.reading() as connection:
        found = search(connection, WordCounts(), question, setting=Setting(NOW))

    assert ids[found.hits[0].row.id] == name


def test_a_word_at_the_end_of_a_long_text_is_found(store):
    store.add(Draft(type="insight", text="连接池" + "请求排队导致超时" * 800 + "螺丝刀"), actor="t")

    with store.reading() as connection:
        assert len(search(connection, WordCounts(), "螺丝刀", setting=Setting(NOW)).hits) == 1


def test_a_word_that_is_nowhere_is_told_and_finds_nothing(kept):
    store, _ids = kept

    with store.reading() as connection:
        found = search(connection, WordCounts(), "螺丝刀", setting=Setting(NOW))

    assert (found.hits, found.unknown_words) == ((), ("螺丝", "丝刀"))


def test_a_prompt_hears_of_what_fits_and_not_of_other_things(kept, tmp_path):
    store, ids = kept

    def told(prompt):
        return [ids[one] for one in recall_for_prompt(store, prompt, root=tmp_path, now_ms=NOW).ids]

    assert told("把数据库连接池的上限改成五十") == ["pool"]
    assert told("请把首页的按钮颜色改成蓝色") == []


def test_every_word_that_is_not_looked_for_is_told():
    question = read_question("what is " + " ".join(f"word{number}" for number in range(60)))

    looked_for = set(question.spellings.values())
    assert {"what", "is"} <= set(question.left_out)
    assert {f"word{number}" for number in range(60)} == (looked_for | set(question.left_out)) - {"what", "is"}


def test_other_scripts_stay_as_they_are():
    for text in ("plain words", "Straße naïve", "Привет мир", "한국어 띄어쓰기"):
        assert spaced(text) == text
