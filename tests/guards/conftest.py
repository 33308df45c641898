"""A small shop that is scanned once: what texts that are not on disk are held against."""

import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from shop_texts import SHOP

from drift.conventions.picture import Picture, look
from drift.index import IndexReader
from drift.project import Project, StateDir, open_project
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


@pytest.fixture(scope="session")
def shop_project(shop: Path) -> Project:
    return open_project(shop, os.environ)


@pytest.fixture
def picture(reader: IndexReader, shop_project: Project) -> Picture:
    return look(reader, shop_project, date(2026, 1, 1))
