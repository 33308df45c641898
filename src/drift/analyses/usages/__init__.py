"""Uses of names: the texts of a project, where names stand in them, and what the graph knows of each place."""
