"""Miners: each proposes constraints that a project may hold to; what is true of it is counted afterwards."""
