def greet():
    pass

def apply(**options):
    options["action"]()

apply(action=greet)
