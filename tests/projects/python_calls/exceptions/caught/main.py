class Failure(Exception):
    def __init__(self, text):
        super().__init__(text)

    def explain(self):
        pass

def work():
    raise Failure("no")

try:
    work()
except Failure as failure:
    failure.explain()
