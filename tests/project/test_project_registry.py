import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.wire import to_wire
from drift.project.projects import ProjectRegistry, registry_path
from drift.project.registry_file import RegistryDocument

START = datetime(2026, 1, 1, tzinfo=UTC)

_ADD_MANY = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from drift.project.projects import ProjectRegistry
registry = ProjectRegistry(Path(sys.argv[1]), lambda: datetime.now(UTC))
for directory in sys.argv[2:]:
    registry.add(directory)
"""


class Clock:
    """A minute passes with every look."""

    def __init__(self):
        self.now = START

    def __call__(self):
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture
def file(tmp_path):
    return tmp_path / "home" / "projects.json"


@pytest.fixture
def registry(file):
    return ProjectRegistry(file, Clock())


@pytest.fixture
def make(tmp_path):
    def make(name: str) -> Path:
        (tmp_path / name).mkdir(parents=True)
        return tmp_path / name

    return make


def refused(code, call, *args):
    with pytest.raises(DriftError) as caught:
        call(*args)
    assert caught.value.code == code
    return caught.value


def test_the_place_of_the_list_can_be_chosen():
    assert registry_path({"HOME": "/home/me"}) == Path("/home/me/.drift/projects.json")
    assert registry_path({"HOME": "/home/me", "DRIFT_HOME": "/data"}) == Path("/data/projects.json")
    assert registry_path({"HOME": "/home/me", "DRIFT_HOME": "~/x"}) == Path("/home/me/x/projects.json")


def test_without_a_file_the_list_is_empty_and_no_file_is_made(registry, file):
    assert registry.list() == ()
    assert registry.active_id() is None
    assert registry.find("shop") is None
    assert not file.parent.exists()


def test_an_added_project_is_there_for_the_next_process(registry, file, make):
    added = registry.add(make("shop"))

    (found,) = ProjectRegistry(file, Clock()).list()

    assert found == added
    assert (found.name, found.is_valid, found.is_active) == ("shop", True, False)
    assert found.added_at == found.last_accessed == START + timedelta(minutes=1)


def test_an_entry_goes_over_the_wire(registry, make):
    path = make("shop")

    wire = to_wire(registry.add(path))

    assert wire["path"] == str(path)
    assert {"id", "name", "path", "addedAt", "lastAccessed", "isValid", "isActive"} == set(wire)


def test_adding_again_by_another_way_to_write_it_is_the_same_project(registry, make, tmp_path):
    first = registry.add(make("shop"))
    (tmp_path / "link").symlink_to(tmp_path / "shop")

    again = registry.add(tmp_path / "link" / ".." / "shop")

    assert again.id == first.id
    assert len(registry.list()) == 1
    assert again.last_accessed > first.last_accessed


def test_directories_of_the_same_name_get_a_number(registry, make):
    names = [registry.add(make(f"{parent}/shop")).name for parent in "abc"]

    assert names == ["shop", "shop-2", "shop-3"]


def test_adding_a_known_project_with_a_name_renames_it(registry, make):
    path = make("shop")
    registry.add(path)

    assert registry.add(path, "Store").name == "Store"


def test_a_name_that_is_taken_is_refused(registry, make):
    registry.add(make("shop"))

    refused(ErrorCode.INVALID_ARGUMENT, registry.add, make("other"), "shop")

    assert [entry.name for entry in registry.list()] == ["shop"]


@pytest.mark.parametrize("name", ["", "  ", "x" * 101, "a\nb", "a\x1b[31m", "a\0"])
def test_a_name_that_cannot_be_shown_is_refused(registry, make, name):
    path = make("shop")

    refused(ErrorCode.INVALID_ARGUMENT, registry.add, path, name)


@pytest.mark.parametrize("path", ["/no/such/place", "relative", "", "/a\0b", "/" + "x" * 5000])
def test_a_path_that_is_no_directory_is_refused(registry, file, path):
    refused(ErrorCode.INVALID_ARGUMENT, registry.add, path)

    assert not file.exists()


def test_a_directory_name_that_cannot_be_shown_is_made_fit(registry, tmp_path):
    odd = tmp_path / os.fsdecode(b"bad\n\xff")
    odd.mkdir()

    added = registry.add(odd)

    assert added.name == "bad__"
    assert registry.find(str(odd)) == added


class TestFind:
    def test_by_name_id_and_path(self, registry, make):
        path = make("shop")
        added = registry.add(path)

        assert registry.find("shop") == registry.find(added.id) == registry.find(str(path)) == added

    def test_an_exact_name_wins_over_one_in_another_case(self, registry, make):
        registry.add(make("a"), "Shop")
        lower = registry.add(make("b"), "shop")

        assert registry.find("shop") == lower

    def test_a_name_in_another_case_is_found_when_only_one_fits(self, registry, make):
        added = registry.add(make("a"), "Straße")

        assert registry.find("STRASSE") == added

    def test_a_name_that_fits_several_is_an_error_that_lists_them(self, registry, make):
        first = registry.add(make("a"), "Shop")
        second = registry.add(make("b"), "shop")

        error = refused(ErrorCode.INVALID_ARGUMENT, registry.find, "SHOP")

        assert set(error.recovery.similar) == {f"Shop ({first.id})", f"shop ({second.id})"}

    @pytest.mark.parametrize("name", ["", "nothing", "/no/such", "a\0b", "../shop", "x" * 10_000])
    def test_what_fits_nothing_is_none(self, registry, make, name):
        registry.add(make("shop"))

        assert registry.find(name) is None

    def test_getting_what_is_not_there_is_an_error_with_similar_names(self, registry, make):
        registry.add(make("webshop"))

        error = refused(ErrorCode.PROJECT_NOT_FOUND, registry.get, "webshp")

        assert error.recovery.similar == ("webshop",)


def test_removing_takes_it_off_the_list_and_leaves_the_files(registry, make):
    path = make("shop")
    (path / "file").touch()
    registry.add(path)
    registry.switch("shop")

    registry.remove("shop")

    assert registry.list() == ()
    assert registry.active_id() is None
    assert (path / "file").exists()


def test_renaming_keeps_the_id(registry, make):
    added = registry.add(make("shop"))

    renamed = registry.rename("shop", " Store ")

    assert (renamed.id, renamed.name) == (added.id, "Store")
    assert registry.find("shop") is None


def test_renaming_to_a_taken_name_is_refused(registry, make):
    registry.add(make("a"))
    registry.add(make("b"))

    refused(ErrorCode.INVALID_ARGUMENT, registry.rename, "a", "b")


def test_switching_makes_one_active_and_the_others_not(registry, make):
    registry.add(make("a"))
    second = registry.add(make("b"))

    registry.switch("a")
    switched = registry.switch("b")

    assert switched.is_active
    assert registry.active_id() == second.id
    assert [entry.is_active for entry in registry.list()] == [False, True]


@pytest.mark.parametrize("verb", ["remove", "switch", "touch"])
def test_changing_what_is_not_there_is_an_error(registry, verb):
    refused(ErrorCode.PROJECT_NOT_FOUND, getattr(registry, verb), "nothing")


def test_the_ones_used_last_come_first(registry, make):
    for name in "abc":
        registry.add(make(name))
    registry.touch("a")

    assert [entry.name for entry in registry.recent(2)] == ["a", "c"]
    refused(ErrorCode.INVALID_ARGUMENT, registry.recent, 0)


def test_a_project_whose_directory_is_gone_is_listed_as_not_valid(registry, make):
    path = make("shop")
    registry.add(path)
    path.rmdir()

    (entry,) = registry.list()

    assert not entry.is_valid
    assert registry.remove("shop").id == entry.id


class TestFile:
    @pytest.mark.parametrize(
        "content",
        [b"", b"{", b"[]", b'"text"', b'{"projects": {}}', b"\xff\xfe\x00", b"[" * 100_000, b"1" * 5000],
    )
    @pytest.mark.parametrize("verb", ["list", "add"])
    def test_a_damaged_one_is_kept_aside_and_told_of(self, registry, file, make, content, verb):
        file.parent.mkdir()
        file.write_bytes(content)

        registry.list() if verb == "list" else registry.add(make("shop"))

        kept = file.with_name("projects.json.corrupt-1")
        assert kept.read_bytes() == content
        (problem,) = registry.problems
        assert str(kept) in problem

    def test_each_damaged_one_is_kept(self, registry, file):
        file.parent.mkdir()
        for content in (b"first", b"second"):
            file.write_bytes(content)
            registry.list()

        assert file.with_name("projects.json.corrupt-1").read_bytes() == b"first"
        assert file.with_name("projects.json.corrupt-2").read_bytes() == b"second"

    def test_what_we_do_not_know_is_preserved(self, registry, file, make):
        path = make("shop")
        registry.add(path)
        raw = json.loads(file.read_text())
        raw["theme"] = {"dark": True}
        raw["projects"][0]["tags"] = ["web"]
        raw["projects"].append({"name": "no path", "note": "kept"})
        raw["projects"].append("nonsense")
        file.write_text(json.dumps(raw))

        registry.rename("shop", "store")
        registry.switch("store")
        registry.add(make("other"))
        registry.remove("other")

        after = json.loads(file.read_text())
        assert after["theme"] == {"dark": True}
        assert after["projects"][0]["tags"] == ["web"]
        assert after["projects"][1:] == [{"name": "no path", "note": "kept"}, "nonsense"]
        assert len(registry.problems) == 2

    def test_a_link_to_it_stays_a_link(self, tmp_path, make):
        (tmp_path / "dotfiles").mkdir()
        (tmp_path / "projects.json").symlink_to(tmp_path / "dotfiles" / "projects.json")

        ProjectRegistry(tmp_path / "projects.json", Clock()).add(make("shop"))

        assert (tmp_path / "projects.json").is_symlink()
        assert (tmp_path / "dotfiles" / "projects.json").exists()

    def test_a_directory_in_its_place_is_an_error_with_a_way_out(self, registry, file, make):
        file.mkdir(parents=True)

        refused(ErrorCode.STORE_UNAVAILABLE, registry.list)
        error = refused(ErrorCode.STORE_UNAVAILABLE, registry.add, make("shop"))

        assert error.recovery.hint

    def test_a_path_no_file_system_can_hold_is_listed_as_not_valid(self, registry, file):
        file.parent.mkdir()
        file.write_text(json.dumps({"projects": [{"name": "long", "path": "/" + "x" * 5000}]}))

        assert [entry.is_valid for entry in registry.list()] == [False]

    def test_times_written_by_hand_can_be_sorted_with_others(self, registry, file, make):
        registry.add(make("a"))
        registry.add(make("b"))
        raw = json.loads(file.read_text())
        raw["projects"][0]["lastAccessed"] = "2030-01-01T00:00:00"
        raw["projects"][1]["lastAccessed"] = "soon"
        file.write_text(json.dumps(raw))

        assert [entry.name for entry in registry.recent()] == ["a", "b"]
        assert registry.recent()[1].last_accessed is None


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
_ENTRY = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("id", "name", "path", "addedAt", "lastAccessed"), _JSON)
)


@given(st.fixed_dictionaries({"projects": st.lists(_ENTRY | _JSON, max_size=4)}, optional={"active": _JSON}))
def test_no_content_makes_reading_raise_and_all_of_it_survives_writing(raw):
    content = json.dumps(raw).encode()
    document = RegistryDocument.parse(content)

    shown = document.entries()

    assert len(shown) + len(document.problems()) == len(raw["projects"])
    assert json.loads(document.render()) == raw


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=30)
@given(name=st.text(max_size=120))
def test_a_name_is_found_again_or_was_refused(tmp_path_factory, name):
    root = tmp_path_factory.mktemp("any")
    registry = ProjectRegistry(root / "projects.json", Clock())
    try:
        added = registry.add(root, name)
    except DriftError as error:
        added = error

    if isinstance(added, DriftError):
        assert added.code == ErrorCode.INVALID_ARGUMENT
    else:
        assert registry.find(added.name) == added


@pytest.mark.slow
def test_two_processes_that_add_fifty_projects_each_lose_none(file, make):
    groups = [[str(make(f"{group}{number}")) for number in range(50)] for group in "ab"]

    running = [subprocess.Popen([sys.executable, "-c", _ADD_MANY, str(file), *group]) for group in groups]

    assert [process.wait() for process in running] == [0, 0]
    listed = {entry.name for entry in ProjectRegistry(file, Clock()).list()}
    assert listed == {f"{group}{number}" for group in "ab" for number in range(50)}
