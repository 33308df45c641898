"""What the choice among Java's overloads needs to know of the platform's own types."""

from __future__ import annotations

from functools import cache
from typing import Final

from drift.scan.link.argument_types import BOXED, named_type
from drift.scan.link.declared_types import DeclaredType

UNBOXED: Final = {primitive: box for box, primitive in BOXED.items()}

FINAL: Final = frozenset(
    {"Class", "Locale", "Pattern", "String", "StringBuffer", "StringBuilder", "UUID", *BOXED}
)
"""Classes that nothing descends from."""

RESULTS: Final = {
    "charAt": "char", "compareTo": "int", "contains": "boolean", "currentTimeMillis": "long",
    "doubleValue": "double", "endsWith": "boolean", "equals": "boolean", "floatValue": "float",
    "format": "String", "getBytes": "byte[]", "getClass": "Class", "getName": "String", "getSimpleName": "String",
    "getMessage": "String", "hashCode": "int", "indexOf": "int", "intValue": "int", "isEmpty": "boolean", "length": "int",
    "longValue": "long", "nanoTime": "long", "parseDouble": "double", "parseInt": "int",
    "parseLong": "long", "replace": "String", "replaceAll": "String", "size": "int", "startsWith": "boolean", "substring": "String",
    "readAllBytes": "byte[]", "split": "String[]", "toByteArray": "byte[]", "toCharArray": "char[]",
    "toLowerCase": "String", "toString": "String", "toUpperCase": "String", "trim": "String",
}  # fmt: skip
"""What methods of the platform give back that have one result whatever their class."""

FACTORIES: Final = frozenset({"compile", "forName", "getDefault", "getInstance", "valueOf"})
"""Static methods of the platform that give an object of their class."""

FUNCTION_ARITIES: Final = {
    "BiConsumer": 2, "BiFunction": 2, "BiPredicate": 2, "BinaryOperator": 2, "BooleanSupplier": 0,
    "Callable": 0, "Comparator": 2, "Consumer": 1, "DoubleFunction": 1, "DoublePredicate": 1,
    "DoubleSupplier": 0, "DoubleUnaryOperator": 1, "Function": 1, "IntBinaryOperator": 2, "IntConsumer": 1,
    "IntFunction": 1, "IntPredicate": 1, "IntSupplier": 0, "IntUnaryOperator": 1, "LongFunction": 1,
    "LongPredicate": 1, "LongSupplier": 0, "LongUnaryOperator": 1, "Predicate": 1, "PrivilegedAction": 0,
    "Runnable": 0, "Supplier": 0, "ToDoubleFunction": 1, "ToIntFunction": 1, "ToLongFunction": 1,
    "UnaryOperator": 1,
}  # fmt: skip
"""How many arguments the functions of the platform's interfaces take."""

_PARENTS: Final = """
Appendable:
AutoCloseable:
BinaryOperator: BiFunction
Cloneable:
Flushable:
RandomAccess:
Readable:
Serializable:
UnaryOperator: Function
AbstractList: AbstractCollection List
AbstractCollection: Collection
AbstractMap: Map
AbstractSet: AbstractCollection Set
ArithmeticException: RuntimeException
ArrayDeque: AbstractCollection Deque Cloneable Serializable
ArrayList: AbstractList List RandomAccess Cloneable Serializable
BigDecimal: Number Comparable
BigInteger: Number Comparable
Boolean: Comparable Serializable
BufferedReader: Reader
BufferedWriter: Writer
Byte: Number Comparable
ByteArrayInputStream: InputStream
ByteArrayOutputStream: OutputStream
Calendar: Comparable Serializable Cloneable
CharSequence:
Character: Comparable Serializable
Class: Type AnnotatedElement GenericDeclaration Serializable
ClassLoader:
ClassNotFoundException: ReflectiveOperationException
Collection: Iterable
Comparable:
Constructor: Executable
Currency: Serializable
Date: Comparable Serializable Cloneable
Deque: Queue SequencedCollection
Double: Number Comparable
Duration: Comparable Serializable
Error: Throwable
Exception: Throwable
Executable: AccessibleObject Member GenericDeclaration
Field: AccessibleObject Member
AccessibleObject: AnnotatedElement
File: Comparable Serializable
FileReader: InputStreamReader
FileWriter: OutputStreamWriter
Float: Number Comparable
GregorianCalendar: Calendar
HashMap: AbstractMap Map Cloneable Serializable
HashSet: AbstractSet Set Cloneable Serializable
Hashtable: Map Cloneable Serializable
IOException: Exception
IllegalArgumentException: RuntimeException
IllegalStateException: RuntimeException
IndexOutOfBoundsException: RuntimeException
InputStream: Closeable
InputStreamReader: Reader
Integer: Number Comparable
Iterable:
Iterator:
LinkedHashMap: HashMap
LinkedHashSet: HashSet
LinkedList: AbstractList List Deque Cloneable Serializable
List: Collection SequencedCollection
SequencedCollection: Collection
Locale: Cloneable Serializable
Long: Number Comparable
Map:
Method: Executable
NullPointerException: RuntimeException
Number: Serializable
NumberFormatException: IllegalArgumentException
Object:
OutputStream: Closeable Flushable
OutputStreamWriter: Writer
Package: AnnotatedElement
ParameterizedType: Type
Path: Comparable Iterable Watchable
Pattern: Serializable
PrintStream: OutputStream Appendable
PrintWriter: Writer
Properties: Hashtable
Queue: Collection
Random: Serializable
Reader: Readable Closeable
ReflectiveOperationException: Exception
RuntimeException: Exception
Set: Collection
Short: Number Comparable
SortedMap: Map
SortedSet: Set
String: CharSequence Comparable Serializable
StringBuffer: CharSequence Appendable Comparable Serializable
StringBuilder: CharSequence Appendable Comparable Serializable
StringReader: Reader
StringWriter: Writer
Thread: Runnable
Throwable: Serializable
TimeZone: Serializable Cloneable
TreeMap: AbstractMap SortedMap NavigableMap Cloneable Serializable
TreeSet: AbstractSet SortedSet NavigableSet Cloneable Serializable
Type:
URI: Comparable Serializable
URL: Serializable
UUID: Comparable Serializable
UnsupportedOperationException: RuntimeException
Vector: AbstractList List RandomAccess Cloneable Serializable
Writer: Appendable Closeable Flushable
Closeable: AutoCloseable
"""


@cache
def _parents() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = dict.fromkeys(FUNCTION_ARITIES, ())
    for line in _PARENTS.strip().splitlines():
        name, _, parents = line.partition(":")
        found[name] = tuple(parents.split())
    return found


def is_known(name: str) -> bool:
    """Whether all that a class of the platform descends from is known here."""
    return name in _parents()


@cache
def ancestors_of(name: str) -> frozenset[str]:
    """A class of the platform and what it descends from, by names without packages."""
    found = {name, "Object"}
    for parent in _parents().get(name, ()):
        found |= ancestors_of(parent)
    return frozenset(found)


def result_type(name: str) -> DeclaredType | None:
    """What the everyday methods of the platform give back."""
    if not name.startswith("java."):
        return None
    owner, _, method = name.rpartition(".")
    result = owner.rpartition(".")[2] if method in FACTORIES else RESULTS.get(method)
    if result is None:
        return None
    if result.endswith("[]"):
        return DeclaredType("array", element=named_type(result[:-2]))
    return named_type(result)
