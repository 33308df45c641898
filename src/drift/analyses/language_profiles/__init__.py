"""What is special to one language in a project: one body for all, and beside it what only some languages have."""

from drift.analyses.language_profiles.actions import actions_of, find_in_language
from drift.analyses.language_profiles.rows import LanguageData
from drift.analyses.language_profiles.sources import Asked, Found

__all__ = ["Asked", "Found", "LanguageData", "actions_of", "find_in_language"]
