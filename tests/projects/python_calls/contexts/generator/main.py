from contextlib import contextmanager

class Session:
    def send(self):
        pass

@contextmanager
def opened():
    yield Session()

with opened() as session:
    session.send()
