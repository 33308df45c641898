"""Clones of a small project: each kind is found where it was put, and what only looks alike is not."""

import json

import pytest

from drift.index import IndexReader, file_of_symbol
from drift.kernel.errors import DriftError
from drift.project import StateDir
from drift.quality.clones import Least
from drift.quality.clones.extraction import _joined
from drift.quality.duplicate_report import duplicates_report, measured_duplicates
from drift.quality.duplicates import Options, _holder, find_duplicates, kinds_of, refuse_gpu
from drift.quality.reporters import write_report
from drift.quality.scope import choose_scope
from drift.scan import ScanOptions, scan

BLOCK = """\
    total = 0
    for item in order.items:
        if item.price < 0:
            raise ValueError(item.name)
        total += item.price * item.count
    if order.voucher is not None:
        total -= order.voucher.amount
    order.total = round(total, 2)
    log.info("order %s is worth %s", order.id, order.total)
"""
EXACT = f"def price(order):\n    check(order)\n{BLOCK}    return order\n"
OTHER = f"def reprice(order, *, force):\n    if not force:\n        return None\n{BLOCK}    store(order)\n"
RENAMED = (
    "def weigh(parcel):\n"
    + BLOCK.replace("order", "parcel")
    .replace("total", "weight")
    .replace("item", "piece")
    .replace("price", "mass")
    + "    return parcel.sent\n"
)
# A loop put in, a line left out, a line changed.
GAPPED = f"def price_again(order):\n{BLOCK}".replace(
    "    if order.voucher", "    for fee in order.fees:\n        total += fee\n    if order.voucher"
).replace(
    "        total -= order.voucher.amount\n", "        total = order.voucher.apply(total, order.customer)\n"
)
# The same shape, but the names change places in the middle, and most lines say something else.
ALIKE = """\
def mix(left, right):
    sum = 0
    for part in left.parts:
        if right.limit < 0:
            raise TypeError(part.kind)
        sum += left.parts * part.kind
    if part.owner is not None:
        sum -= right.owner.limit
    part.sum = round(left, 2)
    log.info("part %s of %s", sum.kind, left.sum)
"""
FETCHES = """\
def fetch(log, reading):
    if reading.ready:
        {body}
    return log


def load_users(session):
    rows = query(session, "users")
    for row in rows:
        publish(clean(row))
    return finish(session)


def load_carts(db, limit):
    carts = []
    found = query(db, select("carts", limit), retries=3)
    for cart in found[:limit]:
        carts.append(publish(clean(cart, strict=True)))
    return finish(db) or carts


def query(session, name, retries=1):
    return session, name


def clean(row, strict=False):
    return row


def publish(row):
    return row


def finish(session):
    return session


def select(name, limit):
    return name
"""
TABLE = "\n".join(f'NAME_{number} = Field("{number}", width={number}, null=True)' for number in range(30))


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    root = tmp_path_factory.mktemp("clones")
    for name, text in {
        "a.py": EXACT,
        "b.py": OTHER,
        "c.py": RENAMED,
        "d.py": GAPPED,
        "e.py": ALIKE,
        "loads.py": FETCHES.format(body="log.a(reading)"),
        "table.py": TABLE,
        "generated_pb2.py": EXACT,
    }.items():
        (root / name).write_text(f"import log\n\n\n{text}")
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:
        yield root, reader


def places(shop, wanted, **options):
    root, reader = shop
    found = find_duplicates(reader, root, choose_scope(reader), Options(kinds_of(wanted), **options))
    rows = found.rows(reader, found.clusters)
    return (
        [(row.kind, tuple((one.file, one.line, one.end_line) for one in row.places)) for row in rows],
        found,
        rows,
    )


def test_the_same_lines_in_other_functions_are_an_exact_clone(shop):
    clusters, found, rows = places(shop, "exact")

    assert clusters == [("exact", (("a.py", 6, 14), ("b.py", 7, 15)))]
    assert rows[0].similarity == 1
    assert rows[0].extract.parameters == ()
    assert found.cloned == {"a.py": 9, "b.py": 9}
    assert 0 < found.percentage < 100


def test_other_names_in_the_same_places_are_a_renamed_clone_and_its_parameters(shop):
    clusters, _, rows = places(shop, "renamed")

    found = {kind: where for kind, where in clusters if any(file == "c.py" for file, _, _ in where)}
    assert {file for file, _, _ in found["renamed"]} == {"a.py", "b.py", "c.py"}
    row = next(one for one in rows if any(place.file == "c.py" for place in one.places))
    assert {"total", "item", "order"} <= set(row.extract.parameters)
    assert not {place.symbol for place in row.places} & set(row.extract.parameters), (
        "no function is given itself"
    )
    assert "e.py" not in {file for _, where in clusters for file, _, _ in where}


