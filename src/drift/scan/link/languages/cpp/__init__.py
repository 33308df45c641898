"""What C and C++ means in linking: `semantics` is asked by the core, the rest serves it."""
