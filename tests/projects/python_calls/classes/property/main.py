class Engine:
    def start(self):
        pass

class Car:
    @property
    def engine(self):
        return Engine()

Car().engine.start()
