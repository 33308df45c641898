-- The index: what a scan found out about a project. Derived from its files, safe to delete.
--
-- Version 1: the first.
-- Version 2: texts of links once each in `words`, confidences as whole numbers, overrides, what linking keeps.
-- Version 3: handlers of entry points.
-- Version 4: unresolved calls by their text.
-- Version 6: function types in packed facts, another name for the making of a class.
-- Version 7: types from doc comments, the making of classes without parents, keys of mixins.
-- Version 8: method and path of routes, the routers they are added to, and where these are mounted.
-- Version 9: constructs, details of calls, what handlers do, fields of types.
-- Version 10: documents that configure a project or describe its data.
-- Version 11: hashes of statements.
-- Version 12: what stands before the handlers of routes.
-- Version 13: members of constants.
-- Version 14: sites of decisions, and which state of the index changed a file last.
-- Version 15: reads of settings, and whether what is read is required.
-- Version 16: no hashes of statements, which are made of texts when clones are asked for.
-- Version 17: elements of pages, bindings of markup, what style sheets declare; members that are read.
-- Version 18: the type of the context that a binding of markup stands in.
-- Version 19: what expressions of pages say of code.
--
-- A change of a statement here, of the words that `words.py` makes of a name, or of the form of packed facts
-- is a new version: raise SCHEMA_VERSION in schema.py and add a line above. An index of another version
-- is not migrated but built anew.
--
-- Keys. A symbol's id is file_id << 16 | its number in the file, a call's id file_id << 20 | its number.
-- So whatever belongs to a file is one range of keys: it is read and deleted by that range, and no table
-- needs an index on its file. Symbol number 0 of a file is the file itself (kind module). A symbol keeps its
-- number when its file is edited, so the numbers need not be in the order of the text.
-- `position` is the number of a fact within its file, in the order of the text.
--
-- Lines count from 1, columns and bytes from 0, ends are inclusive in lines and exclusive in bytes.

