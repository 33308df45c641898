"""What helps while somebody works: briefs, threads laid aside, debug paths, capture, and saying nothing twice."""
