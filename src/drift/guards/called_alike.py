"""What others call on something of the same name, where nothing else tells what it is."""

from drift.guards.slips import is_said_in_words, is_slip, shares_head
from drift.index import IndexReader
from drift.kernel.similar import similar_names
from drift.languages.kinds import TYPE_KINDS


def nearest_on(reader: IndexReader, text: str, name: str) -> str | None:
    """The method of the project, called on a receiver of the same text, of which a name is a slip: `db.find_row`, `db.find_rows`.

    Single words say too little: what else the receiver may be has them as well.
    """
    receiver = text.removesuffix(name)
    if not receiver or receiver == text or not receiver.rstrip("->.:").replace(".", "").isidentifier():
        return None
    called = (one.removeprefix(receiver) for one in reader.calls.texts_beginning(receiver))
    slips = [
        one
        for one in called
        if one.isidentifier()
        and one != name
        and is_said_in_words(one)
        and is_slip(name, one)
        and shares_head(name, one)
    ]
    near = similar_names(name, slips, 1) or slips[:1]
    return near[0] if near and _is_method(reader, near[0]) else None


def _is_method(reader: IndexReader, name: str) -> bool:
    """Whether the project alone has methods of a name, and of a type."""
    found = reader.symbols.named(name, limit=20)
    parents = reader.symbols.many({one.parent_id for one in found if one.parent_id is not None})
    return bool(found) and any(one.kind in TYPE_KINDS for one in parents)
