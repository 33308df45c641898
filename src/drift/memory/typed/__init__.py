"""The kinds of memory with a life of their own: goals, incidents, workflows and the like."""
