"""Names like others: in their words, their short forms, their sound, and as the project uses words."""

import pytest

from drift.index import IndexReader
from drift.project import StateDir
from drift.quality.dag import draw_dag
from drift.quality.names import (
    Asked,
    WordLikeness,
    find_names,
    is_short_form,
    mine_synonyms,
    rank_names,
    sound,
)
from drift.quality.scope import choose_scope
from drift.scan import ScanOptions, scan

SOURCE = """
class UserRepository:
    def get_user(self): return self.get_cart()
    def fetch_user(self): return 1
    def get_cart(self): return 2
    def fetch_cart(self): return 3


class CachedRepository(UserRepository):
    def get_order(self): return 4
    def fetch_order(self): return 5


def compute_order_sum(rows): return rows


def paint_window(colour): return colour


CONFIG_PATH = "a"
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    root = tmp_path_factory.mktemp("names")
    (root / "shop.py").write_text(SOURCE)
    (root / "other.py").write_text(
        "import shop\n\n\ndef run():\n    return shop.paint_window(shop.CONFIG_PATH)\n"
    )
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:
        yield reader


@pytest.mark.parametrize(
    ("query", "nearest"),
    [
        ("calcOrdTotal", "compute_order_sum"),
        ("retrieveUsr", "get_user"),
        ("usr_repo", "UserRepository"),
        ("cfgPath", "CONFIG_PATH"),
        ("drawWin", "paint_window"),
    ],
)
def test_short_forms_and_synonyms_lead_to_the_name(shop, query, nearest):
    found = find_names(shop, choose_scope(shop), query)

    assert nearest in [row.name for row in found.rows][:2]
    assert found.rows[0].why
    assert found.rows[0].score >= found.rows[-1].score >= 0.3


def test_scopes_keep_to_their_kinds(shop):
    scope = choose_scope(shop)

    assert {row.kind for row in find_names(shop, scope, "repository", kinds="types").rows} == {"class"}
    assert "UserRepository" not in {
        row.name for row in find_names(shop, scope, "repository", kinds="functions").rows
    }
    assert [row.name for row in find_names(shop, scope, "config", kinds="variables").rows] == ["CONFIG_PATH"]
    assert find_names(shop, scope, "user", threshold=0.99).rows == ()
    assert len(find_names(shop, scope, "user", top_k=1).rows) == 1


def test_words_that_stand_in_each_others_place_in_three_names_are_synonyms_here():
    names = [(verb, noun) for verb in ("grab", "hoover") for noun in ("user", "cart", "order")] + [
        ("grab", "all")
    ]

    mined = mine_synonyms(names)
    assert mined["grab"] == {"hoover"}
    assert WordLikeness(mined).of("hoover", "grab").why == "used alike here: grab ~ hoover"
    assert WordLikeness({}).of("hoover", "grab").score == 0


def test_sound_counts_where_it_is_asked_for():
    assert sound("robert") == sound("rupert") == "r163"
    assert WordLikeness({}, Asked(phonetic=True)).of("robert", "rupert").score == 0.6
    assert WordLikeness({}, Asked(fuzzy=False)).of("robert", "rupert").score == 0
    assert WordLikeness({}).of("recieve", "receive").why.startswith("spelled alike")


@pytest.mark.parametrize(
    ("short", "long", "is_short"),
    [
        ("cfg", "config", True),
        ("calc", "calculate", True),
        ("btn", "button", True),
        ("re", "repository", False),
        ("cat", "create", False),
    ],
)
def test_short_forms_are_told_by_their_letters(short, long, is_short):
    assert is_short_form(short, long) is is_short


def test_case_can_decide():
    words = {"UserStore": ("user", "store"), "user_store": ("user", "store")}

    assert [one[0] for one in rank_names("UserShop", words, WordLikeness({}), case_sensitive=True)] == [
        "UserStore"
    ]


@pytest.mark.parametrize(
    ("dag_type", "edge"),
    [
        ("call-graph", ("UserRepository.get_user", "UserRepository.get_cart")),
        ("import-graph", ("other.py", "shop.py")),
        ("full-dependency", ("other.py", "shop.py")),
        ("inheritance", ("CachedRepository", "UserRepository")),
    ],
)
def test_graphs_are_drawn_with_their_edges(shop, dag_type, edge):
    found = draw_dag(shop, choose_scope(shop), dag_type, max_nodes=10)

    assert edge in {(one.source, one.target) for one in found.shown}
    assert found.mermaid.startswith("flowchart LR")
    assert found.mermaid.count("-->") == len(found.shown)
    assert found.cycles == 0


def test_what_has_no_room_is_counted(shop):
    found = draw_dag(shop, choose_scope(shop), "call-graph", max_nodes=1)

    assert found.drawn == 1
    assert found.left_out == found.nodes - 1
    assert "no room for" in found.summary
