import sys

def first():
    pass

def second():
    pass

chosen = first if sys.argv else second
chosen()
