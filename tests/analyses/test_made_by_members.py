"""Types that only their own members make: their callers are those of the members."""

from drift.analyses.callers import find_callers
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

SHAPES = """pub struct Shape { width: f64 }
impl Shape {
    pub const SIDES: u32 = 4;
    pub fn new(width: f64) -> Self { Shape { width } }
}
pub struct Open { pub width: f64 }
impl Open {
    pub fn new() -> Self { Open { width: 1.0 } }
}
"""
LIB = """mod shapes;
use shapes::{Open, Shape};
pub fn make() -> Shape { Shape::new(2.0) }
pub fn count() -> u32 { Shape::SIDES }
pub fn open() -> Open { Open { width: 2.0 } }
"""


def _warnings(tmp_path, name):
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text('[package]\nname = "shop"\n')
    (tmp_path / "src" / "lib.rs").write_text(LIB)
    (tmp_path / "src" / "shapes.rs").write_text(SHAPES)
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as reader:
        return find_callers(reader, name, file=None, max_depth=1).warnings()


def test_a_type_that_only_its_members_make_is_told_with_their_uses(tmp_path):
    (warning,) = _warnings(tmp_path, "Shape")

    assert warning == (
        "only its own members make Shape (src/shapes.rs:1); its members are called in 1 place and named as constants "
        "in 1 place: src/lib.rs:3"
    )


def test_a_type_that_others_make_has_its_callers(tmp_path):
    assert _warnings(tmp_path, "Open") == ()
