"""Forms in which secrets are written down, with values made up from a seed: no scanner takes this file for a leak.

`PLAIN` are the usual ones, `SAID` are sentences, `HIDDEN` are ways to slip past a reader, `ORDINARY` holds no secret.
"""

import base64
import random
from collections.abc import Callable
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from typing import NamedTuple
from urllib.parse import quote

_HEX = "0123456789abcdef"
_MIXED = ascii_letters + digits


class Form(NamedTuple):
    """A text with a secret in it, and the parts of the secret none of which may stay."""

    name: str
    text: str
    secrets: tuple[str, ...]


class Maker:
    """Makes values that look as real ones do."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def some(self, count: int, alphabet: str = _MIXED) -> str:
        # Each kind of character comes at least once, as in nearly all real ones of such a length.
        kinds = [kind for kind in (ascii_lowercase, ascii_uppercase, digits) if set(kind) <= set(alphabet)]
        needed = [self._chance.choice(kind) for kind in kinds][:count]
        drawn = needed + self._chance.choices(alphabet, k=count - len(needed))
        self._chance.shuffle(drawn)
        return "".join(drawn)

    def hexes(self, count: int) -> str:
        return "".join(self._chance.choices(_HEX, k=count))

    def word(self) -> str:
        """What a person chooses: a word and some digits."""
        words = ("hunter", "dragon", "sunshine", "tr0ub4dor", "Winter", "monkey", "letmein", "shadow")
        return self._chance.choice(words) + "".join(
            self._chance.choices(digits, k=self._chance.randint(1, 4))
        )

    def strong(self) -> str:
        return self.some(10) + self._chance.choice("!#*+") + self.some(3)

    def uuid(self) -> str:
        return "-".join(self.hexes(n) for n in (8, 4, 4, 4, 12))


def _token(before: str, count: int, alphabet: str = _MIXED) -> Callable[[Maker], str]:
    return lambda make: before + make.some(count, alphabet)


def _hex_token(before: str, count: int, after: str = "") -> Callable[[Maker], str]:
    return lambda make: before + make.hexes(count) + after


_TOKENS: dict[str, Callable[[Maker], str]] = {
    "AWS access key": _token("AK" + "IA", 16, ascii_uppercase + "234567"),
    "GitHub token": _token("gh" + "p_", 36),
    "GitHub fine token": _token("github" + "_pat_", 59),
    "GitLab token": _token("gl" + "pat-", 20),
    "Slack bot": lambda make: "xo" + f"xb-{make.some(12, digits)}-{make.some(12, digits)}-{make.some(24)}",
    "Slack webhook": lambda make: (
        "https://hooks.slack" + f".com/services/T{make.some(8)}/B{make.some(8)}/{make.some(24)}"
    ),
    "Discord webhook": lambda make: (
        "https://discord" + f".com/api/webhooks/{make.some(18, digits)}/{make.some(68)}"
    ),
    "Telegram bot": lambda make: f"{make.some(10, digits)}:AA{make.some(33)}",
    "Stripe live": _token("sk" + "_live_", 24),
    "Stripe restricted": _token("rk" + "_live_", 24),
    "Stripe webhook": _token("wh" + "sec_", 32),
    "SendGrid": lambda make: f"SG.{make.some(22)}.{make.some(43)}",
    "npm": _token("np" + "m_", 36),
    "PyPI": lambda make: "py" + "pi-AgEIcHlwaS5vcmc" + make.some(70),
    "OpenAI project": _token("sk" + "-proj-", 48),
    "OpenAI": _token("sk" + "-", 48),
    "Anthropic": lambda make: "sk" + "-ant-api03-" + make.some(93),
    "Hugging Face": _token("h" + "f_", 34),
    "Replicate": _token("r" + "8_", 37),
    "OpenRouter": _hex_token("sk" + "-or-v1-", 64),
    "Perplexity": _token("pp" + "lx-", 48),
    "Groq": _token("gs" + "k_", 52),
    "LangSmith": lambda make: "lsv" + f"2_pt_{make.hexes(32)}_{make.hexes(10)}",
    "Google API": _token("AI" + "za", 35),
    "Google OAuth": _token("GOC" + "SPX-", 28),
    "Azure client secret": lambda make: make.some(3) + "8Q~" + make.some(34),
    "DigitalOcean": _hex_token("do" + "p_v1_", 64),
    "Alibaba": _token("LT" + "AI", 20),
    "Tencent": _token("AK" + "ID", 32),
    "Yandex": _token("AQ" + "VN", 36),
    "Databricks": _hex_token("da" + "pi", 32),
    "Vault": _token("hv" + "s.", 90),
    "Terraform": lambda make: f"{make.some(14)}.atlasv1.{make.some(64)}",
    "Docker": _token("dckr" + "_pat_", 27),
    "Grafana": lambda make: "gl" + f"sa_{make.some(32)}_{make.hexes(8)}",
    "Atlassian": _token("ATA" + "TT3", 180),
    "Notion": _token("nt" + "n_", 46),
    "Linear": _token("lin" + "_api_", 40),
    "Shopify": _hex_token("sh" + "pat_", 32),
    "Twilio key": lambda make: f"twilio SK{make.hexes(32)}",
    "Mailchimp": _hex_token("", 32, "-us14"),
    "Sonar": _hex_token("sq" + "u_", 40),
    "Netlify": _token("nf" + "p_", 36),
    "Tailscale": lambda make: "ts" + f"key-auth-{make.some(12)}-{make.some(32)}",
    "CircleCI": lambda make: "CCI" + f"PAT_{make.some(22)}_{make.hexes(40)}",
    "Sentry": _hex_token("sntr" + "yu_", 64),
    "JWT": lambda make: f"eyJ{make.some(20)}.eyJ{make.some(40)}.{make.some(43)}",
}

_PLACES: dict[str, str] = {
    "PGPASSWORD": "PGPASSWORD={} psql -h db -U app",
    "MYSQL_PWD": "export MYSQL_PWD={}",
    "env of a service": "REDIS_PASSWORD={}",
    "JSON": '{{"user": "app", "password": "{}"}}',
    "YAML": "db:\n  user: app\n  password: {}\n",
    "INI": "[db]\npassword = {}\n",
    "XML": "<user>app</user><password>{}</password>",
    "XML attribute": '<add key="DbPassword" value="{}"/>',
    "properties": "spring.datasource.password={}",
    "docker login": "docker login -u bob -p {} registry.test",
    "mysql": "mysql -u root -p{} shop",
    "sshpass": "sshpass -p {} ssh bob@db",
    "curl user": "curl -u bob:{} https://api.test/v1",
    "redis-cli": "redis-cli -h cache -a {} ping",
    "long option": "tool --password={} run",
    "openssl": "openssl rsa -in k.pem -passin pass:{}",
    "ldapsearch": "ldapsearch -D cn=admin -w {} -b dc=test",
    "URL": "postgres://app:{}@db.internal:5432/shop",
    "AMQP": "amqp://app:{}@mq:5672/%2f",
    "ADO": "Server=db;Database=shop;User Id=sa;Password={};",
    "libpq": "host=db user=app password={} dbname=shop",
    "JDBC": "jdbc:mysql://db/shop?user=app&password={}",
    "netrc": "machine git.test login bob password {}",
    "pgpass": "db.internal:5432:shop:app:{}",
    "npmrc": "//registry.test/:_password={}",
    "pypirc": "[pypi]\nusername = bob\npassword = {}\n",
    "SQL": "CREATE USER app WITH PASSWORD '{}'",
    "SQL identified": "CREATE USER app IDENTIFIED BY '{}'",
}

_HEADERS: dict[str, str] = {
    "bearer": "Authorization: Bearer {}",
    "basic": "Authorization: Basic {}",
    "api key header": "X-Api-Key: {}",
    "cookie": "Cookie: theme=dark; session={}",
    "set-cookie": "Set-Cookie: sid={}; Path=/; HttpOnly",
    "AWS secret": "aws_secret_access_key = {}",
    "Azure storage": "AccountName=x;AccountKey={}==;EndpointSuffix=core",
    "SAS": "https://x.blob.test/c?sv=2024&sig={}",
    "Kubernetes": "apiVersion: v1\nkind: Secret\ndata:\n  value: {}\n",
    "npmrc token": "//registry.test/:_authToken={}",
}

SENTENCES: dict[str, str] = {
    "en is": "the password is {}",
    "en for": "The password for the staging database is {}.",
    "en colon": "Login as admin, password: {}",
    "en passphrase": "its passphrase was {} until May",
    "en quoted": 'the password is "{}"',
    "en slash": "user admin / password {}",
    "de": "Das Passwort lautet {}",
    "de of": "Das Kennwort für den Testserver ist {}.",
    "fr": "le mot de passe est {}",
    "es": "La contraseña es {}",
    "pt": "a senha é {}",
    "it": "la password è {}",
    "nl": "het wachtwoord is {}",
    "ru": "пароль: {}",
    "ru for": "Пароль для стенда — {}",
    "zh": "密码是{}",
    "zh colon": "数据库密码\uff1a{}",
    "ja": "パスワードは{}です",
}
PINS: dict[str, str] = {
    "PIN is": "the PIN is {}",
    "PIN of": "PIN for the safe: {}",
    "PIN de": "Die PIN lautet {}",
    "PIN fr": "le code PIN est {}",
    "PIN ru": "пин-код: {}",
}


def plain_forms(seed: int) -> list[Form]:
    """Tokens of services, and passwords where programs expect them."""
    make = Maker(seed)
    forms = []
    for name, token in _TOKENS.items():
        value = token(make)
        forms.append(Form(name, f"we call it with {value} as agreed", (value.split()[-1],)))
    for name, place in _PLACES.items():
        for kind, value in (("word", make.word()), ("strong", make.strong())):
            forms.append(Form(f"{name}, {kind}", place.format(value), (value,)))
    for name, place in _HEADERS.items():
        value = make.some(40)
        forms.append(Form(name, place.format(value), (value,)))
    key = f"-----BEGIN OPENSSH PRIVATE{' '}KEY-----\n{make.some(64)}\n{make.some(30)}\n"
    body = key.split("\n")[1]
    forms.append(Form("private key", f"{key}-----END OPENSSH PRIVATE{' '}KEY-----\n", (body,)))
    forms.append(Form("private key without an end", key, (body,)))
    return forms


def said_forms(seed: int) -> list[Form]:
    """Sentences of the main languages."""
    make = Maker(seed)
    forms = [Form(name, said.format(value := make.word()), (value,)) for name, said in SENTENCES.items()]
    forms += [Form(name, said.format(value := make.some(6, digits)), (value,)) for name, said in PINS.items()]
    for name, said in {
        "token is": "the deploy token is {}",
        "key is": "our API key is {}",
        "secret is": "the client secret is {}",
        "de token": "Der Token lautet {}",
        "zh key": "密钥是{}",
    }.items():
        value = make.some(24)
        forms.append(Form(name, said.format(value), (value,)))
    return forms


def hidden_forms(seed: int) -> list[Form]:
    """The same token, hidden."""
    make = Maker(seed)
    wide = {ord(one): ord(one) + 0xFEE0 for one in _MIXED + "_"}
    alike = str.maketrans(
        "acepoxyABEHKMOPTX",
        "\u0430\u0441\u0435\u0440\u043e\u0445\u0443\u0410\u0412\u0415\u041d\u041a\u041c\u041e\u0420\u0422\u0425",
    )
    token = "gh" + "p_" + make.some(36)
    first, second = token[:20], token[20:]
    said = f"password={make.word()}x9"
    hidden = {
        "zero width": (f"use {first}\u200b{second}", (first, second)),
        "joiner everywhere": ("use " + "\u2060".join(token), ("\u2060".join(token[:12]),)),
        "soft hyphen": (f"use {first}\u00ad{second}", (first, second)),
        "bidi marks": (f"use {first}\u202d{second}\u202c", (first, second)),
        "full width": (f"use {token.translate(wide)}", (token.translate(wide),)),
        "homoglyphs": (f"use {token.translate(alike)}", (token.translate(alike),)),
        "combining marks": (f"use {first}\u0301{second}", (first, second)),
        "split over lines": (f"use {first}\n{second}", (first, second)),
        "split with an indent": (f"use {first}\\\n    {second}", (first, second)),
        "joined strings": (f'use "{first}" + "{second}"', (first, second)),
        "backticks inside": (f"use {first}``{second}", (first, second)),
        "URL encoded": (f"use {''.join(f'%{ord(one):02X}' for one in token)}", (f"%{ord(token[9]):02X}%{ord(token[10]):02X}",)),
        "partly URL encoded": (f"use {token.replace('_', '%5F')}", (token[4:],)),
        "URL encoded password": (f"https://x.test/?q={quote(said, safe='')}", (said.partition("=")[2],)),
        "HTML entities": (f"use {token.replace('_', '&#95;')}", (token[4:],)),
        "base64 of a token": (f"use {(code := base64.b64encode(token.encode()).decode())}", (code,)),
        "base64 of key=value": (f"use {(code := base64.b64encode(said.encode()).decode())}", (code,)),
        "spaced out": (f"use {' '.join(token)}", (" ".join(token[:12]),)),
        "word with zero width": (f"the pass\u200bword is {(word := make.word())}", (word,)),
    }  # fmt: skip
    return [Form(name, text, secrets) for name, (text, secrets) in hidden.items()]


ORDINARY: tuple[str, ...] = (
    "the token is refreshed by the middleware",
    "password is hashed with bcrypt",
    "The password is never logged.",
    "a password is required, at least 12 characters",
    "passwords: argon2id with 64 MB, never sha256",
    "the password is 12 characters long",
    "the password is stored as sha256 in users.password_hash",
    "the secret is to call flush() first",
    "the secret is rotated every 90 days by the operator",
    "the key is the user's id and the value is the cart",
    "the cache key is user_profile_v2_eu",
    "the key is built as f'user:{id}:v2'",
    "primary key: order_id2",
    "key: value pairs are sorted",
    "token: the next word of the input",
    "Token = str | bytes",
    "password: str = Field(min_length=8)",
    "password = getpass.getpass()",
    "password = request.form['password']",
    "PASSWORD_HASHERS = ['django.contrib.auth.hashers.Argon2PasswordHasher']",
    "the LED pin is 13 and the button pin is 2",
    "pin the version to 4.2.1",
    "PIN entry has 4 digits",
    "the API key is read from VAULT_ADDR at start",
    "the API key is in the vault under prod/api",
    "the access token is a JWT of 900 seconds",
    "max tokens: 4096",
    "the tokenizer is cl100k_base",
    "session cookie: HttpOnly, SameSite=Lax",
    "cookies are cleared at logout",
    "the passphrase is asked for by ssh-agent",
    "ssh key is ed25519, not rsa2048",
    "Das Passwort wird mit bcrypt gehasht",
    "Das Passwort ist zu kurz",
    "Der Schlüssel ist die Kundennummer",
    "le mot de passe est haché avec argon2",
    "la contraseña es obligatoria",
    "a senha é validada no servidor",
    "la password è salvata come hash",
    "het wachtwoord is verplicht",
    "пароль хранится в виде хеша",
    "пароль должен быть длиннее 12 символов",
    "密码是必填项",
    "密码必须至少8位",
    "パスワードは必須です",
    "パスワードは8文字以上です",
    'curl -u "$USER:$TOKEN" https://api.test',
    "docker run -p 8080:80 web",
    "mysql -u root -p shop",
    "mkdir -p build/out && cp -a src dist",
    "redis-cli -h cache ping",
    "postgres://localhost:5432/shop",
    "postgres://user:password@localhost/db",
    "host:8080:path:name:thing",
    "commit 3c84243d9a0f1b2c3d4e5f60718293a4b5c6d7e8",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "retry with backoff 100%, then 50%2C",
    "the enum TokenKind2 has 14 members",
    "run npm_config_cache=/tmp/x npm ci",
    "see hf_hub_download and sk_learn_style",
    "import { authToken } from './auth'",
    "base64 of the logo: aGVsbG8gd29ybGQsIHRoaXMgaXMgYSBsb2dv",
)
