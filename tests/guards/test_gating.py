"""Gates judge what changed: new outliers count, old ones and moved lines do not, and what cannot be told is no pass."""

import json
import os
import subprocess
from contextlib import closing
from datetime import UTC, date, datetime

import pytest

from drift.guards.baseline import read_baseline, write_baseline
from drift.guards.gating.answers import GateWish, Surroundings, judge
from drift.guards.gating.policies import PolicyError, read_policy
from drift.guards.gating.running import GATES, GateOutcome, _verdict, policy_report
from drift.index import IndexReader
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.reading import ProjectFiles
from drift.project import open_project
from drift.quality.reporters import write_report
from drift.scan import ScanOptions, scan
from drift.state import Curation, StateStore, switch_on

NAMES = [f"Part{number}" for number in range(60)]
OLD_OUTLIER = "class OldDeclined(Exception):\n    pass\n"
VIEW = '@app.get("/{0}")\n{1}def {0}():\n    return {2}\n\n\n'
GUARD = "@login_required\n"
VIEWS = "from flask import Flask\nfrom flask_login import login_required\n\nfrom shop import data\n\napp = Flask(__name__)\n\n\n"


class Shop:
    """A repository with sixty exception classes called Error, one that is not, and a change to judge."""

    def __init__(self, root):
        self.root = root
        for number in range(3):
            text = "".join(f"class {name}Error(Exception):\n    pass\n\n\n" for name in NAMES[number::3])
            self.write(f"shop/errors{number}.py", text + (OLD_OUTLIER if number == 2 else ""))
        self.write("shop/__init__.py", "")
        self.write("shop/money.py", "def price(amount):\n    return amount\n")
        self.write("shop/bill.py", "from shop.money import price\n\n\ndef bill():\n    return price(1)\n")
        guarded = "".join(VIEW.format(f"orders{number}", GUARD, number) for number in range(6))
        self.write("shop/web.py", VIEWS + guarded)
        self.write("pages/site.py", VIEWS + VIEW.format("about", "", "data.read()"))
        self.write("shop/data.py", 'import db\n\n\ndef read():\n    return db.run("select id from orders")\n')
        self.write(
            "shop/use.py", "from shop.errors0 import Part0Error\n\n\ndef fail():\n    raise Part0Error\n"
        )
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-qm", "Begin")

    def git(self, *words):
        who = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
        subprocess.run(["git", "-C", str(self.root), *who, *words], check=True, capture_output=True)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def judge(self, **wish):
        scan(self.root, ScanOptions(jobs=0))
        project = open_project(self.root, os.environ)
        asked = GateWish(**{"policy": "default", "against": "working", **wish})
        with IndexReader(project.state.index_db) as reader, reader.snapshot():
            return judge(reader, project, asked, Surroundings(date(2026, 11, 17), {}))

    def reset(self):
        self.git("checkout", "-q", "--force", "HEAD", "--", ".")
        self.git("clean", "-qfd", "-e", ".drift")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return Shop(tmp_path_factory.mktemp("gating"))


@pytest.fixture
def shop(made):
    yield made
    made.reset()
    for name in (".drift/rules/baseline.json", ".drift/rules/house.toml", ".drift/rules/policies/house.toml"):
        (made.root / name).unlink(missing_ok=True)


def statuses(run):
    return {each.gate: each.status for each in run.gates}


def test_new_lines_are_checked_as_code_that_is_yet_to_be_written(shop):
    shop.write(
        "shop/bill.py",
        "from shop.money import price\nimport shop.money\n\n\ndef bill():\n    return price(1, 2, 3)\n\n\n"
        "def total():\n    try:\n        return shop.money.prise(1)\n    except Exception:\n        pass\n",
    )

    run = shop.judge()

    assert run.status == "failed"
    told = [(each.rule, each.line) for each in run.findings if each.file == "shop/bill.py"]
    assert told == [("calls/arguments", 6), ("names/unknown", 11), ("errors/swallowed", 12)]
    assert shop.judge(against="all", gates=("code-checks",)).status == "errored", (
        "only what is new is read again"
    )


