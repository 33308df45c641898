"""The tools of drift-memory, one module for each group."""
