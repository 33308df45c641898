"""What stands before a handler: middleware, guards, filters and dependencies that may keep a request from it.

What gives them away is data: `words.guards` in the file of a language's frameworks. Decorators are not told here
again; they stand with their symbols.
"""

from drift.languages.guards.reading import with_guards

__all__ = ["with_guards"]
