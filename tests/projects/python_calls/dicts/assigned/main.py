def greet():
    pass

actions = {}
actions["greet"] = greet
actions["greet"]()
