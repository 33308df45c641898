"""Finds memories again: by any words of a question, with what stands beside a hit, gently ordered by worth."""

from drift.memory.search.candidates import WordCounts
from drift.memory.search.intents import classify_intent, intents
from drift.memory.search.ranking import Found, Hit, Setting, search
from drift.memory.search.wanted import Row, Wanted

__all__ = [
    "Found",
    "Hit",
    "Row",
    "Setting",
    "Wanted",
    "WordCounts",
    "classify_intent",
    "intents",
    "search",
]
