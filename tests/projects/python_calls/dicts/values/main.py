class Tool:
    def use(self):
        pass

tools = {"a": Tool()}
for tool in tools.values():
    tool.use()
for name, tool in tools.items():
    tool.use()
