"""Linking in several processes: the same index as from one, whatever becomes of the processes."""

import shutil
import subprocess
from pathlib import Path

import pytest
from index_dump import dump_index

from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, link_pool, scan

PROJECTS = Path(__file__).parents[1] / "projects"
LANGUAGES = ("cpp", "csharp", "go", "java", "php", "python", "ruby", "rust", "typescript")
ONE = ScanOptions(jobs=1, is_forced=True)
SIDE_BY_SIDE = ScanOptions(jobs=2, is_forced=True)
SHOP = {
    "cart.py": "from prices import Price\n\n\ndef total(items):\n    return sum(Price(each).of() for each in items)\n",
    "prices.py": "class Price:\n    def __init__(self, item):\n        self.item = item\n\n    def of(self):\n        return 3\n",
    "sale.py": "from prices import Price\n\n\nclass Sale(Price):\n    def of(self):\n        return super().of() - 1\n",
    "shop.py": "from cart import total\n\n\ndef main():\n    return total(['apple'])\n",
}


@pytest.fixture
def started(monkeypatch):
    """The processes that link, in projects however small."""
    found = []

    def start(*args, **options):
        process = subprocess.Popen(*args, **options)
        found.append(process)
        return process

    monkeypatch.setattr(link_pool, "_WORTH_BYTES", 100)
    monkeypatch.setattr(link_pool, "subprocess", type("", (), {"Popen": start, "PIPE": subprocess.PIPE}))
    return found


@pytest.fixture
def shop(tmp_path):
    for path, text in SHOP.items():
        (tmp_path / path).write_text(text)
    return tmp_path


def dump_of(root, options):
    scan(root, options)
    return dump_index(StateDir(root).index_db)


def test_two_processes_find_what_one_finds_in_every_language(tmp_path, started):
    for language in LANGUAGES:
        shutil.copytree(PROJECTS / language, tmp_path / language)
    alone = dump_of(tmp_path, ONE)
    assert not started

    assert dump_of(tmp_path, SIDE_BY_SIDE) == alone
    assert len(started) == 2
    assert all(process.returncode is not None for process in started)


@pytest.mark.parametrize(
    "statement", ["sys.exit(3)", "from drift.scan.link_worker import receive; receive(sys.stdin.buffer)"]
)
def test_where_a_process_is_lost_this_one_links(shop, started, monkeypatch, caplog, statement):
    alone = dump_of(shop, ONE)
    monkeypatch.setattr(link_pool, "_RUN_WORKER", statement)

    assert dump_of(shop, SIDE_BY_SIDE) == alone
    assert started
    assert "linked in one process" in caplog.text


def test_a_fault_in_another_process_costs_its_file_alone(shop, started, monkeypatch):
    fault = "from drift.scan.link import link as m; f = m.write_links; m.write_links = lambda a, t: f(a, t) if t.path != 'sale.py' else {}[0]"
    monkeypatch.setattr(link_pool, "_RUN_WORKER", f"{fault}; {link_pool._RUN_WORKER}")

    report = scan(shop, SIDE_BY_SIDE)

    assert started
    assert [failure.path for failure in report.failures] == ["sale.py"]
    with IndexReader(StateDir(shop).index_db) as reader:
        (total,) = reader.symbols.named("total")
        assert [each.symbol.name for each in reader.calls.callers(total.id)] == ["main"]


def test_a_scan_that_is_broken_off_ends_its_processes_and_keeps_the_old_index(shop, started):
    before = dump_of(shop, ONE)

    def break_off(phase, done, _total):
        if phase == "link" and done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scan(shop, SIDE_BY_SIDE, progress=break_off)

    assert [process.returncode for process in started] == [-9, -9]
    assert dump_index(StateDir(shop).index_db) == before


def test_a_changed_file_sees_what_files_beside_it_override(shop, started):
    bill = shop / "bill.py"
    bill.write_text("from prices import Price\n\n\ndef bill(price: Price):\n    return price.of()\n")
    scan(shop, ONE)
    bill.write_text(f"{bill.read_text()}\n\ndef again(price: Price):\n    return price.of()\n")

    updated = dump_of(shop, ScanOptions(jobs=2))

    assert len(started) == 2
    with IndexReader(StateDir(shop).index_db) as reader:
        (again,) = reader.symbols.named("again")
        assert {each.symbol.qualname for each in reader.calls.callees(again.id)} == {"Price.of", "Sale.of"}
    assert updated == dump_of(shop, ONE)
