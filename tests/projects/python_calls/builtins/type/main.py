class Tool:
    def __init__(self):
        pass

    def copy(self):
        return type(self)()

Tool().copy()
