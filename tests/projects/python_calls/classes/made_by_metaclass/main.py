class Meta(type):
    pass

class Base:
    def __init__(self):
        pass

    def run(self):
        pass

Box = Meta("Box", (Base,), {})

Box().run()
