def greet():
    pass

actions = {"greet": greet}
actions["greet"]()
