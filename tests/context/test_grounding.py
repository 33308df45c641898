"""Memories against real code: what is looked up, what is missed, and what is left alone."""

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.context.claims import read_claims
from drift.context.grounding import GroundingVerdict, changes_of, ground_memory, past_scores
from drift.conventions.verification.ground import Ground
from drift.conventions.verification.tokens import ClaimKind
from drift.index import IndexReader
from drift.memory import FileLink, LogEntry, Memory
from drift.memory.citations import cite
from drift.project import StateDir
from drift.scan import ScanOptions, scan

FILES = {
    "shop/__init__.py": "",
    "shop/pricing.py": (
        "import os\nimport requests\n\nMAX_RETRIES = 3\n\n\ndef apply_discount(cents):\n"
        '    return cents - int(os.environ["SHOP_DISCOUNT"])\n\n\n'
        "class PriceList:\n    def __init__(self):\n        self.currency_code = 'EUR'\n\n"
        "    def total_price(self):\n        return apply_discount(requests.get('x'))\n"
    ),
    "shop/web.py": (
        "from fastapi import FastAPI\n\nfrom shop.pricing import PriceList\n\napp = FastAPI()\n\n\n"
        '@app.get("/orders/{order_id}")\ndef show_order(order_id: int):\n    return PriceList().total_price()\n\n\n'
        "def show_basket(request, pk):\n    return pk\n"
    ),
    "shop/urls.py": (
        "from django.urls import path\n\nfrom shop import web\n\n\n"
        "urlpatterns = [path('baskets/<int:pk>/', web.show_basket)]\n"
    ),
    "docs/notes.md": "The word `forgotten_helper` stands here alone.\n",
    "CHANGES": "renamed_helper is helper now.\n",
    "deploy.yaml": "env:\n  - name: QUEUE_ADDRESS\n",
    "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["fastapi==0.110.0", "requests>=2.31,<3"]\n',
    "requirements.txt": "django==4.2.7\n",
}
# Whatever these name, nothing of it is code of the project, and none of it may be missed.
NOTHING_TO_GROUND = (
    "Talk to Anna before changing prices.",
    "The team prefers small commits and clear messages.",
    "GitHub, PostgreSQL, JavaScript and GraphQL are what we use.",
    "See https://example.com/src/shop/gone.py for the reasons.",
    "Mail ops@example.com when the site is down.",
    "We have 3 servers and 2.5 people on call.",
    "It took 4.2 seconds, then 1.5 times longer.",
    "Requests 5 times a day is fine, requests 2.5 times is not.",
    "and/or, client/server, input/output, yes/no",
    "Node.js and Next.js are not ours; neither is `Vue.js`.",
    "iPhone, macOS, jQuery, gRPC, mTLS and eBay",
    "e.g. this, i.e. that, etc. and so on",
    "Never call `eval_anything()` on user input.",
    "Avoid `global_state` at all costs.",
    "We removed `legacy_charge()` and `shop/legacy.py` last year.",
    "`OldGateway` was replaced by a service of the bank.",
    "We will add `refund_order` and `shop/refunds.py` in spring.",
    "Names such as `fooBar` or `do_thing` are discouraged.",
    "Use `true`, `null` and `main` with care.",
    "```python\nfrom nowhere import made_up_name\nmade_up_name()\n```",
    "Run `git push origin main` and `make deploy-all`.",
    "The branch `feature/checkout` is merged; the type is `application/json`.",
    "Upgraded from django 3.2 long ago.",
    "Look into /etc/hosts and ~/.ssh/config first.",
    "HTTP 404 and HTTP_404 mean the same; so do UTF_8 and ISO_8601.",
    "`requests.Session` keeps connections open.",
    "Prices: 12.50 EUR, 3.14, 1.0.0.1 and 10.0.0.0/8.",
    "The dist/bundle.js is written by the build.",
    "Es gibt keine Änderung; все хорошо; 全部正常。",
    "Ask @anna and @ops-team in #help, ticket SHOP-123.",
)


