-- The commits behind HEAD, as git tells them. Derived: it may be deleted, and is read again.
--
-- A change of a statement here, or of what a column means, needs no migration: a store of other tables is
-- dropped. If the meaning alone changes, raise VERSION in store.py.

CREATE TABLE meta (
    key TEXT NOT NULL PRIMARY KEY,  -- version, nonce, seal, head, anchor, read_count, is_whole, boundary
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE authors (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    mail TEXT NOT NULL,
    UNIQUE (name, mail)
) STRICT;

CREATE TABLE commits (
    id INTEGER PRIMARY KEY,         -- grows from old to new, in git's order
    hash BLOB NOT NULL UNIQUE,
    parents BLOB NOT NULL,          -- their hashes one after the other; empty for a beginning
    time INTEGER NOT NULL,          -- of the committer, in seconds since 1970
    author_id INTEGER NOT NULL,
    subject TEXT NOT NULL,
    is_merge INTEGER NOT NULL,
    is_counted INTEGER NOT NULL     -- 1: the lines of its changes have been counted
) STRICT;

CREATE TABLE paths (
    id INTEGER PRIMARY KEY,
    path BLOB NOT NULL UNIQUE       -- below the project's root, as git has it: any bytes
) STRICT;

CREATE TABLE changes (
    -- What a commit did to a file. Merges have none: what they join is told by the commits they join.
    commit_id INTEGER NOT NULL,
    path_id INTEGER NOT NULL,
    letter TEXT NOT NULL,           -- A, M, D, R, C, T, as git has it
    old_path_id INTEGER,            -- where a renamed or copied file came from
    added INTEGER,                  -- lines; null before they are counted, and of files that are no text
    removed INTEGER,
    PRIMARY KEY (commit_id, path_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
    -- What was found out about a commit by looking at it, so that it is looked at once.
    commit_id INTEGER NOT NULL,
    subject TEXT NOT NULL,          -- what was looked at: dependencies
    text TEXT NOT NULL,
    PRIMARY KEY (commit_id, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX commits_by_time ON commits (time);

CREATE INDEX changes_by_path ON changes (path_id, commit_id);

CREATE INDEX changes_by_old_path ON changes (old_path_id, commit_id) WHERE old_path_id IS NOT NULL;
