def outer(function):
    def outermost():
        return function()
    return outermost

def inner(function):
    def innermost():
        return function()
    return innermost

@outer
@inner
def greet():
    pass

greet()
