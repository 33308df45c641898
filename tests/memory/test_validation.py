"""Whether memories still hold, checked against real files and a real git history."""

import subprocess

import pytest

from drift.kernel.errors import DriftError
from drift.memory import Draft, FileLink, LinkKind, Relation
from drift.memory.citations import cite, find_lines, hash_file_content, hash_lines, split_lines
from drift.memory.truth.citation_checks import CitationState, Renames, check_citation, citing_missing_files
from drift.memory.truth.healing import archive_invalid, heal
from drift.memory.truth.validation import Dimension, Surroundings, Verdict, validate, verdict_of
from drift.memory.truth.validation_run import Scope, Treatment, examine, is_in_scope

DAY_MS = 86_400_000
CODE = "import json\n\n\ndef total(cents):\n    return cents\n\n\ndef other():\n    return json\n"


def git(root, *args):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run(["git", *identity, *args], cwd=root, check=True, capture_output=True)


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    (folder / "shop").mkdir(parents=True)
    (folder / "shop/pricing.py").write_text(CODE)
    return folder


@pytest.fixture
def repository(root):
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "first")
    return root


@pytest.fixture
def check(root):
    def run(link):
        return check_citation(root, link, Renames(root))

    return run


def surroundings(root, now_ms, *, contradictions=None, look_up=lambda _kind, _name: None):
    return Surroundings(root, Renames(root), contradictions or {}, look_up, now_ms)


def test_a_citation_hashes_the_file_or_its_lines(root):
    whole = cite(root, "shop/pricing.py")
    lines = cite(root, "./shop/pricing.py", start_line=4, end_line=5)

    assert whole == FileLink("shop/pricing.py", content_hash=hash_file_content(CODE.encode()))
    assert lines.content_hash == hash_lines([b"def total(cents):", b"    return cents"])


@pytest.mark.parametrize(
    ("path", "lines", "code"),
    [
        ("../outside.py", None, "PATH_OUTSIDE_PROJECT"),
        ("/etc/passwd", None, "PATH_OUTSIDE_PROJECT"),
        ("shop/gone.py", None, "FILE_NOT_FOUND"),
        ("shop", None, "FILE_NOT_FOUND"),
        ("shop/pricing.py", (9, 99), "INVALID_ARGUMENT"),
        ("shop/pricing.py", (0, 2), "INVALID_ARGUMENT"),
        ("shop/pricing\0.py", None, "INVALID_ARGUMENT"),
    ],
)
def test_what_cannot_be_cited_is_refused(root, path, lines, code):
    start, end = lines or (None, None)

    with pytest.raises(DriftError) as error:
        cite(root, path, start_line=start, end_line=end)

    assert error.value.code == code


def test_a_link_out_of_the_project_is_not_followed(root, tmp_path, check):
    (tmp_path / "secret.txt").write_text("key")
    (root / "inside.txt").symlink_to(tmp_path / "secret.txt")

    found = check(FileLink("inside.txt", content_hash=hash_file_content(b"key")))

    assert found.state is CitationState.MISSING
    assert "outside" in found.evidence


def test_a_pipe_is_not_waited_for(root, check):
    import os

    os.mkfifo(root / "pipe")

    assert check(FileLink("pipe")).state is CitationState.MISSING


def test_line_ends_and_an_open_last_line_do_not_change_the_hash_of_lines():
    assert split_lines(b"a\r\nb\r\n") == split_lines(b"a\nb") == [b"a", b"b"]
    assert split_lines(b"") == []


def test_of_two_places_with_the_same_lines_the_nearer_is_found():
    lines = [b"x", b"a", b"x", b"x", b"a"]

    assert find_lines(lines, hash_lines([b"a"]), count=1, near=4) == 5
    assert find_lines(lines, hash_lines([b"a"]), count=1, near=1) == 2
    assert find_lines(lines, hash_lines([b"b"]), count=1, near=1) is None
    assert find_lines([], hash_lines([b"b"]), count=3, near=1) is None


def test_an_unchanged_file_is_intact_and_an_edited_one_changed(root, check):
    link = cite(root, "shop/pricing.py")
    intact = check(link)
    (root / "shop/pricing.py").write_text(CODE + "\n# more\n")

    assert intact.state is CitationState.INTACT
    assert check(link).state is CitationState.CHANGED


def test_lines_that_moved_are_found_again(root, check):
    link = cite(root, "shop/pricing.py", start_line=4, end_line=5)
    (root / "shop/pricing.py").write_text("# a\n# b\n" + CODE)

    found = check(link)

    assert found.state is CitationState.MOVED
    assert found.now == FileLink("shop/pricing.py", 6, 7, link.content_hash)


