"""The protocol library without what only its other users need.

`import mcp.server.lowlevel` runs the `__init__` of `mcp` and of `mcp.server` first, which load a client, a server with
decorators and all that those are made of: a seventh of a server's start and 11 MB. Here these two packages are
put in place unrun. Their modules are found in them as ever; whoever asks for one of their own names has them run then.
"""

import sys
from importlib.util import find_spec, module_from_spec
from threading import RLock
from types import ModuleType
from typing import Any, Final

_PACKAGES: Final = ("mcp", "mcp.server")  # outer ones first
_lock: Final = RLock()


class _OnDemand(ModuleType):
    """A package whose `__init__` runs when something of it is asked for that is no module."""

    _has_begun = False

    def __getattr__(self, name: str) -> Any:
        with _lock:
            if not self._has_begun and self.__spec__ is not None and self.__spec__.loader is not None:
                self._has_begun = True
                self.__spec__.loader.exec_module(self)
        return self.__getattribute__(name)


def load_on_demand() -> None:
    """Put the packages in place, unless they are loaded already or are not where one can tell."""
    for name in _PACKAGES:
        spec = find_spec(name) if name not in sys.modules else None
        if spec is None:
            return
        package = module_from_spec(spec)
        package.__class__ = _OnDemand
        sys.modules[name] = package
        outer, _, own = name.rpartition(".")
        if outer:
            setattr(sys.modules[outer], own, package)
