"""Java: packages by declaration, names of one package without import, members without `this`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages import Call, FileFacts, Import
from drift.languages.facts import MAPPED, Access
from drift.scan.link.analysis import Analysis
from drift.scan.link.declared_spaces import DeclaredSpaces
from drift.scan.link.declared_types import DeclaredType
from drift.scan.link.destination_form import Destination
from drift.scan.link.languages.java.assignability import have_same_parameters
from drift.scan.link.languages.java.generated_members import (
    component_reads,
    generated_members,
    generated_names,
)
from drift.scan.link.languages.java.mapped_members import mapping_link
from drift.scan.link.languages.java.mocks import is_of_mock
from drift.scan.link.languages.java.outside_names import outside_values
from drift.scan.link.languages.java.overloads import applicable_overloads, chosen_methods
from drift.scan.link.languages.java.pass_through import passed_on
from drift.scan.link.languages.java.platform import result_type
from drift.scan.link.languages.java.receivers import known_overriders
from drift.scan.link.languages.java.repositories import repository_result
from drift.scan.link.links import CallLink
from drift.scan.link.outside_data import outside_names
from drift.scan.link.overloads import counted_overloads, has_keywords, without_deleted
from drift.scan.link.semantics import Semantics
from drift.scan.link.values import Values

if TYPE_CHECKING:
    from drift.scan.link.sources import WatchedSources

_LIBRARY: Final = ("java.", "javax.", "jdk.", "sun.")
# What names of packages begin with, where nothing in sight is called so.
_DOMAINS: Final = frozenset(
    {"com", "de", "dev", "edu", "eu", "gov", "io", "jakarta", "kotlin", "me", "net", "org", "uk", "us"}
)
_COORDINATE_PARTS: Final = 3  # org.springframework.boot: about what one names to depend on it
_LANG: Final = frozenset(
    [
        "AbstractMethodError",
        "Appendable",
        "ArithmeticException",
        "ArrayIndexOutOfBoundsException",
        "ArrayStoreException",
        "AssertionError",
        "AutoCloseable",
        "Boolean",
        "BootstrapMethodError",
        "Byte",
        "CharSequence",
        "Character",
        "Class",
        "ClassCastException",
        "ClassCircularityError",
        "ClassFormatError",
        "ClassLoader",
        "ClassNotFoundException",
        "ClassValue",
        "CloneNotSupportedException",
        "Cloneable",
        "Comparable",
        "Deprecated",
        "Double",
        "Enum",
        "EnumConstantNotPresentException",
        "Error",
        "Exception",
        "ExceptionInInitializerError",
        "Float",
        "FunctionalInterface",
        "IllegalAccessError",
        "IllegalAccessException",
        "IllegalArgumentException",
        "IllegalCallerException",
        "IllegalMonitorStateException",
        "IllegalStateException",
        "IllegalThreadStateException",
        "IncompatibleClassChangeError",
        "IndexOutOfBoundsException",
        "InheritableThreadLocal",
        "InstantiationError",
        "InstantiationException",
        "Integer",
        "InternalError",
        "InterruptedException",
        "Iterable",
        "LayerInstantiationException",
        "LinkageError",
        "Long",
        "MatchException",
        "Math",
        "Module",
        "ModuleLayer",
        "NegativeArraySizeException",
        "NoClassDefFoundError",
        "NoSuchFieldError",
        "NoSuchFieldException",
        "NoSuchMethodError",
        "NoSuchMethodException",
        "NullPointerException",
        "Number",
        "NumberFormatException",
        "Object",
        "OutOfMemoryError",
        "Override",
        "Package",
        "Process",
        "ProcessBuilder",
        "ProcessHandle",
        "Readable",
        "Record",
        "ReflectiveOperationException",
        "Runnable",
        "Runtime",
        "RuntimeException",
        "RuntimePermission",
        "SafeVarargs",
        "ScopedValue",
        "SecurityException",
        "SecurityManager",
        "Short",
        "StackOverflowError",
        "StackTraceElement",
        "StackWalker",
        "StrictMath",
        "String",
        "StringBuffer",
        "StringBuilder",
        "StringIndexOutOfBoundsException",
        "SuppressWarnings",
        "System",
        "Thread",
        "ThreadDeath",
        "ThreadGroup",
        "ThreadLocal",
        "Throwable",
        "TypeNotPresentException",
        "UnknownError",
        "UnsatisfiedLinkError",
        "UnsupportedClassVersionError",
        "UnsupportedOperationException",
        "VerifyError",
        "VirtualMachineError",
        "Void",
        "WrongThreadException",
    ]
)


class JavaSemantics(Semantics):
    """Which declaration a dotted import means.

    What stands before the name is a package, or (for nested classes and static imports) a package and the
    classes in it. A class missing from a package of the project is a problem: it may be generated.
    """

    has_implicit_this = True
    has_flat_packages = True
    has_types_apart = True
    remaking_packages = ("lombok",)
    harmless_marks = frozenset(
        {
            "AllArgsConstructor", "NoArgsConstructor", "RequiredArgsConstructor", "NonNull", "SneakyThrows", "ToString",
            "UtilityClass", "Cleanup", "Synchronized", "Locked", "Generated", "StandardException", "Override",
            "CommonsLog", "Flogger", "JBossLog", "Log", "Log4j", "Log4j2", "Slf4j", "XSlf4j",
        }
    )  # fmt: skip
    has_outside_methods = False
    has_inherited_constructors = False  # a class without one is given its own, whatever its parents have
    declares_all_members = True
    has_overloads = True
    chooses_by_declared_types = True
    has_nominal_results = True
    names_container_results = True
    builtin_prefix = "java.lang."
    builtins = _LANG
    root_members = frozenset(
        {"clone", "equals", "finalize", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait"}
    )
    enum_members = frozenset(
        {"compareTo", "describeConstable", "getDeclaringClass", "name", "ordinal", "valueOf", "values"}
    )
    memberless = frozenset(
        {
            "java.io.Serializable", "java.lang.Cloneable", "java.rmi.Remote", "java.util.EventListener",
            "java.util.RandomAccess",
        }
    )  # fmt: skip
    constructors = ()  # they have the name of the class
    has_own_accesses = True

    def __init__(self, sources: WatchedSources) -> None:
        super().__init__("java")
        self.outside_names = outside_names("java")
        self._spaces = DeclaredSpaces(sources, "java", ".")

    def destination(self, path: str, facts: FileFacts, found: Import) -> Destination:
        module = found.module
        if self._spaces.is_declared(module):
            return Destination(package=module)
        parts = module.split(".")
        for count in range(len(parts) - 1, 0, -1):
            package = ".".join(parts[:count])
            if self._spaces.files_with(package, parts[count]):
                return Destination(package=package, path=tuple(parts[count:]))
            if self._spaces.is_declared(package) and parts[count][:1].isupper():
                return Destination(problem=f"the project has no class {package}.{parts[count]}")
        return Destination(external=module, external_package=_library(parts))

    def submodule(self, path: str | None, package: str | None, name: str) -> Destination | None:
        inner = f"{package}.{name}"
        return Destination(package=inner) if package is not None and self._spaces.is_known(inner) else None

    def space(self, path: str, facts: FileFacts, name: str) -> Destination | None:
        """Of names written in full, the first part: `com` in `com.acme.Cart`."""
        if self._spaces.is_known(name):
            return Destination(package=name)
        if name in self.root_members:
            return Destination(external="java.lang.Object", external_package="java.lang", path=(name,))
        is_package = f"{name}." in _LIBRARY or name in _DOMAINS
        return Destination(external=name, external_package=name) if is_package else None

    def files_with(self, package: str, name: str) -> tuple[str, ...]:
        return self._spaces.files_with(package, name)

    def neighbours_with(self, path: str, facts: FileFacts, name: str) -> tuple[str, ...]:
        return tuple(other for other in self._spaces.files_with(facts.package, name) if other != path)

    def undefined_values(self, analysis: Analysis, name: str, scope: int) -> Values:
        return generated_names(analysis, name, scope) or outside_values(analysis, name, scope)

    def lent_members(self, analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
        return generated_members(analysis, line, name)

    def has_same_parameters(self, analysis: Analysis, method: int, overridden: int) -> bool:
        return have_same_parameters(analysis, method, overridden)

    def known_result(self, analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
        return repository_result(analysis, name, call, scope) or passed_on(analysis, name, call, scope)

    def result_type(self, name: str) -> DeclaredType | None:
        return result_type(name)

    def chosen_values(self, analysis: Analysis, call: Call, scope: int, *, values: Values) -> Values:
        read = component_reads(analysis, call, scope, values)
        return read or chosen_methods(analysis, call, scope, values=values)

    def chosen_overloads(
        self, analysis: Analysis, call: Call, scope: int, *, functions: tuple[int, ...]
    ) -> tuple[int, ...]:
        if has_keywords(call):
            return functions
        functions = without_deleted(analysis, functions)
        counted = counted_overloads(analysis, call, functions)
        if len(counted) < 2:  # noqa: PLR2004  # one is no choice
            return counted or functions
        return applicable_overloads(analysis, call, scope, functions=counted) or counted

    def has_exact_receiver(self, analysis: Analysis, call: Call, scope: int) -> bool:
        return is_of_mock(analysis, call, scope)

    def may_run(self, analysis: Analysis, name: str) -> bool:
        return name == MAPPED

    def access_link(self, analysis: Analysis, access: Access, scope: int) -> CallLink | None:
        return mapping_link(analysis, access, scope) if access.name == MAPPED else None

    def known_overriders(
        self, analysis: Analysis, call: Call, scope: int, *, methods: list[int]
    ) -> tuple[int, ...]:
        return tuple(known_overriders(analysis, call, scope, methods=methods))


def _library(parts: list[str]) -> str:
    """The package, without classes, of the platform; of others as much as names a library."""
    packages = [part for part in parts if not part[:1].isupper()] or parts
    is_platform = f"{packages[0]}." in _LIBRARY
    return ".".join(packages if is_platform else packages[:_COORDINATE_PARTS])
