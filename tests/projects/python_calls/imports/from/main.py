from tools import greet

greet()
