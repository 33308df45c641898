"""How Python's common frameworks are told what to call: data, one line for each way.

To teach Drift another framework, add the last name of its decorator or of its registering function.
"""

from typing import Final, NamedTuple


class Way(NamedTuple):
    """One way to register a callable."""

    kind: str  # of the entry point
    handler: int | str = 0  # for functions: the argument that holds the callable, by place or keyword
    detail: int | str | None = None  # the argument that says what it is registered for, likewise
    word: str = ""  # stands before the detail: "GET", "command"
    receivers: frozenset[str] = frozenset()  # the word before the dot must be one of these, if any are given
    needs_receiver: bool = False
    needs_call: bool = False
    needs_path: bool = False  # the detail must be a path ("/users", ""), as the name alone says too little


_HTTP_METHODS: Final = ("get", "post", "put", "delete", "patch", "head", "options", "trace")

DECORATORS: Final[dict[str, Way]] = {
    **{
        method: Way(
            "http", detail=0, word=method.upper(), needs_receiver=True, needs_call=True, needs_path=True
        )
        for method in _HTTP_METHODS
    },
    "route": Way("http", detail=0, needs_call=True, needs_path=True),
    "api_route": Way("http", detail=0, needs_call=True, needs_path=True),
    "websocket": Way("http", detail=0, word="WEBSOCKET", needs_call=True, needs_path=True),
    "websocket_route": Way("http", detail=0, word="WEBSOCKET", needs_call=True, needs_path=True),
    "api_view": Way("http", word="view"),
    "action": Way("http", word="action", needs_call=True),
    "command": Way("cli", detail=0, word="command"),
    "group": Way("cli", detail=0, word="group"),
    "callback": Way("cli", word="callback", receivers=frozenset({"app", "cli", "typer"}), needs_call=True),
    "task": Way("job", word="task"),
    "shared_task": Way("job", word="task"),
    "periodic_task": Way("job", word="task"),
    "db_task": Way("job", word="task"),
    "actor": Way("job", word="actor"),
    "job": Way("job", word="job"),
    "scheduled_job": Way("job", detail=0, word="schedule", needs_call=True),
    "receiver": Way("event", detail=0, word="signal", needs_call=True),
    "listens_for": Way("event", detail=1, word="event", needs_call=True),
    "on_event": Way("event", detail=0, word="event", needs_call=True),
    "on": Way("event", detail=0, word="event", needs_receiver=True, needs_call=True),
    "event": Way("event", word="event", needs_receiver=True),
    "listener": Way("event", word="event", needs_receiver=True),
    "before_request": Way("event", word="before_request"),
    "after_request": Way("event", word="after_request"),
    "teardown_request": Way("event", word="teardown_request"),
    "teardown_appcontext": Way("event", word="teardown_appcontext"),
    "errorhandler": Way("event", detail=0, word="error", needs_call=True),
    "exception_handler": Way("event", detail=0, word="error", needs_call=True),
    "middleware": Way("event", detail=0, word="middleware", needs_call=True),
}

FUNCTIONS: Final[dict[str, Way]] = {
    "path": Way("http", handler=1, detail=0),
    "re_path": Way("http", handler=1, detail=0),
    "url": Way("http", handler=1, detail=0),
    "Route": Way("http", handler=1, detail=0),
    "WebSocketRoute": Way("http", handler=1, detail=0, word="WEBSOCKET"),
    "add_url_rule": Way("http", handler="view_func", detail=0, needs_receiver=True),
    "add_api_route": Way("http", handler=1, detail=0, needs_receiver=True),
    "add_route": Way("http", handler=1, detail=0, needs_receiver=True, needs_path=True),
    **{
        f"add_{method}": Way(
            "http", handler=1, detail=0, word=method.upper(), needs_receiver=True, needs_path=True
        )
        for method in _HTTP_METHODS
    },
    "set_defaults": Way("cli", handler="func", needs_receiver=True, word="command"),
    "add_command": Way("cli", needs_receiver=True, word="command"),
    "Fire": Way("cli", word="command"),
    "add_job": Way("job", needs_receiver=True, word="schedule"),
    "enqueue": Way("job", needs_receiver=True, word="queue"),
    "connect": Way("event", needs_receiver=True, word="signal"),
    "add_event_handler": Way("event", handler=1, detail=0, needs_receiver=True, word="event"),
    "add_exception_handler": Way("event", handler=1, detail=0, needs_receiver=True, word="error"),
    "register": Way("event", receivers=frozenset({"atexit"}), needs_receiver=True, word="exit"),
    "signal": Way(
        "event", handler=1, detail=0, receivers=frozenset({"signal"}), needs_receiver=True, word="signal"
    ),
}

ENUM_BASES: Final = frozenset(
    {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "TextChoices", "IntegerChoices", "Choices"}
)
INTERFACE_BASES: Final = frozenset({"Protocol", "Interface"})
ABSTRACT_BASES: Final = frozenset({"ABC", "ABCMeta"})
TEST_CASE_ENDINGS: Final = ("TestCase", "TestSuite")
COMMAND_BASES: Final = frozenset({"BaseCommand", "AppCommand", "LabelCommand", "NoArgsCommand"})
PROPERTY_DECORATORS: Final = frozenset(
    {"property", "cached_property", "abstractproperty", "hybrid_property", "classproperty", "lazy_property"}
)
DATA_CLASS_DECORATORS: Final = frozenset({"dataclass", "define", "frozen", "attrs", "attr.s"})
# Decorator to the modifier a reader would say.
MODIFIERS: Final = {
    "staticmethod": "static",
    "classmethod": "classmethod",
    "abstractmethod": "abstract",
    "abstractproperty": "abstract",
    "final": "final",
    "override": "override",
    "overload": "overload",
    "setter": "setter",
    "deleter": "deleter",
}
