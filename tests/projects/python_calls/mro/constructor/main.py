class Parent:
    def __init__(self):
        pass

class Child(Parent):
    pass

Child()
