class Tool:
    def use(self):
        pass

tool = Tool()
getattr(tool, "use")()
