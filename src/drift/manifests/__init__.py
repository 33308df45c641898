"""Package and build files of every ecosystem: what each says, read in one place for linking and for answers."""