def test_lines_that_were_edited_are_changed_and_lines_past_the_end_missing(root, check):
    link = cite(root, "shop/pricing.py", start_line=4, end_line=5)
    (root / "shop/pricing.py").write_text(CODE.replace("return cents", "return cents + 1"))

    assert check(link).state is CitationState.CHANGED
    assert check(FileLink("shop/pricing.py", 50, 60)).state is CitationState.MISSING
    assert check(FileLink("shop/pricing.py", 1, 2)).state is CitationState.UNHASHED


def test_a_foreign_hash_is_said_to_be_none(check):
    assert check(FileLink("shop/pricing.py", content_hash="sha256:abc")).state is CitationState.UNHASHED


def test_a_renamed_file_is_followed_through_several_commits(repository, check):
    link = cite(repository, "shop/pricing.py")
    lines = cite(repository, "shop/pricing.py", start_line=4, end_line=5)
    git(repository, "mv", "shop/pricing.py", "shop/prices.py")
    git(repository, "commit", "-q", "-m", "second")
    git(repository, "mv", "shop/prices.py", "shop/money.py")
    (repository / "shop/money.py").write_text("# header\n" + CODE)
    git(repository, "commit", "-q", "-am", "third")

    whole, part = check(link), check(lines)

    assert whole.state is CitationState.CHANGED
    assert whole.now.path == "shop/money.py"
    assert part.state is CitationState.MOVED
    assert part.now == FileLink("shop/money.py", 5, 6, lines.content_hash)
    assert "renamed to shop/money.py" in part.evidence


def test_a_rename_that_is_not_committed_yet_is_followed(repository, check):
    link = cite(repository, "shop/pricing.py")
    git(repository, "mv", "shop/pricing.py", "shop/prices.py")

    found = check(link)

    assert (found.state, found.now.path) == (CitationState.MOVED, "shop/prices.py")


def test_a_project_inside_a_repository_follows_its_own_paths(repository):
    link = cite(repository / "shop", "pricing.py")
    git(repository, "mv", "shop/pricing.py", "shop/prices.py")
    git(repository, "commit", "-q", "-m", "second")

    found = check_citation(repository / "shop", link, Renames(repository / "shop"))

    assert found.now.path == "prices.py"


@pytest.mark.parametrize("name", ["-x.py", "*.py", ":(glob)**", "a b.py", "é.py"])
def test_a_deleted_file_with_a_strange_name_is_missing(repository, check, name):
    (repository / name).write_text(name)
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "second")
    (repository / name).unlink()
    git(repository, "commit", "-q", "-am", "third")

    assert check(FileLink(name)).state is CitationState.MISSING


def test_without_git_a_missing_file_is_just_missing(check):
    assert check(FileLink("shop/gone.py")).state is CitationState.MISSING


def test_memories_that_cite_missing_files_are_named(root, store):
    good = store.add(Draft(type="insight", text="a", files=(FileLink("shop/pricing.py"),)), actor="t")
    bad = store.add(Draft(type="insight", text="b", files=(FileLink("gone.py"), FileLink("../x"))), actor="t")

    assert citing_missing_files(root, [good, bad]) == {bad.id}


def test_the_score_is_the_mean_of_what_could_be_checked(root, store):
    memory = store.add(
        Draft(type="insight", text="Prices", files=(FileLink("gone.py"),), functions=("total", "gone")),
        actor="t",
    )
    look_up = {"total": True, "gone": False}
    against = surroundings(
        root,
        memory.recorded_at_ms,
        look_up=lambda kind, name: look_up[name] if kind is LinkKind.FUNCTION else None,
    )

    found = validate(memory, against)

    scores = {one.dimension: one.score for one in found.findings}
    assert scores == {
        Dimension.CITATION: 0.0,
        Dimension.TEMPORAL: 1.0,
        Dimension.CONTRADICTION: None,
        Dimension.LINKS: 0.5,
    }
    assert found.score == 0.5
    assert all(one.evidence for one in found.findings)


def test_age_is_measured_in_half_lives_and_an_ended_validity_counts_nothing(root, store):
    memory = store.add(Draft(type="insight", text="Prices"), actor="t")
    ended = store.add(
        Draft(type="insight", text="Rates", valid_until_ms=memory.recorded_at_ms + DAY_MS), actor="t"
    )
    later = surroundings(root, memory.recorded_at_ms + 90 * DAY_MS)

    assert validate(memory, later).findings[1].score == pytest.approx(0.5)
    assert validate(ended, later).findings[1].score == 0
    assert validate(ended, later).is_expired


@pytest.mark.parametrize(
    ("score", "verdict"),
    [
        (1, "valid"),
        (0.7, "valid"),
        (0.69, "flagged"),
        (0.5, "flagged"),
        (0.3, "adjust"),
        (0.15, "review"),
        (0.1, "archive"),
    ],
)
def test_scores_mean_what_the_bounds_say(score, verdict):
    assert verdict_of(score) == Verdict(verdict)


def treat(store, root, now_ms, **treatment):
    current = store.list().memories
    return list(
        examine(
            store,
            current,
            among=current,
            root=root,
            look_up=lambda _kind, _name: None,
            treatment=Treatment("test", **treatment),
            now_ms=now_ms,
        )
    )


