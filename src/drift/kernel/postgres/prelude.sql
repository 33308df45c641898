-- What every schema begins with. It is for one store of one project, as a file is; nothing in it names a project.

-- The store, the version of its tables, and how often it was changed. Whoever changes it holds this row: writers take
-- turns, as they do in a file.
CREATE TABLE stores (
    name    text PRIMARY KEY,          -- memory, catalog, state
    version bigint NOT NULL,
    changes bigint NOT NULL
);

-- SQLite's json_each, of which the values of a list are used.
CREATE FUNCTION json_each(list text) RETURNS TABLE (value text)
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE ROWS 20
AS 'SELECT pg_catalog.json_array_elements_text(list::json)';
