class Engine:
    def start(self):
        pass

class Car:
    engine: Engine

    def drive(self):
        self.engine.start()