def git(root, *words):
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(root), *identity, *words], check=True, capture_output=True)


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    root = tmp_path_factory.mktemp("grounding")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    return root


@pytest.fixture(scope="module")
def ground(template):
    with IndexReader(StateDir(template).index_db) as reader:
        yield Ground(template, reader)


@pytest.fixture
def repository(tmp_path):
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "begin")
    return tmp_path


def memory(text="", *, type="insight", **fields):  # noqa: A002 - the field's name
    return Memory(type=type, text=text, id="m_1", recorded_at_ms=1, updated_at_ms=1, **fields)


def checked(found):
    return {one.claim.text: str(one.verdict) for one in found.claims}


def check_now(root, one, log=()):
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:
        return ground_memory(one, Ground(root, reader), log)


@pytest.mark.parametrize("text", NOTHING_TO_GROUND)
def test_a_text_without_a_claim_about_the_code_raises_no_alarm(ground, text):
    found = ground_memory(memory(text), ground)

    assert not {"missing", "changed", "moved"} & set(checked(found).values()), found.claims
    assert found.score is None
    assert found.verdict is GroundingVerdict.INSUFFICIENT_DATA


def test_there_are_thirty_such_texts():
    assert len(NOTHING_TO_GROUND) == 30


@pytest.mark.parametrize(
    ("text", "claim", "evidence"),
    [
        ("See shop/pricing.py:7.", "shop/pricing.py", "shop/pricing.py:7"),
        ("It is in `pricing.py`.", "pricing.py", "shop/pricing.py"),
        ("Everything lies under `shop/`.", "shop/", "shop"),
        ("Prices go through apply_discount first.", "apply_discount", "shop/pricing.py:7 apply_discount"),
        ("`PriceList.total_price` rounds.", "PriceList.total_price", "shop/pricing.py:15 PriceList.total_price"),
        ("`PriceList::total_price()` rounds.", "PriceList.total_price", "shop/pricing.py:15 PriceList.total_price"),
        ("`PriceList.currency_code` is fixed.", "PriceList.currency_code", "shop/pricing.py:13 PriceList.currency_code"),
        ("The module `shop.pricing` is old.", "shop.pricing", "shop/pricing.py"),
        ("MAX_RETRIES is three.", "MAX_RETRIES", "shop/pricing.py:4 MAX_RETRIES"),
        ("Set the variable SHOP_DISCOUNT first.", "SHOP_DISCOUNT", "shop/pricing.py:8 reads it"),
        ("Set $QUEUE_ADDRESS first.", "QUEUE_ADDRESS", "deploy.yaml:2 as a word"),
        ("GET /orders/:id is slow.", "GET /orders/:id", "shop/web.py:8 show_order"),
        ("GET /baskets/{id} is slow.", "GET /baskets/{id}", "shop/web.py:13 show_basket"),
        ("We are on fastapi 0.110.", "fastapi", "pyproject.toml:3 asks for ==0.110.0"),
        ("We pin django==4.2.7.", "django", "requirements.txt:1 asks for ==4.2.7"),
    ],
)  # fmt: skip
def test_what_is_there_is_found_with_its_place(ground, text, claim, evidence):
    found = ground_memory(memory(text), ground)

    assert {one.claim.text: one.evidence for one in found.claims}[claim] == evidence
    assert checked(found)[claim] == "found"
    assert found.verdict is GroundingVerdict.VALIDATED


