"""Where errors end that code throws: handlers, boundaries of frameworks, gaps, and paths that nothing guards."""
