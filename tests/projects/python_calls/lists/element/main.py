def greet():
    pass

actions = [greet]
actions[0]()
