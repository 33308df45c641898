"""Analyses of the index: each module answers one kind of question from facts alone."""
