class Tool:
    def use(self):
        pass

def tools():
    yield Tool()

for tool in tools():
    tool.use()
