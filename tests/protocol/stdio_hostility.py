"""Messages no honest client would send, and what JSON-RPC and MCP say must come of each.

A message is a pair: the bytes of one or more lines, and how many answers they must get.
"""

import json
import random
import string

import orjson
from stdio_client import MODERN, envelope, initialize

MAX_REQUEST_BYTES = 1_048_576
MAX_DEPTH = 64
MAX_BATCH = 128
ODD_VALUES = (
    None,
    True,
    -1,
    1.5,
    1e308,
    2**63,
    2**64,
    2**200,
    "",
    "\x00",
    "é\u2028\U0001f600",
    [],
    {},
    [[]],
    {"": {}},
)


class Hostility:
    """An endless, repeatable source of bad messages for a connection of one version."""

    def __init__(self, version, seed):
        self.version = version
        self.random = random.Random(seed)
        self.serial = 0
        self.kinds = [
            self.truncate,
            self.flip_bytes,
            self.send_binary,
            self.send_odd_envelope,
            self.send_odd_params,
            self.call_unknown_method,
            self.nest_deeply,
            self.send_batch,
            self.send_raw_json,
            self.send_notification,
            self.send_response,
            self.repeat_id,
            self.send_wrong_version,
            self.repeat_key,
            self.send_blanks,
        ]

    def message(self):
        """One message: mostly small ones, seldom one of more than a megabyte."""
        if self.random.random() < 0.002:
            return self.send_huge()
        return self.random.choice(self.kinds)()

    def request(self, method="ping", **params):
        self.serial += 1
        if self.version == MODERN:
            params["_meta"] = envelope()
        request_id = self.random.choice([self.serial, f"s{self.serial}"])
        return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}

    def judged(self, line):
        return line + b"\n", expected_answers(line, self.version)

    def truncate(self):
        line = json.dumps(self.request("tools/call", name="echo", arguments={"text": "x" * 20})).encode()
        return self.judged(line[: self.random.randrange(len(line))])

    def flip_bytes(self):
        line = bytearray(json.dumps(self.request("tools/list", cursor="abc")).encode())
        for _ in range(self.random.randint(1, 4)):
            line[self.random.randrange(len(line))] = self.random.choice(b'"{}[]:,\\ax\x00\xff\xc3')
        return self.judged(bytes(line))

    def send_binary(self):
        return self.judged(self.random.randbytes(self.random.randint(1, 300)).replace(b"\n", b"."))

    def send_odd_envelope(self):
        message = self.request()
        for key in self.random.sample(["jsonrpc", "id", "method", "params", "result", "error"], 2):
            message[key] = self.random.choice(ODD_VALUES)
        if self.random.random() < 0.3:
            del message[self.random.choice(sorted(message))]
        return self.judged(json.dumps(message).encode())

    def send_odd_params(self):
        name, arguments = (self.random.choice(ODD_VALUES) for _ in range(2))
        message = self.request("tools/call", name=name, arguments=arguments)
        if self.random.random() < 0.5:
            message["params"]["_meta"] = self.random.choice(ODD_VALUES)
        return self.judged(json.dumps(message).encode())

    def call_unknown_method(self):
        method = "".join(self.random.choices(string.printable, k=self.random.randint(0, 60)))
        return self.judged(json.dumps(self.request(method)).encode())

    def nest_deeply(self):
        depth = self.random.choice([10, 62, 63, 64, 65, 500, 5000, 100_000])
        opening, closing = self.random.choice([(b"[", b"]"), (b'{"a":', b"}")])
        line = json.dumps(self.request(nested=0)).encode()
        return self.judged(
            line.replace(b'"nested": 0', b'"nested": ' + opening * depth + b"1" + closing * depth)
        )

    def send_batch(self):
        size = self.random.choice([0, 1, 2, 5, 128, 129])
        elements = [self.random.choice([self.request(), 1, [], self._notification()]) for _ in range(size)]
        return self.judged(json.dumps(elements).encode())

    def send_raw_json(self):
        odd = [
            b"NaN",
            b"-Infinity",
            b"1e999",
            b'"\\ud800"',
            b'"\\udc00\\ud800"',
            b"01",
            b"null",
            b"[1,]",
            b"'x'",
            b"9" * 400,
        ]
        value = self.random.choice(odd)
        place = self.random.choice(
            [b'{"jsonrpc":"2.0","id":%s,"method":"ping"}', b'{"jsonrpc":"2.0","method":%s}', b"%s"]
        )
        return self.judged(place % value)

    def _notification(self):
        odd = self.random.choice(ODD_VALUES)
        method = self.random.choice(["notifications/cancelled", "notifications/progress", "notifications/x"])
        return {"jsonrpc": self.random.choice(["2.0", odd]), "method": method, "params": {"requestId": odd}}

    def send_notification(self):
        return self.judged(json.dumps(self._notification()).encode())

    def send_response(self):
        outcome = self.random.choice(["result", "error"])
        message = {
            "jsonrpc": "2.0",
            "id": self.random.choice([1, *ODD_VALUES]),
            outcome: self.random.choice(ODD_VALUES),
        }
        return self.judged(json.dumps(message).encode())

    def repeat_id(self):
        first = json.dumps(self.request("tools/list")).encode()
        return first + b"\n" + first + b"\n", 2

    def send_wrong_version(self):
        message = self.request("tools/list")
        message["params"]["_meta"] = envelope(self.random.choice(["1999-01-01", "", "2026-07-28", "9" * 50]))
        if self.random.random() < 0.3:
            message["jsonrpc"] = self.random.choice(["1.0", "2", "2.00", 2])
        return self.judged(json.dumps(message).encode())

    def repeat_key(self):
        self.serial += 1
        return self.judged(
            b'{"jsonrpc":"2.0","id":null,"id":%d,"method":1,"method":"ping","params":{}}' % self.serial
        )

    def send_blanks(self):
        return b"\r\n \t\n\n", 0

    def send_huge(self):
        size = self.random.choice([MAX_REQUEST_BYTES - 500, MAX_REQUEST_BYTES + 1, 3 * MAX_REQUEST_BYTES])
        return self.judged(
            json.dumps(self.request("tools/call", name="echo", arguments={"x": "y" * size})).encode()
        )

    def renegotiate(self):
        """A handshake for a version that does not exist, and one back to the version in use."""
        again = json.dumps(initialize("1999-01-01", "wrong")), json.dumps(initialize(self.version, "right"))
        return "\n".join(again).encode() + b"\n", 2


def expected_answers(line, version):
    """How many lines must come back, by the rules and not by our code."""
    if not line.strip(b" \t\r"):
        return 0
    if b"\n" in line:
        return sum(expected_answers(part, version) for part in line.split(b"\n"))
    if len(line) > MAX_REQUEST_BYTES or depth_of(line) > MAX_DEPTH:
        return 1
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return 1
    if isinstance(value, list) and version == "2025-03-26" and 0 < len(value) <= MAX_BATCH:
        return int(any(is_answered(element) for element in value))
    return int(is_answered(value))


def is_answered(value):
    if not isinstance(value, dict):
        return True
    if "method" in value:
        return "id" in value or not isinstance(value["method"], str)
    return "result" not in value and "error" not in value


def depth_of(line):
    """The nesting of the text, brackets inside strings not counted."""
    depth = deepest = 0
    in_string = escaped = False
    for byte in line:
        if in_string:
            in_string = escaped or byte != ord('"')
            escaped = byte == ord("\\") and not escaped
        elif byte == ord('"'):
            in_string = True
        elif byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest
