import functools

@functools.lru_cache
def greet():
    pass

greet()
