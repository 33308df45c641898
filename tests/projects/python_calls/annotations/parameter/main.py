class Tool:
    def use(self):
        pass

def run(tool: Tool):
    tool.use()
