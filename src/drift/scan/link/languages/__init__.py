"""What each language means in linking, beyond its facts: one folder each.

These stand here and not beside the extractors because they are about projects, not syntax: they read
configuration files and the list of all files, which a language's extractor never sees.
"""
