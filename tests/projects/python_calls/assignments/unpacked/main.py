def greet():
    pass

def leave():
    pass

def choose():
    return greet, leave

first, second = choose()
second()
for _, action in [(greet, leave)]:
    action()
for number, step in enumerate([greet]):
    step()
