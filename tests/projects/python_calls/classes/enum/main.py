from enum import Enum

class Color(Enum):
    RED = 1

    def paint(self):
        pass

Color.RED.paint()
