"""Whole scans of real directories."""

import gc
import os
import random
import shutil
import subprocess
import sys
import time

import pytest
from index_dump import dump_index

from drift.index import IndexReader, read_index_state
from drift.index.transaction import IndexTransaction
from drift.project import StateDir
from drift.scan import ScanOptions, scan
from drift.scan.discovery import DiscoverOptions

SHOP = {
    "shop/__init__.py": "from .cart import Cart\n",
    "shop/cart.py": (
        "from shop.prices import price_of\n\n\n"
        "class Cart:\n    def __init__(self):\n        self.items = []\n\n"
        "    def add(self, item):\n        self.items.append(item)\n        return self.total()\n\n"
        "    def total(self):\n        return sum(price_of(item) for item in self.items)\n"
    ),
    "shop/prices.py": "TABLE = {'apple': 3}\n\n\ndef price_of(item):\n    return TABLE[item]\n",
    "shop/main.py": "from shop import Cart\n\n\ndef main():\n    cart = Cart()\n    return cart.add('apple')\n",
    "web/app.ts": "import { go } from './go';\nexport function start() { return go(1); }\n",
    "web/go.ts": "export function go(n: number) { return n; }\n",
    "pyproject.toml": "[project]\nname = 'shop'\n",
}
ONE_PROCESS = ScanOptions(jobs=0)


def write(root, files):
    for path, text in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


@pytest.fixture
def shop(tmp_path):
    root = tmp_path / "shop"
    write(root, SHOP)
    return root


def index_of(root):
    return StateDir(root).index_db


def callers_of(root, name):
    with IndexReader(index_of(root)) as reader:
        (symbol,) = [each for each in reader.symbols.named(name) if each.kind in {"function", "method"}]
        return sorted(each.symbol.qualname for each in reader.calls.callers(symbol.id))


