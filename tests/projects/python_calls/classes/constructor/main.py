class Tool:
    def __init__(self):
        self.prepare()

    def prepare(self):
        pass

Tool()
