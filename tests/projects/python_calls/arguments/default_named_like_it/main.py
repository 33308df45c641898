def pause():
    pass


def run(pause=pause):
    pause()


class Worker:
    def work(self, pause=pause):
        pause()


run()
Worker.work(None)
