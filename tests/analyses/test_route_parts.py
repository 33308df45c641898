"""Parts of routes that are filled in between literal texts, and the requests of tests that lead to them."""

import pytest

from drift.analyses.entry_points import find_entry_points
from drift.analyses.running.clients import client_runs
from drift.analyses.running.route_parts import Mixed, equal_parts, fits, read_parts, read_route_parts
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan


@pytest.mark.parametrize(
    ("route", "path", "is_it"),
    [
        ("/tiles/{y}.{ext}", "/tiles/0", False),
        ("/tiles/{y}.{ext}", "/tiles/0.png", True),
        ("/tiles/{y}.{ext}", "/tiles/.png", False),
        ("/tiles/{y}.{ext}", "/tiles/{n}", True),
        ("/tiles/{y}.jpeg", "/tiles/0.png", False),
        ("/tiles/{y}.jpeg", "/tiles/0.JPEG", True),
        ("/tiles/{y}@2x.png", "/tiles/0@2x.png", True),
        ("/tiles/@{user}", "/tiles/me", False),
        ("/tiles/@{user}", "/tiles/@me", True),
        ("/tiles/{a}.{b}.{c}", "/tiles/1.2", False),
        ("/tiles/{a}.{b}.{c}", "/tiles/1.2.3", True),
        ("/tiles/{from}-{to}", "/tiles/1-2", True),
        ("/tiles/{id:[0-9]{2}}.json", "/tiles/1", True),  # nothing is said of what a pattern fits
        ("/tiles/{id}.{format?}", "/tiles/1", True),
        ("/tiles/{*rest}", "/tiles/1", True),
        (r"/tiles/(?P<id>\d+)\.json", "/tiles/1", True),
        ("/tiles/<int:id>.json", "/tiles/1", False),
    ],
)
def test_literal_text_in_a_part_of_a_route_is_in_the_request(route, path, is_it):
    assert fits(read_route_parts(route), read_parts(path)) is is_it


def test_a_part_with_literal_text_counts_for_more_than_an_open_one():
    asked = read_parts("/tiles/0.png")

    assert read_route_parts("/tiles/{y}.{ext}") == ("tiles", Mixed(("", ".", "")))
    assert equal_parts(read_route_parts("/tiles/{y}.{ext}"), asked) == 2
    assert equal_parts(read_route_parts("/tiles/{y}"), asked) == 1


LIB = """\
use actix_web::{get, route};
#[route("/tiles/{z}/{y}", method = "GET", method = "HEAD")]
#[hotpath::measure]
#[instrument(skip(a), fields(admin))]
#[cfg(feature = "login")]
pub async fn plain() {}
#[get("/tiles/{z}/{y}.{ext}")]
pub async fn with_format() {}
"""
TESTS = """\
use rstest::rstest;
#[rstest]
#[case("/tiles/0/1.pbf")]
#[case::named("/tiles/0/2.png")]
#[tokio::test]
async fn cased(#[case] path: &str) { server().get(path).await; }
#[rstest]
async fn valued(#[values("/tiles/0/3", "/tiles/0/4")] path: &str) { server().get(path).await; }
"""


def test_a_test_of_several_cases_asks_for_the_path_of_each(tmp_path):
    for path, text in {
        "Cargo.toml": '[package]\nname = "x"\n',
        "src/lib.rs": LIB,
        "tests/all.rs": TESTS,
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as reader:
        asked = [(run.user, run.used) for run in client_runs(reader)]
        names = {one.id: one.name for one in reader.symbols.many({each for pair in asked for each in pair})}
        found = find_entry_points(reader)
        rows = {row.handler: row for row in found.data(found.placed).entry_points}

    assert {(names[user], names[used]) for user, used in asked} == {
        ("cased", "with_format"),
        ("valued", "plain"),
    }
    assert (rows["plain"].method, rows["plain"].guards) == ("GET,HEAD", None)
