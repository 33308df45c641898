"""Secrets in texts and in history: what is told, what is not, and that no answer holds one."""

import subprocess
import zlib
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.analyses.secrets import project
from drift.analyses.secrets.candidates import candidate_lines
from drift.analyses.secrets.findings import scan_text
from drift.analyses.secrets.past import find_in_history
from drift.analyses.secrets.project import find_in_project
from drift.index import IndexReader
from drift.kernel.redaction.checks import fits_checksum, is_innocent, is_random
from drift.kernel.redaction.masking import mask
from drift.scan import ScanOptions
from drift.scan import scan as scan_project

# Built from parts, so that no scanner takes this file for a leak.
RANDOM = "q8Zr4TnW2x" + "Lp9VbK7sYdH3"
AWS = "AKIA" + "Q7RT2MWX4KPZ5VNB"
HEX = "9f3c2a7d8b1e6f504c3b2a1908d7e6f5"
JWT = "eyJ" + "hbGciOiJSUzI1NiJ9.eyJzdWIiOiI5NTE3In0.Xk3vQ9zL2mNp7RtY4wBc8sHd1Jf"


def checked(prefix):
    body = "7Kq2xWv9RtBn4LmZp6YcHd3Fs8GjQw"
    number, digits = zlib.crc32(body.encode()), ""
    while number:
        number, digit = divmod(number, 62)
        digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[digit] + digits
    return f"{prefix}_{body}{digits.rjust(6, '0')}"


def scan(path, text):
    return scan_text(path, text.encode(), is_code=path.endswith((".py", ".ts", ".go", ".cs")))


def rules(path, text, least=0.5):
    return [each.rule for each in scan(path, text) if each.confidence >= least]


@pytest.mark.parametrize(
    ("path", "text", "rule"),
    [
        ("app/aws.py", f'client(key="{AWS}")', "aws-access-key"),
        ("app/settings.py", f'SECRET_KEY = "{RANDOM}"', "secret-assignment"),
        ("app/client.ts", f"const mailToken: string = '{RANDOM}'", "named-secret"),
        ("app/client.go", f'var sendgridAuth string = "{RANDOM}"', "named-secret"),
        ("deploy/values.yaml", f"mail_token: {RANDOM}", "token-setting"),
        (".env", f"MAIL_API_KEY={HEX}", "named-setting"),
        ("Dockerfile", f"ENV DB_PASSWORD={RANDOM}", "named-setting"),
        ("appsettings.json", '{"Db": "Server=db.corp;User Id=app;Password=V9x!kQ2#mTz;"}', "connection-string"),
        ("app/db.py", 'URL = "postgres://app:' + 'tR7kWq2ZpX@db.corp.net/app"', "password-in-url"),
        ("nb/report.ipynb", '  "api_key = \\"' + RANDOM + '\\"\\n",', "key-assignment"),
        ("pom.xml", f"<password>\n  {RANDOM}\n</password>", "named-setting"),
        ("ci/run.sh", f"curl -u bot:{RANDOM} https://ci.corp.net", "password-in-command"),
        ("keys/id.pem", "-----BEGIN RSA PRIVATE" + " KEY-----\n" + "MIIEowIBAAKCAQEAw5Zr" * 3 + "\n", "private-key"),
        ("app/jwt.py", f'header = "{JWT}"', "json-web-token"),
    ],
)  # fmt: skip
def test_secrets_are_found_in_every_kind_of_file(path, text, rule):
    assert rules(path, text) == [rule]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("app/settings.py", 'SECRET_KEY = os.environ["SECRET_KEY"]'),
        ("app/settings.py", 'PASSWORD_FIELD = "user_password_2"'),
        ("app/settings.py", "token = settings.MAIL_TOKEN_2024_PRODUCTION"),
        ("app/aws.py", 'key = "AKIA' + 'IOSFODNN7EXAMPLE"'),
        ("app/x.py", 'api_key = "your_api_key_1234567890"'),
        ("app/x.py", 'api_key = "xxxxxxxxxxxxxxxxxxxxxxxx12"'),
        ("app/x.py", 'token = "<insert-token-here-2024>"'),
        ("app/x.ts", "const key = `${prefix}a8Zr4TnW2xLp9VbK7sYd`"),
        ("app/x.ts", f"const cacheKey = '{HEX}'"),
        ("app/x.cs", f'PublicKeyToken="{HEX[:16]}"'),
        ("app/x.py", f'commit_key_id = "{RANDOM}"'),
        ("compose.yml", "POSTGRES_PASSWORD: ${DB_PASSWORD:?set it}"),
        ("compose.yml", "DATABASE_URL: postgres://app:app@db/app"),
        ("ci.yml", "token: ${{ secrets.DEPLOY_TOKEN_2 }}"),
        ("app/labels.ts", "password: 'Enter your password'"),
        ("lang/de/setup.php", "'account.password_requirements' => 'Mindestlänge: 10 Zeichen',"),
        ("lang/it/setup.php", "'account.password_requirements' => 'Lunghezza minima: 10 caratteri',"),
        ("lang/ja/setup.php", "'password' => 'パスワードは6文字以上で、確認してください。',"),
        ("config/routes.rb", 'get "/login/forgot_password" => "login#forgot_password2"'),
        ("app/routes.py", 'reset_password = "/accounts/password/reset2/"'),
        ("app/x.py", f'password = "{RANDOM}"  # drift:allow-secret'),
        ("package.json", '"integrity": "sha512-' + RANDOM * 3 + '"'),
        ("keys/README.md", "-----BEGIN RSA PRIVATE" + " KEY-----\n...\n"),
        ("app/x.py", 'version_token = "2024.11.17-rc1"'),
    ],
)
def test_what_only_looks_like_a_secret_is_not_told(path, text):
    assert rules(path, text) == []


