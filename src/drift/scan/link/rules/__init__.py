"""What linking must know of each language beyond its facts, one module each.

These stand here and not beside the extractors because they are about projects, not syntax: they read
configuration files and the list of all files, which a language's extractor never sees.
"""

from drift.scan.link.rules.protocol import Destination, Rules

__all__ = ["Destination", "Rules"]
