"""Whether what somebody says of the code is so: names, places, relations, conventions and ways of attack, looked up in the index.

One verifier for all who claim something: memories that are read again (`lookup`), and clients that ask before they build on it (`kinds`).
"""
