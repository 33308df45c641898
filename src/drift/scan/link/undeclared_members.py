"""What a language answers for members that nothing declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from drift.languages.facts import Access

if TYPE_CHECKING:
    from drift.scan.link.shared_scopes import SharedScope


class UndeclaredMembers(Protocol):
    """What runs for members that nothing declares, in one file."""

    def is_silent(self, access: Access) -> bool:
        """Whether what a member is read of is known to answer for none."""

    def find(self, access: Access, shared_scope: SharedScope | None) -> tuple[int, ...]:
        """The methods that answer for a member that is read."""
