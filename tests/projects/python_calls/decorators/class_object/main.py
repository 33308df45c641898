class Memo:
    def __init__(self, function):
        self.function = function

    def __call__(self):
        return self.function()

@Memo
def greet():
    pass

greet()
