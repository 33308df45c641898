def greet():
    pass

def same(action):
    return action

def find():
    return same

find()(greet)()