@pytest.mark.parametrize(
    ("text", "claim", "verdict", "similar"),
    [
        ("See shop/pricings.py.", "shop/pricings.py", "missing", ("shop/pricing.py",)),
        ("Prices go through apply_discounts first.", "apply_discounts", "missing", ("apply_discount",)),
        ("`PriceList.total_prices` rounds.", "PriceList.total_prices", "missing", ("total_price",)),
        ("Set the variable SHOP_DISCOUNTS first.", "SHOP_DISCOUNTS", "missing", ("SHOP_DISCOUNT",)),
        ("GET /invoices/{id} is slow.", "GET /invoices/{id}", "missing", ("GET /orders/{order_id}",)),
        ("POST /orders/{id} is slow.", "POST /orders/{id}", "changed", ()),
        ("See shop/pricing.py:700.", "shop/pricing.py", "changed", ()),
        ("We are on django 3.2.", "django", "changed", ()),
        ("`forgotten_helper` does it.", "forgotten_helper", "missing", None),
        ("`renamed_helper` does it.", "renamed_helper", "missing", None),
        ("We are on requests 2.40.", "requests", "unclear", ()),
        ("Do not edit shop/generated.py by hand.", "shop/generated.py", "missing", None),
    ],
)  # fmt: skip
def test_what_is_not_there_is_told_with_what_may_be_meant(ground, text, claim, verdict, similar):
    found = ground_memory(memory(text), ground)
    one = next(each for each in found.claims if each.claim.text == claim)

    assert str(one.verdict) == verdict
    assert similar is None or one.similar[: len(similar)] == similar


def test_a_renamed_file_is_told_with_its_new_place_and_counts_as_there(repository):
    link = cite(repository, "shop/pricing.py")
    git(repository, "mv", "shop/pricing.py", "shop/prices.py")
    git(repository, "commit", "-qm", "rename")

    found = check_now(repository, memory("shop/pricing.py rounds; see `shop/web.py`.", files=(link,)))
    told = check_now(repository, memory("All in shop/pricing.py."))

    assert checked(found) == {"shop/pricing.py": "moved", "shop/web.py": "found"}
    assert found.claims[0].similar == ("shop/prices.py",)
    assert found.verdict is GroundingVerdict.VALIDATED
    assert [(str(one.verdict), one.evidence) for one in told.claims] == [
        ("moved", "renamed to shop/prices.py")
    ]


def test_a_deleted_file_invalidates_what_speaks_of_it_alone(repository):
    text = "shop/pricing.py holds `PriceList`; apply_discount rounds up."
    link = cite(repository, "shop/pricing.py")
    before = check_now(repository, memory(text, files=(link,)))
    git(repository, "rm", "-q", "shop/pricing.py")
    (repository / "shop/web.py").write_text("def show_order():\n    return 1\n")
    git(repository, "commit", "-qam", "delete")

    after = check_now(repository, memory(text, files=(link,)))

    assert before.verdict is GroundingVerdict.VALIDATED
    assert set(checked(before).values()) == {"found"}
    assert after.verdict is GroundingVerdict.INVALIDATED
    assert checked(after) == {
        "shop/pricing.py": "missing",
        "PriceList": "missing",
        "apply_discount": "missing",
    }
    assert after.is_contradicted
    assert after.adjustment.mode == "penalize"


def test_a_memory_that_tells_of_a_moment_is_not_judged_by_the_code_of_today(ground):
    found = ground_memory(memory("We looked at shop/gone.py.", type="episodic"), ground)

    assert found.verdict is GroundingVerdict.NOT_GROUNDABLE
    assert found.score is None
    assert changes_of(found, now_ms=5) == {}


def test_half_of_it_missing_is_partial_and_more_is_weak(ground):
    half = ground_memory(memory("apply_discount calls apply_nothing."), ground)
    most = ground_memory(memory("apply_discount, apply_nothing, apply_never and apply_nowhere."), ground)

    assert (half.verdict, half.score) == (GroundingVerdict.PARTIAL, 0.5)
    assert (most.verdict, most.score) == (GroundingVerdict.WEAK, 0.25)


def test_words_that_only_may_be_names_do_not_outvote_a_missing_one(ground):
    found = ground_memory(memory("`app` and `shop` are fine, `LostGateway` is not."), ground)

    assert checked(found)["LostGateway"] == "missing"
    assert found.score is not None
    assert found.score < 0.4


