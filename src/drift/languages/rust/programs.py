"""Programs of the project that tests start by their names: `env!("CARGO_BIN_EXE_tool")`, `Command::cargo_bin("tool")`.

Each is a call of a path that linking leads to the `main` of that program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.frameworks import load_frameworks

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.rust.walk import RustWalk

_STARTING: Final = load_frameworks("rust").names("tests", "programs")
_SET_BY_CARGO: Final = "CARGO_BIN_EXE_"
_FUNCTIONS: Final = frozenset({"function", "method"})


def note_program(rust: RustWalk, node: Node, called: str, given: str | None) -> None:
    """Note that what stands in a function is about a program, if its name is given."""
    name = _program(called, given)
    if name is not None and rust.symbols[rust.scope].kind in _FUNCTIONS:
        rust.add_call(node, ("path", name), text=f"{called}({given})")


def note_program_constant(rust: RustWalk, node: Node, name: str) -> None:
    """Note a constant that holds the path of a program: `const TOOL: &str = env!("CARGO_BIN_EXE_tool");`."""
    macro = node.child_by_field_name("macro") if node.type == "macro_invocation" else None
    tokens = node.named_children[-1] if macro is not None else None
    given = rust.string_of(next(iter(tokens.named_children), None)) if tokens is not None else None
    program = _program("env", given) if macro is not None and rust.text.text(macro) == "env" else None
    if program is not None:
        rust.programs[name] = program


def _program(called: str, given: str | None) -> str | None:
    if given is None:
        return None
    if given.startswith(_SET_BY_CARGO):
        return given.removeprefix(_SET_BY_CARGO) or None
    return given if called in _STARTING else None


def settle_programs(rust: RustWalk) -> None:
    """Note calls for what functions are given of the constants that hold paths of programs."""
    for call in list(rust.calls) if rust.programs else ():
        if rust.symbols[call.scope].kind not in _FUNCTIONS:
            continue
        for _, value in call.arguments:
            if value is not None and value[0] in {"name", "outer"} and value[-1] in rust.programs:
                path: Expression = ("path", rust.programs[str(value[-1])])
                rust.calls.append(call._replace(callee=path, text=str(value[-1]), arguments=(), kind="call"))
