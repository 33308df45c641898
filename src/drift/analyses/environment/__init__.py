"""Environment variables and settings: who reads them, where they are declared, and what does not fit together."""
