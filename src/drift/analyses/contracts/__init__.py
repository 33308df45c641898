"""What code that answers requests and code that makes them say of each other: endpoints, calls, shapes, mismatches."""
