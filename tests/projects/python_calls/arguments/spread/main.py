def greet():
    pass

def apply(action):
    action()

given = [greet]
apply(*given)
