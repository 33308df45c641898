"""How languages write imports: a form takes names and gives the statement."""

from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol


class Form(Protocol):
    """A statement with room for names; equal forms share one statement."""

    def write(self, names: tuple[str, ...]) -> str:
        """The statement that brings in these names."""
        ...

    def __hash__(self) -> int: ...


class Statement(NamedTuple):
    """A name in a form."""

    form: Form
    name: str


class Written(NamedTuple):
    """What to write, or nothing where nothing is needed; why, how sure, and how the code then names it."""

    statement: Statement | None
    reason: str
    confidence: float
    use_as: str | None = None


@dataclass(frozen=True, slots=True)
class PythonImport:
    """`from module import a, b`."""

    module: str

    def write(self, names: tuple[str, ...]) -> str:
        return f"from {self.module} import {', '.join(names)}"


@dataclass(frozen=True, slots=True)
class PlainImport:
    """A statement that is the same whatever is used of it: `#include`, `using`, `import module`."""

    text: str

    def write(self, names: tuple[str, ...]) -> str:  # noqa: ARG002 - the form has no room for names
        return self.text


@dataclass(frozen=True, slots=True)
class PathImport:
    """One statement for each name, between a beginning and an end: `import a.b.C;`."""

    beginning: str
    end: str = ";"

    def write(self, names: tuple[str, ...]) -> str:
        return "\n".join(f"{self.beginning}{name}{self.end}" for name in names)


@dataclass(frozen=True, slots=True)
class RustImport:
    """`use path::Name;` or `use path::{A, B};`."""

    path: str

    def write(self, names: tuple[str, ...]) -> str:
        inner = names[0] if len(names) == 1 else f"{{{', '.join(names)}}}"
        return f"use {self.path}::{inner};"


@dataclass(frozen=True, slots=True)
class ScriptHand:
    """How the files around write: quotes, semicolons, `require`."""

    quote: str = "'"
    end: str = ";"
    is_require: bool = False


@dataclass(frozen=True, slots=True)
class ScriptImport:
    """`import { a, b } from 'module';`, `import a from 'module';` and what CommonJS has for them."""

    module: str
    shape: Literal["named", "default", "type", "whole"]
    hand: ScriptHand = ScriptHand()

    def write(self, names: tuple[str, ...]) -> str:
        hand = self.hand
        place = f"{hand.quote}{self.module}{hand.quote}"
        braced = f"{{ {', '.join(names)} }}"
        if hand.is_require:
            bound = braced if self.shape in {"named", "type"} else names[0]
            return f"const {bound} = require({place}){hand.end}"
        bound = {
            "named": braced,
            "type": f"type {braced}",
            "default": names[0],
            "whole": f"* as {names[0]}",
        }[self.shape]
        return f"import {bound} from {place}{hand.end}"
