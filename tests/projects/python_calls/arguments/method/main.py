class Machine:
    def stop(self):
        pass

    def end(self, action):
        action()

    def run(self, action, last):
        action(last)

machine = Machine()
machine.run(machine.end, machine.stop)
