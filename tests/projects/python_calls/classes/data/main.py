from dataclasses import dataclass

class Engine:
    def start(self):
        pass

@dataclass
class Car:
    engine: Engine

car = Car(Engine())
car.engine.start()
