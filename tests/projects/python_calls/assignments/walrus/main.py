class Tool:
    def use(self):
        pass

def make() -> Tool | None:
    return None

if tool := make():
    tool.use()
