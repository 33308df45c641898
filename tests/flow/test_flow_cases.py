"""Every kind of weakness is told from its safe twin, in each language; the cases stand in cases.toml."""

import tomllib
from pathlib import Path

import pytest

from drift.flow import Wanted, find_flows, list_flows
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import scan

CASES = tomllib.loads(Path(__file__).with_name("cases.toml").read_text("utf-8"))
# How a case becomes a function of its language: `{name}` and `{body}` are put in; and what ends the file.
FORMS = {
    "python": ('@app.route("/{name}")\ndef {name}():\n{body}\n', ""),
    "java": (
        "  void {name}(HttpServletRequest request, HttpServletResponse response) throws Exception {\n{body}  }\n",
        (
            "  class Inner {\n"
            '    String pick(String p) { int n = 3; return n * 2 > 5 ? p : "safe"; }\n'
            '    String other(String p) { int n = 3; return n * 2 > 5 ? "safe" : p; }\n'
            "  }\n}\n"
        ),
    ),
    "javascript": ('app.get("/{name}", (req, res) => {\n{body}});\n', ""),
    "php": ("function {name}($link, $curl) {\n{body}}\n", ""),
    "csharp": ('  [HttpGet("{name}")]\n  public IActionResult {name}(string q) {\n{body}  }\n', "}\n"),
    "ruby": ("  def {name}\n{body}  end\n\n", "end\n"),
    "go": ("func {name}(w http.ResponseWriter, r *http.Request) {\n{body}}\n", ""),
}
TWINS = [
    (language, number, twin)
    for language, told in CASES.items()
    for number, _case in enumerate(told["cases"])
    for twin in ("bad", "safe")
]


def written(language):
    """The file of a language with all its cases, and for each the lines it covers."""
    told = CASES[language]
    form, after = FORMS[language]
    text = told["before"].lstrip("\n")
    places = {}
    for number, case in enumerate(told["cases"]):
        for twin in ("bad", "safe"):
            first = text.count("\n") + 1
            text += form.replace("{name}", f"case{number}{twin}").replace("{body}", case[twin])
            places[number, twin] = (first, text.count("\n") + 1)
    return text + after, places


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What is found in the file of each language: its text, the places of its cases, and findings by path."""
    answers = {}
    for language, told in CASES.items():
        root = tmp_path_factory.mktemp(language)
        text, places = written(language)
        for path, content in {told["file"]: text, **told.get("files", {})}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(content)
        scan(root)
        with IndexReader(StateDir(root).index_db) as reader, reader.snapshot():
            flows = find_flows(reader, root, StateDir(root))
        rows = [(flows.paths[each.file], each) for each in flows.findings]
        listed = list_flows(flows, Wanted(min_confidence="low")).rows
        assert len({each.id for each in listed}) == len(listed) == len(flows.findings)
        answers[language] = (
            text.splitlines(),
            places,
            [(path, each) for path, each in rows if each.confidence != "low"],
            root,
        )
    return answers


@pytest.mark.parametrize(("language", "number", "twin"), TWINS)
def test_a_weakness_is_found_where_it_is_and_nowhere_in_its_twin(found, language, number, twin):
    lines, places, rows, root = found[language]
    told = CASES[language]
    case = told["cases"][number]
    first, last = places[number, twin]
    elsewhere = case.get("bad_file")

    def starts_here(each):
        begin = each.path[0]
        return first <= begin.line <= last

    mine = [
        each
        for path, each in rows
        if each.kind.name == case["kind"]
        and (
            (path == told["file"] and first <= each.line <= last) or (path == elsewhere and starts_here(each))
        )
    ]

    if twin == "safe":
        assert mine == []
    else:
        marks = (root / elsewhere).read_text().splitlines() if elsewhere else lines
        assert mine
        assert all("BAD" in marks[each.line - 1] for each in mine)
