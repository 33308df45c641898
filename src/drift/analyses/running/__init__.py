"""What runs what: the call graph with the runs that no call in the text shows."""
