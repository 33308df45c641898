from kinds import Opener

class Door(Opener):
    def __init__(self):
        self.open = self.push

    def push(self):
        pass

class Hatch(Opener):
    open = Door

Door().use()
Hatch().use()
