"""Environment variables: who reads them, where they are declared, what does not fit together."""

import pytest

from drift.analyses.environment.answers import describe, list_variables, survey
from drift.analyses.environment.naming import sensitivity_of
from drift.analyses.environment.variables import gather
from drift.index import IndexReader
from drift.kernel.errors import DriftError
from drift.scan import ScanOptions, scan

PROJECT = {
    "shop/settings.py": (
        "import os\n\n\n"
        "def flag(name: str) -> bool:\n    return os.environ.get(name) == 'yes'\n\n\n"
        "DEBUG = flag('SHOP_DEBUG')\n"
        "URL = os.environ['SHOP_URL']\n"
        "TIMEOUT = os.getenv('SHOP_TIMEOUT', '30')\n"
        "KEY = os.getenv('SHOP_API_KEY', 'k9Xv2LqPz7Rt4WmB8Nc1')\n"
        "DSN = os.getenv('SHOP_DATABASE_URL', 'postgres://shop:hunter42x@db/shop')\n"
        "PLUGIN = os.environ[f'SHOP_PLUGIN_{os.getpid()}']\n"
        "WHERE = os.environ.get('HOME')\n"
    ),
    "shop/worker.ts": (
        "export const timeout = process.env.SHOP_TIMEOUT || '60'\n"
        "export const region = process.env.SHOP_REGION ?? 'eu'\n"
        "export const isOff = !process.env.SHOP_MODE || process.env.SHOP_MODE === ''\n"
    ),
    "tests/test_it.py": "import os\n\nLIVE = os.environ['SHOP_LIVE_TEST']\n",
    ".env.example": "SHOP_URL=\nSHOP_TIMEOUT=30\nSHOP_OLD_NAME=1\nSHOP_SCRIPTED=1\nSHOP_PLUGIN_A=x\nSPRING_PROFILES_ACTIVE=x\n",
    "docker-compose.yml": (
        "services:\n  db:\n    image: postgres:16\n    environment:\n      POSTGRES_THING: shop\n"
        "  web:\n    build: .\n    environment:\n      SHOP_API_KEY: ${SHOP_API_KEY}\n"
    ),
    "patch.yaml": "patches:\n  - patch: |-\n      - name: SHOP_MODE\n",
    "run.sh": "#!/bin/sh\nexec ./serve --n $SHOP_SCRIPTED\n",
    "README.md": "Set SHOP_REGION to your region. SHOP_OLD_NAME is gone.\n",
    "App.java": (
        'class App {\n  @Value("${shop.mail.host:localhost}")\n  String host;\n'
        '  @Value("${shop.mail.password}")\n  String password;\n}\n'
    ),
    "application.properties": "shop.mail.password=${SHOP_MAIL_PASSWORD}\n",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("environment")
    for path, text in PROJECT.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    scan(folder, ScanOptions(jobs=0))
    return folder


@pytest.fixture
def reader(root):
    with IndexReader(root / ".drift/drift.db") as opened:
        yield opened


def names(reader, root, action, **wanted):
    found = list_variables(
        reader, root, action, kind=wanted.get("kind", "environment"), file=wanted.get("file"), wanted=None
    )
    return {row.name: row for row in found.rows}


def test_declared_and_read_nowhere_leaves_out_what_a_script_a_pattern_or_a_framework_reads(reader, root):
    found = names(reader, root, "unread")

    assert set(found) == {"SHOP_OLD_NAME", "POSTGRES_THING"}
    assert found["SHOP_OLD_NAME"].note is None
    assert "postgres:16" in found["POSTGRES_THING"].note


def test_read_and_declared_nowhere_leaves_out_tests_and_what_the_system_sets(reader, root):
    found = names(reader, root, "undeclared")

    assert set(found) == {"SHOP_DEBUG", "SHOP_DATABASE_URL", "SHOP_REGION", "SHOP_MODE"}
    assert found["SHOP_MODE"].note == "patch.yaml:3 names it", "set by a text that no reader reads"
    assert found["SHOP_REGION"].note == "README.md:1 tells of it"


def test_a_text_that_is_written_later_counts_though_the_index_is_as_it_was(reader, root):
    assert names(reader, root, "undeclared")["SHOP_DEBUG"].note is None

    (root / "README.md").write_text(PROJECT["README.md"] + "SHOP_DEBUG is for developers.\n")
    found = names(reader, root, "undeclared")["SHOP_DEBUG"].note
    (root / "README.md").write_text(PROJECT["README.md"])

    assert found == "README.md:2 tells of it"
    assert names(reader, root, "undeclared")["SHOP_DEBUG"].note is None


def test_defaults_that_differ_between_languages_are_told(reader, root):
    assert names(reader, root, "differing")["SHOP_TIMEOUT"].defaults == ("'30'", "'60'")
    assert set(names(reader, root, "differing")) == {"SHOP_TIMEOUT"}


def test_required_is_what_nothing_stands_in_for(reader, root):
    found = names(reader, root, "required")

    assert set(found) == {"SHOP_URL", "SHOP_PLUGIN_*", "SHOP_MODE"}
    assert (found["SHOP_URL"].is_required, found["SHOP_MODE"].is_required) == (True, None)
    assert gather(reader).variables["SHOP_DEBUG"].is_required is None, (
        "the function that is given the name may know"
    )


def test_no_answer_shows_a_secret_default(reader, root):
    told = repr([survey(reader, root), names(reader, root, "list"), describe(reader, "SHOP_API_KEY"),
                 describe(reader, "SHOP_DATABASE_URL")])  # fmt: skip

    assert "k9Xv2LqPz7Rt4WmB8Nc1" not in told
    assert "hunter42x" not in told
    assert "'k9…c1'" in told


def test_a_name_that_is_put_together_is_told_as_such(reader, root):
    assert "run time" in names(reader, root, "list")["SHOP_PLUGIN_*"].note
    (through,) = gather(reader).variables["SHOP_DEBUG"].reads
    assert (through.through, through.line) == ("flag", 8)


def test_settings_are_a_kind_of_their_own(reader, root):
    found = names(reader, root, "list", kind="setting")

    assert found["shop.mail.host"].default == "localhost"
    assert found["shop.mail.password"].declared_in == ("spring",)
    assert found["shop.mail.password"].is_required


def test_the_variables_of_a_file(reader, root):
    assert set(names(reader, root, "file", file="shop/worker.ts")) == {
        "SHOP_TIMEOUT",
        "SHOP_REGION",
        "SHOP_MODE",
    }


def test_an_unknown_name_is_answered_with_names_alike(reader):
    with pytest.raises(DriftError) as failed:
        describe(reader, "SHOP_TIMEOUTS")

    assert "SHOP_TIMEOUT" in failed.value.recovery.similar


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("STRIPE_SECRET_KEY", "secret"),
        ("dbPassword", "secret"),
        ("PASSWORD_MIN_LENGTH", "config"),
        ("SECRET_KEY_BASE", "secret"),
        ("TOKEN_TTL", "config"),
        ("DATABASE_URL", "credential"),
        ("SMTP_USER", "credential"),
        ("LOG_LEVEL", "config"),
        ("MONKEY", "unknown"),
    ],
)
def test_what_a_name_says_of_its_value(name, expected):
    assert sensitivity_of(name) == expected
