def greet():
    pass

def leave():
    pass

run = lambda action: action()

run(greet)
run(leave)
