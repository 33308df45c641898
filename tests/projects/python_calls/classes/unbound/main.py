class Tool:
    def use(self):
        pass

Tool.use(Tool())
