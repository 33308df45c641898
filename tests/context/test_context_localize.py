"""The files and symbols that are found for a task."""

import subprocess
import tomllib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.context.answers import Remark
from drift.context.bodies import Corpus, count_terms, read_corpus
from drift.context.compose import compose_context
from drift.context.history import find_alike, read_past, weigh_habits, weigh_same
from drift.context.leaning import MANY, Leaning, leaning_of
from drift.context.localize import Question, locate
from drift.context.sections import SECTIONS, Section, Task, gather_sections
from drift.context.symbols import rank_symbols, term_values
from drift.index import IndexReader
from drift.kernel.render import render_value
from drift.kernel.tokens import count_tokens
from drift.kernel.wire import to_wire
from drift.project import StateDir
from drift.registry import Intent
from drift.scan import ScanOptions, scan

FILES = {
    "shop/cart.py": (
        "from shop.discount import reduce_price\n\n\n"
        "class Cart:\n"
        '    """Items a customer wants to buy."""\n\n'
        "    def add(self, item):\n        self.items.append(item)\n\n"
        "    def total(self):\n"
        "        return sum(reduce_price(item) for item in self.items)\n"
    ),
    "shop/discount.py": (
        "def reduce_price(item):\n"
        "    if item.discount is None:\n        return item.price\n"
        "    return item.price * (1 - item.discount)\n"
    ),
    "shop/mail.py": 'def send_receipt(order):\n    raise ValueError("no address for the receipt")\n',
    "bank/ledger.py": "def total(entries):\n    return sum(entries)\n",
    "tests/test_cart.py": (
        "from shop.cart import Cart\n\n\ndef test_total_with_discount():\n    assert Cart().total() == 0\n"
    ),
    "docs/discount.py": "discount = 'discount discount discount'\n",
}


