"""Names as Rails turns them into each other: `blog_posts` is a list of `BlogPost`, which `blog_post` is one of."""

from __future__ import annotations

import re
from typing import Final

from drift.languages.frameworks import load_frameworks

_IRREGULAR: Final = load_frameworks("ruby").mapping("inflection")
_PLURALS: Final = {one: many for many, one in _IRREGULAR.items()}
_SIBILANT: Final = re.compile(r"(?:ss|sh|ch|x|z)es\Z")
_OF_ONE: Final = ("ss", "us", "is")
_WORD_START: Final = re.compile(r"(?:^|[_\s-])(\w)")


def singular(name: str) -> str:
    """`people` is `person`, `stories` is `story`, `boxes` is `box`."""
    head, mark, last = name.rpartition("_")
    return f"{head}{mark}{_singular_word(last)}"


def _singular_word(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ies") and len(word) > 4:  # noqa: PLR2004 - for `ties` is of `tie`
        return f"{word[:-3]}y"
    if _SIBILANT.search(word):
        return word[:-2]
    if word.endswith("ves") and not word.endswith(("ives", "oves", "aves")):
        return f"{word[:-3]}f"
    return word[:-1] if word.endswith("s") and not word.endswith(_OF_ONE) else word


def plural(name: str) -> str:
    """`person` is `people`, `story` is `stories`, `box` is `boxes`; `settings` are many already."""
    head, mark, word = name.rpartition("_")
    if word in _PLURALS:
        many = _PLURALS[word]
    elif word in _IRREGULAR or (word.endswith("s") and not word.endswith(_OF_ONE)):
        many = word
    elif word.endswith("y") and word[-2:-1] not in "aeiou":
        many = f"{word[:-1]}ies"
    else:
        many = f"{word}es" if word.endswith(("s", "sh", "ch", "x", "z")) else f"{word}s"
    return f"{head}{mark}{many}"


def camelize(path: str) -> str:
    """`admin/blog_posts` is `Admin::BlogPosts`."""
    parts = (_WORD_START.sub(lambda found: found[1].upper(), part) for part in path.split("/") if part)
    return "::".join(parts)


def class_of(association: str) -> str:
    """The class of what an association holds: `blog_posts` is of `BlogPost`."""
    return camelize(singular(association))
