def greet():
    pass

def install():
    global hook
    hook = greet

hook = None
install()
hook()
