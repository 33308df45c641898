"""Templates of a project, which are a stranger's; values; files on disk; and what is known of a project."""

import os

import pytest

from drift.index import IndexReader
from drift.kernel.errors import DriftError, ErrorCode
from drift.templates import (
    OWN_FOLDER,
    FilledTemplate,
    choose_templates,
    fill,
    load_library,
    make_files,
    search,
    validate,
    write_files,
)
from drift.templates.filling import check_place
from drift.templates.knowledge import describe_project

HEAD = 'title = "T"\ndescription = "D"\nfilename = "note.txt"\noptional = ["project_name"]\n'


def own(root, name, head=HEAD, body="{{project_name}}\n"):
    folder = root / OWN_FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.toml").write_text(head)
    (folder / f"{name}.tmpl").write_text(body)
    return load_library(root)


def refused(call, *arguments, **named):
    with pytest.raises(DriftError) as raised:
        call(*arguments, **named)
    return raised.value


def test_a_projects_own_template_is_found_and_marked(tmp_path):
    library = own(tmp_path, "notes.rust.team")

    found = library.find("template://notes/rust/team")

    assert (found.origin, library.problems) == ("project", ())
    assert fill(found, {"project_name": "x"}, year=2026) == FilledTemplate(found.uri, "note.txt", "x\n")
    assert "notes" in library.categories


@pytest.mark.parametrize(
    ("name", "head", "body", "problem"),
    [
        ("notes", HEAD, "", "CATEGORY.TOOLCHAIN.VARIANT"),
        ("../x.rust.cli".replace("/", "_"), HEAD, "", "CATEGORY.TOOLCHAIN.VARIANT"),
        ("makefile.rust.cli", HEAD, "", "choose another variant"),
        ("notes.rust.a", "title = ", "", "Invalid"),
        ("notes.rust.a", 'title = "T"', "", "description is missing"),
        ("notes.rust.a", HEAD + "shell = true\n", "", "no key 'shell'"),
        ("notes.rust.a", HEAD.replace("T", "a\\nb"), "", "title is no text"),
        ("notes.rust.a", HEAD, "{{secret}}", "secret is not declared"),
        ("notes.rust.a", HEAD, "{{#each toolchain}}", "never closed"),
        ("notes.rust.a", HEAD.replace("project_name", "nothing"), "", "no shared parameter"),
        ("notes.rust.a", HEAD + '[parameters.a]\ntype = "object"\n', "", "type 'object'"),
        ("notes.rust.a", HEAD + "[parameters.a]\ndefault = 3\n", "", "its default is no string"),
        ("notes.rust.a", HEAD + '[parameters.a]\npattern = "(a+)+\\\\1"\n', "", "pattern"),
        ("notes.rust.a", HEAD + "[parameters.year]\n", "", "meaning of its own"),
        ("notes.rust.a", HEAD + '[parameters."a.b"]\n', "", "no name of a parameter"),
        ("notes.rust.a", HEAD, "x" * 150_000, "longer than"),
        ("notes.rust.a", HEAD, "x" * 250_000, "cannot be read"),
    ],
)
def test_what_is_wrong_with_an_own_template_is_told(tmp_path, name, head, body, problem):
    library = own(tmp_path, name, head, body)

    (found,) = library.problems
    assert problem in found.problem
    assert len(library.templates) == len(load_library(None).templates)
    if name == "notes.rust.a":
        assert problem in refused(library.find, "template://notes/rust/a").message


def test_an_own_template_that_is_a_link_is_not_read(tmp_path):
    (tmp_path / "secret").write_text("{{project_name}} secret\n")
    own(tmp_path, "notes.rust.a")
    body = tmp_path / OWN_FOLDER / "notes.rust.a.tmpl"
    body.unlink()
    body.symlink_to(tmp_path / "secret")

    assert "cannot be read" in load_library(tmp_path).problems[0].problem


@pytest.mark.parametrize(
    "filename",
    ["../x", "/etc/x", "a/../../x", ".git/hooks/pre-commit", ".GIT/config", ".drift/x", "a//b", "a/./b", "con.", "x~1",
     "C:x", "a\\b", ".", "..", "...", "a/" * 20 + "b", "x" * 200, "a b", ""],
)  # fmt: skip
def test_no_file_lies_outside_or_where_git_acts_on_it(filename):
    assert refused(check_place, filename, what="it").code == ErrorCode.PARAMETER_VALIDATION_FAILED


