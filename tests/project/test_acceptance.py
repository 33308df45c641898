"""What was accepted at this machine: kept in Drift's home, added to by any number of processes, never guessed."""

import stat

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.project import acceptance
from drift.project.acceptance import Acceptance, digest_of


@pytest.fixture
def accepted(tmp_path):
    return Acceptance.of(tmp_path / "project", {"DRIFT_HOME": str(tmp_path / "home")})


def digests(*contents):
    return [digest_of("instruction", "a.json", content.encode()) for content in contents]


def test_what_was_accepted_is_known_to_every_other_look(accepted, tmp_path):
    one, two, other = digests("one", "two", "other")

    accepted.add([one, two, one])
    accepted.add([two])

    again = Acceptance.of(tmp_path / "project", {"DRIFT_HOME": str(tmp_path / "home")})
    assert again.digests() == {one, two}
    assert other not in again.digests()
    assert accepted.path.read_text().split() == [one, two]
    assert stat.S_IMODE(accepted.path.stat().st_mode) == 0o600


def test_another_name_or_content_is_another_digest():
    assert len({*digests("one", "two"), digest_of("instruction", "b.json", b"one")}) == 3


def test_projects_have_what_they_accepted_apart(accepted, tmp_path):
    accepted.add(digests("one"))

    other = Acceptance.of(tmp_path / "other", {"DRIFT_HOME": str(tmp_path / "home")})
    assert other.digests() == frozenset()


def test_what_is_deleted_is_accepted_no_more(accepted):
    accepted.add(digests("one"))
    accepted.digests()
    accepted.path.unlink()

    assert accepted.digests() == frozenset()


@pytest.mark.parametrize("environ", [{}, {"HOME": ""}])
def test_without_a_home_nothing_is_accepted_and_nothing_can_be(environ, tmp_path, monkeypatch):
    monkeypatch.setattr("pathlib.Path.home", _no_home)
    nowhere = Acceptance.of(tmp_path, environ)

    nowhere.add([])
    with pytest.raises(DriftError) as refused:
        nowhere.add(digests("one"))

    assert refused.value.code == ErrorCode.STORE_UNAVAILABLE
    assert nowhere.digests() == frozenset()


def _no_home():
    raise RuntimeError("Could not determine home directory.")


def test_a_home_that_cannot_be_written_is_told_with_a_way_out(accepted, tmp_path):
    (tmp_path / "home").write_text("a file where the folder should be")

    with pytest.raises(DriftError) as refused:
        accepted.add(digests("one"))

    assert refused.value.code == ErrorCode.STORE_UNAVAILABLE
    assert "DRIFT_HOME" in refused.value.recovery.hint


def test_of_very_many_the_newest_are_kept(accepted, monkeypatch):
    monkeypatch.setattr(acceptance, "_MOST_KEPT", 3)
    all_of_them = digests(*map(str, range(10)))

    for each in all_of_them:
        accepted.add([each])

    assert set(all_of_them[-3:]) <= accepted.digests()
    assert len(accepted.digests()) <= 6
