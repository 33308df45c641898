"""How soon the dashboard can be used and how smoothly its graph moves, in a real Chromium.

    drift scan PROJECT
    python benchmarks/page_frames.py PROJECT [--rounds 3]

Prints for each view the milliseconds from the beginning of the navigation until it is drawn and takes input, beside a
page without anything; and the frames a second while the graph of files is dragged and zoomed, beside those of an empty
page that only counts them. Also what the page weighs. The machine's load decides much: compare within a run.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from threading import Event, Thread
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests/dashboard"))
from headless_chromium import find_chromium, run_chromium

from drift.dashboard import Inquiry, create_dashboard, find_port
from drift.pipeline import Environment
from drift.project import ProjectRegistry
from drift.protocol.http.settings import HttpSettings

LARGEST = "graph?level=file&tests=yes"
VIEWS = ("overview", "map", "graph", "graph?level=file", LARGEST, "conventions", "memory", "tools")
STEPS = 90
COUNT = """
window.frames_ = [];
window.counts = true;
requestAnimationFrame(function count(at) { window.frames_.push(at); if (window.counts) requestAnimationFrame(count); });
undefined
"""
RATE = """(() => {
  window.counts = false;
  const taken = window.frames_;
  const gaps = taken.slice(1).map((at, number) => at - taken[number]).sort((one, other) => one - other);
  return { rate: 1000 * (taken.length - 1) / (taken.at(-1) - taken[0]), slow: gaps[Math.floor(gaps.length * 0.95)] };
})()"""
# In frames of the page itself, since orders from outside come too seldom to be a hand.
ZOOM = f"""new Promise((resolve) => {{
  const board = document.querySelector("canvas.over");
  const place = board.getBoundingClientRect();
  let step = 0;
  const turn = () => {{
    board.dispatchEvent(new WheelEvent("wheel", {{ deltaY: Math.sin(step / 12) * 40, clientX: place.x + place.width / 2 + 3 * (step % 40), clientY: place.y + place.height / 2, cancelable: true }}));
    if (++step < {STEPS}) requestAnimationFrame(turn);
    else resolve(step);
  }};
  requestAnimationFrame(turn);
}})"""


@contextmanager
def served(root: Path, scratch: str) -> Iterator[str]:
    environ = dict(os.environ)  # an index is believed only by the home it was made for
    registry = ProjectRegistry(Path(scratch) / "projects.json", lambda: datetime.now(UTC))
    settings = HttpSettings(port=0)
    inquiry = Inquiry(Environment(root, registry, environ))
    server = find_port(create_dashboard(inquiry, settings), settings, tries=0)
    ready = Event()
    thread = Thread(target=server.run, args=(lambda _server: ready.set(),))
    thread.start()
    ready.wait()
    try:
        yield server.url
    finally:
        server.stop()
        thread.join()
        inquiry.close()


def drawn_after_ms(page: Any, url: str) -> float:
    """From the navigation to a view that is drawn and not busy, by the page's own clock."""
    page.order("Page.navigate", url=url)
    page.wait_for(
        "document.querySelector('main h1') && !document.querySelector('main').hasAttribute('aria-busy')"
    )
    marked = "performance.getEntriesByName('view').at(-1)?.startTime"
    return float(page.evaluate(marked))


def frames(page: Any, move: str | None) -> dict[str, float]:
    page.evaluate(COUNT)
    page.evaluate(move or f"new Promise((resolve) => setTimeout(resolve, {STEPS * 16}))")
    found: dict[str, float] = page.evaluate(RATE)
    return found


def drag(page: Any) -> dict[str, float]:
    """The board under a hand that moves, as the browser gets it from a mouse."""
    place = page.evaluate(
        "(() => { const box = document.querySelector('canvas.over').getBoundingClientRect(); return [box.x + 300, box.y + 200]; })()"
    )
    mouse = {"button": "left", "buttons": 1, "clickCount": 1}
    page.order("Input.dispatchMouseEvent", type="mousePressed", x=place[0], y=place[1], **mouse)
    page.evaluate(COUNT)
    for step in range(STEPS):
        x, y = place[0] + 3 * (step % 60), place[1] + step % 45
        page.order("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, **mouse)
    found: dict[str, float] = page.evaluate(RATE)
    page.order("Input.dispatchMouseEvent", type="mouseReleased", x=place[0], y=place[1], **mouse)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("project", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    program = find_chromium()
    if program is None:
        sys.exit("no chromium here; DRIFT_CHROMIUM may name one")
    folder = files("drift.dashboard").joinpath("page")
    weight = sum(len(one.read_bytes()) for one in folder.iterdir() if one.is_file())
    print(f"page: {weight / 1000:.0f} KB without compression")
    with (
        tempfile.TemporaryDirectory() as scratch,
        served(given.project.resolve(), scratch) as url,
        run_chromium(program) as browser,
    ):
        for view in VIEWS:
            took = []
            for number in range(given.rounds):
                with browser.page() as page:
                    took.append(drawn_after_ms(page, f"{url}/?{number}#{view}"))
            print(f"{view:26} usable after {statistics.median(took):6.0f} ms (first {took[0]:.0f})")
        with browser.page() as page:
            page.order("Page.navigate", url="about:blank")
            say("an empty page", frames(page, None))
        with browser.page() as page:
            drawn_after_ms(page, f"{url}/#{LARGEST}")
            nodes = page.evaluate("document.querySelector('#news').textContent")
            page.wait_for("document.querySelector('canvas.over').width > 0")
            say(f"zooming, {nodes}", frames(page, ZOOM))
            say(f"dragging, {nodes}", drag(page))


def say(what: str, found: dict[str, float]) -> None:
    print(f"{what:40} {found['rate']:5.1f} frames/s, 95 % within {found['slow']:.1f} ms")


if __name__ == "__main__":
    main()
