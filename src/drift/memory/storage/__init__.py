"""The file behind a store: tables, transactions, the log, and what to do when it is damaged."""
