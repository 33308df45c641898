def make_field():
    pass
