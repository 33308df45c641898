class Top:
    def greet(self):
        pass

class Left(Top):
    def greet(self):
        super().greet()

class Right(Top):
    def greet(self):
        super().greet()

class Bottom(Left, Right):
    pass

Bottom().greet()
