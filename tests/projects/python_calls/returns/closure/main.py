def make():
    def inner():
        pass
    return inner

action = make()
action()
