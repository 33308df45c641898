"""A client of a stdio server that says what it is told to, within a time."""

import json
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from drift.kernel.own_process import kept_variables, neutral_directory

_LONGEST_STDERR: Final = 2_000
_SECONDS_TO_END: Final = 5.0


class ConversationError(Exception):
    """The server did not answer as it should; the message says what happened."""


class Conversation:
    """One server process and the requests made to it."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        *,
        timeout_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._process = process
        self._clock = clock
        self._deadline = clock() + timeout_seconds
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._stderr = b""
        self._next_id = 1
        self._readers = [
            threading.Thread(target=self._read_lines, daemon=True),
            threading.Thread(target=self._read_stderr, daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """The result of a request. Raises ConversationError for an error, silence or nonsense."""
        identity, self._next_id = self._next_id, self._next_id + 1
        self._send({"jsonrpc": "2.0", "id": identity, "method": method, "params": params})
        while True:
            message = self._receive(method)
            if message.get("id") != identity or "method" in message:
                continue  # a notification, or a question of the server's own
            if "result" not in message:
                raise ConversationError(f"{method} was refused: {json.dumps(message.get('error'))[:300]}")
            result: dict[str, Any] = message["result"]
            return result

    def notify(self, method: str) -> None:
        """Tell the server something it does not answer."""
        self._send({"jsonrpc": "2.0", "method": method})

    def close(self) -> None:
        """End the server by closing its input, by force if that is not enough."""
        try:
            assert self._process.stdin is not None
            self._process.stdin.close()
        except BrokenPipeError:
            pass  # it has ended already
        try:
            self._process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for reader in self._readers:
            reader.join(_SECONDS_TO_END)

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise ConversationError(self._last_words()) from None

    def _receive(self, method: str) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=max(self._deadline - self._clock(), 0.001))
        except queue.Empty:
            raise ConversationError(f"no answer to {method} in time") from None
        if line is None:
            raise ConversationError(self._last_words())
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise ConversationError(f"something else than protocol on standard output: {line[:80]!r}")
        return message

    def _last_words(self) -> str:
        self._readers[1].join(1.0)
        said = self._stderr.decode("utf-8", "replace").strip()
        return f"the server ended: {said or 'without a word'}"

    def _read_lines(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _read_stderr(self) -> None:
        assert self._process.stderr is not None
        while chunk := self._process.stderr.read1(4096):  # type: ignore[attr-defined] # Popen's pipes are buffered readers
            self._stderr = (self._stderr + chunk)[-_LONGEST_STDERR:]


@contextmanager
def converse(
    command: Sequence[str], *, environ: Mapping[str, str], timeout_seconds: float
) -> Iterator[Conversation]:
    """A conversation with a server of its own. Raises ConversationError when it cannot be started."""
    try:
        process = subprocess.Popen(  # noqa: S603 - our own program, by its absolute path
            command,
            cwd=neutral_directory(),
            env=kept_variables(environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except OSError as error:
        raise ConversationError(f"{command[0]} could not be started: {error.strerror}") from error
    with process:
        conversation = Conversation(process, timeout_seconds=timeout_seconds)
        try:
            yield conversation
        finally:
            conversation.close()