def test_a_build_leaves_the_garbage_collector_as_it_was_even_if_it_fails(tmp_path, monkeypatch):
    write(tmp_path, SHOP)
    scan(tmp_path, ONE_PROCESS)
    assert gc.isenabled()

    monkeypatch.setattr(IndexTransaction, "add_file", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        scan(tmp_path, ScanOptions(jobs=0, is_forced=True))

    assert gc.isenabled()


def test_a_first_scan_finds_files_symbols_and_who_calls_whom(shop):
    report = scan(shop, ONE_PROCESS)

    assert report.mode == "full"
    assert report.languages == {"python": 4, "typescript": 2}
    assert report.failures == ()
    assert callers_of(shop, "price_of") == ["Cart.total"]
    assert callers_of(shop, "add") == ["main"]


def test_a_scan_of_unchanged_files_reads_none(shop):
    first = scan(shop, ONE_PROCESS)
    second = scan(shop, ONE_PROCESS)

    assert (second.mode, second.read) == ("none", 0)
    assert second.generation == first.generation


def test_an_edit_is_seen_and_only_the_edited_file_is_read(shop):
    scan(shop, ONE_PROCESS)
    write(
        shop,
        {"shop/main.py": "from shop.prices import price_of\n\n\ndef main():\n    return price_of('apple')\n"},
    )

    report = scan(shop, ONE_PROCESS)

    assert (report.mode, report.read) == ("update", 1)
    assert callers_of(shop, "price_of") == ["Cart.total", "main"]
    assert callers_of(shop, "add") == []


def test_methods_in_other_files_than_their_type_override_once_and_after_an_edit_too(tmp_path):
    texts = {
        "go.mod": "module example.com/shop\n",
        "web.go": "package shop\ntype Rights interface { CanRead() bool; CanWrite() bool }\n",
        "token.go": "package shop\ntype Token struct { id int; Rights }\n",
        "token_rights.go": "package shop\nfunc (t *Token) CanRead() bool { return true }\n",
    }
    write(tmp_path / "edited", texts)
    scan(tmp_path / "edited", ONE_PROCESS)

    for edit in (
        {"token.go": "package shop\n\ntype Token struct { id string; Rights }\n"},
        {"token_rights.go": "package shop\nfunc (t *Token) CanWrite() bool { return true }\n"},
    ):
        texts |= edit
        write(tmp_path / "edited", edit)
        scan(tmp_path / "edited", ONE_PROCESS)
    write(tmp_path / "new", texts)
    scan(tmp_path / "new", ONE_PROCESS)

    dumped = dump_index(index_of(tmp_path / "edited"))
    assert len(dumped["overrides"]) == 1
    assert dumped == dump_index(index_of(tmp_path / "new"))


def test_many_processes_find_what_one_does(tmp_path):
    for name in ("one", "many"):
        for number in range(40):
            write(tmp_path / name, {f"m{number}.py": f"def f{number}(x):\n    return f{number}(x)\n"})

    scan(tmp_path / "one", ONE_PROCESS)
    scan(tmp_path / "many", ScanOptions(jobs=3))

    assert dump_index(index_of(tmp_path / "one")) == dump_index(index_of(tmp_path / "many"))


def test_a_file_that_cannot_be_read_is_recorded_and_stops_nothing(shop, monkeypatch):
    (shop / "shop/prices.py").chmod(0)
    if os.access(shop / "shop/prices.py", os.R_OK):
        pytest.skip("root reads everything")

    report = scan(shop, ONE_PROCESS)

    assert report.files == 5


EDITS = (
    (
        "shop/prices.py",
        "def price_of(item):\n    return len(item)\n\n\ndef other():\n    return price_of('x')\n",
    ),
    ("shop/prices.py", SHOP["shop/prices.py"]),
    ("shop/cart.py", "class Cart:\n    def add(self, item):\n        return item\n"),
    ("shop/cart.py", SHOP["shop/cart.py"]),
    (
        "shop/extra.py",
        "from shop.cart import Cart\n\n\nclass Big(Cart):\n    def total(self):\n        return 1\n",
    ),
    ("shop/extra.py", None),
    (
        "web/go.ts",
        "export function go(n: number) { return helper(n); }\nfunction helper(n: number) { return n; }\n",
    ),
    ("web/go.ts", None),
    ("web/go.ts", SHOP["web/go.ts"]),
    ("shop/broken.py", "def half(:\n  pass\nclass Whole:\n    def m(self): return self.m()\n"),
    ("shop/main.py", ""),
    ("shop/main.py", SHOP["shop/main.py"]),
)


@pytest.mark.parametrize("seed", range(4))
def test_after_any_edits_the_index_is_what_a_full_scan_makes(tmp_path, seed):
    chance = random.Random(seed)
    root, fresh = tmp_path / "edited", tmp_path / "fresh"
    write(root, SHOP)
    scan(root, ONE_PROCESS)

    for _ in range(8):
        for path, text in chance.sample(EDITS, chance.randint(1, 3)):
            if text is None:
                (root / path).unlink(missing_ok=True)
            else:
                write(root, {path: text})
        if chance.random() < 0.3 and (root / "shop/prices.py").exists():
            (root / "shop/prices.py").rename(root / "shop/moved.py")
        scan(root, ONE_PROCESS)

        shutil.rmtree(fresh, ignore_errors=True)
        shutil.copytree(root, fresh, ignore=shutil.ignore_patterns(".drift"))
        scan(fresh, ONE_PROCESS)
        assert dump_index(index_of(root)) == dump_index(index_of(fresh))


@pytest.mark.slow
def test_a_scan_killed_at_any_moment_leaves_the_old_index_or_the_new(tmp_path):
    root = tmp_path / "big"
    for number in range(60):
        write(
            root,
            {f"pkg/m{number}.py": SHOP["shop/cart.py"].replace("shop.prices", f"pkg.m{(number + 1) % 60}")},
        )
    code = (
        "import sys; from pathlib import Path; from drift.scan import ScanOptions, scan;"
        "scan(Path(sys.argv[1]), ScanOptions(jobs=2, is_forced=True))"
    )
    command = [sys.executable, "-c", code, str(root)]
    subprocess.run(command, check=True)
    before = dump_index(index_of(root))

    for attempt in range(6):
        process = subprocess.Popen(command)
        time.sleep(0.15 * attempt + 0.05)
        process.kill()
        process.wait()

        assert read_index_state(index_of(root)).problem is None
        assert dump_index(index_of(root)) == before


def test_only_the_wanted_languages_and_sizes_are_read(shop):
    write(shop, {"shop/huge.py": "x = 1\n" * 1000})

    report = scan(
        shop,
        ScanOptions(jobs=0, wanted=DiscoverOptions(languages=frozenset({"python"}), max_file_bytes=2_000)),
    )

    assert report.languages == {"python": 4}
    assert report.skipped == {"excluded": 2, "oversized": 1}


def test_progress_goes_through_the_phases_in_order(shop):
    seen = []

    scan(shop, ONE_PROCESS, progress=lambda phase, done, total: seen.append(phase))

    assert list(dict.fromkeys(seen)) == ["discover", "extract", "link"]
