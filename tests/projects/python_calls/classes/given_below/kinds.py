class Opener:
    def use(self):
        self.open()
