def first():
    pass

def second():
    pass

def apply(a=None, b=None):
    b()

apply(a=first, b=second)
