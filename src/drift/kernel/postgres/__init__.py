"""Stores in PostgreSQL, in the place of SQLite's files. Loaded only where a team shares stores (docs/team.md)."""