def write(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


@pytest.fixture
def shop(tmp_path):
    write(tmp_path, FILES)
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as reader:
        yield reader, StateDir(tmp_path)


def paths(shop, text, **more):
    return [each.path for each in locate(*shop, Question(text, **more)).files]


def test_a_report_in_plain_words_leads_to_the_file_that_does_it(shop):
    found = paths(shop, "Prices are wrong when an item is discounted")

    assert found[0] == "shop/discount.py"
    assert "tests/test_cart.py" not in found
    assert "docs/discount.py" not in found


def test_a_quoted_error_leads_to_where_it_is_raised(shop):
    assert paths(shop, 'ValueError: "no address for the receipt"')[0] == "shop/mail.py"


def test_words_that_stand_together_lead_before_the_same_words_apart(tmp_path):
    apart = "def query(a):\n    return a\n\n\ndef string(b):\n    return b\n"
    joined = {"_": "query_string", "hump": "queryString", "prose": "query string"}
    write(tmp_path, {"apart.py": apart, "other.py": "x = 1\n"})
    for kind, written in joined.items():
        write(tmp_path, {f"with_{kind}.js": f"// {written} {kind}\nfunction run(a) {{\n  return a;\n}}\n"})
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        located = locate(reader, StateDir(tmp_path), Question("Query strings are cut"))

    paired = {each.path for each in located.files if "pair" in each.signs}
    assert paired == {f"with_{kind}.js" for kind in joined}
    assert "apart.py" in {each.path for each in located.files}


def test_a_folder_is_named_by_another_form_of_the_word(tmp_path):
    keys = "def rotate_keys(log):\n    log('rotation of keys')\n\n\ndef rotation_due(log):\n    return log\n"
    writer = "def roll(path, log):\n    # rotation\n    return log(path)\n"
    write(tmp_path, {"app/tls/keys.py": keys, "app/logging/writer.py": writer, "app/other.py": "x = 1\n"})
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        located = locate(reader, StateDir(tmp_path), Question("log rotation"))

    assert "folder" in next(each for each in located.files if each.path == "app/logging/writer.py").signs
    assert "folder" not in next(each for each in located.files if each.path == "app/tls/keys.py").signs


def test_the_part_that_the_title_names_first_leads_into_its_folder(tmp_path):
    code = "def read_label(field):\n    return field.label\n"
    write(tmp_path, {f"{part}/labels.py": code for part in ("admin", "forms", "mail")})
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        located = locate(reader, StateDir(tmp_path), Question("fix(forms): label of a field is lost"))

    assert located.files[0].path == "forms/labels.py"
    assert [each.path for each in located.files if "scope" in each.signs] == ["forms/labels.py"]


def test_a_part_that_nearly_every_file_lies_in_tells_nothing(tmp_path):
    write(tmp_path, {f"shop/part_{n}.py": "def label():\n    return 1\n" for n in range(5)})
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        located = locate(reader, StateDir(tmp_path), Question("shop: label is lost"))

    assert located.files
    assert not any("scope" in each.signs for each in located.files)


def test_a_stack_trace_leads_to_the_file_and_the_function_around_the_line(shop):
    located = locate(*shop, Question('File "/srv/app/shop/cart.py", line 11, in total\nTypeError'))

    assert located.files[0].path == "shop/cart.py"
    assert rank_symbols(shop[0], located, located.files)[0].symbol.qualname == "Cart.total"


def test_a_symbol_as_focus_comes_first_although_its_name_is_a_filler_word(shop):
    located = locate(*shop, Question("Cart.add"))

    assert located.files[0].path == "shop/cart.py"
    assert rank_symbols(shop[0], located, located.files)[0].symbol.qualname == "Cart.add"


def test_a_name_of_several_symbols_gives_all_and_says_how_to_choose(shop):
    located = locate(*shop, Question("total"))

    assert {each.path for each in located.files[:2]} == {"shop/cart.py", "bank/ledger.py"}
    assert any("2 symbols" in problem for problem in located.problems)


def test_a_misspelt_symbol_is_answered_with_similar_names(shop):
    located = locate(*shop, Question("reduce_prize"))

    assert any("reduce_price" in problem for problem in located.problems)


def test_a_path_of_a_test_is_found_when_the_focus_names_it(shop):
    assert paths(shop, "tests/test_cart.py is slow")[0] == "tests/test_cart.py"


def test_the_active_file_counts(shop):
    assert "shop/mail.py" not in paths(shop, "discount")
    assert "shop/mail.py" in paths(shop, "discount", active_file="shop/mail.py")


@pytest.mark.parametrize("text", ["", "   ", "fix the bug", "xyzzy plugh", "#1234", "\0", "'\"`*()"])
def test_a_focus_that_is_about_nothing_here_gives_no_files_rather_than_any(shop, text):
    composed = compose_context(*shop, Question(text), intent="fix_bug", depth="standard")

    assert composed.context.files == ()
    assert composed.warnings


def test_a_file_deleted_since_the_scan_is_told_as_unread(shop):
    (shop[1].root / "shop/mail.py").unlink()

    located = locate(*shop, Question("receipt"))

    assert any("1 file" in problem for problem in located.problems)


def test_a_link_put_in_the_place_of_a_file_is_not_followed(shop, tmp_path_factory):
    secret = tmp_path_factory.mktemp("elsewhere") / "secret.txt"
    secret.write_text("receipt secret")
    target = shop[1].root / "shop/mail.py"
    target.unlink()
    target.symlink_to(secret)

    corpus = read_corpus(shop[1].root, shop[0].files.stamps())

    assert not any(b"secret" in text for text in corpus.texts.values())


@given(
    st.lists(st.text("abA", min_size=1, max_size=4), max_size=8),
    st.dictionaries(st.sampled_from("xyz"), st.text("ab ", max_size=30).map(str.encode)),
)
def test_terms_within_one_another_are_counted_as_each_alone_would_be(terms, texts):
    counts = count_terms(Corpus(texts, 0), terms)

    assert counts == {
        term: {path: n for path, text in texts.items() if (n := text.count(term.lower().encode()))}
        for term in terms
    }


def test_a_broken_file_is_found_and_its_state_is_told(tmp_path):
    write(tmp_path, {"shop/broken.py": "def receipt(:\n    return (\n"})
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        composed = compose_context(
            reader, StateDir(tmp_path), Question("receipt"), intent="fix_bug", depth="standard"
        )

    assert composed.context.files[0].file == "shop/broken.py"
    assert any("not read whole" in each.says for each in composed.context.sections.get("risks", ()))


def test_an_empty_project_gives_an_empty_context(tmp_path):
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        composed = compose_context(
            reader, StateDir(tmp_path), Question("login"), intent="fix_bug", depth="deep"
        )

    assert composed.context.files == ()
    assert composed.context.symbols == ()


def test_callers_tests_and_risks_are_told_with_their_places(shop):
    composed = compose_context(*shop, Question("reduce_price"), intent="refactor", depth="standard")

    callers = composed.context.sections["callers"]
    assert ("reduce_price", "called by Cart.total", "shop/cart.py:11") in {
        (each.about, each.says, each.at) for each in callers
    }
    tests = compose_context(*shop, Question("Cart.total"), intent="add_test", depth="standard")
    assert {each.at.partition(":")[0] for each in tests.context.sections["tests"]} == {"tests/test_cart.py"}


def test_a_function_without_a_resolved_call_is_told_as_a_doubt_and_not_as_unused(shop):
    composed = compose_context(*shop, Question("send_receipt"), intent="refactor", depth="standard")

    doubts = [each.says for each in composed.context.sections["risks"] if each.about == "send_receipt"]
    assert doubts == [
        "no call from product code was resolved: called from outside, indirectly, or not at all"
    ]


def test_every_section_has_rows_at_every_depth(shop, monkeypatch):
    def remember(task):
        yield Remark(task.files[0].path, "keep prices in cents", "notes.md:1")

    sections = (*SECTIONS, Section("memory", remember))
    monkeypatch.setattr("drift.context.compose.SECTIONS", sections)

    composed = compose_context(*shop, Question("discount"), intent="fix_bug", depth="overview")

    assert composed.context.sections["memory"][0].says == "keep prices in cents"


def test_key_lines_are_those_with_the_words_of_the_task(shop):
    composed = compose_context(*shop, Question("wrong discount"), intent="fix_bug", depth="standard")

    best = composed.context.symbols[0]
    assert best.symbol == "reduce_price"
    assert best.lines == ("2: if item.discount is None:", "4: return item.price * (1 - item.discount)")


@pytest.mark.parametrize(("depth", "most"), [("overview", 2_000), ("standard", 6_000), ("deep", 12_000)])
def test_an_answer_stays_within_its_depth(tmp_path, depth, most):
    many = {
        f"shop/receipt_{n}.py": "".join(
            f"def print_receipt_{m}(receipt, printer):\n    return printer.receipt(receipt)\n\n\n"
            for m in range(20)
        )
        for n in range(60)
    }
    write(tmp_path, many)
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        composed = compose_context(
            reader, StateDir(tmp_path), Question("print a receipt"), intent="fix_bug", depth=depth
        )

    assert count_tokens(render_value(to_wire(composed.context))) <= most
    assert len(composed.context.files) >= 5


def test_a_new_domain_joins_in_by_one_section(shop):
    def remember(task):
        yield Remark(task.files[0].path, f"keep prices in cents ({task.intent})", "notes.md:1")

    located = locate(*shop, Question("discount"))
    task = Task(shop[0], "fix_bug", located, located.files, (), term_values(located))

    found = gather_sections(task, {"memory": 3}, (Section("memory", remember),))

    assert found["memory"][0].says == "keep prices in cents (fix_bug)"


def git(root, *words):
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", "-C", str(root), *identity, *words], check=True, capture_output=True)


def test_commits_like_the_task_point_to_the_files_they_touched(tmp_path):
    write(tmp_path, FILES)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "bank")
    git(tmp_path, "commit", "-qm", "Round the yearly statement")
    git(tmp_path, "add", "shop/mail.py")
    git(tmp_path, "commit", "-qm", "Send mail")
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        located = locate(reader, StateDir(tmp_path), Question("The yearly statement is off"))

    assert [each.path for each in located.files] == ["bank/ledger.py"]
    assert located.alike["bank/ledger.py"].subject == "Round the yearly statement"


