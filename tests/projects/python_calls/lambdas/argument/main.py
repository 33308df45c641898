class Tool:
    def use(self):
        pass

def apply(action, tool):
    action(tool)

apply(lambda tool: tool.use(), Tool())
