"""How a fleet stands, as one page of HTML that needs nothing else and runs nothing."""

import hashlib
from base64 import b64encode
from typing import Final

from drift import __version__
from drift.fleet.report import FleetReport, RepositoryRow
from drift.quality.page.markup import Markup, element, join

_STYLE: Final = (
    "body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #8884;"
    "vertical-align:top;overflow-wrap:anywhere}td.number{text-align:right;white-space:nowrap}.never,.failed{color:#c33}.old{color:#a70}"
)
_HEAD: Final = (
    "repository",
    "standing",
    "commit",
    "scanned",
    "files",
    "MB",
    "CPU s",
    "tries",
    "address, and why it failed",
)


def write_fleet_page(report: FleetReport) -> str:
    """The page as one text."""
    policy = f"default-src 'none'; style-src 'sha256-{b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()}'; base-uri 'none'; form-action 'none'"
    head = join([
        Markup('<meta charset="utf-8">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">'),
        element("title", "Drift fleet"),
        Markup(f"<style>{_STYLE}</style>"),
    ])  # fmt: skip
    rows = [_row(each) for each in sorted(report.repositories, key=report.ranked().usual().key)]
    titles = element("tr", join([element("th", title) for title in _HEAD]))
    body = join([
        element("h1", "Drift fleet"),
        element("p", report.summary),
        element("p", f"{report.file}, made {report.made_at} by Drift {__version__}"),
        element("table", element("thead", titles), element("tbody", join(rows))),
    ])  # fmt: skip
    return f"<!DOCTYPE html>\n{element('html', element('head', head), element('body', body), lang='en')}\n"


def _row(row: RepositoryRow) -> Markup:
    numbers = (
        _number(row.files),
        _number(None if row.snapshot_bytes is None else round(row.snapshot_bytes / 1e6, 1)),
        _number(row.cpu_seconds),
        _number(row.attempts),
    )
    address = row.url if row.branch is None else f"{row.url} ({row.branch})"
    return element(
        "tr",
        element("td", row.name),
        element("td", row.standing, class_=row.standing),
        element("td", row.commit or "-"),
        element("td", row.scanned_at or "-"),
        join(numbers),
        element("td", address if row.reason is None else f"{address}: {row.reason}"),
    )


def _number(value: float | None) -> Markup:
    return element("td", "-" if value is None else value, class_="number")
