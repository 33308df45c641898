def greet():
    pass

def apply(action=greet):
    action()

apply()
