from ..top import greet
from . import beside

def run():
    greet()
    beside.help_out()
