"""The tools of drift-catalog, one module per group. Each action of `instructions_dispatch` is a tool of its own."""