def test_the_same_value_counts_less_in_tests_and_pages():
    text = f'api_key = "{RANDOM}"'
    product, test, page = (scan(path, text)[0] for path in ("app/x.py", "tests/test_x.py", "docs/use.md"))

    assert (product.level, test.level, page.level) == ("high", "low", "low")
    assert (product.where, test.where, page.where) == ("product", "tests", "docs")
    assert "store of secrets" in product.next
    assert rules("tests/test_x.py", f'key = "{AWS}"') == ["aws-access-key"], (
        "the form of a service is chosen on purpose"
    )


def test_a_checksum_decides_how_sure_a_token_is():
    right, wrong = checked("ghp"), f"{checked('ghp')[:-1]}_"[:-1] + "0"

    assert fits_checksum(right) is True
    assert fits_checksum("glpat-" + RANDOM) is None
    assert scan("a.py", f't = "{right}"')[0].confidence == 0.99
    if fits_checksum(wrong) is False:
        assert scan("a.py", f't = "{wrong}"')[0].level == "medium"
    assert fits_checksum(checked("npm")) is True


def test_no_answer_holds_a_value():
    line = f'db = "postgres://app:{RANDOM}@db.corp/app"; api_key = "{RANDOM}"; x = "{AWS}"'
    found = scan("a.py", line)

    assert len(found) == 3
    told = repr([asdict(each) for each in found])
    assert RANDOM not in told
    assert AWS not in told
    assert {each.value for each in found} == {mask(RANDOM), mask(AWS)}