def test_a_new_outlier_fails_and_the_old_one_is_not_told(shop):
    shop.write(
        "shop/more.py",
        "class CardDeclined(Exception):\n    pass\n\n\nclass CardError(Exception):\n    pass\n",
    )

    run = shop.judge()

    (found,) = run.findings
    assert (found.rule, found.file, found.line) == ("errors/exception-suffix", "shop/more.py", 1)
    assert "61 of 63" in found.message
    assert (run.status, run.exit_code) == ("failed", 1)
    assert statuses(run)["pattern-compliance"] == "failed"
    assert statuses(run)["constraint-verification"] in {"skipped", "passed"}
    assert found.suggestion == "See shop/more.py:5."


def test_rules_that_ratings_switched_off_are_left_out_and_said(shop):
    shop.write("shop/bill.py", "import shop.money\n\n\ndef bill():\n    return shop.money.prise(1)\n")
    project = open_project(shop.root, os.environ)
    with closing(StateStore(project.stores.state_db)) as store:
        store.add_curation(Curation("names/unknown", datetime.now(UTC), "ratings", "switch_off", "off"))

    run = shop.judge()
    with closing(StateStore(project.stores.state_db)) as store:
        switch_on(store, "names/unknown", by="t", now=datetime.now(UTC))

    assert (run.findings, run.status) == ((), "passed")
    assert run.notes == ("Switched off by ratings, and not told of: names/unknown",)
    assert [each.rule for each in shop.judge().findings] == ["names/unknown"]


def test_a_change_that_does_as_the_others_do_passes(shop):
    shop.write("shop/more.py", "class CardError(Exception):\n    pass\n")

    run = shop.judge()

    assert (run.findings, run.status, run.exit_code) == ((), "passed", 0)


def test_a_line_that_was_moved_is_not_new(shop):
    text = (shop.root / "shop/errors2.py").read_text()
    shop.write("shop/errors2.py", text.replace(OLD_OUTLIER, ""))
    shop.write("shop/moved.py", OLD_OUTLIER)

    assert shop.judge().findings == ()


def test_a_declaration_that_was_only_edited_is_not_new(shop):
    text = (shop.root / "shop/errors2.py").read_text()
    shop.write("shop/errors2.py", text.replace("OldDeclined(Exception)", "OldDeclined(Exception, ABC)"))

    assert shop.judge().findings == ()

    shop.write(
        "shop/errors2.py",
        text.replace("OldDeclined(", "NewDeclined(") + "\n\nclass Card(Exception):\n    pass\n",
    )
    assert len(shop.judge().findings) == 1


def test_an_import_elsewhere_that_a_change_breaks_is_told(shop):
    text = (shop.root / "shop/errors0.py").read_text()
    shop.write("shop/errors0.py", text.replace("Part0Error", "FirstError"))

    run = shop.judge()

    (found,) = run.findings
    assert (found.rule, found.file, found.line) == ("imports/missing-name", "shop/use.py", 1)
    assert (found.severity, statuses(run)["impact-simulation"], run.exit_code) == ("error", "failed", 1)


def test_what_may_be_broken_warns_and_what_is_tried_is_not_told(shop):
    text = (shop.root / "shop/errors0.py").read_text()
    shop.write("shop/errors0.py", text.replace("Part0Error", "FirstError"))
    tried = "try:\n    from shop.errors0 import Part0Error\nexcept ImportError:\n    Part0Error = None\n"
    shop.write("shop/use.py", tried)
    # A package may get modules that only a build makes.
    shop.write("shop/made.py", "from shop import _version\n")

    run = shop.judge(gates=("impact-simulation",))

    assert [(each.file, each.severity) for each in run.findings] == [("shop/made.py", "warning")]
    assert statuses(run)["impact-simulation"] == "warned"


def test_a_call_on_an_old_line_of_what_a_change_takes_away_fails(shop):
    shop.write("shop/till.py", "def open_till():\n    return 1\n\n\ndef count():\n    return open_till()\n")
    shop.write("shop/day.py", "from shop import till\n\n\ndef begin():\n    return till.open_till()\n")
    # What a parent has is there when the method in its place is gone.
    shop.write(
        "shop/books.py",
        "from outside import Store\n\n\nclass Books(Store):\n    def flush_all(self):\n        return super().flush_all()\n",
    )
    shop.write("shop/night.py", "from shop.books import Books\n\n\ndef end():\n    Books().flush_all()\n")
    shop.git("add", "-A")
    shop.git("commit", "-qm", "Till")
    shop.write("shop/books.py", "from outside import Store\n\n\nclass Books(Store):\n    pass\n")
    shop.write("shop/till.py", "def unlock():\n    return 1\n\n\ndef count():\n    return open_till()\n")

    run = shop.judge(gates=("impact-simulation",))
    shop.git("reset", "-q", "--hard", "HEAD^")

    assert [(each.rule, each.severity, each.file, each.line) for each in run.findings] == [
        ("contracts/removed", "error", "shop/day.py", 5),
        ("contracts/removed", "error", "shop/till.py", 6),
    ]
    assert run.exit_code == 1


