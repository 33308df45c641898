import functools

def repeated(times):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args):
            for _ in range(times):
                function(*args)
        return wrapper
    return decorate

@repeated(3)
def greet():
    pass

greet()
