"""Samples of secrets and of what only looks like them, read from the tests of open scanners.

Nothing of them is kept here: `secret_scan.py` reads checkouts of gitleaks, detect-secrets and trufflehog. Where their tests make
a sample from a regular expression, one is made here from the same expression.
"""

import ast
import random
import re
import re._parser as regex_parser
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

_CLASSES = {
    "Numeric": "[0-9]{%s}",
    "Hex": "[a-f0-9]{%s}",
    "AlphaNumeric": "[a-z0-9]{%s}",
    "AlphaNumericExtendedShort": "[a-z0-9_-]{%s}",
    "AlphaNumericExtended": r"[a-z0-9=_\-]{%s}",
    "AlphaNumericExtendedLong": r"[a-z0-9\/=_\+\-]{%s}",
    "Hex8_4_4_4_12": "[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}",
}
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|`[^`]*`|\.\.\.|[A-Za-z_][\w.]*|[(){}\[\],+:=]|//[^\n]*|\s+|.')
_FEWEST = 12
_PRINTABLE = string.ascii_letters + string.digits


class Sample(NamedTuple):
    """A text, and whether there is a secret in it."""

    source: str
    rule: str
    text: str
    is_secret: bool


def generate(pattern: str, chance: random.Random) -> str:
    """A text that a regular expression fits."""
    pattern = re.sub(r"\(\?[a-z-]+\)", "", pattern).replace(r"\z", r"\Z")
    return "".join(_generate(regex_parser.parse(pattern), chance))


def _generate(parsed: Any, chance: random.Random) -> Iterator[str]:
    for kind, value in parsed:
        name = str(kind)
        if name == "LITERAL":
            yield chr(value)
        elif name == "IN":
            yield chance.choice(_choices(value))
        elif name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
            least, most, inner = value
            for _ in range(chance.randint(least, min(most, max(least, 1) + 8) if most > least else least)):
                yield from _generate(inner, chance)
        elif name == "SUBPATTERN":
            yield from _generate(value[-1], chance)
        elif name == "BRANCH":
            yield from _generate(chance.choice(value[1]), chance)
        elif name == "ANY":
            yield chance.choice(_PRINTABLE)


def _choices(parts: Any) -> str:
    found = []
    for kind, value in parts:
        if str(kind) == "LITERAL":
            found.append(chr(value))
        elif str(kind) == "RANGE":
            found += map(chr, range(value[0], value[1] + 1))
        elif str(kind) == "CATEGORY":
            found += string.digits if "DIGIT" in str(value) else _PRINTABLE if "WORD" in str(value) else " "
    return "".join(found) or "x"


class _Go:
    """Enough of Go to read lists of samples: texts, +, and the functions that make samples."""

    def __init__(self, text: str, forms: list[str], chance: random.Random) -> None:
        self.tokens = [each for each in _TOKENS.findall(text) if each.strip() and not each.startswith("//")]
        self.at = 0
        self.forms = forms
        self.chance = chance

    def values(self) -> list[str]:
        found: list[str] = []
        while self.at < len(self.tokens):
            try:
                found += self._value()
            except (IndexError, ValueError, KeyError, re.error):
                self.at += 1
        return found

    def _take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def _next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _value(self) -> list[str]:
        found = self._one()
        while self._next() == "+":
            self._take()
            behind = self._one()
            found = [f"{left}{right}" for left in found for right in behind]
        return found

    def _one(self) -> list[str]:
        token = self._take()
        if token[0] == "`":
            return [token[1:-1]]
        if token[0] == '"':
            return [str(ast.literal_eval(token))]
        if self._next() != "(":
            raise ValueError(token)
        self._take()
        arguments: list[list[str]] = []
        while self._next() != ")":
            if self._next() == ",":
                self._take()
                continue
            arguments.append(self._value())
        self._take()
        return self._call(token.rpartition(".")[2], [each[0] for each in arguments])

    def _call(self, name: str, arguments: list[str]) -> list[str]:
        if name == "GenerateSampleSecrets":
            identifier, secret = arguments
            return [
                form.replace("{i}", identifier).replace("{I}", identifier.upper()).replace("{s}", secret)
                for form in self.forms
            ]
        if name == "GenerateSampleSecret":
            return [f'{arguments[0]}_api_token = "{arguments[1]}"']
        if name in {"NewSecret", "newPlausibleSecret"}:
            return [generate(arguments[0], self.chance)]
        if name in _CLASSES:
            form = _CLASSES[name]
            return [form % arguments[0] if "%s" in form else form]
        raise ValueError(name)


def gitleaks_samples(root: Path, chance: random.Random) -> Iterator[Sample]:
    """What the rules of gitleaks are validated with."""
    utils = (root / "cmd/generate/config/utils/generate.go").read_text()
    listed = [line for line in utils.splitlines() if re.match(r'\s*"[^"]*":\s*["`].*["`],', line)]
    forms = []
    for line in listed:
        body = line.partition(":")[2].strip().rstrip(",")
        if '":' in line[: line.index(body)]:
            forms.append(body[1:-1] if body[0] == "`" else str(ast.literal_eval(body)))
    for path in sorted((root / "cmd/generate/config/rules").glob("*.go")):
        for function in path.read_text().split("\nfunc ")[1:]:
            body = function.partition("// validate")[2] or function
            for kind, is_secret in (("tps", True), ("fps", False)):
                for found in re.finditer(
                    rf"\b{kind}\b\s*:?=(.*?)(?=\n\t(?:fps|tps|return|\}}|//))", body, re.DOTALL
                ):
                    for text in _Go(found[1], forms, chance).values():
                        if len(text) < _FEWEST or re.fullmatch(r"[\w\-]+\.\w{1,4}", text):
                            continue  # the name of a file, or a part of a text
                        yield Sample("gitleaks", path.stem, text, is_secret)


def detect_secrets_samples(root: Path) -> Iterator[Sample]:
    """Pairs of a text and whether it is flagged, as the tests of detect-secrets give them."""
    for path in sorted((root / "tests/plugins").glob("*_test.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Tuple) and len(node.elts) >= 2:
                try:
                    text, is_secret, *_ = ast.literal_eval(node)
                except (ValueError, TypeError):
                    continue
                if isinstance(text, str) and isinstance(is_secret, bool):
                    yield Sample("detect-secrets", path.stem.removesuffix("_test"), text, is_secret)


def trufflehog_samples(root: Path) -> Iterator[Sample]:
    """The valid patterns of detectors' tests, beside the keyword they are tested with."""
    for path in sorted((root / "pkg/detectors").rglob("*_test.go")):
        text = path.read_text(errors="replace")
        keyword = re.search(r'keyword\s*=\s*"([^"]{2,40})"', text)
        for found in re.finditer(
            r'\bvalid(?:Pattern|Token|Key|Secret)\w{0,6}\s*=\s*(?:"([^"]{12,200})"|`([^`\n]{12,200})`)', text
        ):
            value = found[1] or found[2]
            name = keyword[1] if keyword else path.parent.name
            if not re.search(r"[\s<>{}\\]", value):
                yield Sample("trufflehog", path.parent.name, f"{name} token = '{value}'", is_secret=True)
