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

CREATE TABLE instruction (
    rowid INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    categories TEXT NOT NULL,      -- one a line, for the word index
    tags TEXT NOT NULL,            -- likewise
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
    stored_hash TEXT,              -- what the file claims the hash to be
    projection TEXT NOT NULL,      -- what is governed, as it is hashed
    -- Long values come last: what stands behind them is slow to reach.
    rest TEXT NOT NULL,            -- the instruction as JSON, without its body
    body TEXT NOT NULL
);
CREATE UNIQUE INDEX instruction_hash ON instruction (id, source_hash, stored_hash);
CREATE INDEX instruction_priority ON instruction (priority, id);
CREATE INDEX instruction_title ON instruction (title, id);
CREATE INDEX instruction_created ON instruction (created_at, id);
CREATE INDEX instruction_updated ON instruction (updated_at, id);
CREATE INDEX instruction_folded ON instruction (lower(id));

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
    content='instruction', content_rowid='rowid', tokenize='porter unicode61'
);

-- How often this index was changed.
CREATE TABLE state (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    generation INTEGER NOT NULL
);
INSERT INTO state VALUES (1, 0);
