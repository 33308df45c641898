"""What brought about what: edges between memories, chains of them, and how belief passes along."""
