from typing import Optional

class Tool:
    def use(self):
        pass

class Other:
    def use(self):
        pass

def run(tool: Optional[Tool]):
    tool.use()

def either(tool: Tool | Other):
    tool.use()
