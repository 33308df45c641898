def greet():
    pass

action = lambda: greet()
action()
