"""What the common .NET frameworks call by themselves: attributes, base types and registering calls.

To teach Drift a framework, add its names here; `entries.py` knows what each table means.
"""

from typing import Final

HTTP_ATTRIBUTES: Final = {
    "HttpDelete": "DELETE",
    "HttpGet": "GET",
    "HttpHead": "HEAD",
    "HttpOptions": "OPTIONS",
    "HttpPatch": "PATCH",
    "HttpPost": "POST",
    "HttpPut": "PUT",
}
# Calls that register a handler for a path: `app.MapGet("/x", handler)`.
ROUTE_CALLS: Final = {
    "Map": "ANY",
    "MapDelete": "DELETE",
    "MapGet": "GET",
    "MapMethods": "ANY",
    "MapPatch": "PATCH",
    "MapPost": "POST",
    "MapPut": "PUT",
}
GROUP_CALLS: Final = frozenset({"MapGroup"})
# Calls that give a System.CommandLine command what it does.
COMMAND_CALLS: Final = frozenset({"SetAction", "SetHandler"})
# Calls that hand a lambda to a job server, by the class they are called on.
JOB_CALLS: Final = {
    "BackgroundJob": frozenset({"ContinueJobWith", "Enqueue", "Schedule"}),
    "RecurringJob": frozenset({"AddOrUpdate"}),
}
REGISTERING_NAMES: Final = frozenset().union(ROUTE_CALLS, GROUP_CALLS, COMMAND_CALLS, *JOB_CALLS.values())
COMMAND_ATTRIBUTES: Final = frozenset({"Command", "Verb"})
# Triggers of Azure Functions, which stand at a parameter, by the kind they make of the function.
TRIGGER_ATTRIBUTES: Final = {
    "BlobTrigger": "event",
    "EventGridTrigger": "event",
    "HttpTrigger": "http",
    "QueueTrigger": "event",
    "ServiceBusTrigger": "event",
    "TimerTrigger": "job",
}
FUNCTION_ATTRIBUTES: Final = frozenset({"Function", "FunctionName"})

TEST_ATTRIBUTES: Final = frozenset(
    {"DataTestMethod", "Fact", "Test", "TestCase", "TestCaseSource", "TestMethod", "Theory"}
)
# What test frameworks call around the tests.
FIXTURE_ATTRIBUTES: Final = frozenset(
    {
        "AssemblyCleanup", "AssemblyInitialize", "ClassCleanup", "ClassInitialize", "OneTimeSetUp",
        "OneTimeTearDown", "SetUp", "TearDown", "TestCleanup", "TestInitialize",
    }
)  # fmt: skip

# Base type to the methods its framework calls: name to (kind, detail).
CALLED_METHODS: Final[dict[str, dict[str, tuple[str, str]]]] = {
    "AsyncCommand": {"ExecuteAsync": ("cli", "AsyncCommand")},
    "BackgroundService": {"ExecuteAsync": ("job", "BackgroundService")},
    "Command": {"Execute": ("cli", "Command")},
    "IConsumer": {"Consume": ("event", "IConsumer")},
    "IHandleMessages": {"Handle": ("event", "IHandleMessages")},
    "IHostedService": {"StartAsync": ("job", "IHostedService"), "StopAsync": ("job", "IHostedService")},
    "IInvocable": {"Invoke": ("job", "IInvocable")},
    "IJob": {"Execute": ("job", "IJob")},
    "INotificationHandler": {"Handle": ("event", "INotificationHandler")},
    "IRequestHandler": {"Handle": ("event", "IRequestHandler")},
    "PageModel": {
        name: ("http", verb)
        for verb, names in (
            ("GET", ("OnGet", "OnGetAsync")),
            ("POST", ("OnPost", "OnPostAsync")),
            ("DELETE", ("OnDelete", "OnDeleteAsync")),
        )
        for name in names
    },
}
# Base types all of whose public methods answer: MVC controllers, and SignalR hubs.
CONTROLLER_BASES: Final = frozenset({"Controller"})
HUB_BASES: Final = frozenset({"Hub"})