def test_a_smell_names_what_should_not_be_there(ground):
    found = ground_memory(memory("`print_debugging()` in handlers", type="code_smell"), ground)

    assert checked(found) == {"print_debugging": "unclear"}


def test_alternatives_that_were_rejected_are_no_claims(ground):
    content = {"decisionSummary": "Keep `PriceList`", "alternatives": ["A `PriceTree` in shop/tree.py"]}

    assert checked(ground_memory(memory(type="decision", content=content), ground)) == {"PriceList": "found"}


def test_without_an_index_files_are_still_looked_up(template):
    found = ground_memory(
        memory("shop/pricing.py has apply_discount, shop/gone.py not."), Ground(template, None)
    )

    assert checked(found) == {
        "shop/pricing.py": "found",
        "apply_discount": "unclear",
        "shop/gone.py": "missing",
    }


def test_a_link_outside_the_project_is_never_opened(ground):
    found = ground_memory(
        memory("see ../../../etc/passwd.txt", files=(FileLink("../../etc/passwd"),)), ground
    )

    assert checked(found)["../../etc/passwd"] == "missing"
    assert "found" not in checked(found).values()


def test_the_scores_of_earlier_checks_come_from_the_log(ground):
    log = (
        LogEntry(1, 10, "a", "add", "m_1", {"tags": ["prices"]}),
        LogEntry(2, 20, "a", "update", "m_1", {"tags": ["prices", "grounding:1.00"]}),
        LogEntry(3, 30, "a", "update", "m_1", {"tags": ["prices", "more", "grounding:1.00"]}),
        LogEntry(4, 40, "a", "update", "m_1", {"tags": ["grounding:nonsense"]}),
    )

    found = ground_memory(memory("apply_nothing is called."), ground, log)

    assert [(one.at_ms, one.score) for one in past_scores(log)] == [(20, 1.0)]
    assert (found.previous_score, found.score_delta, found.is_contradicted) == (1.0, -1.0, True)


def test_what_is_not_confirmed_goes_on_fading_from_what_is_left(ground):
    year_ms = 365 * 86_400_000
    weak = memory(
        "apply_discount, apply_nothing, apply_never and apply_nowhere.", tags=("a", "grounding:0.90")
    )

    changes = changes_of(ground_memory(weak, ground), now_ms=year_ms)

    assert changes["tags"] == ("a", "grounding:0.25")
    assert changes["confidence"] < 0.1
    assert "last_validated_ms" not in changes


def test_the_same_finding_is_not_counted_twice(ground):
    log = (LogEntry(1, 10, "a", "update", "m_1", {"tags": ["grounding:1.00"]}),)

    found = ground_memory(memory("apply_discount rounds."), ground, log)

    assert (found.adjustment.mode, found.adjustment.delta) == ("none", 0.0)


@settings(max_examples=60)
@given(st.text(max_size=300))
def test_any_text_can_be_checked(ground, text):
    found = ground_memory(memory(text, title=text[:50]), ground)

    assert found.score is None or 0 <= found.score <= 1
    assert all(one.evidence for one in found.claims)


@pytest.mark.parametrize(
    "text", ["`" * 9_999, "a/" * 5_000 + "b.py", "x." * 5_000, "1." * 5_000, "GET " + "/{" * 5_000]
)
def test_hostile_texts_take_no_long_time_and_raise_nothing(ground, text):
    assert ground_memory(memory(text), ground).score in {None, 0.0}


def test_a_claim_is_kept_once_in_its_surest_form():
    claims = read_claims(
        memory("We removed `PriceList`. PriceList is back. `PriceList` rounds."), frozenset()
    )

    assert [(one.kind, one.text, one.is_sure, one.excuse) for one in claims] == [
        (ClaimKind.SYMBOL, "PriceList", True, None)
    ]
