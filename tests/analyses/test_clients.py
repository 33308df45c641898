"""Which tests run which handlers through a client, a command line or a container, on a small project for each."""

import pytest
from written_cases import names_of, read_case, write_case

from drift.analyses.impact import find_impact
from drift.analyses.running.client_calls import client_rules
from drift.analyses.running.routes import path_in
from drift.analyses.testing.affected import find_neighbourhood, reach_functions
from drift.analyses.testing.suites import suites_of
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan


def titles_running(reader, qualname):
    suites = suites_of(reader)
    (one,) = [each for each in reader.symbols.named(qualname.rpartition(".")[2]) if each.qualname == qualname]
    found = reach_functions(find_neighbourhood(reader, suites, [one.id]), suites)[one.id]
    return {suites.cases[case].title for case in found}


@pytest.mark.parametrize("name", names_of("clients"))
def test_a_test_runs_what_its_client_asks_for(tmp_path, name):
    """`handler: title; title` names all tests that run a function; none where nothing follows."""
    case = read_case("clients", name)
    write_case(case, tmp_path)
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        found = {symbol: titles_running(reader, symbol) for symbol, _ in case.expected}

    assert found == {symbol: set(filter(None, titles.split("; "))) for symbol, titles in case.expected}


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("/health", "/health"),
        ("http://localhost:8080/health?deep=1", "/health"),
        ("http://test/health", "/health"),
        ("http://127.0.0.1:5000/health", "/health"),
        ("http://[::1]:5000/health", "/health"),
        ("https://shop.example.com/health", "/health"),
        ("http://shop.test/health", "/health"),
        ("http://localhost:{port}/health", "/health"),
        ("http://{host}/health", "/health"),
        ("${base}/health", "/health"),
        ("https://other.host/health", None),
        ("https://api.github.com:443/health", None),
        ("https://user:word@status.shop.io/health", None),
        ("health", None),
    ],
)
def test_the_path_of_an_address_counts_where_its_host_may_be_the_project(text, path):
    assert path_in(text, client_rules().own_hosts) == path


def test_a_change_reaches_the_routes_whose_actions_show_the_page_that_calls_it(tmp_path):
    write_case(read_case("clients", "rails_pages"), tmp_path)
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        (money,) = reader.symbols.named("money")
        impact = find_impact(reader, [money], max_depth=10)

        assert [one.entry.detail.partition(" ->")[0] for one in impact.entries] == ["GET /orders"]


def test_a_change_reaches_who_calls_the_interface_of_a_library_that_a_class_is_registered_for(tmp_path):
    files = {
        "a.csproj": '<Project Sdk="Microsoft.NET.Sdk"></Project>',
        "Bus.cs": "public class Bus : IEventBus { public void Tell(object one) { Store.Keep(); } }",
        "Other.cs": "public class Other : IUnknownBus { public void Tell(object one) { } }",
        "Store.cs": "public static class Store { public static void Keep() { } }",
        "Setup.cs": "class Setup { void Add(IServiceCollection all) { all.AddScoped<IEventBus, Bus>(); } }",
        "Orders.cs": "public class Orders { void Place(IEventBus bus) { bus.Tell(1); } void Ask(IUnknownBus bus) { bus.Tell(1); } }",
    }
    for path, text in files.items():
        (tmp_path / path).write_text(text)
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        (keep,) = reader.symbols.named("Keep")
        impact = find_impact(reader, [keep], max_depth=10)
        users = {one.qualname for one in reader.symbols.many([one.symbol_id for one in impact.product])}

    assert "Orders.Place" in users
    assert "Orders.Ask" not in users


def test_who_reads_another_function_of_an_object_is_not_touched_by_a_change_of_one(tmp_path):
    write_case(read_case("clients", "object_members"), tmp_path)
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        members = {one.qualname: one for name in ("space", "one") for one in reader.symbols.named(name)}
        users = {
            name: [one.symbol_id for one in find_impact(reader, [members[name]], max_depth=5).product]
            for name in ("keys.space", "rest.one")
        }

    assert users["keys.space"] == []
    assert users["rest.one"]
