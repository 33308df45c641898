"""What every room stands on. Its modules are its doors: importing one must not cost what the others need."""
