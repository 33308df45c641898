"""Small words for messages: counts, quotes, cuts."""


def plural(count: int, noun: str, many: str | None = None) -> str:
    """`1 caller`, `2 callers`, `2 queries` with an explicit plural."""
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {many or noun + 's'}"


def shorten(text: str, limit: int) -> str:
    """At most `limit` characters, with an ellipsis where something was cut."""
    if len(text) <= limit:
        return text
    return text[: limit - 1].rstrip() + "…" if limit > 0 else ""


def first_sentence(text: str) -> str:
    """The first sentence of a docstring, on one line and without its full stop."""
    paragraph = " ".join(text.strip().split("\n\n", 1)[0].split())
    sentence, found, _ = paragraph.partition(". ")
    return sentence if found else paragraph.removesuffix(".")


def cut_between(text: str, openings: str, closings: str) -> str:
    """The text without what stands from its first opening to its last closing character, these included."""
    first = min((at for at in map(text.find, openings) if at >= 0), default=-1)
    last = max(map(text.rfind, closings))
    return text[:first] + text[last + 1 :] if 0 <= first < last else text
