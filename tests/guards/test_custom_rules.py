"""Rules of a project: each kind of condition finds its places, and one that is wrong says where and why."""

import tomllib

import pytest

from drift.guards.custom_rules import RuleError, builtin_rules, find_violations, read_rules
from drift.index import IndexReader
from drift.index.file_queries import FileFilter
from drift.project import StateDir
from drift.scan import ScanOptions, scan

QUERY = '(call function: (identifier) @_name (#eq? @_name "eval")) @site'


def rule(when, where="{}", **more):
    head = {"id": "house", "message": "No.", **more}
    text = "".join(f'{key} = "{value}"\n' for key, value in head.items())
    return tomllib.loads(f"[[rule]]\n{text}where = {where}\nwhen = {when}\n")


RULES = {
    "filePattern": rule('{ filePattern = ["*.sql"] }'),
    "contentPattern": rule('{ contentPattern = "TODO" }'),
    "imports": rule('{ imports = ["requests", "shop.db*"] }'),
    "calls": rule('{ calls = ["os.system"] }'),
    "naming": rule('{ naming = { kinds = ["class"], notMatches = "^[A-Z]" } }'),
    "structure": rule(
        '{ structure = { lacks = "test_{stem}.py" } }', '{ files = ["shop/pay.py", "shop/cart.py"] }'
    ),
    "query": rule(f"{{ query = '''{QUERY}''' }}", '{ languages = ["python"] }'),
    "all": rule('{ all = [{ imports = ["requests"] }, { not = { contentPattern = "retry" } }] }'),
    "any": rule(
        '{ any = [{ calls = ["os.system"] }, { contentPattern = "TODO" }] }', '{ exclude = ["shop/cart.py"] }'
    ),
}
EXPECTED = {
    "filePattern": [("shop/tables.sql", 0)],
    "contentPattern": [("shop/cart.py", 3)],
    "imports": [("shop/cart.py", 1), ("shop/pay.py", 1)],
    "calls": [("shop/pay.py", 6)],
    "naming": [("shop/cart.py", 4)],
    "structure": [("shop/pay.py", 0)],
    "query": [("shop/pay.py", 7)],
    "all": [("shop/pay.py", 1)],
    "any": [("shop/pay.py", 6)],
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    root = tmp_path_factory.mktemp("rules")
    texts = {
        "shop/db.py": "def read():\n    return 1\n",
        "shop/cart.py": "from shop.db import read\n\n# TODO\nclass cart:\n    total = read()\n",
        "shop/test_cart.py": "def test_cart():\n    assert True\n",
        "shop/pay.py": "import requests\nimport os\n\n\ndef pay():\n    os.system('x')\n    eval('1')\n    requests.get('y')\n",
        "shop/tables.sql": "create table users (id int);\n",
        ".drift/rules/query.toml": f"[[rule]]\nid = 'q'\nmessage = 'm'\nwhere = {{ languages = ['python'] }}\nwhen = {{ query = '''{QUERY}''' }}\n",
    }
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    return root


@pytest.mark.parametrize("kind", RULES)
def test_each_condition_finds_its_places(project, kind):
    with IndexReader(StateDir(project).index_db) as reader, reader.snapshot():
        files = list(reader.files.page(FileFilter(), limit=-1))
        found = list(find_violations(reader, project, read_rules(RULES[kind]), files=files))

    assert [(each.path, each.line) for each in found] == EXPECTED[kind]


@pytest.mark.parametrize(
    ("tables", "problem"),
    [
        (rule("{ call = ['x'] }"), "rule house: when: call is not known; did you mean calls"),
        (rule("{}"), "must be a table with one of"),
        (rule("{ contentPattern = '(' }"), "no regular expression"),
        (rule("{ contentPattern = '(?=x)' }"), "look-around"),
        (rule("{ query = '(x)' }", "{ languages = ['python'] }"), "marks @site"),
        (rule("{ query = '(x) @site' }"), "needs where.languages"),
        (rule("{ naming = { kinds = ['klass'], matches = 'x' } }"), "klass is not known"),
        (rule("{ naming = { kinds = ['class'] } }"), "one of matches and notMatches"),
        (rule("{ structure = { lacks = 'tests/x.py' } }"), "{stem}"),
        (rule("{ imports = [] }"), "not empty"),
        (rule("{ calls = ['x'] }", "{ languages = ['pyton'] }"), "pyton is not known"),
        (rule("{ calls = ['x'] }", severity="fatal"), "error, warning, info"),
        (rule("{ calls = ['x'] }", id="No Good"), "id must be"),
        (rule(f"{'{ not = ' * 12}{{ calls = ['x'] }}{' }' * 12}"), "deep"),
    ],
)
def test_a_rule_that_is_wrong_says_where_and_why(tables, problem):
    with pytest.raises(RuleError, match=problem):
        read_rules(tables)


def test_the_rules_that_drift_ships_can_be_read():
    assert len({each.id for each in builtin_rules()}) == len(builtin_rules()) >= 5