def test_a_commit_with_one_common_word_counts_less_than_one_that_says_the_same(tmp_path):
    write(tmp_path, FILES)
    git(tmp_path, "init", "-q")
    for path, subject in {
        "bank": "Round the yearly statement",
        "shop/mail.py": "Print the statement",
        "shop/cart.py": "Weigh apples",
    }.items():
        git(tmp_path, "add", path)
        git(tmp_path, "commit", "-qm", subject)
    scan(tmp_path, ScanOptions(jobs=0))

    def likeness(text):
        with IndexReader(StateDir(tmp_path).index_db) as reader:
            located = locate(reader, StateDir(tmp_path), Question(text))
        return max(each.signs.get("likeness", 0.0) for each in located.files)

    same, vague = likeness("Round the yearly statement"), likeness("Statement for apples from abroad")
    assert same > 1.2 * vague > 0


def test_files_that_are_no_candidates_do_not_set_the_measure_of_habits(tmp_path):
    git(tmp_path, "init", "-q")
    for n in range(5):
        write(tmp_path, {"CHANGES.txt": str(n), "a.py": "x = 1\n"})
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-qm", f"Change {n}")

    habits = weigh_habits(read_past(tmp_path), {"a.py"})

    assert set(habits) == {"a.py"}


def test_the_history_of_a_project_within_a_larger_repository_has_the_projects_own_paths(tmp_path):
    write(tmp_path, {"services/bank/ledger.py": "x = 1\n", "services/other.py": "y = 2\n"})
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "Round the yearly statement")

    past = read_past(tmp_path / "services/bank")

    assert [commit.files for commit in past.commits] == [("ledger.py",)]


