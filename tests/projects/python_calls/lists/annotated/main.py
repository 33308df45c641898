class Tool:
    def use(self):
        pass

def run(tools: list[Tool]):
    for tool in tools:
        tool.use()
