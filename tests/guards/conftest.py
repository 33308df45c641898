"""A small shop that is scanned once: what texts that are not on disk are held against."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from shop_texts import SHOP

from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import scan


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("shop")
    for path, text in SHOP.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root)
    return root


@pytest.fixture
def reader(shop: Path) -> Iterator[IndexReader]:
    with IndexReader(StateDir(shop).index_db) as found:
        yield found
