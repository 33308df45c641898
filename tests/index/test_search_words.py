import os
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.index.ids import SymbolId
from drift.index.path_text import clean_text, path_to_text, text_to_path
from drift.index.words import search_expressions, search_row, searched_words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("load", "load"),
        ("get_user_name", "getusername get user name"),
        ("getUserName", "getusername get user name"),
        ("parseHTTPRequest2", "parsehttprequest2 parse http request2"),
        ("__init__", "init"),
        ("HTML", "html"),
        ("src/shop/orderStore.py", "srcshoporderstorepy src shop orderstore py order store"),
        ("größeÄndern", "größeändern"),
        ("", ""),
        ("___", ""),
    ],
)
def test_a_name_is_split_where_people_see_words(name, words):
    assert searched_words(name) == words


def test_the_path_is_searched_for_the_file_alone():
    asked = {"name": "load", "qualname": "Store.load", "path": "shop/store.py", "doc": ""}

    assert search_row(SymbolId(1), kind="method", **asked).path == ""
    assert "shop" in search_row(SymbolId(1), kind="module", **asked).path


def test_a_query_without_a_word_asks_for_nothing():
    assert search_expressions('"*(-_ ') == ()


def test_a_query_asks_for_all_words_and_then_for_any():
    assert search_expressions("load Order load") == ('"load"* "order"*', '"load"* OR "order"*')
    assert search_expressions("load") == ('"load"*',)


@given(st.text(max_size=80))
def test_every_query_is_made_of_expressions_that_fts_takes(query):
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE search USING fts5(name)")

    for expression in search_expressions(query):
        assert connection.execute("SELECT * FROM search WHERE search MATCH ?", (expression,)).fetchall() == []
    connection.close()


@given(st.binary(max_size=40))
def test_a_path_of_any_bytes_survives_as_text(raw):
    path = os.fsdecode(raw)
    text = path_to_text(path)

    text.encode("utf-8")
    if not any("\uef80" <= character <= "\uefff" for character in path):
        assert text_to_path(text) == path


@given(st.text())
def test_a_text_utf_8_can_hold_is_left_alone(text):
    if text.isascii():
        assert clean_text(text) == path_to_text(text) == text
    clean_text(text).encode("utf-8")
