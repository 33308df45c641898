try:
    from fast import work
except ImportError:
    from slow import work

work()
