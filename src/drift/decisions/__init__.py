"""Decisions: what a project decided in its past, told from commits, manifests and decision records, with evidence."""
