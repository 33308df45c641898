"""What is told of code that is called by a name which is put together: callers, impact, dead code."""

import pytest
from written_cases import read_case, write_case

from drift.analyses.callers import find_callers
from drift.analyses.dead_code.finding import find_dead_code
from drift.analyses.impact import find_impact
from drift.analyses.impact_rows import user_rows
from drift.analyses.running.spelling import spelling_of
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan


def project(root, name):
    write_case(read_case("clients", name), root)
    scan(root, ScanOptions(jobs=0))
    return IndexReader(StateDir(root).index_db)


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        (r"$this->space().'\version_'.$i", ("*", "version_*")),
        (r"'\Plugin\\'.$name.'\Schema\version_'.$i", ("", "Plugin", "*", "Schema", "version_*")),
        ("'hook_' . $plugin . '_' . $hook", ("hook_*_*",)),
        ('"hook_{$plugin}_$hook"', ("hook_*_*",)),
        ("implode('_', $parts) . 'Format'", ("*Format",)),
        ('"#{of({a: 1})}_component"', ("*_component",)),
        ('"Share::#{kind}"', ("Share", "*")),
        ("'Could not run ' . $name", None),
        ("'version_12'", None),
    ],
)
def test_a_text_spells_its_constant_parts(written, parts):
    found = spelling_of(written)

    assert (found.parts if found is not None else None) == parts


def test_a_format_spells_what_its_text_says():
    assert spelling_of('format("%s_stamp", name("x"))', is_format=True).parts == ("*_stamp",)


def test_callers_tell_where_the_name_may_be_put_together(tmp_path):
    with project(tmp_path, "php_spelled_names") as reader:
        (warning,) = find_callers(reader, "version_12", file=None, max_depth=1).warnings()

    assert warning == (
        "version_12 may be called by its name: $this->space().'\\version_'.$i at app/Migrator.php:5, "
        "and Migrator.run calls what a text names at app/Migrator.php:5"
    )


def test_who_calls_by_a_name_that_is_put_together_is_a_user(tmp_path):
    with project(tmp_path, "php_spelled_names") as reader:
        impact = find_impact(reader, reader.symbols.qualified("version_12"), max_depth=1)
        (row,) = user_rows(reader, impact, impact.product)

    assert (row.symbol, row.reason) == ("Migrator.run", "by a name put together")


def test_what_may_be_called_by_a_name_that_is_put_together_is_dead_with_a_doubt(tmp_path):
    with project(tmp_path, "php_spelled_names") as reader:
        found = {one.symbol.name: one for one in find_dead_code(reader, (), with_exports=True).found}

    assert "spelled" in {doubt.kind for doubt in found["version_12"].doubts}
    assert "spelled" not in {doubt.kind for doubt in found["revision_12"].doubts}


def test_a_change_of_a_page_tells_whose_function_shows_it(tmp_path):
    with project(tmp_path, "plain_pages") as reader:
        page = reader.files.at("app/Template/orders/lines.php")
        impact = find_impact(reader, reader.symbols.of_file(page.id), max_depth=5)

        assert [row.symbol for row in user_rows(reader, impact, impact.product)] == [
            "app/Template/orders/show.php",
            "Orders.show",
        ]
