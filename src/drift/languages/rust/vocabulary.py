"""What Rust's node types count for in the shared measures, and the names its prelude gives meaning to."""

from typing import Final

from drift.languages.vocabulary import Vocabulary

# Match arms, `?` and conditions decide; `loop` does not. Closures belong to the function around them.
VOCABULARY: Final = Vocabulary(
    grammar="rust",
    comments=frozenset({"line_comment", "block_comment"}),
    identifiers=frozenset(
        {
            "identifier",
            "field_identifier",
            "type_identifier",
            "shorthand_field_identifier",
            "primitive_type",
            "metavariable",
            "self",
            "super",
            "crate",
        }
    ),
    literals=frozenset(
        {
            "string_literal",
            "raw_string_literal",
            "char_literal",
            "integer_literal",
            "float_literal",
            "boolean_literal",
        }
    ),
    functions=frozenset({"function_item"}),
    decisions=frozenset(
        {"if_expression", "while_expression", "for_expression", "match_arm", "try_expression"}
    ),
    structures=frozenset(
        {"if_expression", "while_expression", "for_expression", "loop_expression", "match_expression"}
    ),
    ifs=frozenset({"if_expression"}),
    continuations=frozenset({"else_clause"}),
    logical_expressions=frozenset({"binary_expression", "let_chain"}),
    logical_operators=frozenset({"&&", "||"}),
    nesting=frozenset({"closure_expression"}),
    jumps=frozenset({"break_expression", "continue_expression"}),
    exhaustive=frozenset({"match_block"}),
    decisions_with=frozenset({("let_declaration", "alternative"), ("match_pattern", "condition")}),
)

STANDARD_CRATES: Final = frozenset({"alloc", "core", "proc_macro", "std", "test"})
# Types that stand for what is inside them: pointers by deref, the rest since `?`, `await`, `unwrap` and
# `lock` lead to it sooner or later.
HANDED_OVER: Final = frozenset({"Data", "Extension", "Json", "State"})  # by web frameworks to handlers
WRAPPERS: Final = HANDED_OVER | frozenset(
    {
        "Arc", "Box", "Cell", "Cow", "Lazy", "LazyCell", "LazyLock", "MutexGuard", "Mutex", "OnceCell", "OnceLock", "Option", "Pin",
        "Poll", "Rc", "Ref", "RefCell", "RefMut", "Result", "RwLock", "Weak",
    }
)  # fmt: skip
LATE_WRAPPERS: Final = frozenset(
    {"Lazy", "LazyCell", "LazyLock"}
)  # are made of a function that gives what they hold
LISTS: Final = frozenset(
    {
        "BTreeSet", "BinaryHeap", "HashSet", "IndexSet", "LinkedList", "Receiver", "SmallVec", "Vec", "VecDeque",
    }
)  # fmt: skip
MAPS: Final = frozenset({"BTreeMap", "DashMap", "HashMap", "IndexMap"})
# What `impl Iterator<Item = T>` and `impl Future<Output = T>` are containers or wrappers of.
ITEM_TRAITS: Final = frozenset(
    {"Iterator", "IntoIterator", "DoubleEndedIterator", "ExactSizeIterator", "Stream"}
)

# What most types have: a bound by one of these says less of a type than any other.
EVERYDAY_TRAITS: Final = frozenset(
    {
        "Clone", "Copy", "Debug", "Default", "Display", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd", "Send",
        "Sized", "Sync", "Unpin",
    }
)  # fmt: skip

# Methods after which a value is still of the same type, or of the type in its wrapper.
SAME_VALUE_METHODS: Final = frozenset(
    {
        "as_deref", "as_deref_mut", "as_mut", "as_ref", "borrow", "borrow_mut", "by_ref", "clone", "cloned",
        "copied", "into_inner", "into_iter", "iter", "iter_mut", "lock", "ok", "read", "rev", "to_owned", "write",
    }
)  # fmt: skip
UNWRAPPING_METHODS: Final = frozenset(
    {
        "expect", "get_or_init", "get_or_insert", "get_or_insert_with", "or_default", "or_insert", "or_insert_with",
        "or_insert_with_key", "unwrap", "unwrap_or", "unwrap_or_default", "unwrap_or_else", "unwrap_unchecked",
    }
)  # fmt: skip
# What a closure given to these gets first is an element of an iterator, or what an Option or a Result holds.
PASSING_METHODS: Final = frozenset(
    {
        "all", "and_then", "any", "filter", "filter_map", "find", "find_map", "flat_map", "for_each", "inspect",
        "is_none_or", "is_ok_and", "is_some_and", "map", "map_or", "map_or_else", "map_while", "max_by_key",
        "min_by_key", "partition", "position", "retain", "skip_while", "sort_by_key", "take_while",
    }
)  # fmt: skip
WRAPPING_VARIANTS: Final = frozenset({"Ok", "Some"})
PRELUDE_VARIANTS: Final = frozenset({"Err", "None", "Ok", "Some"})
THROWING_MACROS: Final = frozenset({"panic", "todo", "unimplemented", "unreachable"})
# Their tokens are code to be generated elsewhere, not code that runs here.
OPAQUE_MACROS: Final = frozenset({"cfg", "macro_rules", "parse_quote", "quote", "quote_spanned", "stringify"})
TEXT_MACROS: Final = frozenset({"concat", "format", "include_str"})
