"""Documents are files of the index, with rows of their own, and up to date like any other."""

import pytest
from index_dump import dump_index

from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

ONE_PROCESS = ScanOptions(jobs=0)
FORCED = ScanOptions(jobs=0, is_forced=True)
FILES = {
    "app.py": "import os\nos.environ['DATABASE_URL']\n",
    ".env.example": "DATABASE_URL=secret-of-all\nUNUSED=1\n",
    "docker-compose.yml": "services:\n  web:\n    environment: [DATABASE_URL=x]\n",
    "api/openapi.yaml": "paths:\n  /pets:\n    get: {operationId: pets}\n",
    "db/schema.sql": "create table pets (id int not null);\n",
    "tests/seed.sql": "create table other (id int);\n",
    "notes.yaml": "a: 1\n",
}


@pytest.fixture
def root(tmp_path):
    for path, text in FILES.items():
        write(tmp_path, path, text)
    scan(tmp_path, ONE_PROCESS)
    return tmp_path


def write(root, path, text):
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def ask(root, question):
    with IndexReader(StateDir(root).index_db) as reader:
        return question(reader)


def test_documents_are_files_with_a_kind_and_a_role(root):
    found = ask(root, lambda reader: [tuple(each) for each in reader.documents.all()])
    roles = ask(root, lambda reader: {each.path: each.role for each in reader.files.stamps()})

    assert found == [
        (".env.example", "env"),
        ("api/openapi.yaml", "openapi"),
        ("db/schema.sql", "sql"),
        ("docker-compose.yml", "compose"),
        ("tests/seed.sql", "sql"),
    ]
    assert (roles["db/schema.sql"], roles["tests/seed.sql"]) == ("config", "test")


def test_what_they_declare_is_found_by_kind_and_by_name(root):
    declared = ask(root, lambda reader: reader.documents.named("DATABASE_URL", ["variable"]))
    operations = ask(root, lambda reader: reader.documents.items(["operation"]))

    assert [(each.file, each.line, each.owner, each.has_value) for each in declared] == [
        (".env.example", 1, None, True),
        ("docker-compose.yml", 3, "web", True),
    ]
    assert [(each.method, each.path, each.name) for each in operations] == [("GET", "/pets", "pets")]


def test_no_value_reaches_the_disk(root):
    assert b"secret-of-all" not in StateDir(root).index_db.read_bytes()


def test_an_update_equals_a_forced_scan(root):
    write(root, ".env.example", "DATABASE_URL=\nNEW=1\n")
    write(root, "deploy/web.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: db}\ndata: {key: eA==}\n")
    (root / "db/schema.sql").rename(root / "db/tables.sql")
    (root / "docker-compose.yml").unlink()

    scan(root, ONE_PROCESS)
    updated = dump_index(StateDir(root).index_db)
    scan(root, FORCED)

    assert dump_index(StateDir(root).index_db) == updated
    assert updated["document_items"]


def test_a_document_that_cannot_be_read_says_so(root):
    write(root, "docker-compose.yml", "services: " + "[" * 200)

    scan(root, ONE_PROCESS)

    record = ask(root, lambda reader: reader.files.at("docker-compose.yml"))
    assert record.status == "partial"
    assert "levels deep" in record.problem
