def greet():
    pass

def apply(action):
    action()

apply(greet)
