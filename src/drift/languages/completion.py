"""What the tree of a file says beyond what its language's walk is for, put to the walk's facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drift.languages.configuration import with_configuration
from drift.languages.constructs import with_constructs
from drift.languages.enclosure import Scopes
from drift.languages.guards import with_guards
from drift.languages.members import constant_members

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.facts import FileFacts
    from drift.languages.syntax import SourceText


def completed(facts: FileFacts, grammar: str, *, root: Node, text: SourceText) -> FileFacts:
    """The facts of a file with its constructs, reads of configuration, guards and the members of its constants."""
    scopes = Scopes(facts.symbols)
    facts = with_constructs(facts, grammar, scopes, root=root, text=text)
    facts = with_configuration(facts, scopes, root=root, text=text)
    facts = with_guards(facts, grammar, root=root, text=text)
    return facts._replace(members=tuple(constant_members(facts, root=root, text=text)))
