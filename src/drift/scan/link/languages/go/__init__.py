"""What Go means in linking: `semantics` is asked by the core, the rest serves it."""
