import os
import shutil
from datetime import date

import pytest

from drift.conventions.picture import look
from drift.conventions.rows import require_convention
from drift.conventions.rulebook import read_rulebook
from drift.conventions.text_sites import deviations, sites_of_text
from drift.conventions.trial import require_own, try_dimension
from drift.index import IndexReader
from drift.kernel.errors import DriftError
from drift.project import open_project
from drift.scan import scan

RULE = '''
id = "logging/house-rule"
title = "How things are told"
looks_at = "Calls of print and of a log."
why = "Nobody reads standard output."
claim = "Things are told by {variant}"
example = "log.info('x')"
limits = "None."
[variants]
print = "`print`"
log = "a log"
[[sites]]
languages = ["python"]
query = """
((call function: (identifier) @_name) @site @variant.print (#eq? @_name "print"))
((call function: (attribute object: (identifier) @_log)) @site @variant.log (#eq? @_log "log"))
"""
'''
LOGGING = "import log\n\n\ndef tell():\n    log.info('a')\n    log.info('b')\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    root = tmp_path_factory.mktemp("telling")
    (root / "a.py").write_text(LOGGING)
    (root / "b.py").write_text(LOGGING + "    print('c')\n")
    rules = root / ".drift" / "rules"
    rules.mkdir(parents=True)
    (rules / "telling.toml").write_text(RULE)
    scan(root)
    return open_project(root, os.environ)


def seen(project):
    with IndexReader(project.state.index_db) as reader, reader.snapshot():
        return look(reader, project, date(2026, 11, 17))


def test_a_rule_of_the_project_is_one_file(project):
    picture = seen(project)
    found = require_convention(picture, "logging/house-rule")

    assert (found.variant, found.followed, len(found.sites)) == ("log", 4, 5)
    assert [picture.path_of(each) for each in picture.outliers(found)] == ["b.py"]
    assert picture.rulebook.problems == ()


def test_a_draft_is_held_against_the_rules_of_its_project(project):
    picture = seen(project)
    with IndexReader(project.state.index_db) as reader:
        text = sites_of_text(reader, project, picture, path="c.py", content="print('d')\n")

    assert [(each.site.line, each.convention.id) for each in deviations(text)] == [(1, "logging/house-rule")]


def test_what_a_rule_matches_can_be_tried_before_a_scan(project, tmp_path):
    root = tmp_path / "tried"
    shutil.copytree(project.root, root)
    scan(root)
    tried = open_project(root, os.environ)
    name = tried.state.rules / "telling.toml"
    name.write_text(RULE.replace('"print")', '"tell")').replace('"log")', '"logger")'))
    (root / "b.py").write_text(LOGGING + "    tell()\n")

    with IndexReader(tried.state.index_db) as reader:
        rule = require_own(read_rulebook(tried.state), "logging/house-rule")
        matches = list(try_dimension(reader, root, rule))

    assert [(match.file, match.line, match.variant) for match in matches] == [("b.py", 7, "print")]
    assert "run `drift scan`" in seen(tried).rulebook.problems[-1]
    scan(root)
    assert seen(tried).rulebook.problems == ()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("(call function: (identifier)", "(call function: (no_such_node)", "no_such_node"),
        (
            'id = "logging/house-rule"',
            'id = "errors/exception-suffix"',
            "there is a dimension errors/exception-suffix",
        ),
        ("[variants]", "[variants", "telling.toml: it is no TOML"),
    ],
)
def test_a_rule_that_is_wrong_is_named_and_spoils_nothing(project, tmp_path, old, new, said):
    state = type(project.state)(tmp_path)
    state.rules.mkdir(parents=True)
    (state.rules / "telling.toml").write_text(RULE.replace(old, new))

    found = read_rulebook(state)

    assert found.own == ()
    assert said in found.problems[0]
    with pytest.raises(DriftError, match="no rule of this project"):
        require_own(found, "logging/house-rule")
