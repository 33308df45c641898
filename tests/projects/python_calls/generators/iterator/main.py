def greet():
    pass

class Bag:
    class Steps:
        def __next__(self):
            return greet

    def __iter__(self):
        return self.Steps()

for action in Bag():
    action()
