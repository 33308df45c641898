def greet():
    pass

def inner(action):
    action()

def outer(action):
    inner(action)

outer(greet)
