class Parent:
    def greet(self):
        pass

class Child(Parent):
    pass

Child().greet()
