def greet():
    pass

class Tool:
    @staticmethod
    def run(action):
        action()

Tool.run(greet)