def test_healing_mends_a_moved_citation_and_says_that_it_was_proved(repository, store):
    link = cite(repository, "shop/pricing.py", start_line=4, end_line=5)
    memory = store.add(Draft(type="insight", text="Totals are in cents", files=(link,)), actor="t")
    git(repository, "mv", "shop/pricing.py", "shop/prices.py")
    now_ms = memory.recorded_at_ms + DAY_MS

    (seen,) = treat(store, repository, now_ms, auto_heal=True)

    healed = store.get(memory.id)
    assert healed.files == (FileLink("shop/prices.py", 4, 5, link.content_hash),)
    assert healed.last_validated_ms == now_ms
    assert seen.done.actions
    assert [entry.action for entry in store.history.of(memory.id)] == ["add", "update"]


def test_without_being_asked_nothing_is_changed(repository, store):
    link = cite(repository, "shop/pricing.py")
    memory = store.add(Draft(type="insight", text="Totals are in cents", files=(link,)), actor="t")
    git(repository, "mv", "shop/pricing.py", "shop/prices.py")

    (seen,) = treat(store, repository, memory.recorded_at_ms)

    assert seen.done is None
    assert len(store.history.of(memory.id)) == 1


def test_what_is_doubtful_is_believed_as_far_as_it_scored_and_not_revived(root, store):
    memory = store.add(Draft(type="insight", text="Prices", files=(FileLink("gone.py"),)), actor="t")
    now_ms = memory.recorded_at_ms + 45 * DAY_MS
    checked = validate(memory, surroundings(root, now_ms))

    heal(store, checked, actor="t", now_ms=now_ms)

    assert checked.verdict is Verdict.ADJUST
    assert store.get(memory.id).confidence == pytest.approx(checked.score)
    assert checked.score < checked.confidence


def test_the_weaker_side_of_a_contradiction_is_lowered_once(root, store):
    for text in ("The pool size is 8", "Measured. The pool size is 8", "The pool size is 16"):
        store.add(Draft(type="insight", text=text), actor="t")
    now_ms = store.list().memories[0].recorded_at_ms

    treat(store, root, now_ms, auto_heal=True)
    first = {one.text: one.confidence for one in store.list().memories}
    treat(store, root, now_ms, auto_heal=True)
    second = {one.text: one.confidence for one in store.list().memories}

    assert first["The pool size is 16"] < 1
    assert first["The pool size is 8"] == 1
    assert second == pytest.approx(first, abs=0.01)
    assert {edge.relation for edge in store.edges.all()} == {Relation.CONTRADICTS}


def test_where_the_sides_are_even_nobody_is_lowered(root, store):
    for text in ("The pool size is 8", "The pool size is 16"):
        store.add(Draft(type="insight", text=text), actor="t")

    treat(store, root, store.list().memories[0].recorded_at_ms, auto_heal=True)

    assert [one.confidence for one in store.list().memories] == [1.0, 1.0]
    assert len(store.edges.all()) == 1


def test_what_does_not_hold_is_archived_and_never_deleted(root, store):
    ended = store.add(Draft(type="insight", text="Rates", valid_until_ms=1_700_000_000_000), actor="t")
    faded = store.add(Draft(type="episodic", text="We looked at the logs"), actor="t")
    sound = store.add(Draft(type="core", text="A web shop in Python"), actor="t")

    treat(store, root, faded.recorded_at_ms + 60 * DAY_MS, remove_invalid=True, least_confidence=0.2)

    assert [store.get(one.id).archived for one in (ended, faded, sound)] == [True, True, False]
    assert "faded to 0.00, below 0.2" in store.get(faded.id).archive_reason


def test_archiving_leaves_what_holds(root, store):
    memory = store.add(Draft(type="core", text="A web shop"), actor="t")
    checked = validate(memory, surroundings(root, memory.recorded_at_ms))

    assert archive_invalid(store, checked, least_confidence=0.2, actor="t") is None


def test_scopes_choose_by_age_fading_and_importance(store):
    memory = store.add(Draft(type="insight", text="a"), actor="t")
    high = store.add(Draft(type="core", text="b", importance="high"), actor="t")
    late_ms = memory.recorded_at_ms + 91 * DAY_MS

    assert is_in_scope(memory, Scope.STALE, now_ms=late_ms)
    assert not is_in_scope(high, Scope.STALE, now_ms=late_ms)
    assert not is_in_scope(memory, Scope.RECENT, now_ms=late_ms)
    assert is_in_scope(memory, Scope.RECENT, now_ms=memory.recorded_at_ms)
    assert is_in_scope(high, Scope.HIGH_IMPORTANCE, now_ms=late_ms)
    assert not is_in_scope(memory, Scope.HIGH_IMPORTANCE, now_ms=late_ms)
