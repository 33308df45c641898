"""A real Chromium without a window, driven over its DevTools pipe; needs nothing but the browser itself."""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_PATIENCE_SECONDS = 300
# The browser reads its orders from descriptor 3 and answers on 4; a child of ours gets other numbers.
_LAUNCH = """
import fcntl, os, sys
orders, answers = (fcntl.fcntl(int(given), fcntl.F_DUPFD, 10) for given in sys.argv[1:3])
os.dup2(orders, 3), os.dup2(answers, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
_WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
"""


def find_chromium():
    """The browser's path, or None where there is none."""
    return os.environ.get("DRIFT_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)


@contextmanager
def run_chromium(program):
    """A browser that is gone at the end, with its profile."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        their_orders, our_orders = os.pipe()
        our_answers, their_answers = os.pipe()
        flags = ["--headless", "--remote-debugging-pipe", f"--user-data-dir={profile}", "--disable-gpu"]
        flags += ["--no-first-run", "--disable-extensions", "--disable-background-networking"]
        flags += ["--disable-dev-shm-usage", "--force-device-scale-factor=1", "--lang=en"]
        # Chromium refuses to sandbox itself for root, which containers run as.
        flags += ["--no-sandbox"] if os.geteuid() == 0 else []
        process = subprocess.Popen(
            [sys.executable, "-c", _LAUNCH, str(their_orders), str(their_answers), program, *flags],
            pass_fds=(their_orders, their_answers),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(their_orders)
        os.close(their_answers)
        browser = Browser(our_orders, our_answers)
        try:
            yield browser
            browser.close()
        finally:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


class Browser:
    """Sends orders, and sorts answers from events."""

    def __init__(self, orders, answers):
        self._orders = os.fdopen(orders, "wb", buffering=0)
        self._answers = os.fdopen(answers, "rb")
        self._heard = Queue()
        self._number = 0
        self.events = []
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        rest = b""
        while piece := os.read(self._answers.fileno(), 65_536):
            *messages, rest = (rest + piece).split(b"\0")
            for message in messages:
                self._heard.put(json.loads(message))
        self._heard.put(None)

    def order(self, method, session=None, **params):
        """What the browser answers; what it tells meanwhile is kept in `events`."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        self._orders.write(json.dumps(message).encode() + b"\0")
        while True:
            try:
                heard = self._heard.get(timeout=_PATIENCE_SECONDS)
            except Empty:
                raise AssertionError(f"no answer to {method}") from None
            assert heard is not None, f"the browser ended before it answered {method}"
            if heard.get("id") == self._number:
                assert "error" not in heard, heard
                return heard["result"]
            self.events.append(heard)

    @contextmanager
    def page(self, *, width=1280, height=900, is_dark=False):
        """A new page of a size, in light or dark."""
        context = self.order("Target.createBrowserContext")["browserContextId"]
        target = self.order("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.order("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.order(f"{domain}.enable")
        page.order("Page.addScriptToEvaluateOnNewDocument", source=_WATCH)
        page.order("Emulation.setScrollbarsHidden", hidden=True)
        page.resize(width, height)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        page.order("Emulation.setEmulatedMedia", features=[scheme])
        try:
            yield page
        finally:
            self.order("Target.disposeBrowserContext", browserContextId=context)

    def close(self):
        try:
            self.order("Browser.close")
            self._reader.join(10)
        finally:
            self._orders.close()
            self._answers.close()


class Page:
    """One page, as a person and as a program sees it."""

    def __init__(self, browser, session):
        self._browser = browser
        self._session = session

    def order(self, method, **params):
        return self._browser.order(method, self._session, **params)

    def resize(self, width, height):
        self.order(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def open(self, url, until="!document.querySelector('main').hasAttribute('aria-busy')"):
        self.order("Page.navigate", url=url)
        self.wait_for(
            f"document.readyState === 'complete' && document.querySelector('main > div') && {until}"
        )

    def evaluate(self, expression):
        found = self.order("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def wait_for(self, claim):
        """Return when the claim holds; the page itself looks at every frame."""
        held = self.evaluate(
            f"""new Promise((resolve) => {{
                const end = Date.now() + {_PATIENCE_SECONDS * 500};
                const look = () => {{
                    let holds = false;
                    try {{ holds = Boolean({claim}); }} catch {{ holds = false; }}
                    if (holds) resolve(true);
                    else if (Date.now() > end) resolve(false);
                    else setTimeout(look, 20);
                }};
                look();
            }})"""
        )
        assert held, f"never came true: {claim}\n{self.text()}"

    def text(self):
        return self.evaluate("document.body ? document.body.innerText : ''")

    def press(self, key, *, text=None):
        codes = {"Tab": 9, "Enter": 13, " ": 32, "ArrowDown": 40, "ArrowRight": 39}
        about = {"key": key, "code": key, "windowsVirtualKeyCode": codes.get(key, 0)}
        typed = {"Enter": "\r", " ": " "}.get(key, text)
        self.order("Input.dispatchKeyEvent", type="keyDown", **about, **({"text": typed} if typed else {}))
        self.order("Input.dispatchKeyEvent", type="keyUp", **about)

    def type(self, text):
        self.order("Input.insertText", text=text)

    def shoot(self, path):
        """A picture of the whole page."""
        size = self.order("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 4000), "scale": 1}
        shot = self.order("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        Path(path).write_bytes(base64.b64decode(shot["data"]))

    def complaints(self):
        """Errors in the console, exceptions and breaches of the policy."""
        told = [event for event in self._browser.events if event.get("sessionId") == self._session]
        errors = [e["params"]["entry"]["text"] for e in told if e["method"] == "Log.entryAdded"]
        thrown = [str(e["params"]) for e in told if e["method"] == "Runtime.exceptionThrown"]
        dialogs = [str(e["params"]) for e in told if e["method"] == "Page.javascriptDialogOpening"]
        return [*errors, *thrown, *dialogs, *self.evaluate("window.violations")]

    def addresses(self):
        """Every address the page asked for."""
        told = (e for e in self._browser.events if e.get("sessionId") == self._session)
        return [e["params"]["request"]["url"] for e in told if e["method"] == "Network.requestWillBeSent"]
