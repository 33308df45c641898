"""Secrets and personal data are taken out; what only looks like them stays."""

import re
import tomllib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from secret_forms import ORDINARY, hidden_forms, plain_forms, said_forms

from drift.kernel.redaction import _compiled, _outline, _rules, checks, redact, views
from drift.kernel.redaction.table import fill_lists

# Built from parts, so that no scanner takes this file for a leak.
_TAKEN_OUT = {
    "AWS access key": "AKIA" + "IOSFODNN7EXAMPLE",
    "AWS secret": "aws_secret_access_key = " + "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "GitHub token": "push with ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789",
    "GitLab token": "glpat-" + "abcdefghij0123456789",
    "Slack token": "xoxb-" + "123456789012-abcdefghijkl",
    "Stripe key": "sk_live_" + "abcdefghij0123456789",
    "OpenAI key": "sk-proj-" + "abcdefghij0123456789ABCD",
    "Anthropic key": "sk-ant-" + "api03-abcdefghij0123456789",
    "Google API key": "AIza" + "SyA0123456789abcdefghijklmnopqrstuv",
    "npm token": "npm_" + "abcdefghijklmnopqrstuvwxyz0123456789",
    "SendGrid key": "SG." + "abcdefghijklmnop.abcdefghijklmnopqrstuvwxyz012345",
    "JSON web token": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
    "private key": "-----BEGIN RSA PRIVATE" + " KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
    "password in a URL": "postgres://bob:s3cr3tpw@db.internal/app",
    "password in a connection string": "Server=db;Database=app;User Id=sa;Password=Geheim99;",
    "authorization header": "Authorization: Bearer abc123def456ghi789",
    "Azure account key": "AccountKey=" + "A" * 40 + "b9==",
    "secret": "SECRET_KEY = 'k3y-of-production-7'",
    "email address": "ask bob.miller@corp.com",
    "card number": "paid with 4111 1111 1111 1111",
    "IBAN": "to DE89 3704 0044 0532 0130 00",
    "social security number": "ssn 123-45-6789",
    "phone number": "call +49 30 1234567",
    "IP address": "the host 8.8.8.8 answers",
    "MAC address": "adapter 00:1B:44:11:3A:B7",
    "date of birth": "date of birth: 1980-02-29",
    "vehicle number": "VIN 1HGCM82633A004352",
    "street address": "lives at 221 Baker Street",
    "application key": "APP_KEY=base64:" + "Y75rHZ7x0eITOfF3UqYaTFOdbBKPU//6lU1GdlWaplI=",
    "Discord token": "discord bot " + "MQdsWoAFEH2UlWZDE8FCOKpp" + ".uTTo9j.fhXCPDIPYa3RjaFSNRSi9hZc1We1BC6l8hWbvY",
}  # fmt: skip

_HEX = "0123456789abcdef"
_MIXED = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA"
_SERVICE_TOKENS = (
    "lin_api_" + _MIXED + "12345678",
    "ntn_" + _MIXED + "12345678901234",
    "secret_" + _MIXED + "a1b2c3d4e5f",
    "hvs." + _MIXED,
    "dapi" + _HEX * 2,
    "NRAK-" + "ABCDEFGHIJKLMNOPQRSTUVWXY12",
    "sntrys_" + _MIXED * 2,
    "dp.pt." + _MIXED + "a1b2c3d4e5f",
    "aB3dE5gH7jK9mN" + ".atlasv1." + _MIXED * 2,
    "glsa_" + _MIXED + "_0a1b2c3d",
    "PMAK-" + _HEX + "01234567-" + _HEX * 2 + "ab",
    "figd_" + _MIXED + "12345678",
    "pat" + "aB3dE5gH7jK9mN." + _HEX * 4,
    "pscale_tkn_" + _MIXED + "a1b2c3d4e5f",
    "sbp_" + _HEX * 2 + "01234567",
    "AGE-SECRET-KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L" + "QPZRY9X8GF2TVDW0S3JN54KHCE",
    "gsk_" + _MIXED + "aB3dE5gH7jK9mN1pQ2rS",
    "xai-" + _MIXED * 2 + "aB3dE5gH7jK9mN1p",
    "dckr_pat_" + "aB3dE5gH7jK9mN1pQ2rS4tU6v",
    "rubygems_" + _HEX * 3,
    "ATATT3" + _MIXED * 5,
    _HEX * 2 + "-us12",
    "264874821:AA" + _MIXED + "1",
)
_IN_COMMANDS = (
    ("mysqldump -u root -p", "hYjpusXp86wW", " shop"),
    ("curl -u bob:", "QY3ggCtXjI73ou", " https://api.test"),
    ("drift login --api-key ", "aB3dE5gH7jK9", ""),
    ("machine git.test login bob password ", "ZQpCQeKF56EovA", ""),
)

