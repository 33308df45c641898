def greet():
    pass

def leave():
    pass

def wait():
    pass

steps = [greet, leave, wait]
steps[1]()
later = steps[1:3]
later[1]()