@pytest.mark.parametrize("renamed", [False, True])
def test_imports_of_files_that_a_change_takes_away_are_told(shop, renamed):
    tried = "try:\n    from shop.money import price\nexcept ImportError:\n    price = None\n"
    shop.write("shop/extra.py", tried)
    shop.git("add", "-A")
    if renamed:
        shop.git("mv", "shop/money.py", "shop/prices.py")
    else:
        (shop.root / "shop/money.py").unlink()

    run = shop.judge(gates=("impact-simulation",))

    shop.git("reset", "-q", "--hard")
    assert [(each.rule, each.severity, each.file, each.line) for each in run.findings] == [
        ("imports/missing-file", "error", "shop/bill.py", 1)
    ]


def test_a_caller_elsewhere_that_a_changed_declaration_breaks_is_told(shop):
    shop.write("shop/money.py", "def price(amount, currency):\n    return amount, currency\n")

    run = shop.judge(gates=("impact-simulation",))
    (found,) = run.findings
    assert (found.rule, found.file, found.line) == ("calls/arguments", "shop/bill.py", 5)

    shop.write("shop/money.py", "def price(amount, currency=None):\n    return amount, currency\n")
    assert shop.judge(gates=("impact-simulation",)).findings == ()


def test_reach_is_far_where_it_is_more_than_half_of_what_there_is(shop):
    views = "".join(f"def view{n}():\n    return price({n})\n\n\n" for n in range(30))
    shop.write("shop/many.py", f"from shop.money import price\n\n\n{views}")
    shop.git("add", "-A")
    shop.git("commit", "-qm", "Many")
    shop.write("shop/money.py", "def price(amount):\n    return amount + 1\n")
    shop.write(
        ".drift/rules/policies/house.toml",
        "[gates.impact-simulation]\nfunctions = 5\nshare = 0.1\nfriction = 100\n",
    )

    narrow = shop.judge(policy="house")
    shop.write(
        ".drift/rules/policies/house.toml",
        "[gates.impact-simulation]\nfunctions = 5\nshare = 0.9\nfriction = 100\n",
    )
    wide = shop.judge(policy="house")
    shop.git("reset", "-q", "--hard", "HEAD^")

    assert (narrow.status, wide.status) == ("failed", "passed")
    assert "over the limit: functions" in narrow.gates[0].message


def test_a_new_route_without_the_guard_of_its_neighbours_is_told(shop):
    text = (shop.root / "shop/web.py").read_text()
    more = VIEW.format("invoices", "", 1) + VIEW.format("refunds", GUARD, 1) + VIEW.format("health", "", 1)
    shop.write("shop/web.py", text + more)

    run = shop.judge()

    (found,) = run.findings
    assert (found.rule, found.symbol, run.exit_code) == ("security/unguarded-route", "invoices", 1)
    assert "6 of 6" in found.message


def test_a_protected_table_behind_an_open_route_is_told(shop):
    text = (shop.root / "shop/data.py").read_text()
    shop.write("shop/data.py", text.replace("from orders", "from users"))

    run = shop.judge(gates=("security-boundary",))

    assert [(each.rule, each.symbol) for each in run.findings] == [("security/unguarded-access", "read")]
    assert "GET /about" in run.findings[0].message
    assert shop.judge(policy="relaxed", gates=("security-boundary",)).findings == ()


