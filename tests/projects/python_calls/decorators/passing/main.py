HOOKS = []

def register(function):
    HOOKS.append(function)
    return function

@register
def greet():
    pass

greet()
