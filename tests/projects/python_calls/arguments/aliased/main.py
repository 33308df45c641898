def greet():
    pass

def run(action):
    action()

start = run
chosen = greet
start(action=chosen)
