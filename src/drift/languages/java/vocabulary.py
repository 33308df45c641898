"""What Java's node types count for in the shared measures, and the types its library makes containers."""

from typing import Final

from drift.languages.vocabulary import Vocabulary

VOCABULARY: Final = Vocabulary(
    grammar="java",
    comments=frozenset({"line_comment", "block_comment"}),
    identifiers=frozenset({"identifier", "type_identifier"}),
    literals=frozenset(
        {
            "string_literal",
            "character_literal",
            "decimal_integer_literal",
            "hex_integer_literal",
            "octal_integer_literal",
            "binary_integer_literal",
            "decimal_floating_point_literal",
            "hex_floating_point_literal",
            "true",
            "false",
            "null_literal",
        }
    ),
    functions=frozenset({"method_declaration", "constructor_declaration", "compact_constructor_declaration"}),
    decisions=frozenset(
        {
            "if_statement",
            "for_statement",
            "enhanced_for_statement",
            "while_statement",
            "do_statement",
            "switch_label",
            "catch_clause",
            "guard",
            "ternary_expression",
        }
    ),
    structures=frozenset(
        {
            "if_statement",
            "for_statement",
            "enhanced_for_statement",
            "while_statement",
            "do_statement",
            "switch_expression",
            "catch_clause",
            "ternary_expression",
        }
    ),
    ifs=frozenset({"if_statement"}),
    continuations=frozenset({"else"}),
    logical_expressions=frozenset({"binary_expression"}),
    logical_operators=frozenset({"&&", "||"}),
    nesting=frozenset({"lambda_expression"}),
    jumps=frozenset({"break_statement", "continue_statement"}),
    interpolations=frozenset({"string_interpolation"}),
)

# Generic types of the library whose first argument is what they hold.
LIST_TYPES: Final = frozenset(
    {
        "ArrayDeque", "ArrayList", "BlockingQueue", "Collection", "CompletableFuture", "CompletionStage",
        "ConcurrentLinkedQueue", "CopyOnWriteArrayList", "Deque", "EnumSet", "Flux", "Future", "HashSet",
        "ImmutableList", "ImmutableSet", "Iterable", "Iterator", "LinkedHashSet", "LinkedList", "List",
        "ListIterator", "Mono", "Optional", "PriorityQueue", "Queue", "Set", "SortedSet", "Stack", "Stream",
        "TreeSet", "Uni", "Vector",
    }
)  # fmt: skip
DICT_TYPES: Final = frozenset(
    {
        "ConcurrentHashMap", "ConcurrentMap", "EnumMap", "HashMap", "Hashtable", "IdentityHashMap",
        "ImmutableMap", "LinkedHashMap", "Map", "NavigableMap", "SortedMap", "TreeMap", "WeakHashMap",
    }
)  # fmt: skip
# Named everywhere and never the project's own: uses of them are no references worth keeping.
EVERYDAY_TYPES: Final = frozenset(
    {
        "Boolean", "Byte", "Character", "Class", "Double", "Float", "Integer", "Iterable", "Long", "Object",
        "Override", "Short", "String", "Void",
    }
)  # fmt: skip
