def greet():
    pass

def inner():
    yield greet

def outer():
    yield from inner()

for action in outer():
    action()
