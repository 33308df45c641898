"""Map, graph, places, lines and activity, as the page asks for them."""

import http.client
import json

import pytest

from drift.analyses.modules.drawing import stand
from drift.analyses.modules.graph import Dependency, ModuleGraph
from drift.registry import ServerName

LONG = "".join(f"    if cart > {n}:\n        cart -= 1\n" for n in range(8))


@pytest.fixture
def served(place, serve):
    place.write("shop.py", f"def total(cart):\n{LONG}    return cart\n")
    place.write("app/run.py", "from shop import total\n\n\ndef run(cart):\n    return total(cart)\n")
    place.write("tests/test_run.py", "from app.run import run\n\n\ndef test_run():\n    run(1)\n")
    place.write("secret.txt", "not code")
    place.scan()
    return serve()


def test_the_map_has_every_file_with_code_and_its_colours_in_the_same_order(served):
    found = served.ask("map").data
    colour = served.ask("map/colour", by="complexity").data

    assert found["paths"] == ["app/run.py", "shop.py", "tests/test_run.py"]
    assert found["lines"] == [3, 18, 3]
    assert found["tests"] == [2]
    assert colour["generation"] == found["generation"]
    assert colour["values"] == [0, 8, 0]
    assert all(each["command"] and each["unit"] for each in found["measures"])


def test_what_cannot_be_measured_is_null_with_the_way_to_it(place, served):
    for by, reason in (
        ("churn", "git"),
        ("age", "git"),
        ("owner", "git"),
        ("coverage", "report of coverage"),
    ):
        colour = served.ask("map/colour", by=by).data
        assert colour["values"] == [None, None, None]
        assert any(reason in note for note in colour["notes"]), colour["notes"]
    assert served.ask("map/colour", by="debt").data["values"][2] is None  # a test
    place.write("lcov.info", "SF:shop.py\nDA:1,1\nDA:2,0\nend_of_record\n")
    assert served.ask("map/colour", by="coverage").data["values"] == [None, 50.0, None]
    assert served.ask("map/colour", by="beauty").json["problem"]["code"] == "INVALID_ARGUMENT"


def test_the_graph_stands_on_what_is_used(served):
    graph = served.ask("graph", level="file").data
    whole = served.ask("graph", level="file", tests=1).data

    assert graph["names"] == ["app/run.py", "shop.py"]
    assert graph["heights"] == [1, 0]
    assert [edge[:2] for edge in graph["edges"]] == [[0, 1]]
    assert whole["heights"] == [1, 0, 2]
    assert served.ask("graph", level="galaxy").json["problem"]["code"] == "INVALID_ARGUMENT"


def test_all_of_a_cycle_stand_on_one_height():
    pairs = [("a", "b"), ("b", "a"), ("b", "c"), ("d", "a")]
    edges = {pair: Dependency(*pair, ("x",), pair[0], 1) for pair in pairs}
    graph = ModuleGraph({name: (name,) for name in "abcd"}, edges, {})

    heights, cycles = stand(graph)

    assert heights == {"c": 0, "a": 1, "b": 1, "d": 2}
    assert cycles == {"a": 1, "b": 1}


def test_places_are_found_by_words_and_only_code_of_the_index_can_be_read(served):
    places = served.ask("places", q="total").data["places"]
    lines = served.ask("lines", file="shop.py", **{"from": "1", "to": "2"}).data

    assert (places[0]["symbol"], places[0]["file"], places[0]["line"]) == ("total", "shop.py", 1)
    assert lines["lines"] == ["def total(cart):", "    if cart > 0:"]
    for path in ("secret.txt", "../home/.drift/projects.json", "/etc/passwd", ".drift/drift.db"):
        assert served.ask("lines", file=path).json["problem"]["code"] == "FILE_NOT_FOUND"


def test_calls_are_sent_to_the_page_as_they_are_counted(place, serve):
    place.call(ServerName.ANALYSIS, "drift_telemetry", action="enable")
    connection = http.client.HTTPConnection("127.0.0.1", serve().port, timeout=300)
    connection.request("GET", "/activity")
    reply = connection.getresponse()

    first = read_event(reply)
    place.call(ServerName.ANALYSIS, "drift_capabilities")
    second = read_event(reply)
    connection.close()

    assert reply.headers["content-type"].startswith("text/event-stream")
    assert first["enabled"] is True
    calls = {row["tool"]: row["calls"] for row in second["tools"]}
    assert calls["drift_capabilities"] == 1


def read_event(reply):
    line = reply.readline()
    assert line.startswith(b"data: ")
    assert reply.readline() == b"\n"
    return json.loads(line.removeprefix(b"data: "))
