"""Words of names and texts."""

import pytest

from drift.kernel.words import split_parts, split_words, stem, stop_words, undouble, with_parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("user_profileById", ["user", "profile", "By", "Id"]),
        ("parseHTTPRequest", ["parse", "HTTP", "Request"]),
        ("HTTP2Client", ["HTTP2", "Client"]),
        ("préfixeNom", ["préfixe", "Nom"]),
        ("__", []),
    ],
)
def test_names_are_split_where_a_part_begins(text, parts):
    assert split_parts(text) == parts


@pytest.mark.parametrize(
    ("name", "words"),
    [("parseHTTP2", ("parse", "http", "2")), ("test_ABc", ("test", "a", "bc")), ("", ())],
)
def test_numbers_are_words_of_their_own(name, words):
    assert split_words(name) == words


def test_names_among_words_come_whole_and_in_parts():
    assert with_parts("the parseRequest of it") == ["the", "parseRequest", "parse", "Request", "of", "it"]


@pytest.mark.parametrize("words", [("cache", "caches", "caching", "cached"), ("log", "logs", "logging")])
def test_forms_of_a_word_share_a_stem(words):
    assert len({undouble(stem(word)) for word in words}) == 1


def test_lists_of_words_that_tell_nothing_are_joined():
    assert {"the", "fixing"} <= stop_words("english", "tasks")
    assert "fixing" not in stop_words("english", "questions")


def test_no_word_stands_in_two_lists_of_texts():
    lists = [stop_words(name) for name in ("english", "tasks", "questions")]

    assert sum(map(len, lists)) == len(frozenset().union(*lists))
