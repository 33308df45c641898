"""What a C# file says."""

from drift.languages.csharp.file_facts import extract

__all__ = ["extract"]
