from abc import ABC, abstractmethod

class Parent(ABC):
    def run(self):
        self.step()

    @abstractmethod
    def step(self):
        pass

class Child(Parent):
    def step(self):
        pass

Child().run()
