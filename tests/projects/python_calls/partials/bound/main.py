class Tool:
    def use(self):
        pass

action = Tool().use
action()