def test_a_filename_made_of_values_is_checked_as_it_comes_out(tmp_path):
    head = HEAD.replace("note.txt", "{{place}}") + "[parameters.place]\n"
    template = own(tmp_path, "notes.rust.a", head).find("template://notes/rust/a")

    assert fill(template, {"place": "a/b.txt"}, year=2026).filename == "a/b.txt"
    assert "no file may be called" in refused(fill, template, {"place": "../b.txt"}, year=2026).message


@pytest.mark.parametrize(
    "uri",
    ["", "makefile/rust/cli", "template://makefile/rust", "template://makefile/rust/cli/x", "template://../../etc/passwd",
     "template://makefile/rust/..", "template://Makefile/rust/cli", "http://a/b/c", "template://a/b/" + "c" * 400, "template://a/b/c\n"],
)  # fmt: skip
def test_an_address_of_another_form_is_refused(uri):
    assert refused(load_library(None).find, uri).code == ErrorCode.INVALID_TEMPLATE_URI


def test_an_address_means_one_template_and_nothing_like_it():
    error = refused(load_library(None).find, "template://makefile/rust/cli-anything")

    assert error.code == ErrorCode.TEMPLATE_NOT_FOUND
    assert "template://makefile/rust/cli" in error.recovery.similar


@pytest.mark.parametrize(
    "name",
    ["", "../x", "a/b", ".hidden", "a..b", "a b", "a\nb", "a\x00", "-rf", "1st", "x" * 300, "é", "a.", "con", "nul.txt",
     "$(id)", "a;b", "{{year}}", 5, ["a"], True],
)  # fmt: skip
def test_a_project_name_is_no_path_no_command_and_no_device(name):
    template = load_library(None).find("template://makefile/python-uv/cli")

    found = validate([template], {"project_name": name})

    assert not found.valid
    assert found.errors or found.missing_required == ("project_name",)


def test_a_name_that_a_template_does_not_use_is_checked_all_the_same():
    template = load_library(None).find("template://gitignore/go/cli")

    assert not validate([template], {"project_name": "../x"}).valid
    assert validate([template], {"project_name": "x", "license": "MIT"}).valid


def test_a_word_of_the_language_is_no_project_name():
    find = load_library(None).find

    assert not validate([find("template://manifest/python-uv/cli")], {"project_name": "class"}).valid
    assert not validate([find("template://manifest/rust/cli")], {"project_name": "Test"}).valid
    assert validate([find("template://manifest/go/cli")], {"project_name": "class"}).valid


def test_faults_of_values_are_all_told_at_once():
    template = load_library(None).find("template://readme/go/cli")

    found = validate(
        [template], {"has_tests": "yes", "features": ["a", "b\x1b[2J"], "licence": "MIT", "branch": "main"}
    )

    assert {each.parameter for each in found.errors} == {"has_tests", "features"}
    # `branch` is shared by templates: whoever makes several gives it to all.
    assert (found.missing_required, found.unknown) == (("project_name",), ("licence",))


def test_huge_values_are_refused():
    template = load_library(None).find("template://readme/go/cli")

    found = validate([template], {"project_name": "a", "description": "x" * 3_000, "features": ["x"] * 101})

    assert {each.parameter for each in found.errors} == {"description", "features"}


def test_words_find_templates_the_likeliest_first():
    library = load_library(None)

    assert search(library, "docker python")[0].template.uri == "template://dockerfile/python-uv/cli"
    assert search(library, "mit license")[0].template.uri == "template://licence/any/mit"
    assert search(library, "makefile", "go")[0].template.uri == "template://makefile/go/cli"
    assert search(library, "sanitisers")[0].template.toolchain == "cpp-cmake"
    assert search(library, "zebra") == []
    assert search(library, "") == []
    found = [each.relevance for each in search(library, "rust")]
    assert found == sorted(found, reverse=True)


def files_of(toolchain, wanted=(), **given):
    values = {"project_name": "my-app", **given}
    return make_files(
        choose_templates(load_library(None), toolchain, wanted, given=values), values, year=2026
    )


