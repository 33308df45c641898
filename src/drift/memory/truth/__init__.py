"""Whether memories still hold: against the files they cite, against each other, and with age."""
