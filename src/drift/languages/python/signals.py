"""What listens to a signal is given by its sender: `@receiver(post_save, sender=Order)` gives an Order as `instance`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Binding
from drift.languages.python.type_forms import dotted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

    from drift.languages.python.walk import Walk

_LISTENING: Final = "receiver"
_SENDER: Final = "sender"
_SENT: Final = "instance"
_MOST_CHARACTERS: Final = 100


def note_sent(walk: Walk, number: int, decorators: Iterable[Node]) -> None:
    """Note the type of the object that a listener is sent, where its decorators name the class that sends it."""
    parameters = walk.drafts[number].parameters
    if not any(one.name == _SENT and one.type is None for one in parameters):
        return
    for node in decorators:
        call = next((part for part in node.named_children if part.type == "call"), None)
        if call is None or walk.text.brief(call.children[0], 60).rpartition(".")[2] != _LISTENING:
            continue
        for given in call.children[-1].named_children:
            if given.type == "keyword_argument" and walk.name(given.children[0]) == _SENDER:
                sender = given.children[-1]
                if sender.type in {"identifier", "attribute"}:
                    model = dotted(walk.text.brief(sender, _MOST_CHARACTERS))
                    walk.bindings.append(Binding(number, _SENT, ("instance", model), walk.line(given)))
