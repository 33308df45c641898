from pathlib import Path

import pytest
from extraction_checks import check_facts, check_survives, compare_with_expected, expectations
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.languages.xaml import extract
from drift.languages.xaml.markup import Extension, path_members, read_extensions

PROJECT = Path(__file__).parent.parent / "projects" / "xaml"
SOURCES = sorted(PROJECT.rglob("*.xaml"))
HEAD = (
    'xmlns="http://schemas.microsoft.com/winfx/2006/xaml/presentation" '
    'xmlns:x="http://schemas.microsoft.com/winfx/2006/xaml" xmlns:vm="clr-namespace:Shop.Models;assembly=Shop"'
)


def facts_of(body: str, attributes: str = 'x:Class="Shop.Page"'):
    source = f"<Page {attributes} {HEAD}>\n{body}\n</Page>".encode()
    facts = extract(source, "Page.xaml")
    check_facts(facts, source)
    return facts


@pytest.mark.parametrize(("path", "kind", "lines"), [*expectations(PROJECT)])
def test_a_xaml_file_gives_the_facts_stated_beside_it(path, kind, lines):
    compare_with_expected(extract, PROJECT, path=path, kind=kind, lines=lines)


def test_a_class_in_xaml_belongs_to_the_namespace_of_its_code():
    facts = facts_of("")

    assert facts.package == "Shop"
    assert (facts.symbols[1].name, facts.symbols[1].bases[0].type) == ("Page", ("name", "Page"))


def test_a_binding_without_a_known_view_model_is_a_member_of_the_data_context():
    facts = facts_of('<Label Content="{Binding User.Name}" />')

    user = ("member", ("member", ("this",), "DataContext"), "User")
    assert [reference.target for reference in facts.references] == [user, ("member", user, "Name")]


def test_a_view_model_counts_for_what_follows_inside_its_element_only():
    facts = facts_of(
        "<Grid><Grid.DataContext><vm:Cart /></Grid.DataContext>"
        '<Label Content="{Binding Sum}" /></Grid><Label Content="{Binding Sum}" />'
    )

    cart = ("instance", ("member", ("member", ("name", "Shop"), "Models"), "Cart"))
    assert [reference.target[1] for reference in facts.references] == [
        cart,
        ("member", ("this",), "DataContext"),
    ]


def test_a_name_given_to_an_event_is_a_call_and_to_a_property_none():
    facts = facts_of('<Button Click="Save" Background="Red" Focusable="True" Content="Updated" />')

    assert [(call.kind, call.callee) for call in facts.calls] == [("implicit", ("member", ("this",), "Save"))]


def test_a_document_type_is_refused():
    source = b'<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<Page x:Name="b">&b;</Page>'

    facts = extract(source, "Page.xaml")

    check_facts(facts, source)
    assert [problem.message for problem in facts.problems] == ["a document type is not allowed in XAML"]
    assert len(facts.symbols) == 1


def test_a_xaml_file_keeps_what_stands_before_its_first_fault():
    source = b'<Page x:Class="A.B" xmlns:x="x">\n<Button x:Name="ok" Click="Go"/>\n<Button <'

    facts = extract(source, "Page.xaml")

    check_facts(facts, source)
    assert [symbol.name for symbol in facts.symbols[1:]] == ["B", "ok"]
    assert [problem.line for problem in facts.problems] == [3]


def test_a_huge_xaml_file_is_not_read():
    facts = extract(b"<a>" + b" " * 4_000_000, "Page.xaml")

    assert "larger than" in facts.problems[0].message


@pytest.mark.parametrize(
    ("value", "extensions"),
    [
        ("plain", []),
        ("{}{0:C}", []),
        ("{Binding}", [Extension("Binding", (), {})]),
        ("{Binding A.B, Mode=OneWay}", [Extension("Binding", ("A.B",), {"Mode": "OneWay"})]),
        (
            "{Binding Path=A, Converter={StaticResource X}}",
            [
                Extension("Binding", (), {"Path": "A", "Converter": "{StaticResource X}"}),
                Extension("StaticResource", ("X",), {}),
            ],
        ),
        (
            "{Binding A, StringFormat='a, b'}",
            [Extension("Binding", ("A",), {"StringFormat": "'a, b'"})],
        ),
    ],
)
def test_a_markup_extension_is_taken_apart(value, extensions):
    assert list(read_extensions(value)) == extensions


@pytest.mark.parametrize(
    ("path", "members"),
    [("A.B", ("A", "B")), ("A[0].B", ("A",)), ("(Grid.Row)", ()), ("", ()), ("/", ()), ("A.B.", ("A", "B"))],
)
def test_a_path_ends_where_it_leaves_plain_members(path, members):
    assert path_members(path) == members


@pytest.mark.parametrize(
    "source", [b"", b"\x00", b"\xff\xfe<\x00", b"<", b'<?xml version="1.0" encoding="x"?><a/>']
)
def test_any_xaml_bytes_give_well_formed_facts(source):
    check_facts(extract(source, "a.xaml"), source)


def test_hostile_xaml_nesting_is_survived():
    source = b"<a>" * 20_000 + b"</a>" * 20_000

    check_facts(extract(source, "a.xaml"), source)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_damaged_xaml_never_raises(path):
    check_survives(extract, path.read_bytes(), path.name, count=150)


@settings(max_examples=100)
@given(st.text(alphabet="{}=,'\" ABx:.[]()\n", max_size=80))
def test_any_markup_text_is_survived(text):
    for extension in read_extensions("{" + text + "}"):
        assert extension.name