def test_a_secret_in_a_new_line_fails_its_gate_and_shows_nothing_of_itself(shop, monkeypatch):
    key = "AKIA" + "Q7RT2MWX4KPZ5VNB"
    shop.write("shop/keys.py", "NAME = 'shop'\n")
    shop.write("shop/upload.py", f'KEY = "{key}"\n')

    run = shop.judge(gates=("secrets",))

    (found,) = run.findings
    assert (found.rule, found.file, found.line) == ("secrets/aws-access-key", "shop/upload.py", 1)
    assert key not in str(run)
    assert statuses(run)["secrets"] == "failed"

    read = ProjectFiles.read_beginning

    def refuse(files, path, *given, **named):
        if path == "shop/upload.py" and named.get("follow_links") is False:
            raise PermissionError
        return read(files, path, *given, **named)

    monkeypatch.setattr(ProjectFiles, "read_beginning", refuse)
    unread = shop.judge(gates=("secrets",))
    # What could not be read is not told as free of secrets.
    assert statuses(unread)["secrets"] == "errored"
    assert "shop/upload.py" in unread.gates[0].message


def test_rules_of_boundaries_and_flows_are_findings_of_the_policy_security(shop):
    rules = shop.root / ".drift/rules"
    rules.mkdir(parents=True, exist_ok=True)
    (rules / "boundaries.toml").write_text(
        '[[boundary]]\nid = "orders"\ntables = ["orders"]\nallowed_paths = ["web/**"]\n'
    )
    flow = "import os\nfrom flask import Flask, request\n\napp = Flask(__name__)\n\n\n"
    flow += '@app.get("/run")\ndef run():\n    os.system(request.args["x"])\n'
    shop.write("shop/run.py", flow)

    run = shop.judge(policy="security", against="all")

    found = {each.rule: each for each in run.findings if not each.rule.startswith("secrets/")}
    assert set(found) == {"boundaries/orders", "flow/command", "security/unguarded-route"}
    assert (found["boundaries/orders"].file, found["boundaries/orders"].line) == ("shop/data.py", 5)
    assert found["flow/command"].evidence["cwe"] == "CWE-78"
    assert "shop/run.py:9" in found["flow/command"].evidence["way"]
    assert (run.status, run.exit_code) == ("failed", 1)

    (rules / "boundaries.toml").write_text("[[boundary]]\nid = 'x'\n")
    assert (
        statuses(shop.judge(policy="security", gates=("security-boundary",)))["security-boundary"]
        == "errored"
    )
    (rules / "boundaries.toml").unlink()


def test_a_convention_that_most_new_code_breaks_is_told_once(shop):
    shop.write(
        "shop/more.py", "".join(f"class Card{number}(Exception):\n    pass\n\n\n" for number in range(4))
    )

    weaker = shop.judge(gates=("regression-detection",))
    (found,) = weaker.findings
    assert (found.rule, found.file) == ("regression/convention", "shop/more.py")
    assert "otherwise in 4 of 4 places on changed lines, elsewhere in 1 of 61" in found.message

    few = "".join(f"class Card{number}Error(Exception):\n    pass\n\n\n" for number in range(8))
    shop.write("shop/more.py", few + "class CardDeclined(Exception):\n    pass\n")
    assert shop.judge(gates=("regression-detection",)).findings == ()


def test_an_edited_line_that_chose_so_before_weakens_nothing(shop):
    text = (shop.root / "shop/errors2.py").read_text()
    shop.write("shop/errors2.py", text.replace("OldDeclined(Exception)", "LateDeclined(Exception)"))

    assert shop.judge(policy="strict", gates=("regression-detection",)).findings == ()


def test_what_is_in_the_baseline_does_not_count_and_survives_moved_lines(shop):
    every = shop.judge(against="all")
    assert [each.symbol for each in every.findings] == ["OldDeclined"]
    project = open_project(shop.root, os.environ)
    rows = [
        {"id": each.id, "rule": each.rule, "file": each.file, "message": each.message}
        for each in every.findings
    ]
    assert write_baseline(project.state, reversed(rows)) == 1
    first = (project.state.rules / "baseline.json").read_bytes()
    write_baseline(project.state, rows)
    assert (project.state.rules / "baseline.json").read_bytes() == first

    text = (shop.root / "shop/errors2.py").read_text()
    shop.write("shop/errors2.py", "# moved\n\n" + text)
    run = shop.judge(against="all")

    assert [(each.symbol, each.baseline) for each in run.findings] == [("OldDeclined", "unchanged")]
    assert run.status == "passed"
    log = json.loads(write_report(policy_report(run), "sarif"))["runs"][0]
    assert log["results"][0]["baselineState"] == "unchanged"
    assert log["tool"]["driver"]["rules"][0]["id"] == "errors/exception-suffix"
    assert write_report(policy_report(run), "github").startswith("Policy default passed")
    assert json.loads(write_report(policy_report(run), "gitlab")) == []


