def run():
    from tools import greet

    greet()

run()