def test_without_git_the_answer_says_that_history_is_missing(shop):
    past = read_past(shop[1].root)

    assert past.commits == ()
    assert past.problem == "no git history"
    assert find_alike(past, {"discount": 1.0}, {"shop/cart.py"}) == {}
    assert weigh_same(past, {"discount": 1.0}) == 0.0
    assert weigh_habits(past, {"shop/cart.py"}) == {}


LEANING = {
    "shop/cart.py": "from shop.price import total\n\n\ndef total_of_cart(cart):\n    return total(cart)\n",
    "shop/price.py": "def total(cart):\n    return sum(cart)\n\n\ndef price_of(total):\n    return total\n",
    "shop/login.py": "def check(password, token, session):\n    return password == token.secret  # before the total\n",
    "shop/report.py": "from shop.price import total\n\n\ndef show():\n    print(total([]), total([1]), total([2]))\n",
    "tests/test_price.py": "from shop.price import total\n\n\ndef test_total():\n    assert total([]) == 0\n",
}


@pytest.mark.parametrize(
    ("intent", "path"),
    [
        ("add_test", "tests/test_price.py"),
        ("security_audit", "shop/login.py"),
        ("refactor", "shop/report.py"),
    ],
)
def test_the_kind_of_a_task_leans_the_ranking(tmp_path, intent, path):
    write(tmp_path, LEANING)
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        state, question = StateDir(tmp_path), Question("total of prices")
        plain, leant = (
            {each.path: each.score for each in locate(reader, state, question, leaning=leaning).files}
            for leaning in (Leaning(), leaning_of(intent))
        )

    assert leant[path] > plain.get(path, 0.0)
    assert max(leant, key=lambda each: leant[each]) == "shop/price.py"


def test_every_kind_of_task_that_leans_is_one():
    tables = tomllib.loads(files("drift.context").joinpath("intents.toml").read_text("utf-8"))

    assert tables.keys() <= {str(each) for each in Intent}
    assert all(table.keys() <= set(Leaning._fields) for table in tables.values())
    assert all(leaning_of(intent).signs.keys() <= MANY.keys() for intent in tables)
