"""The rows that answers about a language are made of."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FrameworkRow:
    """A framework that files import, how many imports, the first of them, and its routes; null: they are not read."""

    framework: str
    imports: int
    file: str
    line: int
    routes: int | None = None


@dataclass(frozen=True, slots=True)
class RouteRow:
    """A route; `framework` null: not known. `guards` stand before the handler, the outermost first."""

    method: str
    path: str
    handler: str
    framework: str | None
    file: str
    line: int
    guards: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class IssueRow:
    """A place worth a look, by the rule that finds it."""

    rule: str
    file: str
    line: int
    function: str
    detail: str | None = None
    severity: str | None = None


@dataclass(frozen=True, slots=True)
class MarkRow:
    """A decorator, annotation or attribute: how often, on what, and an example."""

    name: str
    count: int
    on: tuple[str, ...]
    file: str
    line: int
    example: str


@dataclass(frozen=True, slots=True)
class AsyncRow:
    """An asynchronous function, how often it awaits, and the calls in it that block: `time.sleep:13 (asyncio.sleep)`."""

    function: str
    file: str
    line: int
    awaits: int
    blocking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ComponentRow:
    """A component, what it is written as, hooks it calls, and how many put it on a page; null where that is not known."""

    component: str
    file: str
    line: int
    form: str
    hooks: tuple[str, ...]
    users: int | None


@dataclass(frozen=True, slots=True)
class HookUseRow:
    """A hook: one that breaks a rule (`problem`, at its call), one of the project, or one that is called from outside it."""

    hook: str
    kind: str
    file: str
    line: int
    uses: int
    problem: str | None = None
    within: str | None = None


@dataclass(frozen=True, slots=True)
class AbstractionRow:
    """An interface or trait, its methods, and who implements it: `count` in all, the first with their places."""

    name: str
    file: str
    line: int
    methods: tuple[str, ...]
    count: int
    implementers: tuple[str, ...]
    note: str | None = None


@dataclass(frozen=True, slots=True)
class GoroutineRow:
    """A goroutine where it starts; null: what it runs is outside the project or not known."""

    starts: str
    function: str
    file: str
    line: int
    has_recover: bool | None
    has_cancel: bool | None
    channel_ops: int | None
    issues: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClassRow:
    """A class of C++: its parents, how it is destroyed, and what is wrong with that."""

    name: str
    file: str
    line: int
    bases: tuple[str, ...]
    methods: int
    virtual: int
    destructor: str
    smart_fields: int
    raw_fields: int
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """Memory that is asked for or given back, in which way, and what is not seen to happen with it."""

    way: str
    what: str
    function: str
    file: str
    line: int
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """A template, its parameters as written, its specialisations, and how many use it."""

    name: str
    kind: str
    file: str
    line: int
    parameters: str
    specialisations: int
    users: int


@dataclass(frozen=True, slots=True)
class HierarchyRow:
    """A class with virtual methods, who descends from it, and what is wrong with it."""

    name: str
    file: str
    line: int
    virtual: int
    pure: int
    descendants: int
    children: tuple[str, ...]
    destructor: str
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class BindingRow:
    """A binding: `status` is found, missing (its context is known and has no such member), or unknown, with the reason."""

    path: str
    element: str
    file: str
    line: int
    status: str
    context: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ViewModelRow:
    """A view model: how it tells of changes (null: it does not), and the properties that views bind and that never tell."""

    name: str
    file: str
    line: int
    notifies_by: str | None
    properties: int
    commands: int
    views: tuple[str, ...]
    silent: tuple[str, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class ContextRow:
    """A view, the type of its context, how that is known, and where the type stands; null: not known."""

    view: str
    file: str
    line: int
    context: str | None
    how: str
    at: str | None = None


@dataclass(frozen=True, slots=True)
class CommandRow:
    """A command that a view binds or a view model has; `status` is bound, unbound, missing or unknown."""

    command: str
    status: str
    file: str
    line: int
    view_model: str | None
    bound_in: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AccessRow:
    """A place where data is read or written; `table` null: not known."""

    table: str | None
    operation: str
    framework: str
    file: str
    line: int
    is_raw_sql: bool


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A class or definition that stands for a table, and how many places reach it."""

    model: str
    table: str
    framework: str
    file: str
    line: int
    accesses: int


@dataclass(frozen=True, slots=True)
class LanguageData:
    """What the action found; the other fields are absent. A list that is null was not looked for, with the reason."""

    counts: dict[str, int] | None = None
    frameworks: tuple[FrameworkRow, ...] | None = None
    routes: tuple[RouteRow, ...] | None = None
    by_framework: dict[str, int] | None = None
    by_operation: dict[str, int] | None = None
    by_rule: dict[str, int] | None = None
    issues: tuple[IssueRow, ...] | None = None
    access_points: tuple[AccessRow, ...] | None = None
    models: tuple[ModelRow, ...] | None = None
    decorators: tuple[MarkRow, ...] | None = None
    functions: tuple[AsyncRow, ...] | None = None
    components: tuple[ComponentRow, ...] | None = None
    hooks: tuple[HookUseRow, ...] | None = None
    interfaces: tuple[AbstractionRow, ...] | None = None
    goroutines: tuple[GoroutineRow, ...] | None = None
    classes: tuple[ClassRow, ...] | None = None
    memory: tuple[MemoryRow, ...] | None = None
    templates: tuple[TemplateRow, ...] | None = None
    hierarchies: tuple[HierarchyRow, ...] | None = None
    bindings: tuple[BindingRow, ...] | None = None
    view_models: tuple[ViewModelRow, ...] | None = None
    contexts: tuple[ContextRow, ...] | None = None
    commands: tuple[CommandRow, ...] | None = None
    reason: str | None = None
