def logged(function):
    def wrapper():
        return function()
    return wrapper

@logged
def greet():
    pass

greet()