@given(st.text(min_size=1, max_size=60))
@settings(max_examples=40)
def test_a_mask_hides_three_quarters(value):
    assert len(mask(value).replace("…", "")) <= max(0, len(value) // 4) + value.count("…")


@pytest.mark.parametrize(
    "part",
    ["password=", "secret_", "a1B2c3D4e5F6g7H8", "-----BEGIN PRIVATE KEY-----", "token: '", "http://a:b@", "key>", '\\"api_key"', "kind: Secret\n"],
)  # fmt: skip
def test_work_grows_with_the_text_alone(part):
    """Lines that are looked at cover the text at most a few times, whatever it is made of."""
    content = (part * 4_000)[:60_000].encode()
    seen = sum(len(line.text) for line in candidate_lines(content))

    assert seen <= 2 * len(content) + 3_000
    scan_text("a.yml", content, is_code=False)


def test_names_that_say_secret_and_mean_something_else():
    assert all(
        map(is_innocent, ("foreign_key", "author", "keyId", "csrf_token_name", "accessor", "token_url"))
    )
    assert not any(map(is_innocent, ("api_key", "adminToken", "pubKey_token", "client_secret")))
    assert is_random(RANDOM)
    assert not is_random("django.contrib.auth2.models")


def test_a_text_is_looked_at_again_only_when_it_was_written_anew(tmp_path, monkeypatch):
    (tmp_path / "app.py").write_text(f'key = "{AWS}"\n')
    (tmp_path / "notes.md").write_text("nothing\n")
    scan_project(tmp_path, ScanOptions(jobs=0))
    with IndexReader(tmp_path / ".drift/drift.db") as reader:
        before = find_in_project(reader, tmp_path)
        looked_at = []

        def look(path, content, **asked):
            looked_at.append(path)
            return scan_text(path, content, **asked)

        monkeypatch.setattr(project, "scan_text", look)
        assert find_in_project(reader, tmp_path) == before
        assert looked_at == []
        (tmp_path / "notes.md").write_text(f"key: {AWS}\n")
        after = find_in_project(reader, tmp_path)

    assert looked_at == ["notes.md"]
    assert [one.file for one in before.rows] == ["app.py"]
    assert [one.file for one in after.rows] == ["app.py", "notes.md"]


@pytest.mark.parametrize("name", ["server.key", "server.pem", "server.asc", "server.p8"])
def test_a_file_of_keys_is_told_once_and_heeded_when_it_comes_changes_or_goes(tmp_path, name):
    (tmp_path / "app.py").write_text("")
    scan_project(tmp_path, ScanOptions(jobs=0))
    found = []
    with IndexReader(tmp_path / ".drift/drift.db") as reader:
        found.append(find_in_project(reader, tmp_path))
        for text in (f'key = "{AWS}"\n', "nothing at all\n"):
            (tmp_path / name).write_text(text)
            found.append(find_in_project(reader, tmp_path))
        (tmp_path / name).unlink()
        found.append(find_in_project(reader, tmp_path))

    assert [[one.file for one in each.rows] for each in found] == [[], [name], [], []]
    assert [each.files for each in found] == [0, 1, 1, 0]


def git(root, *arguments):
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments],
        cwd=root,
        check=True,
        capture_output=True,
    )


def test_history_tells_the_first_commit_of_what_was_deleted(tmp_path):
    git(tmp_path, "init", "-q")
    place = tmp_path / "app.py"
    place.write_text(f'x = 1\nkey = "{AWS}"\n')
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    place.write_text(f'x = 1\ny = 2\nkey = "{AWS}"\nsecret_key = "{RANDOM}"\n')
    git(tmp_path, "commit", "-qam", "second")
    place.write_text(f'x = 1\nsecret_key = "{RANDOM}"\n')
    git(tmp_path, "commit", "-qam", "third")

    found = find_in_history(tmp_path, lambda value: value in place.read_text())

    log = subprocess.run(
        ["git", "log", "--format=%H"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    _, second, first = log.stdout.split()
    rows = {each.secret.rule: each for each in found.rows}
    assert (
        rows["aws-access-key"].commit,
        rows["aws-access-key"].is_present,
        rows["aws-access-key"].secret.line,
    ) == (first, False, 2)
    assert (rows["secret-assignment"].commit, rows["secret-assignment"].is_present) == (second, True)
    assert (found.commits, found.is_whole) == (3, True)
    assert AWS not in repr(found)


def test_a_clone_without_all_objects_is_read_as_far_as_it_goes(tmp_path):
    git(tmp_path, "init", "-q")
    for name, value in (("old.py", AWS), ("gone.py", "1"), ("new.py", AWS.replace("Q7RT", "W2MX"))):
        (tmp_path / name).write_text(f'key = "{value}"\n')
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-qm", name)
    shown = subprocess.run(
        ["git", "rev-parse", "HEAD:gone.py"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    blob = shown.stdout.strip()
    (tmp_path / ".git/objects" / blob[:2] / blob[2:]).unlink()

    found = find_in_history(tmp_path, lambda _value: True)

    assert {each.secret.file for each in found.rows} == {"old.py", "new.py"}
    assert not found.is_whole
