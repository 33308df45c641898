"""What the choice among C#'s overloads needs to know of the platform's own types."""

from __future__ import annotations

from typing import Final

from drift.scan.link.argument_types import named_type
from drift.scan.link.declared_types import DeclaredType

_FRACTIONS: Final = ("float", "double", "decimal")

WIDENED: Final = {
    "byte": ("short", "ushort", "int", "uint", "long", "ulong", *_FRACTIONS),
    "sbyte": ("short", "int", "long", *_FRACTIONS),
    "short": ("int", "long", *_FRACTIONS),
    "ushort": ("int", "uint", "long", "ulong", *_FRACTIONS),
    "char": ("ushort", "int", "uint", "long", "ulong", *_FRACTIONS),
    "int": ("long", *_FRACTIONS),
    "uint": ("long", "ulong", *_FRACTIONS),
    "long": _FRACTIONS,
    "ulong": _FRACTIONS,
    "float": ("double",),
}
"""The types of numbers that a value of one may become without a cast."""

RESULTS: Final = {
    "Compare": "int", "CompareTo": "int", "Concat": "String", "EndsWith": "boolean", "Equals": "boolean",
    "Format": "String", "GetCallingAssembly": "Assembly", "GetEntryAssembly": "Assembly",
    "GetExecutingAssembly": "Assembly", "GetHashCode": "int", "GetType": "Type", "IndexOf": "int",
    "IsNullOrEmpty": "boolean", "IsNullOrWhiteSpace": "boolean", "LastIndexOf": "int",
    "PadLeft": "String", "PadRight": "String", "ReferenceEquals": "boolean", "StartsWith": "boolean",
    "Substring": "String", "ToLower": "String", "ToLowerInvariant": "String", "ToString": "String",
    "ToUpper": "String", "ToUpperInvariant": "String", "Trim": "String", "TrimEnd": "String", "TrimStart": "String",
}  # fmt: skip
"""What methods of the platform give back that have one result whatever their class."""

SEQUENCES: Final = frozenset(
    {"Array", "ICollection", "ICloneable", "IEnumerable", "IList", "IReadOnlyCollection", "IReadOnlyList"}
)
"""The types of the platform that an array is also of."""

_PARENTS: Final = {
    "Assembly": "", "CultureInfo": "IFormatProvider", "DateTime": "IComparable IFormattable",
    "DateTimeOffset": "IComparable IFormattable", "Delegate": "", "DirectoryInfo": "FileSystemInfo", "Encoding": "",
    "Exception": "", "FieldInfo": "MemberInfo", "FileInfo": "FileSystemInfo", "FileStream": "Stream", "FileSystemInfo": "",
    "Guid": "IComparable IFormattable", "IFormatProvider": "", "MemberInfo": "", "MemoryStream": "Stream",
    "MethodBase": "MemberInfo", "MethodInfo": "MethodBase", "Nullable": "", "PropertyInfo": "MemberInfo", "Stream": "IDisposable",
    "StreamReader": "TextReader", "StreamWriter": "TextWriter",
    "String": "IEnumerable IComparable ICloneable IConvertible", "StringBuilder": "", "StringComparison": "",
    "StringReader": "TextReader", "StringWriter": "TextWriter", "TextReader": "IDisposable", "TextWriter": "IDisposable",
    "TimeSpan": "IComparable IFormattable", "Type": "MemberInfo", "Uri": "", "XmlReader": "IDisposable",
    "XmlWriter": "IDisposable",
}  # fmt: skip
_DELEGATES: Final = frozenset({"Action", "Delegate", "EventHandler", "Func", "Predicate"})

SEALED: Final = frozenset(
    {"DateTime", "DateTimeOffset", "Guid", "String", "StringBuilder", "TimeSpan", "Uri"}
)
"""Types of the platform that no class of a project is also of."""


def is_no_function(name: str) -> bool:
    """Whether a type of the platform is known to be one of which no lambda is a value."""
    return (name in _PARENTS and name != "Delegate") or name in SEQUENCES


def descends(name: str, wanted: str) -> bool | None:
    """Whether a type of the platform is of another one too; None where one of them is not known."""
    if wanted in {name, "Object"}:
        return True
    if name.endswith("Exception"):
        name = "Exception"
        if wanted == name:
            return True
    if name not in _PARENTS or not (wanted in _PARENTS or wanted in _DELEGATES):
        return True if wanted in _PARENTS.get(name, "").split() else None
    return any(descends(parent, wanted) for parent in _PARENTS[name].split())


def result_type(name: str) -> DeclaredType | None:
    """What the everyday methods of the platform give back."""
    result = RESULTS.get(name.rpartition(".")[2])
    return None if result is None else named_type(result)