def test_names_choose_templates_by_category_variant_and_address():
    assert [each.filename for each in files_of("rust", ["makefile", "readme"])] == ["Makefile", "README.md"]
    assert [each.filename for each in files_of("rust", ["source/lib"])] == ["src/lib.rs"]
    assert [each.filename for each in files_of("rust", ["template://gitignore/go/cli"])] == [".gitignore"]
    assert "Apache License" in files_of("go", ["licence"], license="Apache-2.0")[0].content
    assert not any("test" in each.filename.lower() for each in files_of("dotnet", has_tests=False))
    assert refused(files_of, "rust", ["nothing"]).code == ErrorCode.TEMPLATE_NOT_FOUND
    assert refused(files_of, "cobol").code == ErrorCode.INVALID_ARGUMENT
    both = refused(files_of, "rust", ["licence/mit", "licence/isc"])
    assert "both make LICENSE" in both.message
    assert "already" in refused(files_of, "rust", ["template://agents/any/project"]).message


def test_files_are_written_below_the_folder_and_over_nothing(tmp_path):
    made = files_of("node")

    paths = write_files(tmp_path, "my-app", made)

    assert {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()} == set(
        paths
    )
    assert (tmp_path / "my-app/package.json").read_text() == made[0].content
    (tmp_path / "my-app/package.json").unlink()
    before = sorted(tmp_path.rglob("*"))
    assert "already" in refused(write_files, tmp_path, "my-app", made).message
    assert sorted(tmp_path.rglob("*")) == before


def test_a_link_in_the_way_is_not_followed_and_nothing_stays_behind(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    root = tmp_path / "root"
    root.mkdir()
    made = files_of("node")

    (root / "my-app").symlink_to(outside)
    assert "link" in refused(write_files, root, "my-app", made).message
    (root / "other").mkdir()
    (root / "other/src").symlink_to(outside)
    assert "link" in refused(write_files, root, "other", made).message
    (root / "third").mkdir()
    (root / "third/README.md").symlink_to(outside / "none")
    assert "already" in refused(write_files, root, "third", made).message

    assert list(outside.iterdir()) == []
    assert [each.name for each in (root / "other").iterdir()] == ["src"]


def test_a_disk_that_fails_in_the_middle_leaves_nothing(tmp_path, monkeypatch):
    made = files_of("node")
    link, calls = os.link, []

    def fail_later(*arguments):
        calls.append(arguments)
        if len(calls) == 3:
            raise OSError(28, "No space left on device", "x")
        link(*arguments)

    monkeypatch.setattr(os, "link", fail_later)

    assert "No space" in refused(write_files, tmp_path, "my-app", made).message
    assert list(tmp_path.iterdir()) == []


def test_agents_are_told_what_the_index_knows_and_nothing_else(example_shop):
    with IndexReader(example_shop / ".drift/drift.db") as reader, reader.snapshot():
        facts = describe_project(reader, example_shop, name="shop")
    template = load_library(None).find("template://agents/any/project")

    text = fill(template, {}, year=2026, project=facts).content

    assert text.startswith("# shop\n")
    assert "- python: " in text
    assert "- `shop/`: " in text
    assert "- `tests/`: " in text
    assert "test file" in text
    assert "\n- pytest: " in text


def test_scripts_and_targets_are_told_by_plain_names_only(tmp_path):
    from drift.templates.knowledge import _commands

    (tmp_path / "Makefile").write_text(".PHONY: test lint\ntest: a\n\tx\nlint:\nX := 1\nfile.o: y\n")
    (tmp_path / "package.json").write_text('{"scripts": {"build": "x", "e2e:ci": "y", "`rm -rf`\\n": "z"}}')
    (tmp_path / "pnpm-lock.yaml").write_text("")
    (tmp_path / "composer.json").write_text("[" * 100_000)
    (tmp_path / "pom.xml").write_text("")
    (tmp_path / "mvnw").write_text("")
    (tmp_path / "Shop.sln").write_text("")

    built = ["./mvnw verify", "dotnet build", "dotnet test"]
    assert list(_commands(tmp_path)) == [
        *built,
        "make test",
        "make lint",
        "pnpm run build",
        "pnpm run e2e:ci",
    ]