def test_statements_put_in_left_out_and_changed_are_a_gapped_clone(shop):
    clusters, _, rows = places(shop, "gapped")

    assert [kind for kind, _ in clusters] == ["gapped"]
    assert {"a.py", "d.py"} <= {file for file, _, _ in clusters[0][1]}
    assert 0.5 <= rows[0].similarity < 1


def test_functions_that_do_the_same_in_other_words_are_a_semantic_clone(shop):
    clusters, found, rows = places(shop, "semantic", threshold=0.7)

    assert [place.symbol for place in rows[0].places] == ["load_users", "load_carts"]
    assert len(clusters) == 1
    assert found.percentage == 0, "lines that are not the same are not duplicated"
    assert places(shop, "semantic", threshold=0.95)[0] == []


def test_all_kinds_are_told_once_and_never_more_than_there_is(shop):
    clusters, found, _ = places(shop, "all")

    assert len(clusters) == len(set(clusters))
    assert {kind for kind, _ in clusters} <= {"exact", "renamed", "gapped", "semantic"}
    assert {file for _, where in clusters for file, _, _ in where} >= {"a.py", "b.py", "c.py", "d.py"}
    assert all(found.cloned[path] <= found.lines[path] for path in found.cloned)
    assert "table.py" not in found.cloned, "rows of a table are no clones of each other"
    assert "generated_pb2.py" not in found.lines
    assert found.share("a.py") == pytest.approx(found.cloned["a.py"] / found.lines["a.py"])
    assert found.share("nowhere.py") is None


def test_small_clones_are_told_just_where_they_are_asked_for(shop):
    assert places(shop, "exact", min_lines=12)[0] == []
    small = places(shop, "exact", min_lines=2)[0]
    assert len(small) >= 1
    assert Options(min_lines=2).least == Least(2, 20)


def test_the_same_contents_are_not_searched_again(shop):
    root, reader = shop
    first, _ = measured_duplicates(reader, root, choose_scope(reader), Options(), check=lambda: None)
    again, costs = measured_duplicates(reader, root, choose_scope(reader), Options(), check=lambda: None)

    assert again is first
    assert costs.files == 7
    assert costs.statements > 60


def test_a_search_that_nobody_waits_for_ends(shop):
    root, reader = shop

    def cancelled():
        raise DriftError("CANCELLED", "gone")

    with pytest.raises(DriftError, match="gone"):
        find_duplicates(reader, root, choose_scope(reader), Options(min_lines=7), check=cancelled)


def test_a_report_has_a_finding_for_each_cluster_with_what_to_do(shop):
    root, reader = shop
    found = find_duplicates(reader, root, choose_scope(reader))
    report = duplicates_report(reader, found)

    results = json.loads(write_report(report, "sarif"))["runs"][0]["results"]
    assert len(results) == len(found.clusters)
    assert {one["ruleId"] for one in results} == {"duplication/clone"}
    assert all(one["properties"]["suggestion"].startswith(("Keep ", "Extract ")) for one in results)
    assert "duplicated_lines" in write_report(report, "csv") or "copies" in write_report(report, "csv")


def test_help_from_a_gpu_is_refused_with_a_reason():
    with pytest.raises(DriftError, match="nothing here runs on one"):
        refuse_gpu(wanted=True)


def test_what_a_tool_wrote_once_is_counted_apart_and_compared_on_request(tmp_path):
    for name in (
        "shop/price.py",
        "shop/migrations/0001_initial.py",
        "shop/migrations/0002_more.py",
        "shop/again.py",
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(EXACT)
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as reader:
        found = find_duplicates(reader, tmp_path, choose_scope(reader))
        asked = find_duplicates(reader, tmp_path, choose_scope(reader, "shop/migrations"))

    assert set(found.cloned) == {"shop/price.py", "shop/again.py"}
    assert any("2 Django migrations, 24 lines" in note for note in found.notes)
    assert set(asked.cloned) == {"shop/migrations/0001_initial.py", "shop/migrations/0002_more.py"}


@pytest.mark.parametrize(
    ("language", "name"),
    [("python", "load_all_part"), ("java", "loadAllPart"), ("csharp", "LoadAllPart")],
)
def test_what_is_to_be_extracted_is_named_as_its_language_names_functions(language, name):
    assert _joined(["load", "all", "part"], language) == name


def test_lines_behind_the_end_of_a_file_belong_to_it(shop):
    _, reader = shop
    module = next(one for one in reader.symbols.named("a") if one.kind == "module")

    assert _holder(reader, file_of_symbol(module.id), 1, 10_000) == module
