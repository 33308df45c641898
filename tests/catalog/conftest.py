import itertools
import json
from datetime import UTC, datetime, timedelta

import pytest

from drift.catalog import Catalog, CatalogSettings, Places

START = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)


def places_in(root):
    return Places(root / "instructions", root / "catalog.db", root / "catalog-index.db", root / "catalog.db")


@pytest.fixture
def clock():
    """A clock that goes on by a second at each look."""
    seconds = itertools.count()
    return lambda: START + timedelta(seconds=next(seconds))


@pytest.fixture
def open_catalog(tmp_path, clock, keep_on):
    """Opens the catalog in a directory of the test, as often as is wanted, with any settings."""
    opened = []
    keep_on(catalog=tmp_path / "catalog.db")

    def open_it(root=tmp_path, **settings):
        catalog = Catalog(places_in(root), CatalogSettings(**settings), now=clock)
        opened.append(catalog)
        return catalog

    yield open_it
    for catalog in opened:
        catalog.close()


@pytest.fixture
def catalog(open_catalog):
    return open_catalog()


@pytest.fixture
def write(tmp_path):
    """Writes a file as a person would: in place, with whatever is given."""
    directory = tmp_path / "instructions"

    def write_it(name, content):
        directory.mkdir(exist_ok=True)
        data = content if isinstance(content, (bytes, str)) else json.dumps(content)
        path = directory / name
        path.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
        return path

    return write_it


@pytest.fixture
def entry():
    """A whole entry, with some fields changed."""

    def make(instruction_id="alpha", **changes):
        return {
            "id": instruction_id,
            "title": f"About {instruction_id}",
            "body": f"The body of {instruction_id}.",
            "priority": 50,
            "audience": "all",
            "requirement": "recommended",
            "categories": ["testing"],
            **changes,
        }

    return make
