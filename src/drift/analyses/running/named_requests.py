"""Which requests of a test are for a route that it names: `self.client.post(reverse("login"))`.

What it does: a name that is written in a call that sends a request is of that request alone. One that is kept in a
variable is of the requests below it that have no name of their own: of those up to the next such variable, less surely
of the others. What an assertion is given is expected, and asked for by nobody.
Known limits: which variable a request is given is not looked at; nor is a request in a function inside the test.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index.run_records import NamingCall

_LINES_OF_CALL: Final = 4  # a name may stand below the call that asks for it
# How far an argument in a line of its own stands to the right of the function it is in; what stands behind something
# else in its line is farther: assert response.url == reverse("login").
_MOST_INDENT: Final = 16
_SURELY: Final = 1.0
_ANOTHER: Final = 0.5  # another name is nearer
_Lines = Mapping[int, set[str]]
_NONE: Final[_Lines] = {}


class NamedRequests:
    """The names of routes that symbols of tests say, and the methods of the requests that each is for."""

    def __init__(
        self,
        namings: Mapping[SymbolId, Collection["NamingCall"]],
        expecting: re.Pattern[str],
        *,
        own: Mapping[SymbolId, _Lines],
        shared: Mapping[SymbolId, _Lines],
        unsaid: str,
    ) -> None:
        # What tests share to make requests counts beside their own; who makes none may hand the name to who does.
        self._own, self._all, self._unsaid = own, shared, unsaid
        self._namings, self._expecting = namings, expecting
        self._taken = {symbol: set(self._taken_lines(symbol)) for symbol in namings}

    def lines_of(self, symbol: SymbolId, line: int, value: str) -> list[int]:
        """The lines of the calls that make a path of a name which a symbol says first in this line."""
        calls = self._namings.get(symbol, ())
        said = {call.line for call in calls if call.literal == value}
        if said:
            return sorted(said)
        lines = {call.line for call in calls}
        return [each for each in range(line, line - _LINES_OF_CALL, -1) if each in lines][:1]

    def of(self, symbol: SymbolId, line: int) -> Iterator[tuple[set[str], float]]:
        """The methods of requests for the name that stands in this line of a symbol, and how surely."""
        asked = self._all.get(symbol, _NONE)
        calls = [call for call in self._namings.get(symbol, ()) if call.line == line]
        around = next((at for call in calls if (at := self._around(symbol, call)) is not None), None)
        if around is not None:
            yield asked[around], _SURELY
        elif symbol not in self._own:
            yield {self._unsaid}, _SURELY
        elif not all(map(self._is_expected, calls)):
            kept = self._kept_lines(symbol)
            free = sorted(asked.keys() - self._taken.get(symbol, set()))
            for at in (each for each in free if each > line):
                nearest = max(each for each in kept if each < at)
                is_near = not any(line < each < nearest for each in free)
                yield asked[at], _SURELY if is_near else _ANOTHER

    def sends(self, symbol: SymbolId) -> bool:
        """Whether a symbol sends requests itself."""
        return symbol in self._own

    def of_user(self, user: SymbolId, line: int | None) -> Iterator[tuple[set[str], float]]:
        """The methods of requests that are given a field in this line of who uses it, else of all without a name of their own."""
        if user not in self._own:
            yield {self._unsaid}, _SURELY
            return
        asked = self._all.get(user, _NONE)
        if line is not None and line in asked:
            yield asked[line], _SURELY
            return
        for at in sorted(asked.keys() - self._taken.get(user, set())):
            yield asked[at], _SURELY

    def _taken_lines(self, symbol: SymbolId) -> Iterator[int]:
        for call in self._namings[symbol]:
            at = self._around(symbol, call)
            if at is not None:
                yield at

    def _kept_lines(self, symbol: SymbolId) -> list[int]:
        return [
            call.line
            for call in self._namings.get(symbol, ())
            if self._around(symbol, call) is None and not self._is_expected(call)
        ]

    def _is_expected(self, call: "NamingCall") -> bool:
        return call.beside is not None and self._expecting.search(call.beside) is not None

    def _around(self, symbol: SymbolId, call: "NamingCall") -> int | None:
        """The line of the request that a name is written in; None where it is kept, or another call is given it."""
        asked = self._all.get(symbol, _NONE)
        if call.is_bound or call.line in asked:
            return None if call.is_bound else call.line
        if call.beside is not None or call.indent > _MOST_INDENT:
            return None
        lines = {each.line for each in self._namings[symbol]}
        above = range(call.line - 1, call.line - _LINES_OF_CALL, -1)
        near = next((at for at in above if at in asked or at in lines), None)
        return None if near in lines else near
