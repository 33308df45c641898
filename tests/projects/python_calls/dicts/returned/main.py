def greet():
    pass

def table():
    return {"greet": greet}

table()["greet"]()
