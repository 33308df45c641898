def greet():
    pass

alias = greet
other = alias
other()
