def greet():
    pass

def leave():
    pass

def wait():
    pass

table = {"greet": greet, 1: leave, "1": wait}

table["greet"]()
table[1]()
