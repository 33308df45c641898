class Tool:
    @classmethod
    def make(cls):
        return cls()

    def use(self):
        pass

Tool.make().use()
