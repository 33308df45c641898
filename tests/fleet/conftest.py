"""A fleet of small repositories, brought up once by a real cluster."""

import pytest
from small_fleet import FILES, make_repository, write_list

from drift.fleet import Wish, update_fleet


@pytest.fixture(scope="session")
def fleet(tmp_path_factory):
    """Three repositories and one that is not there, scanned by two workers. Only read it."""
    place = tmp_path_factory.mktemp("fleet")
    for name, files in FILES.items():
        make_repository(place / "origins" / name, files)
    found = write_list(place, [*FILES, "nowhere"], workers=2)
    update_fleet(found, Wish())
    return found
