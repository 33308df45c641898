-- The instructions as the files had them, for reading fast. Derived: made anew from the files at any time.

-- Every file that was looked at, good or broken.
CREATE TABLE file (
    name TEXT PRIMARY KEY,
    mtime_ns INTEGER NOT NULL,
    size INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    read_at_ns INTEGER NOT NULL,   -- when it was read: what changed in the same tick may not show
    digest TEXT NOT NULL,          -- of its bytes
    generation INTEGER NOT NULL,   -- the change of this index that wrote the row
    line INTEGER,                  -- of the problem, where one line is to blame
    problem TEXT,                  -- why it is no instruction
    warnings TEXT                  -- what is not as it should be, though it is one; lines
) WITHOUT ROWID;
CREATE INDEX file_generation ON file (generation);
CREATE INDEX file_problem ON file (name) WHERE problem IS NOT NULL;
CREATE INDEX file_warnings ON file (name) WHERE warnings IS NOT NULL;

-- What instructions are found and sorted by. Narrow, since whole catalogs are counted and filtered here.
-- A row never changes and its number is never given again, so a number stands for one text for ever.
CREATE TABLE instruction (
    rowid INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    priority INTEGER NOT NULL,
    tier TEXT NOT NULL,
    status TEXT NOT NULL,
    owner TEXT NOT NULL,
    classification TEXT NOT NULL,
    requirement TEXT NOT NULL,
    audience TEXT NOT NULL,
    workspace_id TEXT,
    user_id TEXT,
    created_at TEXT NOT NULL,      -- empty where the file says nothing
    updated_at TEXT NOT NULL,      -- likewise
    next_review_due TEXT,
    source_hash TEXT NOT NULL,
    stored_hash TEXT               -- what the file claims the hash to be
);
CREATE INDEX instruction_priority ON instruction (priority, id);
CREATE INDEX instruction_title ON instruction (title, id);
CREATE INDEX instruction_created ON instruction (created_at, id);
CREATE INDEX instruction_updated ON instruction (updated_at, id);
CREATE INDEX instruction_folded ON instruction (lower(id));
CREATE INDEX instruction_workspace ON instruction (workspace_id) WHERE workspace_id IS NOT NULL;
CREATE INDEX instruction_due ON instruction (next_review_due) WHERE next_review_due IS NOT NULL;
CREATE INDEX instruction_false ON instruction (id, stored_hash, source_hash) WHERE stored_hash != source_hash;
CREATE INDEX instruction_user ON instruction (user_id) WHERE user_id IS NOT NULL;

-- What an instruction says, under the number it has above.
CREATE TABLE content (
    rowid INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    categories TEXT NOT NULL,      -- one a line, for the word index
    tags TEXT NOT NULL,            -- likewise
    projection TEXT NOT NULL,      -- what is governed, as it is hashed
    -- Long values come last: what stands behind them is slow to reach.
    rest TEXT NOT NULL,            -- the instruction as JSON, without its body
    body TEXT NOT NULL
);

CREATE TABLE category (
    name TEXT NOT NULL,
    instruction INTEGER NOT NULL,
    updated_at TEXT NOT NULL,      -- of the instruction, so that categories are counted without looking there
    PRIMARY KEY (name, instruction)
) WITHOUT ROWID;
CREATE INDEX category_instruction ON category (instruction);

CREATE TABLE team (
    name TEXT NOT NULL,
    instruction INTEGER NOT NULL,
    PRIMARY KEY (name, instruction)
) WITHOUT ROWID;
CREATE INDEX team_instruction ON team (instruction);

CREATE VIRTUAL TABLE word USING fts5 (
    title, body, categories, tags,
    content='content', content_rowid='rowid', tokenize='porter unicode61'
);

-- How often this index was changed.
CREATE TABLE state (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    generation INTEGER NOT NULL
);
INSERT INTO state VALUES (1, 0);
