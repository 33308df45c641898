class Session:
    def __enter__(self):
        return self

    def __exit__(self, *details):
        pass

    def send(self):
        pass

with Session() as session:
    session.send()
