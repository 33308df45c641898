"""What the choice among C#'s overloads needs to know of the platform's own types."""

from __future__ import annotations

from typing import Final

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

COUNTS: Final = frozenset({"Count", "Length"})
"""The members of arrays and collections that are numbers."""

SEQUENCES: Final = frozenset(
    {"Array", "ICollection", "ICloneable", "IEnumerable", "IList", "IReadOnlyCollection", "IReadOnlyList"}
)
"""The types of the platform that an array is also of."""

NO_FUNCTIONS: Final = frozenset(
    {
        "Assembly", "CultureInfo", "DateTime", "DateTimeOffset", "Encoding", "Exception", "FileInfo", "Guid",
        "IDictionary", "IEnumerable", "IFormatProvider", "IList", "List", "MemberInfo", "MethodInfo", "PropertyInfo",
        "Stream", "String", "StringBuilder", "StringComparison", "TextReader", "TextWriter", "TimeSpan", "Type", "Uri",
    }
)  # fmt: skip
"""Types of the platform of which no lambda is a value."""

SEALED: Final = frozenset({"DateTime", "DateTimeOffset", "Guid", "String", "StringBuilder", "TimeSpan", "Uri"})
"""Types of the platform that no class of a project is also of."""
