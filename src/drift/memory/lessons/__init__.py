"""Learning from corrections, and what to bring up, record or warn of."""
