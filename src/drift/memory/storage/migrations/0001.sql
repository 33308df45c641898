-- The memories of one project (or, in the user-wide file, of one person). A file is never shared between
-- projects, so no row names one. Times are Unix milliseconds.

-- The long columns stand last: what is asked of every candidate is read without them.
CREATE TABLE memories (
    number            INTEGER PRIMARY KEY,   -- what other tables and the word index go by
    id                TEXT NOT NULL UNIQUE,  -- what callers go by
    type              TEXT NOT NULL,         -- a name of types.toml
    confidence        REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    importance        TEXT NOT NULL CHECK (importance IN ('low', 'normal', 'high', 'critical')),
    source            TEXT,
    kind              TEXT,
    session           TEXT,
    created_by        TEXT,
    valid_from_ms     INTEGER,               -- when it is true
    valid_until_ms    INTEGER,
    recorded_at_ms    INTEGER NOT NULL,      -- when we learnt it
    updated_at_ms     INTEGER NOT NULL,
    superseded_by     TEXT REFERENCES memories (id) DEFERRABLE INITIALLY DEFERRED,
    last_validated_ms INTEGER,
    archived          INTEGER NOT NULL CHECK (archived IN (0, 1)),
    archive_reason    TEXT,
    deleted_at_ms     INTEGER,               -- purged: hidden, kept, and can be restored
    title             TEXT NOT NULL,
    text              TEXT NOT NULL,
    content           TEXT NOT NULL,         -- JSON: an object, the fields of the type
    words             TEXT NOT NULL,         -- the texts inside content and the tags, for the word index
    body              TEXT AS (text || char(10) || words) VIRTUAL,
    CHECK (superseded_by IS NULL OR superseded_by <> id)
) STRICT;
CREATE INDEX memories_by_time ON memories (recorded_at_ms);
-- With the states in it, counting reads this alone.
CREATE INDEX memories_by_type ON memories (type, recorded_at_ms, number, archived, deleted_at_ms, superseded_by);
CREATE INDEX memories_by_successor ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_by_session ON memories (session) WHERE session IS NOT NULL;

-- What a memory points at, and its tags: found from either side.
CREATE TABLE links (
    number       INTEGER NOT NULL REFERENCES memories (number),
    kind         TEXT NOT NULL CHECK (kind IN ('file', 'function', 'pattern', 'constraint', 'tag')),
    target       TEXT NOT NULL,              -- a path, a name, an id, the tag
    start_line   INTEGER NOT NULL DEFAULT 0, -- of a file; 0: the whole of it
    end_line     INTEGER NOT NULL DEFAULT 0,
    content_hash TEXT,                       -- of what stood there
    PRIMARY KEY (number, kind, target, start_line, end_line)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_target ON links (kind, target);

CREATE TABLE edges (
    source          INTEGER NOT NULL REFERENCES memories (number),
    target          INTEGER NOT NULL REFERENCES memories (number),
    relation        TEXT NOT NULL,
    strength        REAL NOT NULL CHECK (strength BETWEEN 0 AND 1),
    evidence        TEXT NOT NULL,  -- JSON: a list of objects
    inferred        INTEGER NOT NULL CHECK (inferred IN (0, 1)),
    validated_at_ms INTEGER,
    PRIMARY KEY (source, target, relation),
    CHECK (source <> target)
) STRICT, WITHOUT ROWID;
CREATE INDEX edges_by_target ON edges (target);

-- How often a memory was used. Apart from the memories, so that counting rewrites no text, and outside
-- the log: it is a measure, not knowledge.
CREATE TABLE usage (
    number           INTEGER PRIMARY KEY REFERENCES memories (number),
    last_accessed_ms INTEGER NOT NULL,
    access_count     INTEGER NOT NULL
) STRICT;

-- The working state of clients. Outside the log: it is dropped some days after it ends.
CREATE TABLE sessions (
    id             TEXT PRIMARY KEY,
    started_at_ms  INTEGER NOT NULL,
    last_active_ms INTEGER NOT NULL,
    ended_at_ms    INTEGER,
    summary        TEXT,
    state          TEXT NOT NULL          -- JSON: an object
) STRICT, WITHOUT ROWID;

-- Every change of memories, links and edges, in order. Applied from the first on, it gives the tables above.
CREATE TABLE log (
    sequence INTEGER PRIMARY KEY,
    at_ms    INTEGER NOT NULL,
    actor    TEXT NOT NULL,
    action   TEXT NOT NULL,
    number   INTEGER NOT NULL REFERENCES memories (number),  -- of an edge: its source
    patch    ANY NOT NULL                    -- JSON as text, or deflated (see log.py)
) STRICT;
CREATE INDEX log_by_memory ON log (number);
CREATE TRIGGER log_keeps_rows BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_keeps_values BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

-- Purged and archived memories stay in the word index: a search takes the best numbers, then joins to filter.
CREATE VIRTUAL TABLE memory_words USING fts5(
    title, body, content = 'memories', content_rowid = 'number', tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE memory_word_counts USING fts5vocab('memory_words', 'row');
CREATE TRIGGER memories_added AFTER INSERT ON memories BEGIN
    INSERT INTO memory_words (rowid, title, body) VALUES (new.number, new.title, new.body);
END;
CREATE TRIGGER memories_reworded AFTER UPDATE OF title, text, words ON memories
WHEN old.title <> new.title OR old.text <> new.text OR old.words <> new.words BEGIN
    INSERT INTO memory_words (memory_words, rowid, title, body) VALUES ('delete', old.number, old.title, old.body);
    INSERT INTO memory_words (rowid, title, body) VALUES (new.number, new.title, new.body);
END;
CREATE TRIGGER memories_stay BEFORE DELETE ON memories BEGIN
    SELECT RAISE(ABORT, 'memories are purged, never deleted');
END;
