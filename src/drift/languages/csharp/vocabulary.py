"""What C#'s node types count for in the shared measures, and the types its library makes containers."""

from typing import Final

from drift.languages.vocabulary import Vocabulary

VOCABULARY: Final = Vocabulary(
    grammar="csharp",
    comments=frozenset({"comment"}),
    identifiers=frozenset({"identifier", "implicit_parameter", "discard"}),
    literals=frozenset(
        {
            "boolean_literal",
            "character_literal",
            "integer_literal",
            "interpolated_string_expression",
            "null_literal",
            "raw_string_literal",
            "real_literal",
            "string_literal",
            "verbatim_string_literal",
        }
    ),
    functions=frozenset(
        {
            "constructor_declaration",
            "conversion_operator_declaration",
            "destructor_declaration",
            "event_declaration",
            "indexer_declaration",
            "local_function_statement",
            "method_declaration",
            "operator_declaration",
            "property_declaration",
        }
    ),
    decisions=frozenset(
        {
            "catch_clause",
            "conditional_expression",
            "do_statement",
            "for_statement",
            "foreach_statement",
            "if_statement",
            "switch_expression_arm",
            "switch_section",
            "when_clause",
            "while_statement",
            "??=",
        }
    ),
    structures=frozenset(
        {
            "catch_clause",
            "conditional_expression",
            "do_statement",
            "for_statement",
            "foreach_statement",
            "if_statement",
            "switch_expression",
            "switch_statement",
            "while_statement",
        }
    ),
    ifs=frozenset({"if_statement"}),
    continuations=frozenset({"else"}),
    logical_expressions=frozenset({"and_pattern", "binary_expression", "or_pattern"}),
    logical_operators=frozenset({"&&", "||", "??", "and", "or"}),
    default_operators=frozenset({"??"}),
    nesting=frozenset({"anonymous_method_expression", "lambda_expression"}),
    jumps=frozenset({"goto_statement"}),
    interpolations=frozenset({"interpolation"}),
    default_cases=frozenset({"_"}),
    cases=frozenset({"switch_expression_arm", "switch_section"}),
)

# Generic types of the library whose first argument is what they hold.
LIST_TYPES: Final = frozenset(
    {
        "Collection", "ConcurrentBag", "ConcurrentQueue", "DbSet", "HashSet", "IAsyncEnumerable", "ICollection",
        "IEnumerable", "IEnumerator", "IList", "IOrderedEnumerable", "IQueryable", "IReadOnlyCollection",
        "IReadOnlyList", "ISet", "ImmutableArray", "ImmutableList", "LinkedList", "List",
        "ObservableCollection", "Queue", "ReadOnlyCollection", "ReadOnlySpan", "SortedSet", "Span", "Stack",
        # These hold one, and hand it to the functions that they are given.
        "IOptions", "IOptionsMonitor", "IOptionsSnapshot", "Lazy", "Mock",
    }
)  # fmt: skip
DICT_TYPES: Final = frozenset(
    {
        "ConcurrentDictionary", "Dictionary", "IDictionary", "IReadOnlyDictionary", "ImmutableDictionary",
        "SortedDictionary",
    }
)  # fmt: skip
# What one awaits or unpacks to get at the argument.
TRANSPARENT_TYPES: Final = frozenset({"ActionResult", "Nullable", "Task", "ValueTask"})
NUMBER_TYPES: Final = frozenset(
    {
        "byte", "decimal", "double", "float", "int", "long", "nint", "nuint", "sbyte", "short", "uint", "ulong",
        "ushort",
    }
)  # fmt: skip
PREDEFINED_TYPES: Final[dict[str, str | None]] = {
    **{name: name for name in NUMBER_TYPES},
    "bool": "bool",
    "char": "char",
    "object": None,
    "string": "str",
    "void": "none",
}
# Named everywhere and never the project's own: uses of them are no references worth keeping.
EVERYDAY_TYPES: Final = frozenset({"Boolean", "Int32", "Int64", "Object", "String", "dynamic"})
