"""Mending: edits that remove a finding, each tried on a text before anybody sees it."""
