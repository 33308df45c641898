def greet():
    pass

class Bus:
    def __init__(self):
        self.listeners = []

    def subscribe(self, listener):
        self.listeners.append(listener)

    def publish(self):
        for listener in self.listeners:
            listener()

bus = Bus()
bus.subscribe(greet)
bus.publish()
