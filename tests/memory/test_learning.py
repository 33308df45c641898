"""Learning from corrections, and what verdicts do."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.kernel.errors import DriftError, ErrorCode
from drift.memory import CausalEdge, Draft, FileLink, Relation
from drift.memory.causes.feedback import Reasons, Verdict, judge
from drift.memory.decay import current_confidence
from drift.memory.lessons.correction_diff import compare_code
from drift.memory.lessons.learning import Correction, learn
from drift.memory.lessons.principles import extract_principle
from drift.memory.lessons.saving import save_lesson

NOW_MS = 1_700_000_000_000
DAY_MS = 86_400_000


@pytest.mark.parametrize(
    ("feedback", "use", "avoid"),
    [
        ("Use httpx instead of requests.", "httpx", "requests"),
        ("Please use `Decimal` rather than `float` for money, because floats round.", "Decimal", "float"),
        ("Prefer pathlib over os.path", "pathlib", "os.path"),
        ("Don't use print. Use logger.info", "logger.info", "print"),
        ("Replace var with const", "const", "var"),
        ("pathlib instead of os.path here", "pathlib", "os.path"),
    ],
)
def test_a_rule_names_what_to_use_and_what_not(feedback, use, avoid):
    found = extract_principle(feedback, None)

    assert (found.use, found.avoid) == (use, avoid)


@pytest.mark.parametrize(
    ("feedback", "modality"),
    [
        ("Never log the card number.", "never"),
        ("Sessions must be closed in finally.", "always"),
        ("Handlers should return a Response.", "should"),
    ],
)
def test_a_rule_keeps_its_modality_and_its_words(feedback, modality):
    found = extract_principle(feedback, None)

    assert found.modality == modality
    assert found.statement == feedback


def test_the_reason_is_taken_from_what_follows_because():
    found = extract_principle("Never sort here because the caller sorts already.", None)

    assert found.reason == "the caller sorts already"


def test_without_a_rule_in_the_words_the_change_of_one_name_is_the_rule():
    found = extract_principle("This is wrong.", compare_code("x = fetch_all(a)", "x = fetch_page(a)"))

    assert found.statement == "Use fetch_page instead of fetch_all"
    assert found.found_by == "one name changed in the code"


def test_what_shows_no_rule_gives_none():
    assert extract_principle("Hm.", None) is None


@pytest.mark.parametrize(
    ("correction", "category", "memory_type"),
    [
        (Correction("q = f'...{x}'", "SQL injection: escape the input", "q = sql(x)"), "security_issue", "tribal"),
        (Correction("a", "This is slow, batch the queries", None), "performance_issue", "code_smell"),
        (Correction("def getUser(): pass", "Wrong naming", "def get_user(): pass"), "naming_convention", "tribal"),
        (Correction("x", "That method is deprecated in this library", None), "api_misuse", "tribal"),
        (Correction("x", "The controller layer may not import the repository", None), "architecture_mismatch", "decision_context"),
        (Correction("x", "I prefer shorter lines, it is a matter of style", None), "style_preference", "preference"),
        (Correction("x", "Follow the pattern used elsewhere", None), "pattern_violation", "pattern_rationale"),
        (Correction("x", "This is forbidden by policy", None), "constraint_violation", "constraint_override"),
        (Correction("x", "A legacy gotcha: the team knows it", None), "tribal_miss", "tribal"),
        (Correction("x", "Hm.", None), "other", "feedback"),
    ],
)  # fmt: skip
def test_each_of_the_ten_categories_is_found_with_its_reasons(correction, category, memory_type):
    found = learn(correction).category

    assert (found.name, found.type) == (category, memory_type)
    assert found.reasons


def test_a_change_of_layout_alone_is_seen_as_one():
    assert compare_code("a=1", "a = 1").signals == ("layout_only",)
    assert compare_code("same", "same") is None


@given(old=st.text(max_size=200), new=st.text(max_size=200))
def test_any_two_texts_can_be_compared(old, new):
    change = compare_code(old, new)

    assert (change is None) == (old == new)


@given(st.text(max_size=500))
def test_any_feedback_can_be_read(feedback):
    lesson = learn(Correction("a", feedback, "b"))

    assert lesson.category.name


def test_a_correction_is_kept_with_its_rule_its_file_and_a_reckoned_confidence(store):
    correction = Correction(
        "requests.get(url)",
        "Use httpx instead of requests because it is async.",
        "httpx.get(url)",
        FileLink("app/net.py"),
    )

    learned = save_lesson(store, correction, actor="test", now_ms=NOW_MS)

    assert learned.is_new
    assert learned.memory.title == "Use httpx instead of requests"
    assert learned.memory.files[0].path == "app/net.py"
    assert learned.calibration.validation == 1.0
    assert learned.memory.confidence == pytest.approx(0.30 + 0.25 + 0.15)


def test_the_same_rule_again_makes_one_memory_surer(store):
    first = save_lesson(store, Correction("a", "Use x_y instead of z_w.", "b"), actor="test", now_ms=NOW_MS)
    again = save_lesson(store, Correction("c", "Use x_y instead of z_w.", "d"), actor="test", now_ms=NOW_MS)

    assert not again.is_new
    assert again.memory.id == first.memory.id
    assert again.memory.confidence == pytest.approx(first.memory.confidence + 0.1)
    assert store.counts().total == 1


def test_secrets_in_a_correction_are_not_kept(store):
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    learned = save_lesson(
        store,
        Correction(f"t = '{secret}'", f"Never write {secret} in code", "t = env()"),
        actor="test",
        now_ms=NOW_MS,
    )

    assert secret not in str(store.get(learned.memory.id))
    assert learned.redacted


@pytest.fixture
def family(store):
    """A rule, what it supports, what was derived from that, and a stranger."""
    rule, supported, derived, stranger = (
        store.add(Draft(type="tribal", title=title, confidence=0.8), actor="test")
        for title in ("Rule", "Supported", "Derived", "Stranger")
    )
    store.edges.put(
        [
            CausalEdge(rule.id, supported.id, Relation.SUPPORTS),
            CausalEdge(derived.id, supported.id, Relation.DERIVED_FROM),
            CausalEdge(rule.id, stranger.id, Relation.CAUSED),
            CausalEdge(rule.id, derived.id, Relation.SUPPORTS, 0.5),
            CausalEdge(derived.id, rule.id, Relation.SUPPORTS),
        ],
        actor="test",
    )
    return rule, supported, derived, stranger


@pytest.mark.parametrize(("verdict", "by"), [("confirm", 0.1), ("reject", -0.3), ("modify", -0.1)])
def test_a_verdict_shifts_a_memory_and_half_as_much_what_rests_on_it(store, family, verdict, by):
    rule, supported, derived, stranger = family
    now_ms = rule.recorded_at_ms

    found = judge(store, rule.id, Verdict(verdict), reasons=Reasons(), actor="test", now_ms=now_ms)

    assert store.get(rule.id).confidence == pytest.approx(0.8 + by)
    assert {one.memory: one.after for one in found.effects} == {
        supported.id: pytest.approx(0.8 + by / 2),
        derived.id: pytest.approx(0.8 + by / 2),
    }
    assert store.get(stranger.id).confidence == 0.8
    assert any("confidence" in entry.patch for entry in store.history.of(supported.id)[1:])


def test_effects_end_after_five_steps(store):
    notes = [
        store.add(Draft(type="tribal", title=f"Note {n}", confidence=0.5), actor="test") for n in range(8)
    ]
    edges = [CausalEdge(a.id, b.id, Relation.SUPPORTS) for a, b in pairwise(notes)]
    store.edges.put(edges, actor="test")

    found = judge(
        store, notes[0].id, Verdict.CONFIRM, reasons=Reasons(), actor="test", now_ms=notes[0].recorded_at_ms
    )

    assert [one.depth for one in found.effects] == [1, 2, 3, 4, 5]
    assert store.get(notes[5].id).confidence == pytest.approx(0.5 + 0.1 / 32)
    assert store.get(notes[6].id).confidence == 0.5


def test_rejecting_a_faded_memory_never_makes_it_surer(store):
    memory = store.add(Draft(type="episodic", title="Old", confidence=1.0), actor="test")
    later_ms = memory.recorded_at_ms + 14 * DAY_MS
    before = current_confidence(memory, now_ms=later_ms)

    found = judge(store, memory.id, Verdict.REJECT, reasons=Reasons(), actor="test", now_ms=later_ms)

    assert found.change.after < before
    assert found.change.is_archived
    assert store.get(memory.id).archived


def test_confirming_a_faded_memory_makes_it_as_good_as_new(store):
    memory = store.add(Draft(type="episodic", title="Old", confidence=0.7), actor="test")
    later_ms = memory.recorded_at_ms + 14 * DAY_MS

    judge(store, memory.id, Verdict.CONFIRM, reasons=Reasons(), actor="test", now_ms=later_ms)

    assert current_confidence(store.get(memory.id), now_ms=later_ms) == pytest.approx(0.8)


def test_the_reason_of_a_verdict_is_kept_and_linked(store, family):
    rule, *_ = family
    reasons = Reasons("It broke the build twice", {"text": "Mended"}, contradicts=(family[3].id,))

    found = judge(store, rule.id, Verdict.MODIFY, reasons=reasons, actor="test", now_ms=rule.recorded_at_ms)

    assert found.note.text == "It broke the build twice"
    assert store.get(rule.id).text == "Mended"
    relations = {(edge.source, edge.target): edge.relation for edge in store.edges.of([rule.id])}
    assert relations[found.note.id, rule.id] is Relation.CONTRADICTS
    assert relations[rule.id, family[3].id] in {Relation.CONTRADICTS, Relation.CAUSED}


def test_a_verdict_that_names_an_unknown_memory_changes_nothing(store, family):
    rule, *_ = family

    with pytest.raises(DriftError) as raised:
        judge(
            store,
            rule.id,
            Verdict.REJECT,
            reasons=Reasons(contradicts=("m_nowhere",)),
            actor="test",
            now_ms=NOW_MS,
        )

    assert raised.value.code is ErrorCode.RESOURCE_NOT_FOUND
    assert store.get(rule.id).confidence == 0.8


def test_lines_that_went_and_came_are_counted():
    change = compare_code("a = 1\nb = 2\nc = 3\n", "a = 1\nb = 4\nc = 3\nd = 5\n")

    assert (change.removed_lines, change.added_lines) == (1, 2)


@pytest.mark.parametrize(
    ("original", "feedback", "corrected", "category"),
    [
        ("for u in us:\n    q(u)", "This is an N+1, load them in one query.", "q_many(us)", "performance_issue"),
        ("c.execute(f'select {x}')", "Never build SQL from input.", "c.execute('select ?', (x,))", "security_issue"),
        ("import repo\nrepo.save(x)", "Go through the service.", "from services import o\no.save(x)", "architecture_mismatch"),
        ("session.commit()", "We wrap it like everywhere else.", "with work():\n    session.commit()", "pattern_violation"),
        ("max=500", "Our policy forbids batches above 100.", "max=100", "constraint_violation"),
        ("print(x)", "Use the logger", "logger.info(x)", "api_misuse"),
    ],
)  # fmt: skip
def test_words_and_the_change_of_the_code_decide_together(original, feedback, corrected, category):
    assert learn(Correction(original, feedback, corrected)).category.name == category
