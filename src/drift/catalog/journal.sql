-- What the catalog counts, hears and remembers of changes. Precious: it is nowhere else.

-- Every change of an instruction, noted before it is made; one that then failed has a second line saying so.
CREATE TABLE audit (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    instruction TEXT NOT NULL,
    before_hash TEXT,              -- of the file's normal form; NULL where there was none
    after_hash TEXT,               -- NULL where there is none any more
    note TEXT
);
CREATE INDEX audit_instruction ON audit (instruction, number);

CREATE TABLE usage (
    instruction TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    first_seen_at TEXT NOT NULL,
    last_used_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX usage_count ON usage (count DESC, last_used_at DESC, instruction);

CREATE TABLE feedback (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    type TEXT NOT NULL,
    severity TEXT NOT NULL,
    status TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    context TEXT,                  -- JSON
    tags TEXT NOT NULL,            -- JSON
    admin_notes TEXT
);
