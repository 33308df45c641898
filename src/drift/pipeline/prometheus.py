"""The metrics in Prometheus' text format, version 0.0.4."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from drift.registry import MetricsSnapshot

if TYPE_CHECKING:
    from drift.state import EffectiveRate

_QUANTILES = (("0.5", "p50"), ("0.95", "p95"), ("0.99", "p99"))


def prometheus_text(
    servers: Mapping[str, MetricsSnapshot],
    *,
    callers: Mapping[str, int] | None = None,
    rates: "Iterable[EffectiveRate]" = (),
) -> str:
    """One exposition for all servers of a process, told apart by the label `server`.

    `callers` counts who came in; `rates` are what was rated of no use.
    """
    return "\n".join([*_lines(servers), *_callers(callers or {}), *_rates(rates)]) + "\n"


def _rates(rates: "Iterable[EffectiveRate]") -> Iterator[str]:
    name = "drift_not_useful_ratio"
    rows = [
        _sample(name, each.rate, about=each.about, subject=each.subject)
        for each in rates
        if each.rate is not None
    ]
    if rows:
        yield from _family(name, "Share of ratings of 30 days that call it not useful", "gauge", rows)


def _callers(counts: Mapping[str, int]) -> Iterator[str]:
    if counts:
        name = "drift_auth_events_total"
        rows = (_sample(name, count, event=event) for event, count in counts.items())
        yield from _family(name, "Callers with tokens let in, and turned away by reason", "counter", rows)


def _lines(servers: Mapping[str, MetricsSnapshot]) -> Iterator[str]:
    counters = (
        ("drift_calls_total", "Calls answered", "calls"),
        ("drift_call_errors_total", "Calls that ended in an error", "errors"),
        ("drift_calls_cached_total", "Calls answered from the cache", "cached"),
        ("drift_answer_tokens_total", "Tokens in answers", "tokens"),
    )
    for name, help_text, attribute in counters:
        samples = (
            (server, tool, getattr(measures, attribute))
            for server, snapshot in servers.items()
            for tool, measures in snapshot.by_tool.items()
        )
        yield from _family(
            name, help_text, "counter", (_sample(name, v, server=s, tool=t) for s, t, v in samples)
        )
    yield from _family("drift_call_duration_ms", "Latest call durations", "summary", _durations(servers))
    for name, attribute in (
        ("drift_cache_hits_total", "cache_hits"),
        ("drift_cache_misses_total", "cache_misses"),
    ):
        rows = (
            _sample(name, getattr(snapshot, attribute), server=server) for server, snapshot in servers.items()
        )
        yield from _family(name, "Cache look-ups", "counter", rows)
    rows = (
        _sample("drift_cache_entries", snapshot.cache_entries, server=server)
        for server, snapshot in servers.items()
    )
    yield from _family("drift_cache_entries", "Answers kept in memory", "gauge", rows)
    yield from _family("drift_errors_total", "Errors by code", "counter", _errors(servers))


def _durations(servers: Mapping[str, MetricsSnapshot]) -> Iterator[str]:
    for server, snapshot in servers.items():
        for tool, measures in snapshot.by_tool.items():
            for quantile, attribute in _QUANTILES:
                value = getattr(measures.latency_ms, attribute)
                if value is not None:
                    yield _sample(
                        "drift_call_duration_ms", value, server=server, tool=tool, quantile=quantile
                    )


def _errors(servers: Mapping[str, MetricsSnapshot]) -> Iterator[str]:
    for server, snapshot in servers.items():
        for code, count in snapshot.errors_by_code.items():
            yield _sample("drift_errors_total", count, server=server, code=code)


def _family(name: str, help_text: str, kind: str, samples: Iterable[str]) -> Iterator[str]:
    yield f"# HELP {name} {help_text}"
    yield f"# TYPE {name} {kind}"
    yield from samples


def _sample(name: str, value: float, **labels: str) -> str:
    shown = ",".join(f'{key}="{_escape(label)}"' for key, label in labels.items())
    return f"{name}{{{shown}}} {value}"


def _escape(label: str) -> str:
    return label.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
