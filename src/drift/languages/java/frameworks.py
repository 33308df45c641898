"""What the common Java frameworks call by themselves: annotations, base types and method names.

To teach Drift a framework, add its names here; `entries.py` knows what each table means.
"""

from typing import Final

# Annotations of methods that answer HTTP requests, by verb.
SPRING_VERBS: Final = {
    "DeleteMapping": "DELETE",
    "GetMapping": "GET",
    "PatchMapping": "PATCH",
    "PostMapping": "POST",
    "PutMapping": "PUT",
}
MICRONAUT_VERBS: Final = {"Delete": "DELETE", "Get": "GET", "Patch": "PATCH", "Post": "POST", "Put": "PUT"}
MICRONAUT_PACKAGES: Final = ("io.micronaut",)
JAXRS_VERBS: Final = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
# Annotations that give a path: to all methods of a class, or to one.
PREFIX_ANNOTATIONS: Final = frozenset({"Controller", "Path", "RequestMapping", "WebServlet"})
PATH_KEYS: Final = ("value", "path", "uri", "urlPatterns")
# Interfaces with one of these describe requests that are sent, not answered.
CLIENT_ANNOTATIONS: Final = frozenset({"Client", "FeignClient", "HttpExchange", "RegisterRestClient"})

# Packages in whose presence `get("/path", handler)` registers a route.
ROUTER_PACKAGES: Final = (
    "io.helidon",
    "io.javalin",
    "io.vertx.ext.web",
    "org.springframework.web.reactive.function.server",
    "org.springframework.web.servlet.function",
    "ratpack",
    "spark",
)
ROUTER_VERBS: Final = frozenset({"delete", "get", "head", "options", "patch", "post", "put"})

EVENT_ANNOTATIONS: Final = frozenset(
    {
        "EventListener", "Incoming", "JmsListener", "KafkaHandler", "KafkaListener", "MessageMapping",
        "PostConstruct", "PreDestroy", "RabbitHandler", "RabbitListener", "ServiceActivator", "SqsListener",
        "StreamListener", "Subscribe", "SubscribeMapping", "TransactionalEventListener",
    }
)  # fmt: skip
JOB_ANNOTATIONS: Final = frozenset({"Recurring", "Schedule", "Scheduled"})
COMMAND_ANNOTATIONS: Final = frozenset({"Command", "ShellMethod"})
COMMAND_METHODS: Final = ("call", "run")

TEST_ANNOTATIONS: Final = frozenset(
    {"ParameterizedTest", "Property", "RepeatedTest", "Test", "TestFactory", "TestTemplate", "Theory"}
)
# What test frameworks call around the tests.
FIXTURE_ANNOTATIONS: Final = frozenset(
    {
        "After", "AfterAll", "AfterClass", "AfterEach", "AfterMethod", "AfterSuite", "AfterTest", "Before",
        "BeforeAll", "BeforeClass", "BeforeEach", "BeforeMethod", "BeforeSuite", "BeforeTest", "DataProvider",
    }
)  # fmt: skip

# Base type to the methods its framework calls: name to (kind, detail).
CALLED_METHODS: Final[dict[str, dict[str, tuple[str, str]]]] = {
    "ApplicationListener": {"onApplicationEvent": ("event", "ApplicationListener")},
    "ApplicationRunner": {"run": ("cli", "ApplicationRunner")},
    "CommandLineRunner": {"run": ("cli", "CommandLineRunner")},
    "HttpServlet": {
        "doDelete": ("http", "DELETE"),
        "doGet": ("http", "GET"),
        "doPost": ("http", "POST"),
        "doPut": ("http", "PUT"),
    },
    "Job": {"execute": ("job", "Job")},
    "MessageListener": {"onMessage": ("event", "MessageListener")},
    "RequestHandler": {"handleRequest": ("event", "RequestHandler")},
}
