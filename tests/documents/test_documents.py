"""Documents tell what they declare, with its place, never a value, and no text can make them do more."""

import random
import string
from pathlib import Path

import pytest
from document_cases import CASES, rows_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drift.documents import DocumentKind, document_kind, read_document
from drift.documents.items import MOST_ITEMS, UnreadableError
from drift.documents.kinds import _rules
from drift.documents.nodes import read_nodes

KINDS = sorted({rule.kind for _, rule in _rules()[1]})
SOURCES = [
    each for case in CASES for each in case.rglob("*") if each.is_file() and each.name != "expected.txt"
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_gives_the_rows_it_is_to_give(case):
    assert rows_of(case) == (case / "expected.txt").read_text()


def test_there_is_a_case_for_every_kind():
    told = "".join((case / "expected.txt").read_text() for case in CASES)

    assert [kind.name for kind in KINDS if f": {kind.name}\n" not in told] == []


def test_no_row_holds_a_value():
    told = "".join(rows_of(case) for case in CASES)

    assert "hunter2" in "".join(each.read_text() for each in SOURCES)
    assert not any(secret in told for secret in ("hunter2", "sk-live", "aHVudGVy", "sk-1", "BEGIN"))


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (".env", "env"),
        ("api/.env.production", "env"),
        ("config/prod.env", "env"),
        ("docker-compose.override.yml", "compose"),
        ("Dockerfile.dev", "dockerfile"),
        (".github/workflows/ci.yaml", "github-ci"),
        (".github/dependabot.yml", None),
        ("deploy/k8s/web.yaml", "kubernetes"),
        ("charts/shop/values-prod.yaml", "helm-values"),
        ("src/Api/appsettings.json", "appsettings"),
        ("src/main/resources/application-test.properties", "spring"),
        ("docs/openapi.v2.json", "openapi"),
        ("db/schema.SQL", "sql"),
        ("random.yaml", None),
        ("package.json", None),
        ("templates/base.HTML", "html"),
        ("app/views/users/show.html.eex", "html"),
        ("web/theme.scss", "scss"),
        ("web/theme.module.css", "css"),
        ("environment.ts", None),
    ],
)
def test_a_document_is_known_by_its_name(path, kind):
    directory, _, name = path.rpartition("/")
    found = document_kind(directory, name)

    assert (found.name if found else None) == kind


def shape(node):
    if node.entries is not None:
        return {key: shape(value) for key, value in node.pairs()}
    if node.items is not None:
        return [shape(each) for each in node.items]
    return node.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb:\n  c: x # no\n", {"a": "1", "b": {"c": "x"}}),
        ("a:\n- 1\n- b: 2\n  c: 3\n-\n  - 4\n", {"a": ["1", {"b": "2", "c": "3"}, ["4"]]}),
        ("a: [1, {b: c}, 'd, e',\n  f]\ng: h\n", {"a": ["1", {"b": "c"}, "d, e", "f"], "g": "h"}),
        ("a: |\n  b: c\n\n  d\ne: >-\n  f\n", {"a": "b: c\n\nd", "e": "f"}),
        ("a: one\n  two: three\nb: 'x\n  y: z'\nc: 1\n", {"a": "one", "b": "x\n  y: z", "c": "1"}),
        (
            "a: &x {b: c}\nd: *x\ne:\n  <<: *x\n  f: g\n",
            {"a": {"b": "c"}, "d": {"b": "c"}, "e": {"f": "g", "b": "c"}},
        ),
        ('{"a": {"b": [1, 2]}, "c": null}', {"a": {"b": ["1", "2"]}, "c": "null"}),
        ("'a: b': c\n\"d\": e:f\n", {"a: b": "c", "d": "e:f"}),
        ("a: !!str 1\nb: !Ref\n  - c\n", {"a": "1", "b": ["c"]}),
        ("a:\nb: ~\n", {"a": None, "b": "~"}),
        ("url: http://x/#y\n", {"url": "http://x/#y"}),
        ("- - a\n  - b\n- c: d\n", [["a", "b"], {"c": "d"}]),
        ("a: {{ tpl }}\nb: 1\n", {"a": "{{ tpl }}", "b": "1"}),
        ("\ufeffa: 1\r\nb: 2\r\n", {"a": "1", "b": "2"}),
    ],
)
def test_yaml_and_json_are_read_as_what_they_are(text, expected):
    (node,) = read_nodes(text)

    assert shape(node) == expected


def test_documents_of_one_text_are_told_apart():
    assert [shape(each) for each in read_nodes("%YAML 1.2\n---\na: 1\n---\nb: 2\n...\n--- c\n")] == [
        {"a": "1"},
        {"b": "2"},
        "c",
    ]


def test_a_value_is_where_its_key_is():
    (node,) = read_nodes("a:\n\n  b:\n    - c\n")

    assert (node.get("a").line, node.get("a", "b").line, node.get("a", "b").children()[0].line) == (1, 3, 4)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 5000,
        "{a: " * 5000,
        "- " * 5000,
        "\n".join(" " * depth + "a:" for depth in range(2000)),
        "a: " + "[x," * 60 + "]" * 60,
        "x: [" + "a," * 150_000 + "]",
    ],
)
def test_texts_beyond_all_measure_are_refused(text):
    try:
        read_nodes(text)
    except UnreadableError:
        return
    assert len(text) <= 20_000  # a plain text that looks like more


def test_aliases_of_aliases_give_no_more_items_than_any_other_text():
    levels = ["a0: &a0 {x: 1, y: 2}"] + [f"a{n}: &a{n} {{p: *a{n - 1}, q: *a{n - 1}}}" for n in range(1, 60)]

    document = read_document(DocumentKind("helm-values", "settings"), "\n".join(levels).encode())

    assert len(document.items) <= MOST_ITEMS
    assert document.problem is not None


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.name}-{kind.reader}")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.binary(max_size=400)
    | st.text(alphabet="aA:=-{}[]()\"'`#/*,;|>&!@$<% \n\t\\", max_size=400).map(str.encode)
)
def test_any_content_gives_a_document(kind, content):
    document = read_document(kind, content)

    assert all(item.name and 1 <= item.line <= content.count(b"\n") + 1 for item in document.items)
    assert all(element.tag and 1 <= element.line <= content.count(b"\n") + 1 for element in document.elements)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_a_torn_case_gives_a_document(path):
    content, chance = path.read_bytes(), random.Random(3)
    reader = next(kind for kind in KINDS if (found := kind_of(path)) and kind == found)
    for _ in range(60):
        cut = bytearray(content[: chance.randrange(len(content))])
        for _ in range(chance.randrange(4)):
            if cut:
                cut[chance.randrange(len(cut))] = ord(chance.choice(string.punctuation + "\n"))
        torn = read_document(reader, bytes(cut))
        assert torn.kind == reader.name
        assert all(1 <= item.line <= cut.count(b"\n") + 1 for item in torn.items)


def kind_of(path: Path):
    case = next(each for each in CASES if each in path.parents)
    folder = path.relative_to(case).parent.as_posix()
    return document_kind("" if folder == "." else folder, path.name)
