"""What Drift knows of programming languages, and which ones a project uses."""

from drift.languages.detect import DetectedLanguage, detect_languages
from drift.languages.table import LANGUAGES, Language

__all__ = ["LANGUAGES", "DetectedLanguage", "Language", "detect_languages"]
