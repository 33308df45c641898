-- The memories of one project, as migrations/ has them for SQLite, in a schema of their own. Times are Unix
-- milliseconds; texts compare by their bytes.

CREATE TABLE memories (
    number            bigint PRIMARY KEY,       -- without gaps: what stands beside a memory is found by it
    id                text COLLATE "C" NOT NULL UNIQUE,
    type              text COLLATE "C" NOT NULL,
    confidence        double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    importance        text COLLATE "C" NOT NULL CHECK (importance IN ('low', 'normal', 'high', 'critical')),
    source            text COLLATE "C",
    kind              text COLLATE "C",
    session           text COLLATE "C",
    created_by        text COLLATE "C",
    valid_from_ms     bigint,
    valid_until_ms    bigint,
    recorded_at_ms    bigint NOT NULL,
    updated_at_ms     bigint NOT NULL,
    superseded_by     text COLLATE "C" REFERENCES memories (id) DEFERRABLE INITIALLY DEFERRED,
    last_validated_ms bigint,
    archived          integer NOT NULL CHECK (archived IN (0, 1)),
    archive_reason    text COLLATE "C",
    deleted_at_ms     bigint,
    title             text COLLATE "C" NOT NULL,
    text              text COLLATE "C" NOT NULL,
    content           text COLLATE "C" NOT NULL,  -- JSON, kept letter for letter
    words             text COLLATE "C" NOT NULL,
    body              text COLLATE "C" GENERATED ALWAYS AS (text || chr(10) || words) STORED,
    digest            bytea,
    CHECK (superseded_by IS NULL OR superseded_by <> id)
);
CREATE INDEX memories_by_time ON memories (recorded_at_ms, number);
CREATE INDEX memories_by_type ON memories (type, recorded_at_ms, number, archived, deleted_at_ms, superseded_by);
CREATE INDEX memories_by_successor ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_by_session ON memories (session) WHERE session IS NOT NULL;

CREATE TABLE links (
    number       bigint NOT NULL REFERENCES memories (number),
    kind         text COLLATE "C" NOT NULL CHECK (kind IN ('file', 'function', 'pattern', 'constraint', 'tag')),
    target       text COLLATE "C" NOT NULL,
    start_line   bigint NOT NULL DEFAULT 0,
    end_line     bigint NOT NULL DEFAULT 0,
    content_hash text COLLATE "C",
    PRIMARY KEY (number, kind, target, start_line, end_line)
);
CREATE INDEX links_by_target ON links (kind, target);

CREATE TABLE edges (
    source          bigint NOT NULL REFERENCES memories (number),
    target          bigint NOT NULL REFERENCES memories (number),
    relation        text COLLATE "C" NOT NULL,
    strength        double precision NOT NULL CHECK (strength BETWEEN 0 AND 1),
    evidence        text COLLATE "C" NOT NULL,
    inferred        integer NOT NULL CHECK (inferred IN (0, 1)),
    validated_at_ms bigint,
    PRIMARY KEY (source, target, relation),
    CHECK (source <> target)
);
CREATE INDEX edges_by_target ON edges (target);

CREATE TABLE usage (
    number           bigint PRIMARY KEY REFERENCES memories (number),
    last_accessed_ms bigint NOT NULL,
    access_count     bigint NOT NULL
);

CREATE TABLE sessions (
    id             text COLLATE "C" PRIMARY KEY,
    started_at_ms  bigint NOT NULL,
    last_active_ms bigint NOT NULL,
    ended_at_ms    bigint,
    summary        text COLLATE "C",
    state          text COLLATE "C" NOT NULL
);

CREATE TABLE log (
    sequence bigint PRIMARY KEY,
    at_ms    bigint NOT NULL,
    actor    text COLLATE "C" NOT NULL,
    action   text COLLATE "C" NOT NULL,
    number   bigint NOT NULL REFERENCES memories (number),
    patch    text COLLATE "C" NOT NULL           -- JSON; PostgreSQL deflates what is long
);
CREATE INDEX log_by_memory ON log (number);

-- Writers take turns, so the next number is the highest and one.
CREATE FUNCTION next_memory() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.number := coalesce(NEW.number, (SELECT max(number) FROM memories) + 1, 1);
    RETURN NEW;
END $$;
CREATE TRIGGER memories_numbered BEFORE INSERT ON memories FOR EACH ROW EXECUTE FUNCTION next_memory();
CREATE FUNCTION next_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.sequence := coalesce(NEW.sequence, (SELECT max(sequence) FROM log) + 1, 1);
    RETURN NEW;
END $$;
CREATE TRIGGER log_numbered BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION next_entry();

CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER log_keeps_rows BEFORE UPDATE OR DELETE OR TRUNCATE ON log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('the log is append-only');
CREATE TRIGGER memories_stay BEFORE DELETE OR TRUNCATE ON memories
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('memories are purged, never deleted');

-- The word index: stems as SQLite's own tokenizer makes them, so that both engines find the same (see words.py).
CREATE TABLE postings (
    term     text COLLATE "C" NOT NULL,
    number   bigint NOT NULL,                    -- of the memory
    in_title integer NOT NULL,                   -- how often
    in_body  integer NOT NULL,
    length   integer NOT NULL,                   -- words of the memory
    PRIMARY KEY (term, number)
);
CREATE INDEX postings_by_memory ON postings (number);
-- In how many memories each stem stands.
CREATE TABLE terms (
    term     text COLLATE "C" PRIMARY KEY,
    memories bigint NOT NULL
) WITH (fillfactor = 70);
-- How many memories there are in it, and words in all of them. One row.
CREATE TABLE word_totals (memories bigint NOT NULL, words bigint NOT NULL);
INSERT INTO word_totals VALUES (0, 0);
