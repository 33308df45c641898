"""What Ruby means in linking."""
