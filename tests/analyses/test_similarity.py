"""Code like other code, with the reason why."""

import pytest

from drift.analyses.similarity import find_similar, stem_words
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

ORDERS = """
def check(order):
    return order


def create_order(user, items):
    order = check(items)
    save(order, user)
    return order


def save(order, user):
    return order, user


def create_invoice(user, items):
    invoice = check(items)
    save(invoice, user)
    return invoice


def paint(colour):
    return colour


class EmailValidator:
    pass
"""


@pytest.fixture
def reader(tmp_path):
    (tmp_path / "orders.py").write_text(ORDERS)
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as found:
        yield found


def test_code_that_calls_the_same_is_most_alike_and_says_so(reader):
    (wanted,) = reader.symbols.named("create_order")

    best, *others = find_similar(reader, wanted, None, limit=5)

    assert best.symbol == "create_invoice"
    assert any(each.startswith("calls: check, save") for each in best.why)
    assert "paint" not in {row.symbol for row in others}


def test_a_word_of_the_name_alone_is_no_likeness(tmp_path):
    (tmp_path / "start.py").write_text(
        "def init_health(route):\n    route(ping)\n\n\ndef ping(): ...\n\n\n"
        "def report_health(level):\n    return level\n\n\ndef init():\n    return 1\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as found:
        (wanted,) = found.symbols.named("init_health")

        assert find_similar(found, wanted, None, limit=5) == ()


def test_members_beside_it_are_compared_whatever_they_are_called(tmp_path):
    (tmp_path / "places.py").write_text(
        "class Places:\n    def update(self, request):\n        self.allow(request)\n        return self.keep(request)\n\n"
        "    def store(self, request):\n        self.allow(request)\n        return self.keep(request)\n\n"
        "    def allow(self, request): ...\n\n    def keep(self, request): ...\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as found:
        (wanted,) = found.symbols.named("update")

        assert find_similar(found, wanted, None, limit=5)[0].symbol == "Places.store"


def test_a_description_finds_names_in_other_forms_of_its_words(reader):
    assert find_similar(reader, None, "validating emails", limit=3)[0].symbol == "EmailValidator"


def test_a_description_without_a_known_word_finds_nothing(reader):
    assert find_similar(reader, None, "quantum chromodynamics", limit=3) == ()


@pytest.mark.parametrize(("holders", "expected"), [(3, 2), (50, 0)])
def test_a_decorator_tells_of_likeness_only_where_few_have_it(tmp_path, holders, expected):
    names = ["Alpha", "Bravo", "Delta", *(f"Zulu{number}" for number in range(holders - 3))]
    (tmp_path / "marked.py").write_text("\n".join(f"@marked\nclass {name}:\n    pass\n" for name in names))
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        (wanted,) = reader.symbols.named("Alpha")
        found = find_similar(reader, wanted, None, limit=5)

    assert len(found) == expected


def test_words_are_split_at_humps_and_cut_to_stems():
    assert list(stem_words("parseHTTPRequests")) == ["pars", "http", "request"]
    assert set(stem_words("validate validator validation validating")) == {"validat"}
