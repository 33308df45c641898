"""Markdown of a project, kept section by section."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.kernel.errors import DriftError, ErrorCode
from drift.memory import Listing
from drift.memory.transfer.ingest import find_documents, ingest_documents
from drift.memory.transfer.markdown_sections import read_sections

README = """# Shop

A shop that sells things to people.

## Install

Run the installer and wait for it.

```sh
# not a heading
install it now
```

## Use

Open the page and buy a thing.
"""


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    (folder / "docs" / "adr").mkdir(parents=True)
    (folder / "node_modules" / "x").mkdir(parents=True)
    (folder / "README.md").write_text(README)
    (folder / "CLAUDE.md").write_text("# Rules\n\nUse four spaces and short names.\n")
    (folder / "docs" / "adr" / "0001-sqlite.md").write_text(
        "# SQLite\n\nWe keep one file because it is enough.\n"
    )
    (folder / "node_modules" / "x" / "README.md").write_text("# X\n\nNobody wants to know about this.\n")
    (folder / "notes.md").write_text("# Notes\n\nThese notes are not looked for.\n")
    return folder


def ingest(store, root, **options):
    done = ingest_documents(store, root, actor="t", **options)
    return done.added, done.superseded, done.unchanged, done.archived


def titles(store):
    return {one.title: one for one in store.list(limit=100).memories}


def test_an_ingest_that_is_stopped_changes_nothing_and_can_be_made_again(store, root):
    heard = []

    def stop_at_the_second(done, total):
        heard.append((done, total))
        if done:
            raise DriftError(ErrorCode.CANCELLED, "stopped")

    with pytest.raises(DriftError):
        ingest(store, root, report=stop_at_the_second)

    assert heard == [(0, 3), (1, 3)]
    assert titles(store) == {}
    assert ingest(store, root) == (5, 0, 0, 0)


def test_readme_rules_and_decisions_become_memories_of_their_types(store, root):
    assert ingest(store, root) == (5, 0, 0, 0)

    kept = titles(store)
    assert kept["CLAUDE.md: Rules"].type == "preference"
    assert kept["docs/adr/0001-sqlite.md: SQLite"].type == "decision"
    install = kept["README.md: Shop > Install"]
    assert install.type == "reference"
    assert "# not a heading" in install.text
    assert (install.files[0].path, install.files[0].start_line, install.files[0].end_line) == (
        "README.md",
        5,
        12,
    )


def test_a_second_time_nothing_is_kept_twice(store, root):
    ingest(store, root)

    assert ingest(store, root) == (0, 0, 5, 0)
    assert len(store.list(Listing(include_superseded=True), limit=100).memories) == 5


def test_a_changed_section_supersedes_what_it_was(store, root):
    ingest(store, root)
    before = titles(store)["README.md: Shop > Use"]
    (root / "README.md").write_text(README.replace("buy a thing", "buy two things"))

    assert ingest(store, root) == (0, 1, 4, 0)
    after = titles(store)["README.md: Shop > Use"]
    assert "two things" in after.text
    assert store.get(before.id).superseded_by == after.id


def test_a_section_that_is_gone_is_archived_and_can_come_back(store, root):
    ingest(store, root)
    gone = titles(store)["README.md: Shop > Use"]
    (root / "README.md").write_text(README.partition("## Use")[0])

    assert ingest(store, root) == (0, 0, 4, 1)
    assert store.get(gone.id).archived
    (root / "README.md").write_text(README)
    assert ingest(store, root) == (1, 0, 4, 0)


def test_a_section_that_only_moved_is_cited_where_it_is_now(store, root):
    ingest(store, root)
    (root / "README.md").write_text("\n\n" + README)

    assert ingest(store, root) == (0, 0, 5, 0)
    assert titles(store)["README.md: Shop > Install"].files[0].start_line == 7


def test_given_paths_touch_no_other_file(store, root):
    ingest(store, root)
    (root / "CLAUDE.md").unlink()

    assert ingest(store, root, paths=("notes.md",)) == (1, 0, 0, 0)
    assert "CLAUDE.md: Rules" in titles(store)


def test_a_file_that_cannot_be_read_keeps_what_is_known_of_it(store, root):
    ingest(store, root)
    (root / "README.md").write_bytes(b"\xff\xfe\x00")

    done = ingest_documents(store, root, actor="t")

    assert [path for path, _reason in done.skipped] == ["README.md"]
    assert done.archived == 0


def test_links_out_of_the_project_are_not_followed(store, root, tmp_path):
    (tmp_path / "secret.md").write_text("# Secret\n\nThis lies outside of the project.\n")
    (root / "docs" / "link.md").symlink_to(tmp_path / "secret.md")

    assert "docs/link.md" not in set(find_documents(root))
    done = ingest_documents(store, root, actor="t", paths=("docs/link.md",))
    assert (done.added, len(done.skipped)) == (0, 1)


def test_secrets_in_documents_are_taken_out(store, root):
    (root / "README.md").write_text("# Shop\n\nThe token is ghp_" + "a1B2" * 9 + " for all of us.\n")

    done = ingest_documents(store, root, actor="t")

    assert done.redacted == 1
    assert "ghp_" not in titles(store)["README.md: Shop"].text


@given(st.text(st.sampled_from(list("#`~-= \nab\r")), max_size=200))
def test_every_section_stands_where_it_says(page):
    lines = page.replace("\r\n", "\n").split("\n")

    for section in read_sections(page):
        assert 1 <= section.start_line <= section.end_line <= len(lines)
        assert section.text.splitlines()[-1].strip() in lines[section.end_line - 1]


@given(st.lists(st.sampled_from(["# A", "## B", "text here", "", "```"]), max_size=20))
def test_sections_of_one_page_have_names_of_their_own(lines):
    anchors = [section.anchor for section in read_sections("\n".join(lines))]

    assert len(anchors) == len(set(anchors))
