def first():
    pass

def second():
    pass

def apply(a, b):
    b()

options = {"a": first, "b": second}
apply(**options)
