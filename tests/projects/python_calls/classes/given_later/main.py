def greet():
    pass

class Tool:
    pass

tool = Tool()
tool.hook = greet
tool.hook()
