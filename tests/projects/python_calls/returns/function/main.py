def greet():
    pass

def choose():
    return greet

choose()()