_LEFT_ALONE = (
    "commit 3c84243d9a0f1b2c3d4e5f60718293a4b5c6d7e8",
    "digest sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "id 123e4567-e89b-12d3-a456-426614174000",
    "needs version 1.2.3.4 or pip install drift==1.2.3.4",
    "2026-11-16 12:30:45 in 10.0.0.1 and 127.0.0.1 and 192.168.1.20",
    "card 4111 1111 1111 1112 fails the check",
    "order 4111111111111111 is a number",
    "the secret is to use caching everywhere",
    "Bearer tokens expire after 30 minutes",
    "token: getToken(request)",
    "api_key = os.environ['API_KEY']",
    "password = '<your password>'",
    "password_hash: 5f4dcc3b5aa765d61d8327deb882cf99",
    "max_tokens: 4096, token_count=128000",
    "cache_key = f'user:{user_id}:v2'",
    "primary key: user_id2",
    "write to a@example.com or git@github.com:org/repo.git",
    "12:30:45 and a::b and std::vector::size",
    "std::map<int, std::string> keys",
    'token_type = "bearer"',
    'token = "identifier"',
    'credentials: "same-origin"',
    'api_key: "API_KEY"',
    'pwd = "/home/user/project"',
    'secret_name = "prod/db/main"',
    'private_key_path = "/etc/ssl/key.pem"',
    'password_file: "/run/secrets/db_password"',
    'token_url = "https://auth.acme.com/oauth/token"',
    'api_key_header = "X-Api-Key"',
    "docker run -u 1000:1000 image --password-stdin",
    "run it with --token option and --secret flag",
    "mysql -u root -p shop",
    "born on 1.2.3 of the library",
    "the 10 Minute Drive, 3 Test Drive and 12 Main Court cases",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    '"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="',
)


@pytest.mark.parametrize(("what", "text"), _TAKEN_OUT.items(), ids=lambda value: value[:20])
def test_what_must_not_be_kept_is_taken_out(what: str, text: str) -> None:
    redacted = redact(text)

    assert [finding.what for finding in redacted.findings] == [what]
    assert f"[redacted: {what}]" in redacted.text


@pytest.mark.parametrize("token", _SERVICE_TOKENS, ids=lambda value: value[:8])
def test_tokens_of_many_services_are_known_by_their_shape(token: str) -> None:
    assert (
        redact(f"we call it with {token}, as agreed").text
        == "we call it with [redacted: service token], as agreed"
    )


@pytest.mark.parametrize(("before", "password", "after"), _IN_COMMANDS, ids=lambda value: value[:10])
def test_a_password_typed_into_a_command_is_taken_out(before: str, password: str, after: str) -> None:
    assert redact(before + password + after).text == f"{before}[redacted: password in a command]{after}"


@pytest.mark.parametrize("word", ["opensesame", "correct-horse"])
def test_a_password_may_be_a_word(word: str) -> None:
    assert redact(f"password = '{word}'").text == "password = '[redacted: secret]'"


@pytest.mark.parametrize("make", [plain_forms, said_forms, hidden_forms])
@pytest.mark.parametrize("seed", range(4))
def test_no_form_of_a_secret_stays(make, seed: int) -> None:
    stayed = [
        (form.name, text)
        for form in make(seed)
        if any(secret in (text := redact(form.text).text) for secret in form.secrets)
    ]

    assert stayed == []


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_notes_hold_no_secret(text: str) -> None:
    assert [each for each in redact(text).findings if each.kind == "secret"] == []


def test_what_hides_a_secret_goes_with_it_and_nothing_else() -> None:
    token = "gh" + "p_" + "aB3dE5gH7j" * 4

    shown = [
        redact(text).text
        for text in (
            f"a {token[:9]}\u200b{token[9:]} b",
            f'a "{token[:9]}" + "{token[9:]}" b',
            f"a {token}\nb is next",
            "a " + "".join(f"%{ord(one):02x}" for one in token) + " b%20c",
        )
    ]

    assert shown == [
        "a [redacted: GitHub token] b",
        'a "[redacted: GitHub token]" b',
        "a [redacted: GitHub token]\nb is next",
        "a [redacted: GitHub token] b%20c",
    ]


@given(st.text(alphabet="a%41\u200b\u0430\uff21 \n\"'`+&#;=\u0301", max_size=60))
def test_a_view_knows_where_its_characters_stand(text: str) -> None:
    for view in views.read_views(text):
        spans = [view.span(at, at + 1) for at in range(len(view.text))]

        assert all(0 <= start < end <= len(text) for start, end in spans)
        assert [start for start, _ in spans] == sorted(start for start, _ in spans)


