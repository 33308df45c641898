"""The official conformance suites against our factory's fixture and against each real server."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from suites import (
    ALPHA_2026,
    STABLE,
    SUITES,
    find_stale,
    find_unexplained,
    listed_scenarios,
    read_not_applicable,
    run_suite,
)

pytestmark = [pytest.mark.node, pytest.mark.slow]

SERVERS = ("analysis", "memory", "catalog")
# Scenarios that call no tool, resource or prompt of a fixture, so that any server can be put through them.
FIXTURE_FREE = {
    STABLE: {
        "server-initialize",
        "ping",
        "tools-list",
        "resources-list",
        "prompts-list",
        "logging-set-level",
        "server-sse-multiple-streams",
        "dns-rebinding-protection",
    },
    ALPHA_2026: {
        "tools-list",
        "resources-list",
        "prompts-list",
        "server-sse-multiple-streams",
        "dns-rebinding-protection",
        "caching",
        "sep-2164-resource-not-found",
    },
}


def each_of(suites):
    return pytest.mark.parametrize("suite", suites, ids=lambda suite: suite.name.replace(" ", "_"))


@each_of(SUITES)
def test_every_scenario_passes_against_the_fixture_or_is_listed_as_not_applicable(
    suite, fixture_url, tmp_path
):
    reasons = read_not_applicable()[suite.name]

    results = run_suite(suite, fixture_url, tmp_path)

    assert set(results) == listed_scenarios(suite)
    assert find_unexplained(results, reasons) == {}
    assert find_stale(results, reasons) == [], "these lines of not_applicable.yml are stale"


@pytest.fixture(scope="module")
def real_runs(real_url, tmp_path_factory):
    """All suites against all servers at once: most of their time is spent waiting for fixtures that are not there."""
    with ThreadPoolExecutor(3) as pool:
        yield {
            (suite, server): pool.submit(
                run_suite, suite, f"{real_url}/{server}", tmp_path_factory.mktemp(server)
            )
            for suite in FIXTURE_FREE
            for server in SERVERS
        }


@pytest.mark.parametrize("server", SERVERS)
@each_of(FIXTURE_FREE)
def test_a_real_server_passes_the_scenarios_that_need_no_fixture(suite, server, real_runs):
    results = real_runs[suite, server].result()

    wanted = {name: results.get(name) for name in FIXTURE_FREE[suite]}
    assert {name: tally for name, tally in wanted.items() if tally is None or not tally.has_passed} == {}
