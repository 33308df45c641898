"""A real Redis (or Valkey) for tests, on a socket in a folder of its own."""

import os
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest


class RedisServer:
    """A server that can be ended and started again; nothing of it lasts."""

    def __init__(self, folder: Path) -> None:
        self._program = shutil.which("redis-server") or shutil.which("valkey-server")
        if self._program is None:
            if os.environ.get("DRIFT_REQUIRE_REDIS"):
                pytest.fail("DRIFT_REQUIRE_REDIS is set and there is no redis-server")
            pytest.skip("there is no redis-server")
        self._socket = folder / "redis.sock"
        self.url = f"unix://{self._socket}"
        self.start()

    def start(self) -> None:
        options = ("--port", "0", "--unixsocket", str(self._socket), "--save", "", "--appendonly", "no")
        self._process = subprocess.Popen([self._program, *options], stdout=subprocess.DEVNULL)
        while not self._socket.exists():
            assert self._process.poll() is None, "redis-server ended"
            time.sleep(0.01)

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        with suppress(FileNotFoundError):
            self._socket.unlink()
