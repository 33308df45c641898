"""What documents of GraphQL ask for, and whether the schema of the project has it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.analyses.contracts.contracts import look_at_contracts
from drift.analyses.contracts.graphql_documents import Asked, Chosen, all_names, read_document
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

SCHEMA = """
type Query {
  album(id: ID!): Album
  albums(first: Int = 10): [Album!]!
  token: String
}
type Mutation { rename(id: ID!, title: String!): Album! }
type Album { id: ID! title: String! owner: User }
type User { id: ID! }
"""

SCRIPT = """
import { gql, useQuery } from '@apollo/client'
export const ALBUM = gql`
  query album($id: ID!, $size: Input = { width: 3 }) {
    album(id: $id) @include(if: true) { ...AlbumParts owner { id name } }
    first: token
  }
  ${PARTS}
`
export const LIST = graphql(`{ albums { id headline ... on Album { secret } __typename } }`)
"""

FILES = {
    "api/schema.graphql": SCHEMA,
    "ui/album.tsx": SCRIPT,
    "ui/parts.graphql": "fragment AlbumParts on Album { id title }\nmutation Rename { rename(id: 1) { id } }\n",
    "ui/other.graphql": "query Other { repository { id } album { stars } viewer { login } }\n",
}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    root = tmp_path_factory.mktemp("graphql")
    for path, text in FILES.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:
        return look_at_contracts(reader, root)


def contract(found, name):
    (row,) = [row for row in found.contracts if row.endpoint == f"/{name}"]
    return row


def test_a_question_leads_to_the_field_of_the_schema_that_answers_it(found):
    places = {
        (row.method, row.endpoint, one.file, one.line, one.function)
        for row in found.contracts
        for one in row.frontend
    }

    assert places == {
        ("query", "/album", "ui/album.tsx", 5, "ALBUM"),
        ("query", "/token", "ui/album.tsx", 6, "ALBUM"),
        ("query", "/albums", "ui/album.tsx", 10, "LIST"),
        ("mutation", "/rename", "ui/parts.graphql", 2, "Rename"),
    }


def test_names_that_the_schema_has_agree(found):
    assert [contract(found, name).status for name in ("album", "token", "rename")] == ["discovered"] * 3


def test_a_name_that_the_schema_has_not_is_told(found):
    row = contract(found, "albums")

    assert row.status == "mismatch"
    assert [(one.kind, one.field) for one in row.mismatches] == [("missing_in_backend", "headline")]


def test_a_document_that_mostly_asks_for_what_nobody_here_has_is_for_another_server(found):
    assert {(one.path, one.file) for one in found.calls} == {
        ("/repository", "ui/other.graphql"), ("/album", "ui/other.graphql"), ("/viewer", "ui/other.graphql"),
    }  # fmt: skip


def test_fields_go_by_their_own_names_and_fragments_by_theirs():
    read = read_document(
        "query Q { mine: albums(where: {a: 1}) { one: id ...More } } fragment More on A { x }"
    )

    assert read.asked == (Asked("query", "Q", 1, "albums", Chosen(("id",), ("More",))),)
    assert all_names(Chosen(("id",), ("More", "Gone")), read.fragments) == ("id", "x")


def test_fragments_that_have_each_other_come_to_an_end():
    fragments = {"A": Chosen(("a",), ("B",)), "B": Chosen(("b",), ("A",))}

    assert all_names(Chosen((), ("A",)), fragments) == ("a", "b")


def test_a_schema_asks_for_nothing():
    assert read_document(SCHEMA).asked == ()


@given(
    st.lists(
        st.sampled_from(
            [
                "query",
                "mutation",
                "fragment",
                "on",
                "{",
                "}",
                "(",
                ")",
                ":",
                "...",
                "@x",
                "a",
                "b",
                "$v",
                "=",
                "[",
                "]",
                "!",
                "#",
                '"',
                "\n",
            ]
        )
    )
)
def test_any_text_is_read(words):
    for one in read_document(" ".join(words)).asked:
        assert one.field
