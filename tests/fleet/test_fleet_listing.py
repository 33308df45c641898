"""The list of a fleet is its owner's word, and what is no address, name or number is refused with the reason."""

import pytest

from drift.fleet import read_fleet
from drift.kernel.errors import DriftError, ErrorCode
from drift.project.git_mirror import Source


def read(tmp_path, text):
    (tmp_path / "fleet.toml").write_text(text)
    return read_fleet(tmp_path / "fleet.toml")


def repository(**fields):
    given = {"name": "shop", "url": "https://example.org/shop.git"} | fields
    return "[[repositories]]\n" + "".join(f"{key} = {value!r}\n" for key, value in given.items() if value)


def test_a_list_is_read_with_its_places_beside_it(tmp_path):
    text = 'workers = 3\nstore = "s3://bucket/fleet"\ninstructions = "rules"\n'
    fleet = read(tmp_path, text + repository(branch="main") + repository(name="own", url=None, path="../own"))

    assert (fleet.workers, fleet.store, fleet.home) == (3, "s3://bucket/fleet", tmp_path / "fleet")
    assert fleet.instructions == tmp_path / "rules"
    assert [each.source for each in fleet.repositories] == [
        Source("https://example.org/shop.git", "main"),
        Source(f"file://{tmp_path}/../own"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (repository(url="http://example.org/shop"), "must begin with https"),
        (repository(url="ext::sh -c id"), "must begin with https"),
        (repository(url="--upload-pack=id"), "must begin with https"),
        (repository(url="https://-oProxyCommand=id/x"), "must begin with https"),
        (repository(url="ssh://-oProxyCommand=id/x"), "must begin with https"),
        (repository(url="https://me:hunter2@example.org/x"), "no password"),
        (repository(url="https:///shop"), "no host"),
        (repository(url="file://host/shop"), "has no host"),
        (repository(url="https://example.org/a b"), "must begin with https"),
        (repository(branch="--orphan"), "no name of a branch"),
        (repository(branch="a..b"), "no name of a branch"),
        (repository(branch="main:refs/heads/x"), "no name of a branch"),
        (repository(name="../up"), "is not of letters"),
        (repository(name=".git"), "is not of letters"),
        (repository(path="x"), "url or path"),
        (repository(url=None), "url or path"),
        (repository(hook="x"), "is no key"),
        (repository() + repository(name="SHOP"), "there twice"),
        ("workers = 0\n", "workers must be a number"),
        ("workers = true\n", "workers must be a number"),
        ("repositories = 1\n", "must be a list"),
        ("repositories = [1]\n", "must be tables"),
        ("worker = 1\n", "is no key"),
        ("[[", "wrong"),
    ],
)
def test_what_is_wrong_with_a_list_is_named_and_no_password_is(tmp_path, text, said):
    with pytest.raises(DriftError, match=said) as refused:
        read(tmp_path, text)

    assert refused.value.code is ErrorCode.CONFIG_INVALID
    assert "hunter2" not in str(refused.value)


def test_a_list_that_is_not_there_says_how_to_name_one(tmp_path):
    with pytest.raises(DriftError) as refused:
        read_fleet(tmp_path / "none.toml")

    assert refused.value.code is ErrorCode.FILE_NOT_FOUND
