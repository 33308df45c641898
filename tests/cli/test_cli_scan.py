"""Scanning and exporting from the command line."""

import json
import xml.etree.ElementTree as ET

import pytest

from drift.cli.exits import Exit
from drift.cli.scan_progress import ScanProgress

SOURCES = {
    "shop/__init__.py": "",
    "shop/prices.py": 'def price_of(item):\n    """What it costs."""\n    return len(item)\n',
    "shop/cart.py": (
        "from shop.prices import price_of\n\n\nclass Cart:\n    def total(self):\n        return price_of('a')\n"
    ),
}


@pytest.fixture
def shop(place):
    for path, text in SOURCES.items():
        file = place.project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return place


def test_a_scan_ends_with_a_summary_and_the_next_step(shop):
    result = shop.run("scan", "--jobs", "0")

    assert result.code == Exit.OK
    assert "Scanned 4 files" in result.out  # the sources and the project's pyproject.toml
    assert "2 calls: 1 resolved, 0 ambiguous, 1 external, 0 unknown" in result.out
    assert "Next:\n  drift find WORDS" in result.out


def test_a_second_scan_says_that_nothing_has_changed(shop):
    shop.run("scan", "--jobs", "0")

    assert "Nothing has changed" in shop.run("scan").out


def test_the_report_is_one_json_document(shop):
    result = shop.run("scan", "--jobs", "0", "--json")

    report = json.loads(result.out)
    assert (report["mode"], report["languages"]) == ("full", {"python": 3})
    assert report["failures"] == []


def test_files_that_were_cut_or_are_in_no_known_language_are_told_by_scan_and_status(shop):
    deep = "package deep\n\nfunc last() { " + "f(" * 3_000 + ")" * 3_000 + " }\nfunc {\n"
    (shop.project / "deep.go").write_text(deep)
    for name in ("a.scala", "b.scala", "c.kt", "notes.md", "picture.png"):
        (shop.project / name).write_text("x")

    said = shop.run("scan", "--jobs", "0").out
    again = json.loads(shop.run("scan", "--jobs", "0", "--json").out)
    index = json.loads(shop.run("status", "--json").out)["data"]["index"]

    assert "1 file read in part:\n    deep.go: line 3: nested deeper than" in said
    assert "3 files not read: .scala 2, .kt 1" in said
    assert [each["path"] for each in again["cut"]] == ["deep.go"]
    assert again["unread"] == {".scala": 2, ".kt": 1}
    assert (index["cut"], index["cutFiles"], index["unread"]) == (1, ["deep.go"], {".scala": 2, ".kt": 1})


def test_where_all_was_read_nothing_is_said_of_what_was_not(shop):
    said = shop.run("scan", "--jobs", "0").out
    index = json.loads(shop.run("status", "--json").out)["data"]["index"]

    assert "read in part" not in said
    assert "not read" not in said
    assert index.keys().isdisjoint({"cut", "cutFiles", "unread"})


def test_wrong_options_are_named(shop):
    assert shop.run("scan", "--languages", "pyhton").code == Exit.FAILED
    assert "python" in shop.run("scan", "--languages", "pyhton").err
    assert shop.run("scan", "--jobs", "-1").code == Exit.USAGE
    assert shop.run("export", "graph", "--format", "ctags").code == Exit.FAILED


def test_an_export_without_an_index_asks_for_a_scan(shop):
    result = shop.run("export", "graph")

    assert result.code != Exit.OK
    assert "drift scan" in result.err


def test_the_graph_is_exported_with_places_confidence_and_reason(shop):
    shop.run("scan", "--jobs", "0")

    lines = [json.loads(line) for line in shop.run("export", "graph").out.splitlines()]

    (edge,) = [line for line in lines if line["type"] == "edge"]
    assert edge["caller"] == {"file": "shop/cart.py", "name": "total", "qualname": "Cart.total", "line": 5}
    assert edge["callee"] == {"file": "shop/prices.py", "name": "price_of", "qualname": "price_of", "line": 1}
    assert (edge["confidence"], edge["reason"]) == (1.0, "import")


def test_uses_between_files_are_exported_with_what_files_offer(shop):
    shop.run("scan", "--jobs", "0")

    lines = [json.loads(line) for line in shop.run("export", "uses").out.splitlines()]

    uses = [line for line in lines if line["type"] == "use"]
    assert ("shop/cart.py", "shop/prices.py", "price_of", True) in [
        (one["file"], one["target"], one["name"], one["isImport"]) for one in uses
    ]
    assert {"type": "file", "file": "shop/prices.py", "language": "python", "role": "source"} in lines
    assert any(line["type"] == "offer" and line["file"] == "shop/prices.py" for line in lines)


def test_every_format_is_well_formed(shop):
    shop.run("scan", "--jobs", "0")

    graphml = ET.fromstring(shop.run("export", "graph", "--format", "graphml").out)
    dot = shop.run("export", "graph", "--format", "dot").out
    mermaid = shop.run("export", "graph", "--format", "mermaid").out
    tags = shop.run("export", "symbols", "--format", "ctags").out

    assert len(graphml.findall(".//{*}edge")) == 1
    assert dot.startswith("digraph calls {")
    assert dot.count(" -> ") == 1
    assert mermaid.count("-->") == 1
    assert 'price_of\tshop/prices.py\t1;"\tf\tline:1' in tags
    symbols = [json.loads(line) for line in shop.run("export", "symbols").out.splitlines()]
    assert {"Cart", "Cart.total", "price_of"} <= {each["qualname"] for each in symbols}


def test_progress_is_one_line_a_phase_where_there_is_no_terminal(shop):
    result = shop.run("scan", "--jobs", "0")

    assert result.err.splitlines() == [
        "finding files",
        "reading files (4)",
        "linking calls (3)",
    ]


class Screen:
    """A terminal that remembers what was written."""

    def __init__(self):
        self.written = []

    def isatty(self):
        return True

    def write(self, text):
        self.written.append(text)

    def flush(self):
        pass


def test_progress_on_a_terminal_shows_rate_and_time_left(place):
    from dataclasses import replace

    screen, now = Screen(), [0.0]
    progress = ScanProgress(replace(place.console(), stderr=screen), clock=lambda: now[0])
    progress("extract", 0, 100)
    now[0] = 2.0
    progress("extract", 50, 100)
    progress.finish()

    assert any("reading files  50/100  25/s, 2 s left" in text for text in screen.written)
    assert screen.written[-1].endswith("\x1b[K")


@pytest.mark.slow
def test_a_scan_in_a_process_of_its_own_prints_only_the_report(shop):
    result = shop.spawn("scan", "--json")

    assert json.loads(result.out)["languages"] == {"python": 3}


def test_what_is_said_of_the_scan_tool_can_be_typed(shop):
    told = json.loads(shop.run("tools", "drift_scan", "--json").out)

    assert told["usage"].startswith("drift call drift_scan")
    assert told["commands"] == ["drift call drift_scan", "drift call drift_scan --args '{\"force\": true}'"]
    assert shop.run("call", "drift_scan", "--args", '{"force": true}').code == Exit.OK


def test_an_index_is_published_and_started_from(shop):
    shop.run("scan")

    published = shop.run("index", "publish", "../shared", "--json")
    pulled = shop.run("index", "pull", "../shared")
    missing = shop.run("index", "pull", "../nowhere")

    assert json.loads(published.out)["path"].startswith(str(shop.project.parent))
    assert "0 files read, 0 gone" in pulled.out
    assert "made without git" in pulled.out
    assert missing.code is not Exit.OK
    assert "cannot be used" in missing.err
