"""One module for each form of document: `read(text, kind)` gives its items."""
