"""What linking must know of each language beyond its facts, one module each.

These stand here and not beside the extractors because they are about projects, not syntax: they read
configuration files and the list of all files, which a language's extractor never sees.
"""

from drift.scan.link.rules.configuration import is_configuration
from drift.scan.link.rules.protocol import Destination, Rules
from drift.scan.link.rules.table import rules_for

__all__ = ["Destination", "Rules", "is_configuration", "rules_for"]