def test_a_baseline_that_cannot_be_read_is_an_error(shop):
    shop.write(".drift/rules/baseline.json", '{"findings": [{}]}')

    with pytest.raises(DriftError) as refused:
        read_baseline(open_project(shop.root, os.environ).state)
    assert refused.value.code is ErrorCode.CONFIG_INVALID


def test_own_rules_and_policies_are_files_and_a_broken_rule_is_no_pass(shop):
    shop.write(
        ".drift/rules/house.toml",
        '[[rule]]\nid = "no-print"\nmessage = "Use the log."\nwhere = { files = ["shop/**"] }\nwhen = { calls = ["print"] }\n',
    )
    shop.write(".drift/rules/policies/house.toml", "[gates.custom-rules]\nblocking = true\n")
    shop.write("shop/more.py", "def tell():\n    print('x')\n")

    run = shop.judge(policy="house")
    assert [(each.rule, each.line) for each in run.findings] == [("rules/no-print", 2)]
    assert run.exit_code == 1

    shop.write(
        ".drift/rules/house.toml", '[[rule]]\nid = "no-print"\nmessage = "m"\nwhen = { call = ["print"] }\n'
    )
    broken = shop.judge(policy="house")
    assert (broken.status, broken.exit_code) == ("errored", 2)
    assert "did you mean calls?" in broken.gates[0].message


def test_a_gate_that_was_asked_for_and_cannot_be_told_is_errored(shop):
    run = shop.judge(against="all", gates=("regression-detection",))

    assert (statuses(run), run.status) == ({"regression-detection": "errored"}, "errored")
    with pytest.raises(DriftError, match="no gate"):
        shop.judge(gates=("pattern-complience",))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x = 1", "x is not known"),
        ("[gates]", "gates: must be tables"),
        ("[gates.pattern-complience]", "did you mean pattern-compliance"),
        ("[gates.custom-rules]\nblocking = 1", "must be true or false"),
        ("[gates.impact-simulation]\nfiles = -1", "not negative"),
        ("[gates.security-boundary]\ntables = 'users'", "list of texts"),
        ("required = ['x']\n[gates.custom-rules]", "x is no gate of this policy"),
        ("aggregation = 'most'\n[gates.custom-rules]", "must be one of any, all"),
        ("=", "no TOML"),
    ],
)
def test_a_policy_that_is_wrong_says_where(text, problem):
    with pytest.raises(PolicyError, match=problem):
        read_policy(text, "own", GATES)


@pytest.mark.parametrize(
    ("aggregation", "required", "outcomes", "verdict"),
    [
        ("any", [], [("passed", 100.0), ("warned", 90.0)], "warned"),
        ("any", [], [("passed", 100.0), ("failed", 90.0)], "failed"),
        ("all", [], [("passed", 100.0), ("failed", 90.0)], "warned"),
        ("all", [], [("failed", 50.0), ("failed", 90.0)], "failed"),
        ("all", ["custom-rules"], [("failed", 50.0), ("passed", 90.0)], "failed"),
        ("threshold", [], [("failed", 40.0), ("passed", 100.0)], "warned"),
        ("threshold", [], [("failed", 30.0), ("passed", 100.0)], "failed"),
        ("weighted", [], [("failed", 40.0), ("passed", 100.0)], "failed"),
        ("any", [], [("passed", 100.0), ("errored", None)], "errored"),
        ("any", [], [("skipped", None), ("skipped", None)], "errored"),
    ],
)
def test_outcomes_come_together_as_the_policy_says(aggregation, required, outcomes, verdict):
    text = f"aggregation = '{aggregation}'\nrequired = {required}\n[gates.custom-rules]\n[gates.impact-simulation]\n"
    names = ("custom-rules", "impact-simulation")
    gates = [
        GateOutcome(name, status, "", score, weight)
        for name, (status, score), weight in zip(names, outcomes, (3.0, 1.0), strict=True)
    ]

    assert _verdict(read_policy(text, "own", GATES), gates)[0] == verdict
