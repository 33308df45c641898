-- What every schema of a project begins with. The schema is the project's own; nothing in it names a project.

-- The stores in this schema, the version of the tables of each, and how often each was changed. Whoever changes a store
-- holds its row: writers take turns, as they do in a file.
CREATE TABLE stores (
    name    text PRIMARY KEY,          -- memory, catalog, state
    version bigint NOT NULL,
    changes bigint NOT NULL
);

-- SQLite's json_each, of which the values of a list are used.
CREATE FUNCTION json_each(list text) RETURNS TABLE (value text)
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE ROWS 20
AS 'SELECT pg_catalog.json_array_elements_text(list::json)';
