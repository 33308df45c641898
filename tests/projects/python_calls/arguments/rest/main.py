def greet():
    pass

def apply(*actions):
    for action in actions:
        action()

apply(greet)
