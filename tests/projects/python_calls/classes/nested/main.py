class Outer:
    class Inner:
        def run(self):
            pass

Outer.Inner().run()
