def greet():
    pass

a = b = greet
a()
b()
