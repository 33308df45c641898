class Tool:
    def use(self):
        pass

tools = [Tool() for _ in range(3)]
used = [tool.use() for tool in tools]
