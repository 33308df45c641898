"""Python's descriptors: what reading and setting a member runs, and what it gives."""

from link_cases import edges_of, link_texts, name_place, python_facts

from drift.scan.link import Place

CACHED = """
class cached:
    def __init__(self, function): self.function = function
    def __get__(self, owner, kind): return self.function(owner)
    def __set__(self, owner, value): pass
"""


def implicit(text: str) -> set[tuple[str, str]]:
    """Which function runs which through an access."""
    facts, links = python_facts({"m.py": text}), link_texts({"m.py": text})["m.py"]
    return {
        (
            name_place(facts, Place("m.py", facts["m.py"].accesses[number].scope)),
            name_place(facts, one.place),
        )
        for number, link in links.implicit
        for one in link.targets
    }


def edges(text: str) -> set[tuple[str, str]]:
    return edges_of(python_facts({"m.py": text}), link_texts({"m.py": text}))


PROPERTY = """
class Channel:
    def send(self): pass
class Producer:
    def _get(self): return Channel()
    def _set(self, value): pass
    channel = property({arguments})
def read(producer: Producer): producer.channel.send()
def write(producer: Producer): producer.channel = 1
def ask(): Producer.channel
"""


def test_a_property_made_by_a_call_runs_its_functions():
    for arguments in ("_get, _set", "_get, fset=_set", "fset=_set, fget=_get"):
        found = implicit(PROPERTY.format(arguments=arguments))

        assert ("m.read", "m.Producer._get") in found
        assert ("m.write", "m.Producer._set") in found
        assert ("m.read", "m.Producer._set") not in found


def test_a_property_made_by_a_call_gives_what_its_function_gives():
    assert ("m.read", "m.Channel.send") in edges(PROPERTY.format(arguments="_get"))


def test_a_property_without_a_setter_runs_nothing_where_it_is_set():
    assert not [edge for edge in implicit(PROPERTY.format(arguments="_get")) if edge[0] == "m.write"]


def test_a_property_of_things_outside_runs_nothing_of_the_project():
    text = PROPERTY.format(arguments="operator.attrgetter('x'), *others")

    assert not [edge for edge in implicit(text) if edge[0] in {"m.read", "m.write"}]


def test_an_object_with_a_getter_in_the_body_of_a_class_runs_it():
    found = implicit(
        CACHED
        + "class Box:\n    size = cached(len)\n"
        + "class Big(Box): pass\n"
        + "def read(): return Big().size\ndef write(): Big().size = 1\ndef ask(): return Big.size\n"
    )

    assert ("m.read", "m.cached.__get__") in found
    assert ("m.ask", "m.cached.__get__") in found
    assert ("m.write", "m.cached.__set__") in found


def test_an_object_with_a_getter_that_an_object_holds_runs_nothing():
    found = implicit(
        CACHED
        + "class Box:\n    def __init__(self): self.size = cached(len)\n"
        + "def read(): return Box().size\n"
    )

    assert ("m.read", "m.cached.__get__") not in found


DECORATED = (
    CACHED
    + """
class Lid:
    def open(self): pass
class Box:
    @cached
    def lid(self): return Lid()
def use(): Box().lid.open()
"""
)


def test_a_decorator_with_a_getter_runs_where_the_method_is_read():
    assert ("m.use", "m.cached.__get__") in implicit(DECORATED)


def test_a_decorator_with_a_getter_gives_what_the_method_gives():
    assert ("m.use", "m.Lid.open") in edges(DECORATED)


def test_a_property_decorator_of_the_project_runs_beside_the_property():
    found = implicit(DECORATED.replace("cached", "cached_property"))

    assert {("m.use", "m.cached_property.__get__"), ("m.use", "m.Box.lid")} <= found


def test_a_property_is_read_before_what_it_gives_is_called():
    text = """
class Check:
    def __call__(self, value): pass
class Field:
    @property
    def check(self): return Check()
    @property
    def kind(self): return dict
    def plain(self): pass
    def validate(self):
        self.check(1)
        self.kind()
        self.plain()
"""
    facts, links = python_facts({"m.py": text}), link_texts({"m.py": text})["m.py"]

    found = {
        call.text: {name_place(facts, one.place) for one in (*link.targets, *link.overriders)}
        for call, link in zip(facts["m.py"].calls, links.calls, strict=True)
    }

    assert found["self.check"] == {"m.Check.__call__", "m.Field.check"}
    assert found["self.kind"] == {"m.Field.kind"}
    assert found["self.plain"] == {"m.Field.plain"}
