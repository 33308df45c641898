"""What a Java file says."""

from drift.languages.java.file_facts import extract

__all__ = ["extract"]
