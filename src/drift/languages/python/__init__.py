"""Python: its syntax as facts."""

from drift.languages.python.extraction import extract

__all__ = ["extract"]
