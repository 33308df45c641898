"""Guards: what a project holds to, and what a change to it would break."""
