"""What of Rust is compiled for tests alone is no product, and who runs its tests."""

import pytest

from drift.analyses.callers import find_callers
from drift.analyses.lookup import find_symbols
from drift.analyses.testing.case_frameworks import CaseFrameworks
from drift.analyses.testing.frameworks import frameworks_in
from drift.analyses.testing.suites import Suites
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

CARGO = '[package]\nname = "shop"\n[dev-dependencies]\ncriterion = "1"\nactix-rt = "2"\n'
LIB = """\
pub fn made() -> u8 { 1 }
pub fn product() -> u8 { made() }
#[cfg(not(test))]
pub fn elsewhere() -> u8 { made() }
#[cfg(any(test, feature = "x"))]
pub fn shared() -> u8 { made() }
#[cfg(test)]
fn helper() -> u8 { made() }
pub struct Cart;
#[cfg(all(test, unix))]
impl Cart { fn filled() -> u8 { made() } }
#[cfg(test)]
mod tests {
    fn build() -> u8 { super::made() }
    #[actix_rt::test]
    async fn served() { build(); }
    #[my::own_test]
    fn written() { build(); }
}
"""
BENCH = "use criterion::Criterion;\nfn measure(c: &mut Criterion) { shop::made(); }\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    root = tmp_path_factory.mktemp("compiled")
    for path, text in {"Cargo.toml": CARGO, "src/lib.rs": LIB, "benches/load.rs": BENCH}.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as opened:
        yield opened, root


def test_code_that_is_compiled_for_tests_calls_from_a_test(project):
    reader, _ = project
    made = find_symbols(reader, "made").symbols[0]
    places = reader.callers.places([made.id])
    names = {one.id: one.qualname for one in reader.symbols.many({place.caller_id for place in places})}

    assert {names[place.caller_id] for place in places if not place.is_test} == {
        "product",
        "elsewhere",
        "shared",
    }
    assert {names[place.caller_id] for place in places if place.is_test} == {
        "helper", "Cart.filled", "tests.build", "measure",
    }  # fmt: skip
    assert reader.graph.in_tests(names) == {
        one for one, name in names.items() if name in {"helper", "Cart.filled", "tests.build"}
    }
    assert find_callers(reader, "made", file=None, max_depth=1).direct.counts.product_callers == 3


def test_what_is_compiled_for_tests_alone_needs_no_test(project):
    reader, _ = project

    assert [one.qualname for one in reader.testing.functions()] == ["made", "product", "elsewhere", "shared"]


def test_a_test_of_any_attribute_is_run_by_cargo_test(project):
    reader, root = project
    uses = frameworks_in(reader, root)
    suites = Suites(reader)
    suites.read_all(reader)
    cases = suites.cases.values()
    frameworks = CaseFrameworks(reader, uses, cases)

    assert {case.name: frameworks.name(case) for case in cases} == {
        "served": "rust test",
        "written": "rust test",
    }
