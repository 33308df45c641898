def good(a):
    return a.fine()


def half(b:
    return b.lost(


class Kept:
    def method(self):
        return self.other()
