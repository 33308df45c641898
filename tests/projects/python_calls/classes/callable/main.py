class Action:
    def __call__(self):
        pass

action = Action()
action()
