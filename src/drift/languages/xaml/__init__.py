"""What a XAML file says."""

from drift.languages.xaml.file_facts import extract

__all__ = ["extract"]
