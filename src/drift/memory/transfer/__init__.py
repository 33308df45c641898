"""Memories in and out: JSON, Markdown, and sections of documents."""
