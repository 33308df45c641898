from functools import partial

def greet(name):
    pass

action = partial(greet, "a")
action()
