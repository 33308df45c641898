"""What is said of a function that nobody calls, but somebody may: by a string, a decorator, its class, a framework."""

import pytest

from drift.analyses.graph_rows import outside_warnings
from drift.analyses.named_files import named_file_warnings
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan


def said(root, files, qualname):
    for path, text in files.items():
        (root / path).write_text(text, "utf-8")
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:
        (symbol,) = reader.symbols.qualified(qualname)
        return outside_warnings(reader, symbol)


def test_a_method_that_a_string_names_may_be_called_by_it(tmp_path):
    service = "<?php\nclass Widgets { public function registerWidget($widget) {} }\n"
    compiler = "<?php\nclass Pass { function process($definition) { $definition->addMethodCall('registerWidget', [1]); } }\n"

    (warning,) = said(tmp_path, {"W.php": service, "P.php": compiler}, "Widgets.registerWidget")

    assert warning == "Widgets.registerWidget is named in a string at P.php:2: what is given it may call it"


def test_a_string_of_one_word_says_nothing_of_a_method(tmp_path):
    files = {
        "w.py": "class Widgets:\n    def register(self): pass\n",
        "p.py": "KIND = 'register'\nprint(KIND)\n",
    }

    assert said(tmp_path, files, "Widgets.register") == ()


@pytest.mark.parametrize(
    ("decorator", "is_told"), [("spec", True), ("lru_cache", False), ("app.route('/')", False)]
)
def test_what_a_decorator_is_handed_may_be_called_by_what_keeps_it(tmp_path, decorator, is_told):
    head = "from functools import lru_cache\nfrom flask import Flask\nfrom pluggy import HookspecMarker\n"
    head += "app = Flask(__name__)\nspec = HookspecMarker('x')\n"

    warnings = said(tmp_path, {"a.py": f"{head}@{decorator}\ndef load_plugins(): pass\n"}, "load_plugins")

    assert warnings == (("@spec is handed load_plugins: what keeps it may call it",) if is_told else ())


def test_the_methods_of_a_class_that_is_handed_on_may_be_called_by_what_is_given_it(tmp_path):
    text = "from liquid import register\nclass Filters:\n    def upper(self): pass\nregister(Filters)\n"

    assert said(tmp_path, {"a.py": text}, "Filters.upper") == (
        "Filters is handed on at a.py:4: what is given it may call Filters.upper",
    )


def test_a_framework_may_call_what_others_call_too(tmp_path):
    text = "from django.db import models\nclass Tag(models.Model):\n    def save(self): pass\n    def paint(self): pass\n"
    text += "def use(tag: Tag):\n    tag.save()\n    tag.paint()\n"

    assert said(tmp_path, {"a.py": text}, "Tag.save") == (
        "Django models may call Tag.save, too: such calls are not in the project",
    )
    assert said(tmp_path, {"a.py": text}, "Tag.paint") == ()


def test_a_script_that_code_of_another_language_loads_by_its_path_is_told_with_the_place(tmp_path):
    files = {
        "web/wwwroot/js/history.js": "export function goBack() { history.go(-1); }\n",
        "web/History.cs": 'class History { void Load(dynamic js) { js.Invoke("import", "/js/history.js"); } }\n',
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        told = named_file_warnings(reader, "web/wwwroot/js/history.js")

        assert named_file_warnings(reader, "web/History.cs") == ()
    assert told == (
        "web/wwwroot/js/history.js is named in a string at web/History.cs:1: what is given it may load it",
    )
