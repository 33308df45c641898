"""The locked requirements fit what pyproject.toml asks for, and the scripts that tell of a wheel tell the truth."""

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
BUILD = [line for line in (ROOT / "requirements/build.in").read_text("utf-8").splitlines() if line[0] != "#"]


def locked(name):
    """The pinned version of every package, and its hashes."""
    entries = re.split(r"\n(?=\S)", (ROOT / "requirements" / name).read_text("utf-8").strip())
    pinned = {}
    for entry in entries:
        requirement = Requirement(re.split(r"\s\\\n", entry, maxsplit=1)[0])
        hashes = re.findall(r"--hash=sha256:[0-9a-f]{64}", entry)
        pinned[canonicalize_name(requirement.name)] = (next(iter(requirement.specifier)), hashes)
    return pinned


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("run.txt", [*PROJECT["project"]["dependencies"], *BUILD]),
        ("dev.txt", [*PROJECT["project"]["dependencies"], *BUILD, *PROJECT["dependency-groups"]["dev"]]),
    ],
)
def test_the_lock_holds_what_the_project_asks_for_with_hashes(name, wanted):
    pinned = locked(name)

    missing = [
        each
        for each in map(Requirement, wanted)
        if (found := pinned.get(canonicalize_name(each.name))) is None
        or not each.specifier.contains(found[0].version)
    ]

    assert missing == [], "run: make lock"
    assert all(one.operator == "==" and hashes for one, hashes in pinned.values())


def test_both_locks_name_the_same_versions():
    run, dev = locked("run.txt"), locked("dev.txt")

    assert {name: dev[name] for name in run} == run


def sbom_of(wheel):
    subprocess.run(
        [sys.executable, ROOT / ".ci/sbom.py", wheel], check=True, env={"SOURCE_DATE_EPOCH": "86400"}
    )
    return wheel.with_suffix(".cdx.json").read_bytes()


def test_the_list_of_a_wheel_names_all_it_needs_and_is_the_same_each_time(tmp_path):
    wheel = tmp_path / "shop-1.0-py3-none-any.whl"
    about = "Name: shop\nVersion: 1.0\nRequires-Dist: pytest>=1\nRequires-Dist: no-such; extra == 'more'\n"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("shop-1.0.dist-info/METADATA", about)

    first, second = sbom_of(wheel), sbom_of(wheel)

    assert first == second
    told = json.loads(first)
    names = {each["name"] for each in told["components"]}
    assert {"pytest", "pluggy"} <= names  # what it needs, and what that needs
    assert told["metadata"]["timestamp"] == "1970-01-02T00:00:00Z"
    refs = {each["ref"] for each in told["dependencies"]}
    assert {need for each in told["dependencies"] for need in each["dependsOn"]} <= refs


def test_an_audit_that_could_not_be_made_says_so(tmp_path):
    (tmp_path / "run.txt").write_text("shop==1.0 \\\n    --hash=sha256:00\n")
    nowhere = {"https_proxy": "http://127.0.0.1:9"}

    done = subprocess.run(
        [sys.executable, ROOT / ".ci/audit.py", tmp_path / "run.txt"],
        env=nowhere,
        capture_output=True,
        check=False,
    )

    assert (done.returncode, b"NOT AUDITED" in done.stdout) == (0, True)
