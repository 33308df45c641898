"""Secrets in files and in history: candidates found in one pass, judged by value, name and place, never shown whole."""

from drift.analyses.secrets.findings import Secret, scan_text

__all__ = ["Secret", "scan_text"]
