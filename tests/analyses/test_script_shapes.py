"""Shapes and enums of scripts: nothing runs the first, and who uses a member of the second uses it."""

from drift.analyses.callers import find_references
from drift.analyses.explain import explain_symbol
from drift.analyses.graph_rows import outside_warnings
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan


def test_a_shape_and_an_enum_of_scripts_are_told_with_what_uses_them(tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "cart.ts").write_text(
        "interface Cart { size: number }\nexport enum Size { Small = 'S', Large = 'L' }\n"
        "function fit(one: Cart) { return one.size > 3 ? Size.Large : Size.Small }\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        (cart,) = reader.symbols.named("Cart")
        (size,) = reader.symbols.named("Size")
        told = explain_symbol(reader, size, rows=5)

        assert outside_warnings(reader, cart) == ()
        assert [(one.symbol, one.times) for one in told.used_by] == [("fit", 2)]
        assert len(find_references(reader, [size])) == 2
