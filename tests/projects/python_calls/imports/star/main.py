from tools import *

greet()
