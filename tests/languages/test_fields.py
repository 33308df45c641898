"""Fields of types as `tests/projects/fields` declares them: type, whether one may be missing, names elsewhere."""

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from drift.languages.fields import type_fields
from drift.languages.table import LANGUAGES
from drift.scan.extractors import extractor_of

PROJECT = Path(__file__).parents[1] / "projects" / "fields"
EXPECTED = json.loads((PROJECT / "expected.json").read_text("utf-8"))


@pytest.mark.parametrize("name", EXPECTED)
def test_fields_are_as_stated(name):
    language = next(each.name for each in LANGUAGES if Path(name).suffix in each.extensions)
    facts = extractor_of(language)((PROJECT / name).read_bytes(), name)

    assert [[facts.symbols[each.symbol].name, *each[1:]] for each in type_fields(facts)] == EXPECTED[name]


def test_every_source_is_stated():
    assert {path.name for path in PROJECT.iterdir()} == {*EXPECTED, "expected.json"}


def test_methods_and_plain_attributes_are_no_fields_of_a_type():
    source = b"class Cart:\n    def total(self):\n        self.sum = 1\n        return self.sum\n"
    assert list(type_fields(extractor_of("python")(source, "cart.py"))) == []


def test_a_list_is_no_field_of_what_it_holds():
    source = (
        b"class Migration(migrations.Migration):\n    operations = [\n        migrations.AddField(\n"
        b"            model_name='cart', name='total', field=models.IntegerField(null=True),\n        ),\n    ]\n"
    )
    assert list(type_fields(extractor_of("python")(source, "migration.py"))) == []


@pytest.mark.parametrize(
    ("name", "source", "fields"),
    [
        (
            "a.go",
            b"package a\ntype T struct {\n\tMode, Config string\n\tsync.Mutex\n}\n",
            ["string", "string"],
        ),
        (
            "a.ts",
            b"interface T { load?: () => Promise<Row>; done: (x: number) => void }",
            ["() => Promise<Row>", "(x: number) => void"],
        ),
    ],
)
def test_names_that_share_a_type_and_types_of_functions_are_read_whole(name, source, fields):
    language = "go" if name == "a.go" else "typescript"
    assert [each.type for each in type_fields(extractor_of(language)(source, name))] == fields


def test_a_column_of_sqlalchemy_may_be_null_unless_it_says_otherwise():
    source = b"""class Cart(Model):
    id = Column(Integer, primary_key=True)
    owner = db.Column(Integer, nullable=False)
    note = db.Column(Text)
    name = models.CharField(max_length=10)
"""
    found = [each.is_optional for each in type_fields(extractor_of("python")(source, "cart.py"))]

    assert found == [False, False, True, False]


def test_every_pattern_of_a_language_with_words_needs_one_of_them():
    data = tomllib.loads(files("drift.languages").joinpath("fields.toml").read_text("utf-8"))
    for language, words in data["words"].items():
        for section in ("optional", "wire", "column"):
            for pattern in data[section][language]:
                choices = [group.split("|") for group in re.findall(r"\(\?:([\w|]+)\)", pattern)]
                outside = re.sub(r"\(\?[:!].*?\)", "", pattern)

                assert any(word in outside for word in words) or any(
                    all(any(word in one for word in words) for one in group) for group in choices
                ), pattern