CREATE TABLE meta (
    -- What the index says about itself; see state.py.
    key TEXT NOT NULL PRIMARY KEY,  -- schema_version, generation, scanned_at, layers, file_count, engine
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE files (
    -- Every file the scan looked at, also those that gave nothing.
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,      -- relative to the root, with /; bytes that are no UTF-8 as in path_text.py
    language TEXT,                  -- a name of languages/table.py; null for a file of none of them
    role TEXT NOT NULL,             -- source, test, config, generated, vendored, doc
    size INTEGER NOT NULL,          -- in bytes
    mtime_ns INTEGER NOT NULL,      -- modification time when it was read
    hash TEXT NOT NULL,             -- of the content, in hexadecimal
    code_lines INTEGER,             -- null when the file was not read as code
    comment_lines INTEGER,
    blank_lines INTEGER,
    status TEXT NOT NULL,           -- ok, partial (parse errors, the rest kept), failed, skipped
    problem TEXT,                   -- why it is not ok, in a sentence
    package TEXT,                   -- what it declares to belong to: package, namespace
    generation INTEGER NOT NULL     -- the state of the index that its facts or links were put in for
) STRICT;

CREATE TABLE symbols (
    -- What has a name: modules, classes, functions, fields, constants.
    id INTEGER PRIMARY KEY,
    file_id INTEGER GENERATED ALWAYS AS (id >> 16) VIRTUAL,
    parent_id INTEGER,              -- the symbol it stands in; null for a module
    kind TEXT NOT NULL,             -- one of languages.kinds.SYMBOL_KINDS
    name TEXT NOT NULL,
    qualname TEXT NOT NULL,         -- dotted, ends in the name: Class.method
    line INTEGER NOT NULL,
    column INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    start_byte INTEGER NOT NULL,
    end_byte INTEGER NOT NULL,
    signature TEXT NOT NULL,        -- as written, on one line; empty where there is none
    parameters TEXT,                -- JSON [[name, kind, type, default], ...]; null for none
    return_text TEXT,               -- the declared return type, as written
    visibility TEXT NOT NULL,       -- public, protected, package, private
    modifiers TEXT NOT NULL,        -- sorted, separated by spaces: async exported static
    doc TEXT NOT NULL,              -- the doc comment, without markers
    cyclomatic INTEGER,             -- this and the following are null where there is no code to measure
    cognitive INTEGER,
    max_nesting INTEGER,
    code_lines INTEGER,
    operators INTEGER,
    distinct_operators INTEGER,
    operands INTEGER,
    distinct_operands INTEGER
) STRICT;

CREATE TABLE decorators (
    -- Decorators, annotations and attributes on a symbol.
    symbol_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,             -- dotted, without arguments
    text TEXT NOT NULL,             -- as written
    line INTEGER NOT NULL,
    PRIMARY KEY (symbol_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE bases (
    -- The parents of a class.
    symbol_id INTEGER NOT NULL,     -- the class
    position INTEGER NOT NULL,      -- in the order they are named
    text TEXT NOT NULL,             -- as written
    kind TEXT NOT NULL,             -- extends, implements, mixes, prepends, embeds
    target_symbol_id INTEGER,       -- the parent, where it is in the project
    external_name TEXT,             -- the parent's full name, where it is known to be outside
    PRIMARY KEY (symbol_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE imports (
    -- Imported names, one a row.
    symbol_id INTEGER NOT NULL,     -- where the import stands
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    module TEXT NOT NULL,           -- names the source, as the language writes it
    name TEXT,                      -- null: the module itself; *: all it exports
    alias TEXT,                     -- the name bound here
    is_reexport INTEGER NOT NULL,
    is_type_only INTEGER NOT NULL,
    target_file_id INTEGER,         -- the file it leads to, where it is in the project
    target_symbol_id INTEGER,       -- the symbol it leads to, likewise
    is_external INTEGER NOT NULL,   -- 1: from the standard library or a third party
    external_package TEXT,          -- which one: os, requests, @nestjs/common
    PRIMARY KEY (symbol_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE words (
    -- The texts of links, each once: most stand in thousands of rows.
    -- A column that says "a word" holds an id of this table. Words that nobody uses any more stay.
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL              -- no two are equal; the writer sees to it, words_by_text finds them
) STRICT;

CREATE TABLE calls (
    -- Places where something is called, constructed or applied as a decorator.
    id INTEGER PRIMARY KEY,
    caller_id INTEGER NOT NULL,     -- the symbol the call stands in
    line INTEGER NOT NULL,
    column INTEGER NOT NULL,
    text INTEGER NOT NULL,          -- a word: what is called, as written
    argument_count INTEGER NOT NULL,
    kind INTEGER NOT NULL,          -- a word: call, new, decorator, implicit, expected
    outcome INTEGER NOT NULL,       -- a word: resolved (one edge), ambiguous (several), external, unknown
    external_name INTEGER           -- a word: the full name, where it is known to be outside the project
) STRICT;

CREATE TABLE edges (
    -- Who calls whom. The key serves the way to the callers, edges_by_caller the way back.
    callee_id INTEGER NOT NULL,
    caller_id INTEGER NOT NULL,
    call_id INTEGER NOT NULL,       -- 0: no call in the text, such as a framework calling a handler
    line INTEGER NOT NULL,          -- of the call, in the caller's file
    confidence INTEGER NOT NULL,    -- in ten-thousandths; the candidates of one call share at most 10,000
    reason INTEGER NOT NULL,        -- a word: how the callee was found
    PRIMARY KEY (callee_id, caller_id, call_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE refs (
    -- Uses of a symbol that are no calls: passed as a value, named as a type.
    symbol_id INTEGER NOT NULL,     -- where it is used
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    column INTEGER NOT NULL,
    kind INTEGER NOT NULL,          -- a word: value, type, string (names it in full), connect (registers what others run), given (back by a hook)
    target_symbol_id INTEGER NOT NULL,
    confidence INTEGER NOT NULL,    -- in ten-thousandths
    reason INTEGER NOT NULL,        -- a word: how the target was found
    PRIMARY KEY (symbol_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE overrides (
    -- Which method may run in the place of which. The key serves the way up, overrides_by_method the way down.
    overrider_id INTEGER NOT NULL,  -- the row belongs to the file of this one
    method_id INTEGER NOT NULL,
    PRIMARY KEY (overrider_id, method_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE constants (
    -- Literals worth knowing, each once for the symbol it stands in.
    symbol_id INTEGER NOT NULL,     -- where it stands
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,          -- where it stands first
    kind TEXT NOT NULL,             -- string, number, page, route-name, page-pattern
    value TEXT NOT NULL,
    name TEXT,                      -- the constant it is the value of
    times INTEGER NOT NULL,         -- it stands in the symbol
    PRIMARY KEY (symbol_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE members (
    -- What constant lists and tables hold: words, numbers and names.
    symbol_id INTEGER NOT NULL,     -- the constant
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    key TEXT,                       -- in a table
    value TEXT NOT NULL,
    PRIMARY KEY (symbol_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE environment_reads (
    -- Reads of environment variables.
    symbol_id INTEGER NOT NULL,     -- where it is read
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    name TEXT NOT NULL,
    default_text TEXT,              -- what stands in for an unset one, as written
    is_required INTEGER,            -- 1: without one it fails
    PRIMARY KEY (symbol_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE setting_reads (
    -- Reads of configuration that is kept elsewhere than in the environment, columns as in environment_reads.
    symbol_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    name TEXT NOT NULL,             -- as its library writes it: shop.url, Shop:Url
    default_text TEXT,
    is_required INTEGER,
    PRIMARY KEY (symbol_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE comments (
    -- Comments that are no doc comments.
    file_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    text TEXT NOT NULL,             -- without markers
    PRIMARY KEY (file_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE handlings (
    -- Try regions, handlers and throws.
    symbol_id INTEGER NOT NULL,     -- where it stands
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    kind TEXT NOT NULL,             -- try, catch, finally, throw, check (of an error that is a value)
    types TEXT,                     -- JSON [type, ...] as written; null for catch-all and re-throw
    is_empty INTEGER NOT NULL,      -- 1: a handler that does nothing
    variable TEXT,                  -- what a handler or a check calls the error
    traits INTEGER NOT NULL,        -- of a handler or a check: languages.facts.HandlingTrait
    PRIMARY KEY (symbol_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE constructs (
    -- Stretches of code that are more than names and calls: loops, resources, casts, texts put together.
    symbol_id INTEGER NOT NULL,     -- where it stands
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,             -- a key of `constructs` in a languages/*/constructs.toml, or cut: not all of the file's are here
    line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    start_byte INTEGER NOT NULL,
    end_byte INTEGER NOT NULL,
    detail TEXT,                    -- what is kept of it as written: the text put together, the type of a cast
    PRIMARY KEY (symbol_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE fields (
    -- Fields of types of which more is said than their names.
    symbol_id INTEGER PRIMARY KEY,  -- the field
    type TEXT,                      -- as written; of a model's field without one, what makes it
    is_optional INTEGER NOT NULL,   -- 1: it may be missing or null
    wire_name TEXT,                 -- what it is called in JSON and the like, where that is said to differ
    column_name TEXT                -- the column it is kept in, where that is said
) STRICT;

CREATE TABLE call_details (
    -- More of a call, where there is more to say.
    id INTEGER PRIMARY KEY,         -- the call's
    traits INTEGER NOT NULL,        -- how it stands in the code around it: languages.facts.CallTrait
    keyword TEXT,                   -- under which the literal is given
    literal TEXT                    -- the first text among its arguments, without quotes
) STRICT;

CREATE TABLE entry_points (
    -- Symbols the outside world calls.
    symbol_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,             -- http, cli, job, event, test, main, export
    detail TEXT NOT NULL,           -- the framework's word; of a route its method and whole path: GET /users/{id}
    line INTEGER NOT NULL,
    method TEXT,                    -- of a route: its methods, joined by commas
    path TEXT,                      -- of a route: its path as its file says it, without prefixes from elsewhere
    guards TEXT,                    -- JSON [text, ...]: what stands before it where its router is mounted; null for nothing
    PRIMARY KEY (symbol_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE guards (
    -- What stands before a handler and may keep a request from it: middleware, filters, dependencies. Decorators
    -- stand in `decorators`, what is said where a router is mounted in `entry_points` and `mounts`.
    symbol_id INTEGER NOT NULL,     -- the handler or its class
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    how TEXT NOT NULL,              -- in which way it is given: languages.facts.Guard
    text TEXT NOT NULL,             -- as written
    entry INTEGER,                  -- the position of the entry point it is of; null: of whatever leads to the symbol
    PRIMARY KEY (symbol_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE handlers (
    -- What an entry point calls that only registers it, such as the function of another file behind a route.
    symbol_id INTEGER NOT NULL,     -- this and the position name the entry point
    position INTEGER NOT NULL,
    handler_id INTEGER NOT NULL,
    PRIMARY KEY (symbol_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE routers (
    -- What a route is added to, if it has a name: a variable, or the function that is given a router.
    symbol_id INTEGER NOT NULL,     -- this and the position name the entry point
    position INTEGER NOT NULL,
    router_id INTEGER NOT NULL,
    PRIMARY KEY (symbol_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE mounts (
    -- Prefixes of the routes of a router; the details of entry points have them joined.
    symbol_id INTEGER NOT NULL,     -- where it stands
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,             -- own (of the router), under (where it is mounted), instead (of its own)
    prefix TEXT NOT NULL,           -- what is computed elsewhere stands as written, in angle brackets
    file TEXT NOT NULL,             -- the end of a path without suffix, where a whole file is mounted by its name
    router_id INTEGER,              -- what is mounted: as in `routers`, or a file as a whole
    into_id INTEGER,                -- what it is mounted into
    guards TEXT,                    -- JSON [text, ...]: what stands before all of its routes here; null for nothing
    PRIMARY KEY (symbol_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE sites (
    -- Places where the syntax shows a decision that every project takes somehow.
    file_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    dimension INTEGER NOT NULL,     -- a word: the id of a dimension, such as errors/exception-suffix
    variant INTEGER NOT NULL,       -- a word: what was chosen there
    PRIMARY KEY (file_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE elements (
    -- Elements of pages: of HTML and its templates, JSX, and markup of components and windows. Components of the
    -- project are calls.
    symbol_id INTEGER NOT NULL,     -- where it stands; of a file that is no code file_id << 16, which no symbol has
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    tag TEXT NOT NULL,
    identity TEXT,                  -- its `id` or `x:Name`
    classes TEXT,                   -- those that are written out, with a blank between two
    attributes TEXT,                -- JSON [[name, value], ...] of the others; documents/elements.toml: which values are kept
    PRIMARY KEY (symbol_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE markup_bindings (
    -- What XAML ties to code, to resources or to other elements, and what markup of scripts ties to events.
    symbol_id INTEGER NOT NULL,     -- where it stands
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    element TEXT NOT NULL,
    property TEXT NOT NULL,         -- of the element: Text, Command, Click
    kind TEXT NOT NULL,             -- binding, command, context, resource, handler; of scripts event
    path TEXT,                      -- of a binding; the key of a resource, the method of a handler or event, the type of a context
    mode TEXT,                      -- as written; of a resource Static or Dynamic
    converter TEXT,
    source TEXT,                    -- what it is a member of, where that is not the context
    context TEXT,                   -- the type of the context as markup says it, /path or [path] from there; ?: it says none; null: code does
    PRIMARY KEY (symbol_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE documents (
    -- Files that configure the project, describe its data, or style it; also components that hold a style sheet.
    file_id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL              -- a name of documents/kinds.toml: env, compose, openapi; component
) STRICT;

CREATE TABLE document_items (
    -- What documents declare or ask for; docs/documents.md tells which columns a kind has. Values are not kept.
    file_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    line INTEGER NOT NULL,
    kind TEXT NOT NULL,             -- variable, read, setting, operation, schema, field, table, column, service, class, page-member
    name TEXT NOT NULL,
    owner TEXT,                     -- what it belongs to: the service of a variable, the table of a column
    type TEXT,
    method TEXT,                    -- of an operation: GET, rpc, query
    path TEXT,                      -- of an operation; of a column the name it has in the database
    has_value INTEGER,              -- 1: a value or a default stands there
    is_required INTEGER,
    PRIMARY KEY (file_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE fingerprints (
    -- Hashes of normalised tokens, chosen by winnowing, for finding clones.
    id INTEGER PRIMARY KEY,         -- file_id << 20 | position
    hash INTEGER NOT NULL,          -- 47 bits of it
    line INTEGER NOT NULL,
    end_line INTEGER NOT NULL
) STRICT;

CREATE TABLE file_facts (
    -- What extraction made of a file, so that it can be linked again without being parsed again.
    -- All in forms the scan alone knows; the longest last, so that the others are read without it.
    file_id INTEGER PRIMARY KEY,
    provides BLOB NOT NULL DEFAULT x'',  -- what other files can see of it
    traces BLOB NOT NULL DEFAULT x'',    -- what its links were made from
    packed BLOB NOT NULL                 -- its facts
) STRICT;

-- Search over words: rowid is the symbol's id. The words are kept in no other place (content=''), so a row
-- is deleted by giving its words again; search_words in words.py makes them from the symbol.
CREATE VIRTUAL TABLE search USING fts5(
    name, qualname, path, doc, content='', tokenize='unicode61 remove_diacritics 2'
);

-- Indexes are made after a build has loaded the tables: that takes half the time.

CREATE INDEX symbols_by_name ON symbols (name COLLATE NOCASE);

CREATE INDEX symbols_by_parent ON symbols (parent_id);

CREATE INDEX symbols_by_kind ON symbols (kind);

CREATE INDEX decorators_by_name ON decorators (name);

CREATE INDEX bases_by_target ON bases (target_symbol_id) WHERE target_symbol_id IS NOT NULL;

CREATE INDEX imports_by_file ON imports (target_file_id) WHERE target_file_id IS NOT NULL;

CREATE INDEX imports_by_symbol ON imports (target_symbol_id) WHERE target_symbol_id IS NOT NULL;

CREATE INDEX imports_by_package ON imports (external_package) WHERE external_package IS NOT NULL;

CREATE INDEX words_by_text ON words (text);

CREATE INDEX calls_by_external_name ON calls (external_name) WHERE external_name IS NOT NULL;

-- Of unresolved calls alone: the word `unknown` has the number 1 in every index, so that it can stand here.
CREATE INDEX calls_unresolved ON calls (text) WHERE outcome = 1;

CREATE INDEX edges_by_caller ON edges (caller_id, callee_id);

CREATE INDEX overrides_by_method ON overrides (method_id);

CREATE INDEX refs_by_target ON refs (target_symbol_id);

-- Long texts would make this one of the largest parts of the file; an end tells nearly all apart, better than
-- a beginning, which paths, names and addresses share.
CREATE INDEX constants_by_ending ON constants (substr(value, -8));

CREATE INDEX constants_by_name ON constants (name) WHERE name IS NOT NULL;

CREATE INDEX environment_reads_by_name ON environment_reads (name);

CREATE INDEX setting_reads_by_name ON setting_reads (name);

CREATE INDEX entry_points_by_kind ON entry_points (kind);

CREATE INDEX handlers_by_handler ON handlers (handler_id);

CREATE INDEX routers_by_router ON routers (router_id);

CREATE INDEX mounts_by_router ON mounts (router_id) WHERE router_id IS NOT NULL;

CREATE INDEX mounts_by_into ON mounts (into_id) WHERE into_id IS NOT NULL;

CREATE INDEX document_items_by_name ON document_items (name, kind);

CREATE INDEX document_items_by_kind ON document_items (kind);

CREATE INDEX fingerprints_by_hash ON fingerprints (hash);
