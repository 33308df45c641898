-- What was seen and decided over time. Precious: it is nowhere else, and never dropped.
--
-- Tables change by migrations in store.py alone; this file stays as it is.
-- Times are ISO 8601 in UTC.

-- When each convention was seen first and last.
CREATE TABLE conventions (
    id TEXT PRIMARY KEY,           -- errors/exception-suffix, with a scope errors/exception-suffix@packages/api
    first_seen_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL
) WITHOUT ROWID;

-- What was done about a convention, by whom and why. The rows with a status are the history of its status.
CREATE TABLE curation (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    convention TEXT NOT NULL,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,           -- a person, a client or a rule of Drift's own
    action TEXT NOT NULL,          -- approve, ignore, reopen, verify, …
    status TEXT,                   -- what it became; NULL where the action left it as it was
    reason TEXT,
    evidence TEXT                  -- JSON
);
CREATE INDEX curation_convention ON curation (convention, number);

-- What people and clients think of what they were told.
CREATE TABLE feedback (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    about TEXT NOT NULL,           -- tool, convention, rule, example
    subject TEXT NOT NULL,         -- its name or id
    rating TEXT NOT NULL,          -- useful, partial, not_useful
    source TEXT NOT NULL,          -- said, or implied by what was called next
    reason TEXT,                   -- wrong_data, too_verbose, missing_context, irrelevant
    client TEXT,
    request TEXT,                  -- the id of the answer it is about
    note TEXT,
    is_fixed INTEGER               -- whether a fix was applied; NULL where nobody said
);
CREATE INDEX feedback_subject ON feedback (about, subject, at);

-- How claims that were given for verification came out, by day.
CREATE TABLE verifications (
    day TEXT NOT NULL,
    client TEXT NOT NULL,
    kind TEXT NOT NULL,            -- pattern, symbol, relationship, convention, security
    passed INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    PRIMARY KEY (day, client, kind)
) WITHOUT ROWID;

-- Runs of gates.
CREATE TABLE runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    policy TEXT NOT NULL,
    scope TEXT NOT NULL,           -- project, change
    status TEXT NOT NULL,          -- passed, warned, failed, errored
    score REAL,                    -- NULL where it could not be computed
    head TEXT,                     -- the commit checked out
    summary TEXT NOT NULL          -- JSON: the checks and how each came out
);
CREATE INDEX runs_policy ON runs (policy, number);

-- What was measured at one time: a row here, and one in `measured` for each thing.
CREATE TABLE snapshots (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    head TEXT,
    branch TEXT,
    generation INTEGER,            -- of the index
    run INTEGER                    -- the run of gates it was made for
);

-- What is measured again and again, each once.
CREATE TABLE things (
    id INTEGER PRIMARY KEY,
    about TEXT NOT NULL,           -- convention, file, module, project, …
    subject TEXT NOT NULL,
    measure TEXT NOT NULL,         -- frequency, sites, complexity, …
    UNIQUE (about, subject, measure)
);

CREATE TABLE measured (
    thing_id INTEGER NOT NULL,
    snapshot INTEGER NOT NULL,
    value REAL NOT NULL,
    PRIMARY KEY (thing_id, snapshot)
) WITHOUT ROWID;
CREATE INDEX measured_snapshot ON measured (snapshot);
