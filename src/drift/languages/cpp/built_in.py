"""Built-in types as expressions: `("literal", kind)`, with the type in full where the kind does not tell it.

Of the kind `int` that is any but `int` itself, of `float` any but `double`; a pointer is of the kind of what it
points to, and its type ends in a star.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from drift.languages.expressions import Expression

_WHOLE: Final = frozenset({"char", "int", "long", "short", "signed", "unsigned"})
_BROKEN: Final = frozenset({"double", "float"})
_CHARACTERS: Final = frozenset({"char", "wchar_t"})
# As the compilers of 64-bit Unix have them: what overloads are told apart by is the type behind the name.
_SIZED: Final = {
    "int8_t": "signed char", "int16_t": "short", "int32_t": "int", "int64_t": "long", "intmax_t": "long",
    "intptr_t": "long", "ptrdiff_t": "long", "size_t": "unsigned long", "ssize_t": "long",
    "uint8_t": "unsigned char", "uint16_t": "unsigned short", "uint32_t": "unsigned",
    "uint64_t": "unsigned long", "uintmax_t": "unsigned long", "uintptr_t": "unsigned long",
}  # fmt: skip
_SUFFIXES: Final = {
    "u": "unsigned", "l": "long", "ul": "unsigned long", "lu": "unsigned long", "z": "long", "uz": "unsigned long",
    "ll": "long long", "ull": "unsigned long long", "llu": "unsigned long long",
}  # fmt: skip


def built_in_type(text: str) -> Expression:
    """The type that words such as `unsigned long` name; None where it is no number."""
    words = text.split()
    if "bool" in words:
        return ("literal", "bool")
    if not _BROKEN.isdisjoint(words):
        short = "float" if "float" in words else "long double" if "long" in words else ""
        return ("literal", "float", short) if short else ("literal", "float")
    if not _WHOLE.isdisjoint(words):
        return _whole(_full_name(words))
    if len(words) == 1 and words[0].endswith("_t"):
        return _whole(_SIZED.get(words[0], words[0]))
    return None


def is_sized(name: str) -> bool:
    """Whether `std::name` is a number of the language with its size in its name."""
    return name in _SIZED


def number_type(text: str) -> Expression:
    """The type of a number that is written out."""
    text = text.lower().replace("'", "")
    if text.startswith(("0x", "0b")):
        return _whole(_SUFFIXES.get(text[len(text.rstrip("ulz")) :], "int"))
    if "." in text or "e" in text:
        return ("literal", "float", "float") if text.endswith("f") else ("literal", "float")
    return _whole(_SUFFIXES.get(text.lstrip("0123456789"), "int"))


def pointer_to(form: Expression) -> Expression:
    """The type of a pointer; to characters it is a string."""
    if form is None or form[0] != "literal":
        return form
    kind: Any = form[1]
    full = form[2] if len(form) > 2 else kind  # noqa: PLR2004 - the type in full
    return ("literal", "str") if full in _CHARACTERS else ("literal", kind, f"{full}*")


def _full_name(words: list[str]) -> str:
    if "char" in words:
        sign = next((word for word in words if word in {"signed", "unsigned"}), "")
        return f"{sign} char".lstrip()
    size = "long " * min(words.count("long"), 2) or ("short" if "short" in words else "")
    return f"unsigned {size}".rstrip() if "unsigned" in words else size.rstrip() or "int"


def _whole(full: str) -> Expression:
    return ("literal", "int") if full == "int" else ("literal", "int", full)
