def first():
    pass

def second():
    pass

a, b = first, second
a()
b()
