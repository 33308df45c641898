"""`drift template`, as a person types it."""

import json

from drift.cli.exits import Exit


def test_a_file_is_written_to_the_screen_as_it_is(place):
    result = place.run("template", "show", "makefile/go", "project_name=till", "has_tests=no")

    assert result.code == Exit.OK
    assert result.out.startswith("# till: `make help`")
    assert "go test" not in result.out


def test_a_project_is_made_where_the_person_stands_and_over_nothing(place):
    made = place.run("template", "new", "node", "till", "license=ISC", "--only", "manifest,licence", "--json")
    again = place.run("template", "new", "node", "till")

    folder = place.project / "till"
    assert made.code == Exit.OK
    assert json.loads(made.out)["data"]["directory"] == "till"
    assert json.loads((folder / "package.json").read_text())["license"] == "ISC"
    assert sorted(path.name for path in folder.iterdir()) == ["LICENSE", "package.json"]
    assert again.code != Exit.OK
    assert "already" in again.err
    assert not (folder / "README.md").exists()


def test_what_is_missing_or_wrong_is_told(place):
    assert "a word is missing" in place.run("template", "new", "rust").err
    assert "did you mean: node" in place.run("template", "new", "nod", "till").err
    assert "is no parameter" in place.run("template", "show", "readme/go", "project_name=a", "nme=b").err
    outside = place.run("template", "new", "rust", "till", "--into", "../../elsewhere")
    assert "outside the project" in outside.err
