def greet():
    pass

ACTIONS = {"greet": greet}

def run(name):
    ACTIONS.get(name)()

run("greet")
