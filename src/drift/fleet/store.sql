-- What is known of a fleet: one file, derived from the repositories and safe to delete; a later run makes it anew.

CREATE TABLE repositories (
    -- How each stands. A repository that left the list goes with its rows.
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,              -- of the copy that was scanned; never with a password
    branch TEXT,                    -- null: the one the repository calls its own
    tried_at TEXT NOT NULL,         -- when it was last looked at, ISO 8601 in UTC
    reason TEXT,                    -- why that failed; null where it did not
    scanned_at TEXT,                -- when the facts below were last found to be current; null: never
    commit_id TEXT,                 -- that they are of
    engine TEXT,                    -- that made them
    snapshot TEXT,                  -- name of the published index
    snapshot_bytes INTEGER,
    files INTEGER,
    symbols INTEGER,
    mode TEXT,                      -- of the last scan: full, update, none
    seconds REAL,                   -- it took, with fetching and publishing
    cpu_seconds REAL,
    attempts INTEGER NOT NULL,      -- of the last run; more than one where a worker was lost
    cut TEXT NOT NULL               -- which of its facts were too many, separated by spaces
) STRICT;

CREATE TABLE packages (
    -- What a repository is called by those who depend on it.
    repository INTEGER NOT NULL,
    ecosystem TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (repository, ecosystem, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE dependencies (
    repository INTEGER NOT NULL,
    ecosystem TEXT NOT NULL,
    name TEXT NOT NULL,
    version TEXT,                   -- as it is wanted
    scope TEXT NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL
) STRICT;
CREATE INDEX dependencies_by_repository ON dependencies (repository);

CREATE TABLE uses (
    -- Calls of what is in other packages.
    repository INTEGER NOT NULL,
    ecosystem TEXT NOT NULL,
    package TEXT NOT NULL,          -- as it is imported
    name TEXT NOT NULL,             -- in full
    last TEXT NOT NULL,             -- without what it belongs to
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    caller TEXT NOT NULL,
    is_test INTEGER NOT NULL
) STRICT;
CREATE INDEX uses_by_last ON uses (last, ecosystem);
CREATE INDEX uses_by_repository ON uses (repository);

CREATE TABLE answered (
    -- Requests that a repository answers.
    repository INTEGER NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    resource TEXT NOT NULL,         -- the last part that is no parameter
    framework TEXT NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    name TEXT NOT NULL              -- of the handler
) STRICT;
CREATE INDEX answered_by_resource ON answered (resource);
CREATE INDEX answered_by_repository ON answered (repository);

CREATE TABLE asked (
    -- Requests that a repository makes.
    repository INTEGER NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    library TEXT NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    name TEXT NOT NULL              -- of the function that makes it
) STRICT;
CREATE INDEX asked_by_repository ON asked (repository);

CREATE TABLE conventions (
    -- Conventions of whole repositories, and what they leave undecided.
    repository INTEGER NOT NULL,
    convention TEXT NOT NULL,
    rule TEXT NOT NULL,
    variant TEXT NOT NULL,
    is_decided INTEGER NOT NULL,
    share REAL NOT NULL,            -- of the sites, that chose the variant
    sites INTEGER NOT NULL,
    outliers INTEGER NOT NULL,
    examples TEXT NOT NULL,         -- lines of file:line that do otherwise
    PRIMARY KEY (convention, repository)
) STRICT, WITHOUT ROWID;
CREATE INDEX conventions_by_repository ON conventions (repository);
