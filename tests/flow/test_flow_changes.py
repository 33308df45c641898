"""A later state of a project is followed from where it changed, and comes to the same as from scratch."""

from pathlib import Path

import pytest

from drift.flow import find_flows, finding
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan, update

VIEWS = """
from flask import Flask, request
from words import chosen, run
app = Flask(__name__)

@app.route("/a")
def show():
    run(chosen(request.args["x"]))

@app.route("/b")
def other():
    return "nothing"
"""
WORDS = """
import os, html
def chosen(text):
    return {chosen}
def run(text):
    os.system("ls " + text)
"""


@pytest.fixture
def project(tmp_path: Path):
    (tmp_path / "views.py").write_text(VIEWS)
    (tmp_path / "words.py").write_text(WORDS.format(chosen="text.strip()"))
    for number in range(30):
        (tmp_path / f"plain{number}.py").write_text("import os\ndef f():\n    os.system('ls')\n")
    scan(tmp_path)
    return tmp_path


def followed(root):
    with IndexReader(StateDir(root).index_db) as reader, reader.snapshot():
        return find_flows(reader, root, StateDir(root))


def told(flows):
    return [(each.kind.name, flows.paths[each.file], each.line, each.confidence) for each in flows.findings]


def test_what_an_object_holds_is_no_data_of_others(tmp_path):
    (tmp_path / "store.py").write_text("class Store:\n    def load(self):\n        return open(self.path)\n")
    scan(tmp_path)

    assert told(followed(tmp_path)) == []


def test_an_edited_file_changes_what_is_found_through_it_and_nothing_else_is_run(project):
    first = followed(project)
    assert told(first) == [("command", "words.py", 6, "high")]

    (project / "words.py").write_text(WORDS.format(chosen="str(int(text))"))
    update(project, ScanOptions())
    second = followed(project)

    assert told(second) == []
    assert 0 < second.functions < 8 < first.functions


def test_following_changes_comes_to_the_same_as_following_all(project):
    followed(project)
    (project / "views.py").write_text(VIEWS.replace('"nothing"', 'request.args["y"]'))
    update(project, ScanOptions())

    after = told(followed(project))
    finding._FOLLOWED.clear()

    assert after == told(followed(project))
    assert ("xss", "views.py", 12, "high") in after


def test_what_one_request_keeps_and_another_reads_is_mentioned_only(tmp_path):
    (tmp_path / "words.controller.ts").write_text(
        'import { Controller, Get, Query } from "@nestjs/common";\n'
        'import { exec } from "child_process";\n'
        '@Controller("words")\n'
        "export class WordsController {\n"
        '  private last = "";\n'
        '  @Get("kept") kept(@Query("q") q: string) { this.last = q; }\n'
        '  @Get("read") read() { exec(this.last); }\n'
        '  @Get("at-once") once(@Query("q") q: string) { this.next = q; this.run(); }\n'
        "  run() { exec(this.next); }\n"
        "}\n"
    )
    scan(tmp_path)

    flows = followed(tmp_path)

    assert told(flows) == [
        ("command", "words.controller.ts", 7, "low"),
        ("command", "words.controller.ts", 9, "high"),
    ]
    assert "one request keeps it in a field that another reads" in flows.findings[0].reasons


def test_a_function_that_does_what_it_did_makes_no_other_run_again(project):
    first = followed(project)

    (project / "words.py").write_text(WORDS.format(chosen="text.strip()") + "# a remark\n")
    update(project, ScanOptions())
    second = followed(project)

    assert told(second) == told(first)
    assert second.functions <= 3


def test_a_function_inside_another_and_a_name_of_the_file_are_compared_too(tmp_path):
    (tmp_path / "words.py").write_text(
        "def outer():\n    def inner(text):\n        return text\n    return inner\n\nNAME = 'a'\n"
    )
    (tmp_path / "views.py").write_text(
        "import os\nfrom flask import Flask, request\nfrom words import outer\napp = Flask(__name__)\n\n"
        '@app.route("/a")\ndef show():\n    os.system(outer()(request.args["x"]))\n'
    )
    scan(tmp_path)
    followed(tmp_path)

    (tmp_path / "words.py").write_text(
        "def outer():\n    def inner(text):\n        return '1'\n    return inner\n\nNAME = 'b'\n"
    )
    update(tmp_path, ScanOptions())
    after = told(followed(tmp_path))
    finding._FOLLOWED.clear()

    assert after == told(followed(tmp_path))


def test_a_field_that_is_written_after_it_was_read_is_known(tmp_path):
    text = (
        "import os\nfrom flask import Flask, request\napp = Flask(__name__)\nclass Box:\n    def read(self):\n        os.system(self.text)\n"
        '    def write(self):\n        self.text = request.args["x"]\n        self.read()\nbox = Box()\n'
        '@app.route("/a")\ndef show():\n    box.write()\n'
    )
    (tmp_path / "views.py").write_text(text)
    scan(tmp_path)
    first = told(followed(tmp_path))

    (tmp_path / "views.py").write_text(text + "# a remark\n")
    update(tmp_path, ScanOptions())

    assert told(followed(tmp_path)) == first != []