@pytest.mark.parametrize("text", _LEFT_ALONE)
def test_what_only_looks_like_it_stays(text: str) -> None:
    assert redact(text) == (text, ())


def test_a_finding_names_the_line_and_never_the_value() -> None:
    redacted = redact("first\nsecond\npassword = 'hunter22!'\n")

    (finding,) = redacted.findings
    assert (finding.what, finding.kind, finding.line) == ("secret", "secret", 3)
    assert redacted.text == "first\nsecond\npassword = '[redacted: secret]'\n"


def test_a_text_redacted_before_stays_as_it_is() -> None:
    once = redact("password = 'hunter22!' from bob@corp.com").text

    assert redact(once) == (once, ())


@given(st.text(max_size=300))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = redact(text)

    assert redact(once.text).text == once.text


def test_every_pattern_can_be_compiled() -> None:
    rows = tomllib.loads(files("drift.kernel.redaction").joinpath("rules.toml").read_text("utf-8"))["rules"]

    for row in rows:
        assert re.compile(fill_lists(row["pattern"])), row["what"]
        assert re.compile(row.get("shape", "")), row["what"]


def test_no_pattern_repeats_without_a_bound() -> None:
    rows = tomllib.loads(files("drift.kernel.redaction").joinpath("rules.toml").read_text("utf-8"))["rules"]

    for row in rows:
        # Escapes and sets of characters away, what is left of + * or {n,} would repeat for ever.
        bare = re.sub(r"\[(?:\\.|[^\]])*\]", "", re.sub(r"\\.", "", row["pattern"]))
        assert not re.search(r"[*+]|\{\d+,\}", bare), row["what"]


def test_a_rule_that_says_so_begins_with_its_words() -> None:
    texts = [form.text for make in (plain_forms, said_forms) for form in make(1)] + list(ORDINARY)

    for rule in (each for each in _rules() if each.begins):
        for found in (one for text in texts for one in _compiled(rule.pattern).finditer(text)):
            assert found[0].lower().startswith(rule.needs), rule.pattern[:40]


@given(st.text(alphabet="07٣ AZaz.-:+(…", max_size=40))
def test_no_text_has_a_shape_without_one_of_its_outlines(text):
    outline = _outline(text)

    for rule in _rules():
        if rule.outlines and rule.shape is not None and re.search(rule.shape, text):
            assert outline is None or any(word in outline for word in rule.outlines)


@pytest.mark.parametrize("around", ["{}", "… {} …", "\u0663 {}"])
@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("4539 1488 0343 6467", "card number"),
        ("DE89 3704 0044 0532 0130 00", "IBAN"),
        ("536-90-4399", "social security number"),
        ("+49 30 901820", "phone number"),
        ("81.2.69.142", "IP address"),
        ("2a02:2e0:3fe:1001::17", "IP address"),
        ("3c:22:fb:9a:10:7e", "MAC address"),
        ("12 Grove Hill Road", "street address"),
    ],
)
def test_what_is_known_by_its_shape_is_found_beside_any_other_characters(value, what, around):
    found = redact(around.format(value)).findings

    assert [one.what for one in found] == [what]


@pytest.mark.parametrize(
    ("check", "value", "is_one"),
    [
        (checks.is_real_key, "your-api-key-here", False),
        (checks.is_real_key, "api_key_name", False),
        (checks.is_real_key, "x7Gq2LmP9s", True),
        (checks.looks_random, "https://Example.com/a1B2", False),
        (checks.looks_random, "settings.KEY_1aB", False),
        (checks.looks_random, "/srv/x7Gq2LmP9s", False),
        (checks.looks_random, "call(x7Gq2LmP9)", False),
        (checks.looks_random, "x7Gq2LmP9sT4", True),
        (checks.is_spoken_password, "/etc/pass1word", False),
        (checks.is_spoken_password, "user_2_name", False),
        (checks.is_spoken_password, "settings.Token1", False),
        (checks.is_spoken_password, "call1(Xy)", False),
        (checks.is_spoken_password, "12345", False),
        (checks.is_spoken_password, "123456", True),
        (checks.is_spoken_password, "hunter2!", True),
        (checks.is_card_number, "4111111111111111", True),
        (checks.is_card_number, "4111111111111112", False),
        (checks.is_card_number, "1111111111111111", False),
        (checks.is_card_number, "411111", False),
        (checks.is_iban, "DE89 3704 0044 0532 0130 00", True),
        (checks.is_iban, "DE89 3704 0044 0532 0130 01", False),
        (checks.is_iban, "DE89 3704", False),
    ],
)
def test_each_check_tells_what_it_is_for_from_its_like(check, value, is_one) -> None:
    assert check(value) is is_one
