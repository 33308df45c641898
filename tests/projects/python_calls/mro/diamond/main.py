class Top:
    def greet(self):
        pass

class Left(Top):
    def greet(self):
        pass

class Right(Top):
    def greet(self):
        pass

class Bottom(Left, Right):
    pass

Bottom().greet()
