"""Rust: what its syntax means.

The methods of an impl stand below the type it is for, where the file has that type. Where it has not, they
stand below a symbol of kind `namespace` (modifier `impl`) with the type's name, whose base of kind `extends`
is the type, so that the linker can attach them; all impls of a type in one module share it. A trait impl
adds a base of kind `implements` to whichever symbol that is. `macro_rules` are symbols of kind `macro`, and
their calls have the text `name!`. Variants are constants of their enum, tuple fields are named `0`, `1` ….
Closures are symbols that go by the variable they are given to, or by rustc's `{closure#0}`. Types read as
`type_forms` says; what is compiled for tests alone has the modifier `test-only`; `panic!` and its kin are throws, `?` and `unwrap` are not.
"""

from drift.languages.facts import FileFacts
from drift.languages.rust.entries import settle_registrations
from drift.languages.rust.items import ITEM_HANDLERS, read_file
from drift.languages.rust.mounts import settle_mounts
from drift.languages.rust.programs import settle_programs
from drift.languages.rust.type_forms import TYPE_HANDLERS
from drift.languages.rust.type_items import settle_test_code, settle_traits
from drift.languages.rust.values import VALUE_HANDLERS
from drift.languages.rust.walk import RustWalk

__all__ = ["extract"]

_HANDLERS = {**TYPE_HANDLERS, **VALUE_HANDLERS, **ITEM_HANDLERS}


def extract(source: bytes, path: str) -> FileFacts:
    """The facts of a Rust file, whatever its bytes."""
    rust = RustWalk(source, path)
    rust.handlers = _HANDLERS
    with rust.walking():
        read_file(rust)
        settle_traits(rust)
        settle_test_code(rust)
        settle_registrations(rust)
        settle_mounts(rust)
        settle_programs(rust)
    return rust.finish("rust")
